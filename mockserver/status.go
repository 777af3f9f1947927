package mockserver

import (
	"fmt"
	"net/http"

	"chainscope/wallet/facts"
)

// serveStatus answers /extended. The burn heights at which stacked coins were released went
// with API 9.
func serveStatus(x *exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	tip, _ := v.Block(v.Tip())
	body := object{{"server_version", "stacks-blockchain-api " + x.s.generation.version()}, {"status", "ready"}}
	if x.s.generation == api8 {
		begins := x.era()
		for i, epoch := range facts.Unlocks {
			body = append(body, field{fmt.Sprintf("pox_v%d_unlock_height", i+1), begins.since(epoch) + 1})
		}
	}
	x.object(append(body, field{"chain_tip", object{
		{"block_height", tip.Height}, {"block_hash", tip.Hash}, {"index_block_hash", tip.Index}, {"burn_block_height", v.NewestBurnHeight()},
	}}))
}

func redirectToStatus(x *exchange) {
	h := x.w.Header()
	h["Location"] = []string{x.base + "/extended"}
	h["X-Api-Version"] = x.s.version
	h["Cache-Control"] = noStoreHeader
	h["Content-Length"] = []string{"0"}
	x.w.WriteHeader(http.StatusMovedPermanently)
}

package mockserver

import (
	"fmt"
	"net/http"
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
		for i, newer := range poxStarts[1:] { // a burn block after a newer contract took over
			body = append(body, field{fmt.Sprintf("pox_v%d_unlock_height", i+1), newer.at + 1})
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

package mockserver

import "net/http"

// statusBody is the answer of /extended. The heights at which stacked coins were
// released went with API 9.
type statusBody struct {
	ServerVersion string `json:"server_version"`
	Status        string `json:"status"`
	*unlockHeights
	ChainTip chainTipBody `json:"chain_tip"`
}

// unlockHeights are burn heights.
type unlockHeights struct {
	PoX1 int64 `json:"pox_v1_unlock_height"`
	PoX2 int64 `json:"pox_v2_unlock_height"`
	PoX3 int64 `json:"pox_v3_unlock_height"`
}

type chainTipBody struct {
	Height     int64  `json:"block_height"`
	Hash       string `json:"block_hash"`
	Index      string `json:"index_block_hash"`
	BurnHeight int64  `json:"burn_block_height"`
}

func serveStatus(x *exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	tip, _ := v.Block(v.Tip())
	body := statusBody{
		ServerVersion: "stacks-blockchain-api " + x.s.generation.version(), Status: "ready",
		ChainTip: chainTipBody{tip.Height, tip.Hash.String(), tip.Index.String(), v.NewestBurnHeight()},
	}
	if x.s.generation == api8 {
		body.unlockHeights = &unlockHeights{unlockedAt("pox-2"), unlockedAt("pox-3"), unlockedAt("pox-4")}
	}
	x.value(http.StatusOK, body)
}

// unlockedAt is when what an older contract had locked was free: a burn block after a
// newer contract took over.
func unlockedAt(newer string) int64 {
	for _, start := range poxStarts {
		if start.contract == newer {
			return start.at + 1
		}
	}
	return 0
}

func redirectToStatus(x *exchange) {
	h := x.w.Header()
	h["Location"] = []string{x.base + "/extended"}
	h["X-Api-Version"] = x.s.version
	h["Cache-Control"] = noStoreHeader
	h["Content-Length"] = []string{"0"}
	x.w.WriteHeader(http.StatusMovedPermanently)
}

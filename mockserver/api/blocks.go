package api

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"

	"chainscope/mockserver/chain"
)

// maxHeight is the highest burn height the service can store.
const maxHeight = 1<<31 - 1

// The sizes of a page of endpoints 3 and 6.
const (
	defaultLimit = 20
	maxLimit     = 30
)

// serveBlocks is endpoint 6: the canonical blocks, newest first.
func serveBlocks(x *Exchange) {
	w := x.page()
	w.limit = cmp.Or(w.limit, defaultLimit) // 0 counts as absent, here and not in endpoint 3
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	all := v.All()
	results := each(v.Blocks(w.of(all)), func(b chain.Block) object { return recordBody(&v, &b) })
	x.object(w.page(int(all.Len()), results))
}

// page reads limit and offset.
func (x *Exchange) page() window {
	if x.R.URL.RawQuery == "" {
		return window{limit: defaultLimit}
	}
	l := x.queryInteger("limit", between(0, maxLimit), defaultLimit)
	o := x.queryInteger("offset", atLeast(0), 0)
	if o >= 1<<63 {
		// The real service passes the database's fault on as a 500.
		text, _ := QueryValue(x.R.URL.RawQuery, "offset")
		x.Thrown(http.StatusBadRequest, "22003", `value "`+text+`" is out of range for type bigint`)
		return window{}
	}
	return window{int(l), int(o)}
}

// serveBlockByBurnHeight is endpoint 4: the block that stands for a burn block.
func serveBlockByBurnHeight(x *Exchange) {
	x.byHeight("burn_block_height", func(v *chain.View, height int64) (block chain.Block, found bool) {
		burn, found := v.BurnByHeight(height)
		if found {
			block = v.Best(&burn)
		}
		return block, found
	})
}

// serveBlockByBurnHash is endpoint 5.
func serveBlockByBurnHash(x *Exchange) {
	x.byHash("cannot find block by burn block hash", func(v *chain.View, hash chain.Hash) (chain.Block, bool) {
		burn, ok := v.BurnByHash(hash)
		if !ok {
			return chain.Block{}, false
		}
		return v.Best(&burn), true
	})
}

// serveBlockByHash finds a canonical block by its hash.
func serveBlockByHash(x *Exchange) {
	x.byHash("cannot find block by hash", (*chain.View).BlockByHash)
}

// serveBlockByHeight finds a canonical block by its height.
func serveBlockByHeight(x *Exchange) { x.byHeight("height", (*chain.View).Block) }

// byHash answers with the block that is found by the hash of the path, which begins with 0x.
func (x *Exchange) byHash(missing string, find func(*chain.View, chain.Hash) (chain.Block, bool)) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	digits, prefixed := strings.CutPrefix(x.param(0), "0x")
	if !prefixed {
		x.redirectToPrefixed(x.param(0))
		return
	}
	if strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		// The real service fails with a 500 by burn block; this is its answer where it checks.
		x.Thrown(http.StatusBadRequest, "", "Invalid hash characters")
		return
	}
	var block chain.Block
	hash, found := chain.ParseHash(x.param(0))
	if found {
		block, found = find(&v, hash)
	}
	x.record(&v, &block, found, missing)
}

// record answers with a block, or with the words for a missing one.
func (x *Exchange) record(v *chain.View, block *chain.Block, found bool, missing string) {
	if !found {
		x.Thrown(http.StatusNotFound, "", missing)
		return
	}
	x.object(recordBody(v, block))
}

// redirectToPrefixed sends the client to the same path with 0x before the hash.
func (x *Exchange) redirectToPrefixed(hash string) {
	prefix, rest, _ := strings.Cut(x.route.Pattern, "{")
	_, rest, _ = strings.Cut(rest, "}")
	to := x.Base + prefix + "0x" + url.PathEscape(hash) + rest
	if x.R.URL.RawQuery != "" {
		to += "?" + x.R.URL.RawQuery
	}
	x.answered = true
	h := x.W.Header()
	h["Location"] = []string{to}
	h["X-Api-Version"] = x.Service.version
	h["Content-Length"] = []string{"0"}
	x.W.WriteHeader(http.StatusFound)
}

// byHeight answers with the block that is found by the height of the path.
func (x *Exchange) byHeight(name string, find func(*chain.View, int64) (chain.Block, bool)) {
	height := x.paramInteger(0, name, atLeast(0))
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	var block chain.Block
	found := height <= maxHeight
	if found {
		block, found = find(&v, int64(height))
	}
	x.record(&v, &block, found, "cannot find block by height")
}

// newestAt returns the height of the newest block at or before an instant, 0 if there is none.
func newestAt(v *chain.View, ms int64) int64 {
	after := sort.Search(int(v.Tip()), func(i int) bool {
		b, _ := v.Block(int64(i) + 1)
		return b.TimeMS > ms
	})
	return int64(after)
}

// serveAverageTimes serves the mean time between the blocks of the last hour, day, week and
// month.
func serveAverageTimes(x *Exchange) {
	v, day := x.state().View, 24*time.Hour
	x.object(object{
		{"last_1h", meanTime(&v, time.Hour)}, {"last_24h", meanTime(&v, day)}, {"last_7d", meanTime(&v, 7*day)}, {"last_30d", meanTime(&v, 30*day)},
	})
}

// meanTime returns the mean time between blocks since an age, in seconds with two decimals; 0 where
// there is none.
func meanTime(v *chain.View, age time.Duration) float64 {
	tip := v.Tip()
	before := max(1, newestAt(v, v.NowMS()-age.Milliseconds()))
	if before >= tip {
		return 0
	}
	from, _ := v.Block(before)
	to, _ := v.Block(tip)
	seconds := float64(to.TimeMS-from.TimeMS) / float64(tip-before) / 1000
	return math.Round(seconds*100) / 100
}

// serveBlockByTime finds the newest block at or before an instant, in Unix seconds.
func serveBlockByTime(x *Exchange) {
	at := x.paramInteger(0, "timestamp", atLeast(0))
	v := x.state().View
	height := v.Tip()
	if at < maxHeight*1000 {
		height = newestAt(&v, int64(at)*1000+999) // a block has whole seconds
	}
	if height == 0 {
		x.Thrown(http.StatusNotFound, "", "No block found at or before the given timestamp")
	}
	// The service finds a validator for the very time of a block alone.
	b, ok := v.Block(height)
	if ok && !x.answered && float64(b.TimeMS/1000) == at && x.cached(`"`+b.Index.String()+`:true"`) {
		return
	}
	if !x.answered {
		x.object(listedBody(&b))
	}
}

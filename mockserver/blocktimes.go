package mockserver

import (
	"math"
	"net/http"
	"sort"
	"time"

	"chainscope/mockserver/chain"
)

// newestAt returns the height of the newest block at or before an instant, 0 if there is none.
func newestAt(v *chain.View, ms int64) int64 {
	after := sort.Search(int(v.Tip()), func(i int) bool {
		b, _ := v.Block(int64(i) + 1)
		return b.TimeMS > ms
	})
	return int64(after)
}

// serveAverageTimes tells the mean time between the blocks of the last hour, day, week and
// month.
func serveAverageTimes(x *exchange) {
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
func serveBlockByTime(x *exchange) {
	at := x.paramInteger(0, "timestamp", atLeast(0))
	v := x.state().View
	height := v.Tip()
	if at < maxHeight*1000 {
		height = newestAt(&v, int64(at)*1000+999) // a block has whole seconds
	}
	if height == 0 {
		x.thrown(http.StatusNotFound, "", "No block found at or before the given timestamp")
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

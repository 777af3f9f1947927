package chain

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Live tail brings a page for every new block, which must not keep the page.
func TestAnHourOfLiveTailIsHeldInLittleMemory(t *testing.T) {
	const polls = 720
	k := &Chain{}
	poll := func(tip int64) {
		body := strings.Repeat(fmt.Sprintf("%016d", tip), 40<<10/16)
		records := span("a", tip, tip-29)
		for i, r := range records {
			at := i * 1024
			r.Hash, r.ParentBlockHash = strings.Clone(body[at:at+66]), ""
			r.Txs = []string{strings.Clone(body[at+66 : at+132])}
			r.Raw = json.RawMessage(body[at : at+1000])
		}
		page(k, records, tip+1, 0)
	}
	poll(1_000_000)
	before := heap()
	for i := range polls {
		poll(1_000_001 + int64(i))
	}
	if grown := heap() - before; grown > polls*4<<10 {
		t.Errorf("%d blocks take %d kB", polls, grown>>10)
	}
	runtime.KeepAlive(k)
}

func TestBlocksFarFromTheCursorAreDropped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tip, kept = 1_000_000, 600
		k := &Chain{}
		page(k, span("a", tip, tip-29), tip+1, 0)
		for range rapid.IntRange(0, 200).Draw(t, "pages") {
			offset := rapid.Int64Range(30, 900_000).Draw(t, "offset")
			page(k, span("a", tip-offset, tip-offset-29), tip+1, int(offset))
		}
		before := len(k.at)
		around := rapid.Int64Range(0, tip).Draw(t, "cursor")
		k.Trim(around, kept)
		if before <= kept && len(k.at) != before || len(k.at) > kept {
			t.Fatalf("%d of %d blocks stayed", len(k.at), before)
		}
		if len(k.ids) != len(k.at) {
			t.Fatalf("%d blocks by id, %d by height", len(k.ids), len(k.at))
		}
		for h := int64(tip); h > tip-PageSize; h-- {
			if k.at[h] == nil {
				t.Fatalf("block %d of the newest page was dropped", h)
			}
		}
		if k.Rows() != tip+1 {
			t.Fatalf("%d rows", k.Rows())
		}
	})
}

// heap returns how many bytes the program holds.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

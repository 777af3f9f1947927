package chain

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"

	"pgregory.net/rapid"
)

// span makes the blocks hi to lo of a branch of the chain; branches share no
// hash.
func span(branch string, hi, lo int64) []*Block {
	var out []*Block
	for h := hi; h >= lo; h-- {
		out = append(out, &Block{Block: apiclient.Block{
			Canonical: true, Height: h, IndexBlockHash: fmt.Sprintf("0x%s%d", branch, h),
			Hash: fmt.Sprintf("0xh%s%d", branch, h), ParentBlockHash: fmt.Sprintf("0xh%s%d", branch, h-1),
		}})
	}
	return out
}

// page adds a page that a server without a clock has counted.
func page(k *Chain, blocks []*Block, total int64, offset int) Change {
	return k.Page(Page{Blocks: blocks, Total: total, Offset: offset}, true, time.Time{})
}

// shown writes the first rows as the user sees them.
func shown(k *Chain, n int) string {
	var out []string
	for i := range min(n, k.Rows()) {
		h, orphan := k.Row(i)
		word := fmt.Sprint(h)
		if orphan != nil {
			word += "x"
		} else if k.at[h] == nil {
			word += "?"
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func TestRowsFollowTheChain(t *testing.T) {
	var k Chain
	if k.Rows() != 0 {
		t.Fatal("an empty chain has rows")
	}
	page(&k, span("a", 9, 7), 10, 0)
	if got, want := shown(&k, 20), "9 8 7 6? 5? 4? 3? 2? 1? 0?"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if k.LastLoaded() != 2 {
		t.Errorf("the last loaded row is %d", k.LastLoaded())
	}
	j := page(&k, span("a", 12, 10), 13, 0)
	if got, want := shown(&k, 6), "12 11 10 9 8 7"; got != want || j.Fresh != 3 || j.Replaced != 0 {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
	page(&k, span("a", 4, 3), 13, 8)
	if got, want := shown(&k, 11), "12 11 10 9 8 7 6? 5? 4 3 2?"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAReplacedBlockStaysBelowTheOneThatReplacedIt(t *testing.T) {
	var k Chain
	page(&k, span("a", 9, 6), 10, 0)
	other := span("b", 9, 9)
	other[0].ParentBlockHash = "0xha8"
	if j := page(&k, other, 10, 0); j.Replaced != 1 || j.Fresh != 0 {
		t.Errorf("got %+v", j)
	}
	if got, want := shown(&k, 5), "9 9x 8 7 6"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if r := k.InRow(1); r.Canonical || r.IndexBlockHash != "0xa9" {
		t.Errorf("row 1 is %+v", r)
	}
	if k.RowOf(8) != 2 || k.RowOf(9) != 0 {
		t.Errorf("blocks 9 and 8 are in rows %d and %d", k.RowOf(9), k.RowOf(8))
	}
	// The first branch wins again.
	page(&k, span("a", 10, 9), 11, 0)
	if got, want := shown(&k, 6), "10 9 9x 8 7 6"; got != want || k.InRow(2).IndexBlockHash != "0xb9" {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestABlockWithAnotherParentShowsThatTheOneBelowWasReplaced(t *testing.T) {
	var k Chain
	page(&k, span("a", 9, 7), 10, 0)
	page(&k, span("b", 10, 10), 11, 0)
	if got, want := shown(&k, 5), "10 9? 9x 8 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWhatIsAboveTheTipOfAShorterChainIsGone(t *testing.T) {
	var k Chain
	page(&k, span("a", 9, 5), 10, 0)
	j := page(&k, span("a", 7, 6), 8, 0)
	if got, want := shown(&k, 4), "7 6 5 4?"; got != want || j.Gone != 2 || j.Replaced != 0 || j.Other {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
}

func TestNothingOfAnotherChainStays(t *testing.T) {
	var k Chain
	page(&k, span("a", 99, 80), 100, 0)
	page(&k, span("b", 99, 99), 100, 0) // leaves a replaced block
	j := page(&k, span("c", 30, 20), 31, 0)
	if got, want := shown(&k, 13), "30 29 28 27 26 25 24 23 22 21 20 19? 18?"; got != want || !j.Other {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
	// Another server on the same address, whose chain is as high.
	j = page(&k, span("d", 30, 25), 31, 0)
	if got, want := shown(&k, 3), "30 29 28"; got != want || !j.Other {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
	for h, r := range k.at {
		if h < 25 || r.IndexBlockHash[:3] != "0xd" {
			t.Errorf("block %d is %s", h, r.IndexBlockHash)
		}
	}
}

func TestALaterPageShowsThatTheChainGrew(t *testing.T) {
	var k Chain
	page(&k, span("a", 9, 7), 10, 0)
	// Asked for offset 3, which was block 6, after two more blocks came.
	if j := page(&k, span("a", 8, 6), 12, 3); j.Fresh != 2 {
		t.Errorf("got %+v", j)
	}
	if got, want := shown(&k, 6), "11? 10? 9 8 7 6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A page that was requested before the chain grew is old, and not a chain that was taken back.
func TestAnOldPageTakesNothingBack(t *testing.T) {
	var k Chain
	began := time.Unix(1000, 0)
	k.Page(Page{Blocks: span("a", 9, 5), Total: 10, Requested: began}, true, began)
	k.Page(Page{Blocks: span("a", 12, 8), Total: 13, Requested: began}, true, began.Add(9*time.Second))
	for requested, want := range map[time.Duration]int64{5 * time.Second: 12, 10 * time.Second: 9} {
		c := k
		c.at, c.ids = maps.Clone(k.at), maps.Clone(k.ids)
		if c.Page(Page{Blocks: span("a", 9, 5), Total: 10, Requested: began.Add(requested)}, true, began.Add(11*time.Second)); c.Tip != want {
			t.Errorf("requested after %s: the tip is %d, want %d", requested, c.Tip, want)
		}
	}
}

// Blocks that do not meet those that were loaded may be of the same chain, unless it grew faster
// than one does.
func TestAChainThatGrewTooFastIsAnotherOne(t *testing.T) {
	for after, stays := range map[time.Duration]bool{90 * time.Second: true, 60 * time.Second: false} {
		var k Chain
		began := time.Unix(1000, 0)
		k.Page(Page{Blocks: span("a", 9, 5), Total: 10}, true, began)
		k.Page(Page{Blocks: span("b", 109, 105), Total: 110, Requested: began}, true, began.Add(after))
		if got := k.At(9) != nil; got != stays || k.At(109) == nil {
			t.Errorf("after %s the older block stays %v, want %v", after, got, stays)
		}
	}
}

func TestAPagePastTheEndEndsTheList(t *testing.T) {
	var k Chain
	page(&k, span("a", 9, 7), 10, 0)
	page(&k, nil, 10, 3)
	if got, want := shown(&k, 20), "9 8 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEveryRowIsOneBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k Chain
		for range rapid.IntRange(1, 12).Draw(t, "pages") {
			hi := rapid.Int64Range(1, 40).Draw(t, "top")
			offset := rapid.SampledFrom([]int64{0, 0, 7}).Draw(t, "offset")
			page(&k, span(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "branch"), hi, max(0, hi-4)),
				hi+1+offset, int(offset))
			seen := map[string]bool{}
			last := int64(1 << 40)
			for i, row := range k.LoadedRows() {
				if k.InRow(row) != k.Loaded()[i] {
					t.Fatalf("the loaded block %d is not in row %d", i, row)
				}
			}
			for i := range k.Rows() {
				h, orphan := k.Row(i)
				if h > last || h < k.Floor {
					t.Fatalf("row %d is height %d below %d", i, h, last)
				}
				last = h
				key := fmt.Sprint(h)
				if orphan != nil {
					key = orphan.ID()
					if k.OrphanRow(orphan) != i {
						t.Fatalf("the replaced block of row %d thinks it is in row %d", i, k.OrphanRow(orphan))
					}
				} else if k.RowOf(h) != i {
					t.Fatalf("height %d of row %d thinks it is in row %d", h, i, k.RowOf(h))
				}
				if seen[key] {
					t.Fatalf("%s has two rows", key)
				}
				seen[key] = true
			}
		}
	})
}

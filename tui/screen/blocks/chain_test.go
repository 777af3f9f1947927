package blocks

import (
	"fmt"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/screen/browser"

	"pgregory.net/rapid"
)

// span makes the blocks hi to lo of a branch of the chain; branches share no
// hash.
func span(branch string, hi, lo int64) []*record {
	var out []*record
	for h := hi; h >= lo; h-- {
		out = append(out, &record{Block: browser.Block{Block: apiclient.Block{
			Canonical: true, Height: h, IndexBlockHash: fmt.Sprintf("0x%s%d", branch, h),
			Hash: fmt.Sprintf("0xh%s%d", branch, h), ParentBlockHash: fmt.Sprintf("0xh%s%d", branch, h-1),
		}}})
	}
	return out
}

// shown writes the first rows as the user sees them.
func shown(k *chainView, n int) string {
	var out []string
	for i := range min(n, k.rows()) {
		h, orphan := k.row(i)
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
	var k chainView
	if k.rows() != 0 {
		t.Fatal("an empty chain has rows")
	}
	k.page(span("a", 9, 7), 10, 0, true)
	if got, want := shown(&k, 20), "9 8 7 6? 5? 4? 3? 2? 1? 0?"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if k.lastLoaded() != 2 {
		t.Errorf("the last loaded row is %d", k.lastLoaded())
	}
	j := k.page(span("a", 12, 10), 13, 0, true)
	if got, want := shown(&k, 6), "12 11 10 9 8 7"; got != want || j.fresh != 3 || j.replaced != 0 {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
	k.page(span("a", 4, 3), 13, 8, true)
	if got, want := shown(&k, 11), "12 11 10 9 8 7 6? 5? 4 3 2?"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAReplacedBlockStaysBelowTheOneThatReplacedIt(t *testing.T) {
	var k chainView
	k.page(span("a", 9, 6), 10, 0, true)
	other := span("b", 9, 9)
	other[0].ParentBlockHash = "0xha8"
	if j := k.page(other, 10, 0, true); j.replaced != 1 || j.fresh != 0 {
		t.Errorf("got %+v", j)
	}
	if got, want := shown(&k, 5), "9 9x 8 7 6"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if r := k.record(1); !r.orphaned || r.IndexBlockHash != "0xa9" {
		t.Errorf("row 1 is %+v", r)
	}
	if k.rowOf(8) != 2 || k.rowOf(9) != 0 {
		t.Errorf("blocks 9 and 8 are in rows %d and %d", k.rowOf(9), k.rowOf(8))
	}
	// The first branch wins again.
	k.page(span("a", 10, 9), 11, 0, true)
	if got, want := shown(&k, 6), "10 9 9x 8 7 6"; got != want || k.record(2).IndexBlockHash != "0xb9" {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestABlockWithAnotherParentShowsThatTheOneBelowWasReplaced(t *testing.T) {
	var k chainView
	k.page(span("a", 9, 7), 10, 0, true)
	k.page(span("b", 10, 10), 11, 0, true)
	if got, want := shown(&k, 5), "10 9? 9x 8 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWhatIsAboveTheTipOfAShorterChainIsGone(t *testing.T) {
	var k chainView
	k.page(span("a", 9, 5), 10, 0, true)
	j := k.page(span("a", 7, 6), 8, 0, true)
	if got, want := shown(&k, 4), "7 6 5 4?"; got != want || j.gone != 2 || j.replaced != 0 || j.Other {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
}

func TestNothingOfAnotherChainStays(t *testing.T) {
	var k chainView
	k.page(span("a", 99, 80), 100, 0, true)
	k.page(span("b", 99, 99), 100, 0, true) // leaves a replaced block
	j := k.page(span("c", 30, 20), 31, 0, true)
	if got, want := shown(&k, 13), "30 29 28 27 26 25 24 23 22 21 20 19? 18?"; got != want || !j.Other {
		t.Errorf("got %s and %+v, want %s", got, j, want)
	}
	// Another server on the same address, whose chain is as high.
	j = k.page(span("d", 30, 25), 31, 0, true)
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
	var k chainView
	k.page(span("a", 9, 7), 10, 0, true)
	// Asked for offset 3, which was block 6, after two more blocks came.
	if j := k.page(span("a", 8, 6), 12, 3, true); j.fresh != 2 {
		t.Errorf("got %+v", j)
	}
	if got, want := shown(&k, 6), "11? 10? 9 8 7 6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAPagePastTheEndEndsTheList(t *testing.T) {
	var k chainView
	k.page(span("a", 9, 7), 10, 0, true)
	k.page(nil, 10, 3, true)
	if got, want := shown(&k, 20), "9 8 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEveryRowIsOneBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k chainView
		for range rapid.IntRange(1, 12).Draw(t, "pages") {
			hi := rapid.Int64Range(1, 40).Draw(t, "top")
			offset := rapid.SampledFrom([]int64{0, 0, 7}).Draw(t, "offset")
			k.page(span(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "branch"), hi, max(0, hi-4)),
				hi+1+offset, int(offset), true)
			seen := map[string]bool{}
			last := int64(1 << 40)
			for i := range k.rows() {
				h, orphan := k.row(i)
				if h > last || h < k.floor {
					t.Fatalf("row %d is height %d below %d", i, h, last)
				}
				last = h
				key := fmt.Sprint(h)
				if orphan != nil {
					key = orphan.ID()
					if k.orphanRow(orphan) != i {
						t.Fatalf("the replaced block of row %d thinks it is in row %d", i, k.orphanRow(orphan))
					}
				} else if k.rowOf(h) != i {
					t.Fatalf("height %d of row %d thinks it is in row %d", h, i, k.rowOf(h))
				}
				if seen[key] {
					t.Fatalf("%s has two rows", key)
				}
				seen[key] = true
			}
		}
	})
}

package burnblocks

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chainscope/apiclient"

	"github.com/google/go-cmp/cmp"
)

// page makes an answer of the blocks lo to hi of burn block 9, of total blocks.
func page(hi, lo, total int64) apiclient.Answer[apiclient.List[apiclient.ListedBlock]] {
	var a apiclient.Answer[apiclient.List[apiclient.ListedBlock]]
	a.Value.Total = total
	for h := hi; h >= lo; h-- {
		a.Value.Results = append(a.Value.Results, apiclient.ListedBlock{
			Height: h, IndexBlockHash: fmt.Sprintf("0x%d", h), BurnBlockHeight: 9, BurnBlockHash: "0x9", TxCount: h % 5,
		})
	}
	return a
}

func heights(l listing) string {
	var out []string
	for _, b := range l.blocks {
		out = append(out, fmt.Sprint(b.Height))
	}
	return strings.Join(out, " ")
}

func TestPagesOfAListingAreJoined(t *testing.T) {
	var l listing
	l = l.with(page(70, 41, 70), 0)
	if !l.more() || l.height != 9 || l.total != 70 || len(l.blocks) != 30 {
		t.Fatalf("after a page: %d of %d, more %v", len(l.blocks), l.total, l.more())
	}
	// Two blocks came on top while the next page was asked for, so it slid.
	l = l.with(page(42, 13, 72), 30)
	if len(l.blocks) != 58 || l.total != 72 {
		t.Errorf("after a page that slid: %d of %d", len(l.blocks), l.total)
	}
	past := page(0, 1, 0)
	l = l.with(past, 60)
	if l.total != 72 || l.more() {
		t.Errorf("a page past the end says there are %d, more %v", l.total, l.more())
	}
	l = l.with(page(72, 43, 72), 0)
	if got := heights(l); !strings.HasPrefix(got, "72 71 70 69") || len(l.blocks) != 60 || !l.more() {
		t.Errorf("new blocks on top give %s", got)
	}
}

func TestAnotherBurnBlockReplacesTheListing(t *testing.T) {
	l := listing{}.with(page(70, 41, 70), 0)
	next := page(72, 71, 2)
	for i := range next.Value.Results {
		next.Value.Results[i].BurnBlockHash, next.Value.Results[i].BurnBlockHeight = "0xa", 10
	}
	if l = l.with(next, 0); heights(l) != "72 71" || l.height != 10 || l.total != 2 {
		t.Errorf("got %s of burn block %d", heights(l), l.height)
	}
}

func TestAReplacedBlockGivesWay(t *testing.T) {
	l := listing{}.with(page(5, 3, 3), 0)
	again := page(5, 4, 3)
	again.Value.Results[0].IndexBlockHash = "0xother"
	if l = l.with(again, 0); heights(l) != "5 4 3" || l.blocks[0].IndexBlockHash != "0xother" {
		t.Errorf("got %s, the first is %s", heights(l), l.blocks[0].IndexBlockHash)
	}
}

// chainOf answers burn blocks that have the given numbers of Stacks blocks.
type chainOf struct {
	blocks map[int64]int64
	tip    int64
	fail   error
	asked  []string
}

func (c *chainOf) BurnBlockBlocks(_ context.Context, burnBlock string, p apiclient.Page) (apiclient.Answer[apiclient.List[apiclient.ListedBlock]], error) {
	c.asked = append(c.asked, burnBlock)
	height := c.tip
	if burnBlock != "latest" {
		_, _ = fmt.Sscan(burnBlock, &height)
	}
	n := c.blocks[height]
	switch {
	case c.fail != nil && burnBlock != "latest":
		return apiclient.Answer[apiclient.List[apiclient.ListedBlock]]{}, c.fail
	case n == 0:
		return apiclient.Answer[apiclient.List[apiclient.ListedBlock]]{}, &apiclient.Error{Kind: apiclient.NotFound, Status: 404, ServerMessage: "Burn block not found"}
	}
	a := page(height*10+n, height*10+1, n)
	for i := range a.Value.Results {
		a.Value.Results[i].BurnBlockHeight, a.Value.Results[i].BurnBlockHash = height, fmt.Sprintf("0xb%d", height)
	}
	return a, nil
}

func (c *chainOf) BurnBlocks(context.Context, apiclient.Page) (apiclient.Answer[apiclient.List[apiclient.BurnBlock]], error) {
	return apiclient.Answer[apiclient.List[apiclient.BurnBlock]]{}, &apiclient.Error{Kind: apiclient.Gone, Status: 410}
}

func TestAWalkPassesOverBurnBlocksWithoutStacksBlock(t *testing.T) {
	type result struct {
		Found bool
		At    int64
		Empty []int64
		Edge  bool
	}
	for name, c := range map[string]struct {
		from int64
		step int
		want result
	}{
		"the burn block before":            {101, -1, result{Found: true, At: 100}},
		"past two that are empty":          {100, -1, result{Found: true, At: 97, Empty: []int64{99, 98}}},
		"towards the tip":                  {97, 1, result{Found: true, At: 100, Empty: []int64{98, 99}}},
		"the tip is the last":              {103, 1, result{At: 103, Edge: true}},
		"a long gap is not searched whole": {40, -1, result{At: 28, Empty: []int64{39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28}}},
		"burn block 0 is the first":        {2, -1, result{At: 0, Empty: []int64{1, 0}, Edge: true}},
	} {
		t.Run(name, func(t *testing.T) {
			api := &chainOf{tip: 103, blocks: map[int64]int64{103: 1, 102: 2, 101: 1, 100: 3, 97: 1, 40: 1}}
			w, err := walk(t.Context(), api, c.from, c.step)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, result{w.found, w.at, w.empty, w.edge}); diff != "" {
				t.Error(diff)
			}
			if w.found && w.listing.height != w.at {
				t.Errorf("the listing is of burn block %d", w.listing.height)
			}
		})
	}
}

func TestAWalkStopsAtAFailure(t *testing.T) {
	api := &chainOf{tip: 103, blocks: map[int64]int64{103: 1}, fail: &apiclient.Error{Kind: apiclient.Offline}}
	if _, err := walk(t.Context(), api, 100, -1); apiclient.KindOf(err) != apiclient.Offline {
		t.Errorf("got %v", err)
	}
	if len(api.asked) != 1 {
		t.Errorf("asked for %v after the failure", api.asked)
	}
}

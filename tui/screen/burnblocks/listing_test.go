package burnblocks

import (
	"fmt"
	"strings"
	"testing"

	"chainscope/apiclient"
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
	// Two blocks came on top while the next page was requested, so it slid.
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

// A first page that comes when many blocks have been mined since says nothing of those below it.
func TestNoBlockIsMissingBetweenTwoPages(t *testing.T) {
	l := listing{}.with(page(70, 41, 70), 0).with(page(110, 81, 110), 0)
	if got := heights(l); got != heights(listing{}.with(page(110, 81, 110), 0)) || !l.more() {
		t.Errorf("got %s", got)
	}
	if l = l.with(page(111, 82, 111), 0).with(page(141, 112, 141), 0); len(l.blocks) != 61 || l.blocks[60].Height != 81 {
		t.Errorf("pages that meet give %s", heights(l))
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

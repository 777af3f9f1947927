package burnblocks

import (
	"fmt"
	"testing"

	"chainscope/tui/nav"
)

// What is exported are the burn blocks that the list shows, in its order.
func TestTheExportOfBurnBlocksFollowsTheFilter(t *testing.T) {
	d := live(t)
	d.Open(nav.BurnBlocks())
	tip := d.tip()
	all := d.screen.Subject().Export()
	d.Press("/")
	d.Type(fmt.Sprintf("height:>%d", tip-2))
	d.Press("enter")
	some := d.screen.Subject().Export()
	if len(all.Rows) < 10 || len(some.Rows) != 2 || len(some.JSON) != 2 {
		t.Fatalf("%d of %d burn blocks are exported", len(some.Rows), len(all.Rows))
	}
	if some.Rows[0][0] != fmt.Sprint(tip) || some.Rows[1][0] != fmt.Sprint(tip-1) {
		t.Errorf("exported %v", some.Rows)
	}
}

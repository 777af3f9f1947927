package burnblocks

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

// Live tail adds the newest block of each page to what is known of a burn block. It
// must not keep the pages.
func TestABurnBlockThatGrowsIsHeldInLittleMemory(t *testing.T) {
	uitest.NotRaced(t)
	const polls = 500
	var l listing
	poll := func(n int) {
		var a answer
		body := strings.Repeat("0123456789abcdef", 40<<10/16)
		a.Raw = json.RawMessage(fmt.Sprintf(`{"results":[{"filler":%q}]}`, body))
		a.Value.Total = int64(n)
		a.Value.Results = []apiclient.ListedBlock{{Height: int64(n), BurnBlockHash: "0x9", Hash: strings.Clone(body[:66]), IndexBlockHash: fmt.Sprint(n)}}
		l = l.with(a, 0)
	}
	poll(0)
	before := uitest.Heap()
	for i := range polls {
		poll(i + 1)
		l.blocks[0].Raw = nil // 40 kB here, 1 kB from a server
	}
	if grown := uitest.Heap() - before; grown > polls*4<<10 || len(l.blocks) != polls+1 {
		t.Errorf("%d blocks take %d kB", len(l.blocks), grown>>10)
	}
	runtime.KeepAlive(&l)
}

func TestBurnBlocksFarFromTheCursorAreForgotten(t *testing.T) {
	uitest.NotRaced(t)
	d := live(t)
	d.Open(nav.BurnBlocks())
	d.Settle()
	for range 40 {
		d.Press("ctrl+d")
		d.Wait(time.Second)
		if n := len(d.screen.over.known); n > maxListings {
			t.Fatalf("%d burn blocks are kept", n)
		}
	}
	if at := d.screen.List.Position(); at < 2*maxListings {
		t.Fatalf("the cursor is only at row %d", at)
	}
	d.SeesNot("not read yet")
	tip, _ := d.screen.over.newest()
	d.Press("g")
	d.Settle()
	d.SeesNot("not read yet")
	if l, ok := d.screen.over.at(tip); !ok || len(l.blocks) == 0 {
		t.Error("the newest burn block is not known")
	}
}

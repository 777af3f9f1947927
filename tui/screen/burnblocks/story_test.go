package burnblocks

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

func TestTheNewestBurnBlocksAreGroupsOfTheirStacksBlocks(t *testing.T) {
	d := live(t)
	d.Open(nav.BurnBlocks())
	tip := d.tip()
	d.Sees("Burn blocks", "newest "+text.Count(tip), text.Count(tip-5), "no Stacks block", "Stacks blocks ")
	d.SeesNot("░░░░")
	d.Press("j")
	l, ok := d.screen.over.cursor()
	if !ok || l.height != tip-1 {
		t.Fatalf("the cursor is on %d of %d", l.height, tip)
	}
	d.Press("enter")
	if got := d.Screen.Place(); got != nav.BurnBlockAtHeight(tip-1) {
		t.Errorf("enter goes to %s", got)
	}
}

func TestOnlyWhatIsInSightIsRequested(t *testing.T) {
	requested := map[string]int{}
	m := mock(t, func() time.Time { return uitest.Noon })
	d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested[r.URL.Path]++
		m.ServeHTTP(w, r)
	}), "mono")
	d.screen.SetSize(120, 12)
	d.Open(nav.BurnBlocks())
	if len(requested) < 8 || len(requested) > 16 {
		t.Errorf("%d burn blocks were requested in a window of 12", len(requested))
	}
	d.Press("G")
	for path, n := range requested {
		if n > 2 {
			t.Errorf("%s was requested %d times", path, n)
		}
	}
	if d.screen.over.depth <= depthStep {
		t.Errorf("at the end there are no more than %d", d.screen.over.depth)
	}
}

func TestABurnBlocksListingIsReadToItsEnd(t *testing.T) {
	d := live(t)
	tip := d.tip()
	var big int64
	for h := tip - 1; big == 0; h-- {
		if l, err := readRow(t.Context(), d.Env.Client, h); err == nil && l.total > 70 {
			big = h
		}
	}
	d.Open(nav.BurnBlockAtHeight(big))
	d.Sees("Burn block "+text.Count(big), "in the 30 loaded", "HEIGHT", "Execution cost")
	l, _ := d.screen.one.value.Get()
	total := l.total
	for range 8 {
		d.Press("]")
	}
	if l, _ = d.screen.one.value.Get(); int64(len(l.blocks)) != total || l.total != total || l.more() {
		t.Errorf("%d of %d blocks", len(l.blocks), total)
	}
	for i := 1; i < len(l.blocks); i++ {
		if l.blocks[i].Height != l.blocks[i-1].Height-1 {
			t.Fatalf("block %d follows %d", l.blocks[i].Height, l.blocks[i-1].Height)
		}
	}
	d.SeesNot("loaded")
	if got := d.Screen.Status().Position; got != fmt.Sprintf("%d/%d", total, total) {
		t.Errorf("the cursor is at %s", got)
	}
}

func TestAUserWalksToTheBurnBlockBeforeAndOpensAStacksBlock(t *testing.T) {
	d := live(t)
	d.Open(nav.LatestBurnBlock())
	tip := d.tip()
	d.Sees("Burn block " + text.Count(tip))
	d.Press("<")
	l, _ := d.screen.one.value.Get()
	if l.height >= tip || len(l.blocks) == 0 || d.Screen.Place() != nav.BurnBlockAtHeight(l.height) {
		t.Fatalf("walked from %d to %d, %s", tip, l.height, d.Screen.Place())
	}
	d.Press(">", "j", "enter")
	b := d.screen.one.cursor()
	d.Press("enter")
	if got := d.Went[len(d.Went)-1]; got != nav.BlockAtHeight(b.Height) && got != nav.BlockAtHeight(b.Height-1) {
		t.Errorf("went to %s from block %d", got, b.Height)
	}
}

func TestWalkingBeyondTheNewestSaysSo(t *testing.T) {
	d := live(t)
	d.Open(nav.LatestBurnBlock())
	d.Press(">")
	if len(d.Notices) != 1 || d.Notices[0] != "this is the newest burn block" {
		t.Errorf("said %q", d.Notices)
	}
}

// Those that the server's list has without a Stacks block are passed over, in both directions.
func TestBurnBlocksWithoutAStacksBlockArePassedOver(t *testing.T) {
	d := live(t)
	tip := d.tip()
	d.Open(nav.BurnBlocks())
	var empty int64
	for h := tip - 1; empty == 0; h-- {
		if l, err := readRow(t.Context(), d.Env.Client, h); err == nil && l.empty {
			empty = h
		}
	}
	from, last := empty+1, empty
	for ; ; last-- {
		if l, err := readRow(t.Context(), d.Env.Client, last); err != nil || !l.empty {
			break
		}
	}
	went := func(key string) nav.Place {
		d.Press(key)
		return d.Went[len(d.Went)-1]
	}
	d.Open(nav.BurnBlockAtHeight(from))
	if got := went("<"); got != nav.BurnBlockAtHeight(last) {
		t.Errorf("from %d back to %s, not %d", from, got, last)
	}
	d.Open(nav.BurnBlockAtHeight(last))
	if got := went(">"); got != nav.BurnBlockAtHeight(from) {
		t.Errorf("from %d on to %s, not %d", last, got, from)
	}
	d.Open(nav.BurnBlockAtHeight(0))
	before := len(d.Went)
	if d.Press("<"); len(d.Went) != before || d.Notices[len(d.Notices)-1] != "there is no burn block before this one" {
		t.Errorf("went to %v, said %q", d.Went[before:], d.Notices)
	}
}

func TestABurnBlockWithoutStacksBlockIsNormal(t *testing.T) {
	d := live(t)
	tip := d.tip()
	var empty int64
	for h := tip - 1; empty == 0; h-- {
		if l, err := readRow(t.Context(), d.Env.Client, h); err == nil && l.empty {
			empty = h
		}
	}
	d.Open(nav.BurnBlockAtHeight(empty))
	d.Sees("No Stacks block in this burn block", "That is normal", "Burn block not found")
	d.Press("<")
	if got := d.Went[len(d.Went)-1]; got != nav.BurnBlockAtHeight(empty-1) {
		t.Errorf("went to %s from %d", got, empty)
	}
}

func TestNewStacksBlocksJoinWithoutMovingTheCursor(t *testing.T) {
	d := live(t)
	d.Open(nav.LatestBurnBlock())
	l, _ := d.screen.one.value.Get()
	for len(l.blocks) < 5 { // early in a burn block
		d.Clock = d.Clock.Add(30 * time.Second)
		d.Do(d.Screen.Refresh())
		d.Settle()
		l, _ = d.screen.one.value.Get()
	}
	d.Press("j", "j")
	at := d.screen.one.cursor().ID()
	joined, moved := false, false
	for range 400 {
		d.Clock = d.Clock.Add(10 * time.Second)
		before, _ := d.screen.one.value.Get()
		d.Do(d.Screen.Live())
		d.Settle()
		after, _ := d.screen.one.value.Get()
		joined = joined || after.total > before.total
		if got := d.screen.one.cursor().ID(); got != at {
			t.Fatalf("the cursor moved from %s to %s", at, got)
		}
		if d.screen.one.newer != nil {
			moved = true
			break
		}
	}
	if !joined || !moved {
		t.Fatalf("blocks joined %v, a newer burn block came %v", joined, moved)
	}
	newer := d.screen.one.newer.height
	d.Sees("burn block " + text.Count(newer) + " is newer")
	d.Press("n")
	d.Sees("Burn block " + text.Count(newer))
}

func TestNewBurnBlocksJoinTheList(t *testing.T) {
	d := live(t)
	d.Open(nav.BurnBlocks())
	d.Press("j", "j", "j")
	at, _ := d.screen.over.cursor()
	d.Clock = d.Clock.Add(2 * time.Hour)
	d.Do(d.Screen.Live())
	d.Settle()
	if now, _ := d.screen.over.cursor(); now.height != at.height {
		t.Errorf("the cursor moved from %d to %d", at.height, now.height)
	}
	d.Sees("new burn blocks")
	d.Press("n")
	if now, _ := d.screen.over.newest(); d.screen.over.list.Position() != 0 || now != d.tip() {
		t.Errorf("at %d of %d", d.screen.over.list.Position(), now)
	}
	d.SeesNot("new burn blocks")
}

func TestATenureFiltersTheLoadedBlocks(t *testing.T) {
	d := live(t)
	d.Open(nav.LatestBurnBlock())
	l, _ := d.screen.one.value.Get()
	tenure := *l.blocks[0].TenureHeight
	d.Press("enter")
	for range 12 {
		if row, _ := d.screen.Detail.Cursor(); row.Label == "tenure" {
			break
		}
		d.Press("j")
	}
	d.Press("enter")
	d.Sees(fmt.Sprintf("tenure:%d", tenure), fmt.Sprintf("%d of %d", len(l.blocks), len(l.blocks)))
	d.Press("esc", "/")
	d.Type("no such block")
	d.Sees("No block matches")
	d.Press("esc")
	d.Sees(text.Count(l.blocks[0].Height))
}

func TestFailuresAreSaidAndOldRowsStay(t *testing.T) {
	down := false
	m := mock(t, func() time.Time { return uitest.Noon })
	d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down {
			http.Error(w, `{"error":"maintenance"}`, http.StatusServiceUnavailable)
			return
		}
		m.ServeHTTP(w, r)
	}), "mono")
	d.Open(nav.LatestBurnBlock())
	first := text.Count(d.screen.one.cursor().Height)
	down = true
	d.Do(d.Screen.Refresh())
	d.Settle()
	d.Sees("stale", first)
	d.Press("<")
	d.Sees("The server failed")
	down = false
	d.Press("<")
	d.SeesNot("The server failed")
}

func TestWhatABurnBlockFailedWithIsOneKeyAway(t *testing.T) {
	m := mock(t, func() time.Time { return uitest.Noon })
	d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "latest") {
			m.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"total":"many"}`))
	}), "mono")
	d.Open(nav.BurnBlocks())
	d.Sees("The answer cannot be read")
	d.Press("j")
	sub := d.Screen.Subject()
	if string(sub.Raw) != `{"total":"many"}` || sub.ExchangeID == 0 {
		t.Errorf("the subject is %+v", sub)
	}
}

func TestComingBackRestoresCursorAndFilter(t *testing.T) {
	d := live(t)
	d.Open(nav.LatestBurnBlock())
	d.Press("j", "j", "j", "enter", "j")
	at, frame, state, place := d.screen.one.cursor().ID(), d.Frame(), d.Screen.State(), d.Screen.Place()
	d.Screen.Leave()
	d.Open(nav.BurnBlocks())
	d.Screen.Leave()
	d.Back(place, state)
	if got := d.screen.one.cursor().ID(); got != at || d.Frame() != frame {
		t.Errorf("came back to %s, left %s:\n%s\nwas\n%s", got, at, d.Frame(), frame)
	}
}

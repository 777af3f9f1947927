package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen/blocks"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// TestPushedBlocksAreJoinedOnceAndGapsAreRequested pushes blocks to the place of
// blocks: one that follows, the same again, a competing one, and one after a gap.
func TestPushedBlocksAreJoinedOnceAndGapsAreRequested(t *testing.T) {
	now := noon
	p := startAt(t, theme.Options{Plain: true}, "mono", 120, 40, pace{func() time.Time { return now }, time.Minute, 10 * time.Minute})
	p.run(p.m.visit(nav.Blocks()))
	log := p.m.options.Client.Log()
	requested := func() int { return len(log.Snapshot()) }
	// Each comes a second after the one before: there is a pause between two questions.
	push := func(pushed apiclient.Pushed) {
		now = now.Add(eventPause)
		p.run(p.m.onPushed(pushed))
	}
	opened := requested()
	if push(apiclient.Pushed{Open: true}); requested() != opened {
		t.Error("the channel opened, and the list was read again that had just been read")
	}

	tip, _ := p.m.currentScreen().(*blocks.Screen).Tips()
	newest := func(offset int) apiclient.Block {
		a, err := p.m.options.Client.Blocks(t.Context(), apiclient.Page{Limit: 1, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		return a.Value.Results[0]
	}
	next := newest(0)
	before := requested()
	follow := next
	follow.Height, follow.ParentBlockHash = next.Height+1, next.Hash
	follow.Hash, follow.IndexBlockHash = "0x"+strings.Repeat("a1", 32), "0x"+strings.Repeat("a2", 32)
	competing := follow
	competing.Canonical, competing.Hash, competing.IndexBlockHash = false, "0x"+strings.Repeat("b1", 32), "0x"+strings.Repeat("b2", 32)
	for _, b := range []apiclient.Block{follow, follow, competing} {
		push(apiclient.Pushed{Open: true, Block: &b})
	}
	if got, _ := p.m.currentScreen().(*blocks.Screen).Tips(); got != tip+1 || requested() != before {
		t.Errorf("the tip is %d, was %d; %d requests", got, tip, requested()-before)
	}
	if n := strings.Count(ansi.Strip(p.m.View()), fmt.Sprintf("%s…", "0xa1a1a1a")); n > 1 {
		t.Errorf("the block is shown %d times", n)
	}
	// It does not depend on what is shown: the list is requested.
	gap := follow
	gap.Height, gap.ParentBlockHash, gap.IndexBlockHash = follow.Height+2, "0x"+strings.Repeat("c1", 32), "0x"+strings.Repeat("c2", 32)
	push(apiclient.Pushed{Open: true, Block: &gap})
	if requested() != before+1 {
		t.Errorf("%d requests after a gap", requested()-before)
	}
	// The next height on another parent: what is shown was replaced.
	before = requested()
	tip, _ = p.m.currentScreen().(*blocks.Screen).Tips()
	replaces := gap
	replaces.Height, replaces.ParentBlockHash, replaces.IndexBlockHash = tip+1, "0x"+strings.Repeat("d1", 32), "0x"+strings.Repeat("d2", 32)
	push(apiclient.Pushed{Open: true, Block: &replaces})
	if got, _ := p.m.currentScreen().(*blocks.Screen).Tips(); got != tip || requested() != before+1 {
		t.Errorf("the tip is %d, was %d; %d requests after a block on another parent", got, tip, requested()-before)
	}
	// Without the channel polling takes over at once.
	if p.m.live.poll != slowPoll {
		t.Errorf("it polls every %s while blocks are pushed", p.m.live.poll)
	}
	now = now.Add(defaultPoll)
	push(apiclient.Pushed{})
	if requested() != before+2 || p.m.live.poll != defaultPoll {
		t.Errorf("%d requests after the channel was lost, then every %s", requested()-before, p.m.live.poll)
	}
}

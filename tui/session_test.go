package tui

import (
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/wallet/service"
)

// The explorer begins where it was left: place, filter, order and how times are
// written.
func TestTheSessionIsRestored(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "", 120, 40)
	p.run(p.m.visit(nav.Tokens()))
	p.press(letter('t'), letter('T'), letter('2'), letter('/'))
	p.typed("what:plain")
	p.press(enter, letter('S'), letter('c'), letter('q'))
	theme := p.m.theme.Name

	p.m.options.Session = ReadSession(p.m.options.Store, p.m.options.Network)
	again, err := New(p.m.options)
	if err != nil {
		t.Fatal(err)
	}
	p.m = again
	p.run(p.m.begin())
	if p.m.Place() != nav.Tokens() || p.m.env.Times.Mode != screen.LocalTime {
		t.Errorf("at %v, times %v", p.m.Place(), p.m.env.Times.Name())
	}
	list := p.m.currentScreen().(screen.Tabular)
	if list.Query() != "what:plain" || list.Order() != (query.Order{Column: "contract"}) {
		t.Errorf("filter %q, order %+v", list.Query(), list.Order())
	}
	if p.m.theme.Name != theme {
		t.Errorf("theme %s, want %s", p.m.theme.Name, theme)
	}
}

// A block is found again by its height: its hash is known to the session that
// loaded it alone.
func TestABlockIsRestoredByItsHeight(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('j'), letter('j'), enter)
	if p.m.Place().Ref.By != nav.ByIndexHash {
		t.Fatalf("at %v", p.m.Place())
	}
	if got := p.m.lasting(); got.Ref.By != nav.ByHeight {
		t.Errorf("kept as %v", got)
	}
}

func TestASessionThatMakesNoSenseIsNone(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	for place, s := range map[nav.Place]Session{
		p.m.options.Start: {Place: "nowhere 7"},
		nav.Blocks():      {Place: "blocks", Times: 99, Sort: "colour", Filter: "/("},
	} {
		p.m.options.Session = s
		p.run(p.m.begin())
		if p.m.Place() != place {
			t.Errorf("%+v leads to %v, want %v", s, p.m.Place(), place)
		}
	}
}

// Only a page calls the user: who asks here looks at the dialog.
func TestOnlyPagesCallTheUser(t *testing.T) {
	page := service.Requester{Kind: service.FromPage, Origin: "http://localhost:3000\x1b]0;x\a"}
	if got := calls(service.ApprovalNeeded{Requester: page}); got != `http://localhost:3000\x1b]0;x\x07 asks for ` {
		t.Errorf("a page calls with %q", got)
	}
	if got := calls(service.OriginNeeded{Origin: "http://x"}); got != "http://x asks to use the wallet" {
		t.Errorf("a new page calls with %q", got)
	}
	if got := calls(service.ApprovalNeeded{Requester: service.Requester{}}); got != "" {
		t.Errorf("this screen calls with %q", got)
	}
}

package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Whatever has a name here is found by a part of it, and enter goes there.
func TestEverythingThatHasANameIsFound(t *testing.T) {
	s := startWallet(t, "mainnet", 120, 40)
	s.m.env.Tick = func(_ time.Duration, send func(time.Time) tea.Msg) tea.Cmd { // typing has rested
		return func() tea.Msg { return send(noon) }
	}
	for _, c := range []struct{ typed, shows, at string }{
		{"usda", "token     usda-token", ""},
		{"harbor-d", "token     harbor-dollar", ""},
		{"weth", "token     wrapped-ether  Wrapped Ether  wETH", "ft SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK.wrapped-ether"}, // by its symbol, which only the server knows
		{"burn bl", "place     Burn blocks", "burn-blocks"},
		{"walle", "place     Wallet", "wallet"},
		{"stx_transferSt", "New request: stx_transferStx", "wallet"},
		{"connect", "Connect the wallet", ""},
	} {
		s.run(s.m.visit(nav.Blocks()))
		s.key("ctrl+g")
		for _, r := range c.typed {
			s.key(string(r))
		}
		if !strings.Contains(strings.Join(strings.Fields(s.screen()), " "), strings.Join(strings.Fields(c.shows), " ")) {
			t.Errorf("%q does not show %q:\n%s", c.typed, c.shows, s.screen())
		}
		if c.at != "" {
			s.key("enter")
			if got := s.m.Place().String(); got != c.at {
				t.Errorf("%q leads to %q, want %q", c.typed, got, c.at)
			}
		}
		for s.m.overlays.open() {
			s.key("esc")
		}
	}
}

// The line that is typed stays where it is, whatever is listed below it.
func TestTheLineThatIsTypedDoesNotMove(t *testing.T) {
	u := newTestUser(t, 100, 30)
	u.press("ctrl+g")
	at := func() int {
		return slices.IndexFunc(strings.Split(u.m.View(), "\n"), func(l string) bool { return strings.Contains(l, "│ >") })
	}
	want := at()
	for _, letters := range []string{"1", "2", "x", "!", "!"} {
		if u.press(letters); at() != want {
			t.Fatalf("the line moved from %d to %d:\n%s", want, at(), u.m.View())
		}
	}
}

// The box of commands has only what does something here, each with its key.
func TestCommandsThatDoNothingHereAreNotOffered(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	find := func(title string) *screen.Named {
		for _, c := range p.m.commands() {
			if strings.HasPrefix(c.Title, title) {
				return &c
			}
		}
		return nil
	}
	for title, key := range map[string]string{"Export": "e", "Raw JSON": "J", "Mine a block": "M m", "Scenario: down": "M 5", "Copy": "y", "Bookmarks": "B"} {
		if c := find(title); c == nil || c.Key != key {
			t.Errorf("%s: %+v, want the key %s", title, c, key)
		}
	}
	for _, title := range []string{"Forward in history", "Open in the web explorer"} {
		if find(title) != nil {
			t.Errorf("%s is offered and does nothing here", title)
		}
	}
	p.run(p.m.visit(nav.Source(usdaToken)))
	if find("Export") != nil || find("Raw JSON") != nil {
		t.Error("where there is no list, its export is offered")
	}
	if find("Back in history") == nil {
		t.Error("there is a way back, and it is not offered")
	}
}

package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// One editor of a line: wherever one types, the same keys do the same.
func TestEveryLineIsTypedTheSameWay(t *testing.T) {
	places := []struct {
		name  string
		place nav.Place
		open  []string
	}{
		{"blocks", nav.Blocks(), []string{"/"}},
		{"the blocks of a burn block", nav.LatestBurnBlock(), []string{"/"}},
		{"tokens", nav.Tokens(), []string{"/"}},
		{"names", nav.Names("id"), []string{"/"}},
		{"namespaces", nav.Names(""), []string{"/"}},
		{"calls of the wallet", nav.Wallet(), []string{"tab", "/"}},
		{"raw JSON", nav.Blocks(), []string{"J", "/"}},
		{"go to", nav.Blocks(), []string{"ctrl+g"}},
		{"bookmarks", nav.Blocks(), []string{"B"}},
		{"help", nav.Blocks(), []string{"?"}},
	}
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			s := startWallet(t, "testnet", 120, 40)
			s.run(s.m.visit(p.place))
			press := func(names ...string) {
				for _, name := range names {
					s.send(keyNamed(t, name))
				}
			}
			press(p.open...)
			boxes := len(s.m.overlays.stack)
			shows := func(what, text string, want bool) {
				t.Helper()
				if frame := ansi.Strip(s.m.View()); strings.Contains(frame, text) != want {
					t.Errorf("%s: %q shown %v, want %v\n%s", what, text, !want, want, frame)
				}
			}
			press("q", "z", "left", "x")
			shows("← goes back a character", "qxz", true)
			press("home", "w", "end", "v")
			shows("home and end", "wqxzv", true)
			press("ctrl+a", "j", "ctrl+e", "k")
			shows("ctrl+a and ctrl+e", "jwqxzvk", true)
			press("ctrl+w")
			shows("ctrl+w deletes the word", "wqxzv", false)
			s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qzx\x1b[31m\nvwk\n"), Paste: true})
			shows("a paste is one line without control characters", "qzx[31m vwk", true)
			press("ctrl+w", "down", "up")
			shows("↑ ↓ leave the text alone", "qzx[31m", true)
			press("left", "ctrl+u")
			shows("ctrl+u deletes to the start", "qzx", false)
			press("q", "z", "x", "esc")
			shows("esc clears", "qzx", false)
			press("w", "q")
			shows("and goes on typing", "wq", true)
			press("esc", "esc")
			if s.m.currentScreen().Typing() || len(s.m.overlays.stack) > boxes || boxes > 0 && len(s.m.overlays.stack) == boxes && len(p.open) == 1 {
				t.Error("esc in an empty line does not close it")
			}
			if len(p.open) > 1 { // the search inside a box: the box stays
				press(p.open[len(p.open)-1])
			} else {
				press(p.open...)
			}
			shows("it starts empty", "wq", false)
		})
	}
}

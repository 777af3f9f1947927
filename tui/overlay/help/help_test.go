package help

import (
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/theme"
)

func open(t *testing.T, height int, scopes ...string) *Help {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	h := New(th, keymap.Default(), scopes...)
	h.SetSize(100, height)
	return h
}

// shown returns what stands inside the box.
func shown(h *Help) string {
	lines := h.View(time.Time{})
	for i := range lines {
		lines[i] = strings.Trim(lines[i], "│ ")
	}
	return strings.Join(lines, "\n")
}

func TestEveryBindingIsInTheHelp(t *testing.T) {
	all := shown(open(t, 1000))
	for _, s := range keymap.Default().Sections() {
		for _, e := range s.Entries {
			if !strings.Contains(all, e.Name) {
				t.Errorf("no %s", e.Name)
			}
		}
	}
}

func TestTheKeysOfThePlaceComeFirst(t *testing.T) {
	if got := strings.Split(shown(open(t, 14, "names")), "\n")[3]; got != "Names" {
		t.Errorf("first is %q", got)
	}
}

func TestTypingSearchesAndEscClearsThenCloses(t *testing.T) {
	h := open(t, 24)
	for _, r := range "theme" {
		h.Key(uitest.Key(string(r)))
	}
	if got := shown(h); !strings.Contains(got, "choose a theme") || strings.Contains(got, "quit") {
		t.Errorf("found %s", got)
	}
	if _, done := h.Key(uitest.Key("esc")); done || !strings.Contains(shown(h), "next pane") {
		t.Error("the first esc does not clear")
	}
	if _, done := h.Key(uitest.Key("esc")); !done {
		t.Error("the second esc does not close")
	}
}

func TestScrollingStopsAtTheEnds(t *testing.T) {
	h := open(t, 14)
	for range 100 {
		h.Key(uitest.Key("pgdown"))
	}
	last := shown(h)
	h.Key(uitest.Key("down"))
	if got := shown(h); got != last || !strings.Contains(got, "wallet.edit") && !strings.Contains(got, "form.send") {
		t.Errorf("beyond the end: %s", got)
	}
}

func TestAQuestionMarkClosesUnlessItIsSearchedFor(t *testing.T) {
	mark := uitest.Key("?")
	if _, done := open(t, 24).Key(mark); !done {
		t.Error("? does not close")
	}
	h := open(t, 24)
	h.Key(uitest.Key("x"))
	if _, done := h.Key(mark); done {
		t.Error("? closes while something is typed")
	}
}

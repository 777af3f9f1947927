package overlay

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
	h := NewHelp(th, keymap.Default(), scopes...)
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

// The keys of lists that do nothing on home stand among those of other places.
func TestTheHelpOfHomeBeginsWithItsKeys(t *testing.T) {
	lines := strings.Split(shown(open(t, 60, "home")), "\n")
	if lines[3] != "Home" {
		t.Errorf("first is %q", lines[3])
	}
	for _, line := range lines[3:11] {
		if strings.Contains(line, "half a page") || strings.Contains(line, "filter") {
			t.Errorf("home has no such key: %s", line)
		}
	}
}

// What boxes do by keys that cannot be changed is found, too.
func TestTheHelpFindsTheKeysOfBoxes(t *testing.T) {
	for typed, want := range map[string]string{"mine": "mine 10 blocks", "flaky": "scenario:", "approve": "approve, or allow", "alt+left": "back in history"} {
		h := open(t, 40)
		for _, r := range typed {
			h.Key(uitest.Key(string(r)))
		}
		if got := shown(h); !strings.Contains(got, want) {
			t.Errorf("%s finds\n%s", typed, got)
		}
	}
}

// A description, however long, does not run into the name for the config.
func TestNoDescriptionRunsIntoAName(t *testing.T) {
	for width := 60; width < 140; width++ {
		h := open(t, 1000)
		h.SetSize(width, 1000)
		all := shown(h)
		for _, s := range keymap.Default().Sections() {
			for _, e := range s.Entries {
				if strings.Contains(all, e.Name) && !strings.Contains(all, "  "+e.Name) {
					t.Errorf("%d cells: %s stands at the end of its description", width, e.Name)
				}
			}
		}
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
	if got := shown(h); got != last || !strings.Contains(got, "delete a word") {
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

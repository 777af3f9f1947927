package helpview

import (
	"strings"
	"testing"

	"chainscope/tui/keymap"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

func help(t *testing.T, scopes ...string) *View {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return New(th, keymap.Default(), scopes...)
}

func TestEveryBindingIsInTheHelp(t *testing.T) {
	shown := strings.Join(help(t).View(80, 1000), "\n")
	for _, s := range keymap.Default().Sections() {
		for _, e := range s.Entries {
			if !strings.Contains(shown, e.Name) {
				t.Errorf("no %s", e.Name)
			}
		}
	}
}

func TestTheKeysOfThePlaceComeFirst(t *testing.T) {
	if got := help(t, "names").View(80, 10)[2]; got != "Names" {
		t.Errorf("first is %q", got)
	}
}

func TestTypingSearchesAndEscClearsThenCloses(t *testing.T) {
	v := help(t)
	for _, r := range "theme" {
		v.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	if got := v.View(80, 20); len(got) != 5 || !strings.Contains(got[3], "next theme") {
		t.Errorf("found %q", got)
	}
	if v.Key(tea.KeyMsg{Type: tea.KeyEsc}) || !v.Key(tea.KeyMsg{Type: tea.KeyEsc}) {
		t.Error("esc does something else")
	}
}

func TestScrollingStopsAtTheEnds(t *testing.T) {
	v := help(t)
	v.View(80, 10)
	v.Key(tea.KeyMsg{Type: tea.KeyEnd})
	last := v.View(80, 10)
	v.Key(tea.KeyMsg{Type: tea.KeyDown})
	if got := v.View(80, 10); strings.Join(got, "\n") != strings.Join(last, "\n") || len(got) > 10 {
		t.Errorf("beyond the end: %q", got)
	}
}

//go:build unix

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// height is a block height as the lists show it.
var height = regexp.MustCompile(`\b\d{1,3},\d{3},\d{3}\b`)

// frozen is a mock that shows the same chain on every run.
var frozen = []string{"--mock-freeze", "2026-01-01T00:00:00Z", "--mock-seed", "1"}

func explorer(t testing.TB, width, height int, args ...string) *terminal {
	t.Helper()
	return open(t, width, height, append(append([]string{}, frozen...), args...)...)
}

func TestTheExplorerShowsABlockHeightInATerminalThatAnswersNothing(t *testing.T) {
	t.Parallel()
	s := open(t, 80, 24)
	s.until("a block height", height.MatchString)
	s.shows("MOCK", "●")
	s.quit()
}

// places by what is typed to be there, and what each shows.
var places = []struct{ name, keys, thing, shows string }{
	{"home", "0", "", "newest first"},
	{"blocks", "1", "", "999,999"},
	{"burn blocks", "2", "", "STACKS BLOCKS"},
	{"tokens", "3", "", "usda-token"},
	{"names", "4", "", "250,000"},
	{"one burn block", "", "burn-blocks latest", "0x"},
	{"one block", "", "block height:999990", "999,990"},
	{"a fungible token", "", "ft SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", "locale default"},
	{"names of a namespace", "", "names podcast", "2,600"},
}

// overlays by their key, and their titles.
var overlays = []struct{ name, key, title string }{
	{"go to", goToKey, "Go to anything"},
	{"commands", ":", " Commands "},
	{"help", "?", " Keys "},
	{"raw JSON", "J", "─ JSON "},
	{"copy", "y", " Copy "},
	{"export", "e", " Export "},
	{"bookmarks", "B", " Bookmarks "},
	{"mock panel", "M", " Mock server "},
}

func TestEveryPlaceAndOverlayOpensAndCloses(t *testing.T) {
	t.Parallel()
	s := explorer(t, 120, 40)
	s.shows("1,000,000")
	for _, p := range places {
		if p.keys != "" {
			s.press(p.keys)
		} else {
			s.goTo(p.thing)
		}
		s.shows(p.shows)
	}
	s.goTo("burn-blocks latest")
	s.shows("Burn block ")
	for _, o := range overlays {
		s.press(o.key)
		s.shows(o.title)
		s.press(escapeKey)
		s.hides(o.title)
	}
	s.quit()
}

func TestEveryPlaceSurvivesEveryWindow(t *testing.T) {
	t.Parallel()
	s := explorer(t, 80, 24)
	s.shows("1,000,000")
	for _, p := range places {
		if p.keys != "" {
			s.press(p.keys)
		} else {
			s.goTo(p.thing)
		}
		s.shows(p.shows)
		s.everyWindow(p.name)
		s.shows(p.shows)
	}
	s.quit()
}

func TestEveryOverlaySurvivesEveryWindow(t *testing.T) {
	t.Parallel()
	s := explorer(t, 80, 24)
	s.press("1")
	s.shows("999,999")
	for _, o := range overlays {
		s.press(o.key)
		s.shows(o.title)
		s.everyWindow(o.name)
		s.shows(o.title)
		s.press(escapeKey)
		s.hides(o.title)
	}
	s.quit()
}

// everyWindow goes through windows that hold little, nothing and very much, and
// back to the traditional one. In each the frame fills the window: its first
// line is in the first row, the status line in the last but one. The last
// names keys, unless a box does.
func (s *terminal) everyWindow(what string) {
	s.t.Helper()
	for _, size := range [][2]int{{20, 6}, {1, 1}, {200, 60}, {80, 24}} {
		s.resize(size[0], size[1])
		s.until(what+" fits the window", func(screen string) bool {
			lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
			switch size[0] {
			case 1:
				return strings.TrimSpace(screen) == "w"
			case 20:
				return strings.HasPrefix(screen, "window too small")
			}
			return strings.Contains(lines[0], "●") && len(lines) >= size[1]-1 && strings.TrimSpace(lines[size[1]-2]) != ""
		})
	}
}

func TestManyKeysAtOnceAreAllTaken(t *testing.T) {
	t.Parallel()
	s := explorer(t, 120, 40, "--", "podcast")
	s.shows("1/2,600")
	s.press(strings.Repeat("j", 200))
	s.shows("201/2,600")
	s.quit()
}

func TestCtrlCQuitsAndGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	s := explorer(t, 80, 24)
	s.shows("1,000,000")
	s.press("\x03")
	s.ended(0)
}

package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// hintsOf returns the hints in the last line of a frame.
func hintsOf(frame string) []string {
	lines := strings.Split(ansi.Strip(frame), "\n")
	var hints []string
	for _, h := range strings.Split(lines[len(lines)-1], hintGap) {
		if h = strings.TrimSpace(h); h != "" {
			hints = append(hints, h)
		}
	}
	return hints
}

// In a window of any usual width every hint in the footer is whole, help is
// there, and the first line has every tab and what one is connected to.
func TestNothingIsCutInNarrowWindows(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	step := 4
	if uitest.Long() {
		step = 1
	}
	for _, place := range everyPlace {
		for _, open := range []string{"", "tab", "/"} {
			s := startWallet(t, "mainnet", 400, 24)
			s.run(s.m.visit(place))
			if open != "" {
				s.send(keyNamed(t, open))
			}
			for width := 60; width <= 120; width += step {
				s.send(tea.WindowSizeMsg{Width: 400, Height: 24})
				s.m.notice = notice{}
				whole := hintsOf(s.m.View())
				s.send(tea.WindowSizeMsg{Width: width, Height: 24})
				s.m.notice = notice{}
				what := fmt.Sprintf("%s after %q at %d columns", place, open, width)
				frame := ansi.Strip(s.m.View())
				hints := hintsOf(frame)
				for _, h := range hints {
					if !slices.Contains(whole, h) && !slices.ContainsFunc(whole, func(w string) bool { return strings.HasSuffix(w, " "+h) }) {
						t.Errorf("%s: the hint %q is none of %q", what, h, whole)
					}
				}
				if !s.m.currentScreen().Typing() && !slices.Contains(hints, "? help") {
					t.Errorf("%s: no help in %q", what, hints)
				}
				checkTabLine(t, what, strings.SplitN(frame, "\n", 2)[0], s.m.tabs)
			}
		}
	}
}

// letters are those of the words of tabs, which stand right behind the digits in 80 columns.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func checkTabLine(t *testing.T, what, line string, all tabs) {
	t.Helper()
	words := strings.Fields(line)
	for _, one := range all {
		if one.short == "" {
			continue
		}
		number := fmt.Sprint(one.number())
		if !slices.ContainsFunc(words, func(w string) bool { return strings.TrimRight(strings.Trim(w, "[]"), letters) == number }) {
			t.Errorf("%s: no tab %s in %q", what, number, line)
		}
	}
	if !strings.Contains(line, "[") || !strings.Contains(line, "]") || !strings.Contains(line, " MOCK ") || !strings.Contains(line, "●") {
		t.Errorf("%s: the tab one is at or the connection is missing in %q", what, line)
	}
}

// Long names of networks and a lost connection leave every tab its number.
func TestTabsShrinkToNumbers(t *testing.T) {
	s := startWallet(t, "mainnet", 60, 20)
	s.m.options.Network = "a-very-long-name-of-a-host.example.org:3999"
	s.m.connection.offline, s.m.live.held = true, noon.Add(40*1e9)
	line := strings.SplitN(ansi.Strip(s.m.View()), "\n", 2)[0]
	if ansi.StringWidth(line) > 60 || !strings.Contains(line, "[1] 2 3 4 5") || !strings.Contains(line, "○") {
		t.Errorf("the first line is %q", line)
	}
}

// A notice that one line has no room for takes the line of the keys, too, and a click
// there presses none of them.
func TestALongNoticeHasTwoLines(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 40, 12)
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('C'))
	lines := strings.Split(p.frame(), "\n")
	if got := strings.Join(strings.Fields(strings.Join(lines[10:], " ")), " "); got != "marked Block 1,004,320: C on another compares the two" {
		t.Errorf("the notice is %q", got)
	}
	before := p.frame()
	for x := range 40 {
		p.send(clickAt(x, 11))
	}
	if p.frame() != before {
		t.Errorf("a click on a notice does something:\n%s", p.frame())
	}
}

// The column whose values are counted is named whatever the width.
func TestTheColumnThatIsCountedIsInSight(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 40, 12)
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('F'))
	for range 8 {
		p.send(tea.KeyMsg{Type: tea.KeyRight})
		tabs := strings.Split(p.frame(), "\n")[2]
		if !strings.Contains(tabs, "[") || !strings.Contains(tabs, "]") {
			t.Errorf("no column is marked: %q", tabs)
		}
	}
}

// Where a terminal is said to draw seven bits only, nothing of chainscope's own is
// anything else.
func TestASCIIMeansSevenBits(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		s := startWalletAs(t, theme.Options{Plain: true, ASCII: true}, "mono", "mainnet", size[0], size[1])
		for _, place := range everyPlace {
			for _, open := range []string{"", "?", ":", "ctrl+g", "i", "y", "M", "B", "e", "S", "F", "T", "n"} {
				s.m.overlays.stack = nil
				s.run(s.m.visit(place))
				if open != "" {
					_, cmd := s.m.Update(keyNamed(t, open))
					s.run(cmd)
				}
				for _, line := range strings.Split(s.frame(), "\n") {
					if i := strings.IndexFunc(line, func(r rune) bool { return r > 126 }); i >= 0 {
						t.Errorf("%s after %q in %v: %q in %q", place, open, size, line[i:i+3], line)
					}
				}
			}
		}
	}
}

// While a text is typed the letters are text: the footer names none of them. A
// box names its keys in its own edge, and nowhere else.
func TestTheFooterNamesOnlyKeysThatWork(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	letters := []string{"y copy", "J JSON", "i requests", "? help"}
	typing := 0
	for _, place := range everyPlace {
		for _, open := range []string{"/", "n", "N"} {
			s := startWallet(t, "mainnet", 120, 24)
			s.run(s.m.visit(place))
			s.send(keyNamed(t, open))
			if !s.m.currentScreen().Typing() {
				continue
			}
			typing++
			for _, h := range hintsOf(s.m.View()) {
				if slices.Contains(letters, h) {
					t.Errorf("%s after %q: the footer says %q, which is typed", place, open, h)
				}
			}
		}
	}
	if typing < 5 {
		t.Errorf("a text is typed at %d places only", typing)
	}
	for _, open := range []string{"?", ":", "y", "J", "M", "B", "e"} {
		s := startWallet(t, "mainnet", 120, 24)
		s.send(keyNamed(t, open))
		if !s.m.overlays.open() {
			t.Errorf("%s opens no box", open)
		}
		if hints := hintsOf(s.m.View()); len(hints) > 0 {
			t.Errorf("under the box of %q the footer says %q", open, hints)
		}
		if strings.Count(ansi.Strip(s.m.View()), "esc close") != 1 {
			t.Errorf("the box of %q does not say once how it closes", open)
		}
	}
}

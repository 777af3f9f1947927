package pager

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

const counter = `;; a counter
(define-constant ERR-LOW (err u1))
(define-data-var count uint u0)
(define-public (down (n uint))
  (begin
    (asserts! (>= (var-get count) n) ERR-LOW)
    (print "count; (not a comment)")
    (contract-call? 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token get-name)
    (ok (var-set count (- (var-get count) n)))))
`

func sourceView(t testing.TB, source string, width, height int) *Source {
	t.Helper()
	v := NewSource(uitest.Theme(t, "dark"), keymap.Default())
	v.SetText(source)
	v.SetSize(width, height)
	return v
}

func pressRunes(v *Source, keys string) {
	for _, r := range keys {
		v.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func screenOf(v *Source) string { return styles.ReplaceAllString(strings.Join(v.View(), "\n"), "") }

func TestASourceHasItsLinesWithNumbers(t *testing.T) {
	v := sourceView(t, counter, 80, 20)
	lines := strings.Split(screenOf(v), "\n")
	if len(lines) != 20 || !strings.Contains(lines[0], "1  ;; a counter") || !strings.Contains(lines[8], "9      (ok (var-set") {
		t.Errorf("\n%s", screenOf(v))
	}
}

// A name leads to the line where it is defined, and a contract to itself; tab goes on to
// the next name of the line.
func TestNamesLeadToTheirDefinitions(t *testing.T) {
	v := sourceView(t, counter, 80, 20)
	if _, ok := v.Name(); ok {
		t.Error("a comment names something")
	}
	v.GoTo("down")
	if v.Line() != 4 {
		t.Fatalf("down is defined in line %d", v.Line())
	}
	pressRunes(v, "jj")
	name, ok := v.Name()
	if !ok || name.Text != "count" || name.Line != 2 {
		t.Errorf("%+v", name)
	}
	v.Key(tea.KeyMsg{Type: tea.KeyTab})
	if name, _ := v.Name(); name.Text != "ERR-LOW" || name.Line != 1 {
		t.Errorf("%+v", name)
	}
	pressRunes(v, "j")
	if name, ok := v.Name(); ok {
		t.Errorf("a text names %+v", name)
	}
	pressRunes(v, "j")
	if name, ok := v.Name(); !ok || name.Line >= 0 || name.Text != "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token" {
		t.Errorf("%+v", name)
	}
	if v.GoTo("nothing") {
		t.Error("nothing is defined")
	}
}

func TestASearchGoesFromMatchToMatch(t *testing.T) {
	v := sourceView(t, counter, 80, 20)
	pressRunes(v, "/VAR-GET")
	if v.Line() != 6 || !v.Typing() || !strings.Contains(screenOf(v), "2 lines") {
		t.Errorf("line %d\n%s", v.Line(), screenOf(v))
	}
	v.Key(tea.KeyMsg{Type: tea.KeyEnter})
	for _, want := range []int{9, 6} {
		pressRunes(v, "n")
		if v.Line() != want {
			t.Errorf("n goes to line %d, not %d", v.Line(), want)
		}
	}
	pressRunes(v, "N")
	if v.Line() != 9 {
		t.Errorf("N goes to line %d", v.Line())
	}
}

func TestALongLineIsMovedSideways(t *testing.T) {
	v := sourceView(t, strings.Repeat("0123456789", 30), 40, 3)
	if row := v.View()[0]; !strings.Contains(row, "0123456789") || text.Width(row) != 40 {
		t.Errorf("%q", row)
	}
	pressRunes(v, ">")
	first := screenOf(v)
	pressRunes(v, "<")
	if back := screenOf(v); back == first || !strings.Contains(back, "1  0123") {
		t.Errorf("%q, %q", first, back)
	}
}

// hostile are sources that a chain may have.
var hostile = map[string]string{
	"escapes":      "(define-constant a \"\x1b]0;owned\x07\x1b[2J\") ;; \u202e\u200b\r\x00\xff\n\t\x1b[31m",
	"wide":         strings.Repeat("(ok u\"漢字かな交じり文👩‍👩‍👧\") ", 200),
	"one line":     strings.Repeat("(define-constant name u1)", 4096),
	"one word":     strings.Repeat("a", 100_000),
	"one text":     `"` + strings.Repeat("é", 50_000),
	"empty lines":  strings.Repeat("\n", 100_000),
	"many lines":   strings.Repeat("(define-public (f (a uint)) (ok (f (f a)))) ;; f\n", 2000),
	"parentheses":  strings.Repeat("(", 100_000),
	"nothing":      "",
	"only a quote": `"`,
}

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// harmless reports lines that are wider than the window, or that a terminal would obey.
func harmless(t *testing.T, name string, lines []string, width int) {
	t.Helper()
	for _, line := range lines {
		if w := text.Width(line); w > width {
			t.Errorf("%.40q: %d cells in a window of %d: %.80q", name, w, width, line)
		}
		if plain := styles.ReplaceAllString(line, ""); text.Line(plain) != plain {
			t.Errorf("%.40q: %q would be obeyed", name, plain)
		}
	}
}

// quickest returns the time of the quickest of some frames: other programs use the machine too.
func quickest(v *Source) time.Duration {
	best := time.Hour
	for range 5 {
		began := time.Now()
		v.View()
		best = min(best, time.Since(began))
	}
	return best
}

// A hostile source is drawn within a frame, never wider than the window.
func TestHostileSourcesStayInTheirFrame(t *testing.T) {
	for name, source := range hostile {
		for _, size := range [][2]int{{1, 1}, {5, 3}, {80, 24}, {200, 60}} {
			v := sourceView(t, source, size[0], size[1])
			for _, keys := range []string{"", "G", ">>>", "/a", "n"} {
				pressRunes(v, keys)
				lines, took := v.View(), quickest(v)
				if took > 50*time.Millisecond {
					t.Errorf("%s at %v after %q: a frame takes %v", name, size, keys, took)
				}
				if len(lines) != size[1] {
					t.Errorf("%s: %d lines in a window of %d", name, len(lines), size[1])
				}
				harmless(t, name, lines, size[0])
			}
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, source := range hostile {
		f.Add(source[:min(len(source), 300)], uint8(0))
	}
	f.Add(counter, uint8(3))
	f.Fuzz(func(t *testing.T, source string, left uint8) {
		v := sourceView(t, source, 30, 6)
		v.left = int(left)
		pressRunes(v, "j/u")
		harmless(t, source, v.View(), 30)
		v.Key(tea.KeyMsg{Type: tea.KeyEnter})
		if name, ok := v.Name(); ok && name.Line >= v.Lines() {
			t.Errorf("%+v of %d lines", name, v.Lines())
		}
	})
}

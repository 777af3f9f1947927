package list

import (
	"fmt"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// numbers is a source of numbered rows that counts how often one is drawn.
// those are the rows whose numbers are wanted.
func (s *numbers) those(want func(id int) bool) []int {
	rows := []int{}
	for i, id := range s.ids {
		if want(id) {
			rows = append(rows, i)
		}
	}
	return rows
}

type numbers struct {
	ids   []int
	drawn map[int]int
}

func upTo(n int) *numbers {
	s := &numbers{drawn: map[int]int{}}
	for i := range n {
		s.ids = append(s.ids, i)
	}
	return s
}

func (s *numbers) Len() int          { return len(s.ids) }
func (s *numbers) ID(i int) string   { return fmt.Sprint(s.ids[i]) }
func (s *numbers) Tail(i int) string { return " 4s" }
func (s *numbers) Row(i, width int) string {
	s.drawn[s.ids[i]]++
	return fmt.Sprintf("row %d", s.ids[i])
}

func list(t testing.TB, s Source, width, height int) *List {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	l := New(th, keymap.Default())
	l.SetSize(width, height)
	l.SetSource(s)
	return l
}

func press(l *List, keys ...string) {
	for _, k := range keys {
		l.Key(uitest.Key(k))
	}
}

func at(l *List) string {
	for _, line := range l.View() {
		if rest, ok := strings.CutPrefix(line, "▸ row "); ok {
			return strings.Fields(rest)[0]
		}
	}
	return ""
}

func TestKeysMove(t *testing.T) {
	l := list(t, upTo(100), 20, 10)
	for _, c := range []struct{ keys, want string }{
		{"j", "1"}, {"k", "0"}, {"k", "0"}, {"G", "99"}, {"j", "99"}, {"g", "0"}, {"ctrl+d", "5"}, {"ctrl+d", "10"},
	} {
		press(l, c.keys)
		if got := at(l); got != c.want {
			t.Fatalf("after %s: on %s, want %s", c.keys, got, c.want)
		}
	}
}

// sight returns the numbers of the first and the last row in sight.
func sight(t *testing.T, l *List) string {
	t.Helper()
	lines := l.View()
	number := func(line string) string {
		f := strings.Fields(strings.TrimPrefix(line, "▸"))
		if len(f) < 2 {
			t.Fatalf("a line without a row:\n%s", strings.Join(lines, "\n"))
		}
		return f[1]
	}
	return number(lines[0]) + "-" + number(lines[len(lines)-1])
}

func TestAtItsEdgeTheListGoesOnByAQuarterOfTheWindow(t *testing.T) {
	l := list(t, upTo(40), 20, 16)
	for _, c := range []struct {
		keys  string
		times int
		want  string // cursor, rows in sight
	}{
		{"j", 13, "13 of 0-15"},
		{"j", 1, "14 of 4-19"}, // two rows stay in sight below the cursor
		{"j", 3, "17 of 4-19"},
		{"j", 1, "18 of 8-23"},
		{"k", 8, "10 of 8-23"},
		{"k", 1, "9 of 4-19"},
		{"k", 4, "5 of 0-15"}, // never before the first row
		{"G", 1, "39 of 24-39"},
		{"k", 13, "26 of 24-39"},
		{"k", 1, "25 of 20-35"},
		{"j", 8, "33 of 20-35"},
		{"j", 1, "34 of 24-39"},
		{"j", 9, "39 of 24-39"}, // never beyond the last
		{"g", 1, "0 of 0-15"},
		{"ctrl+d", 1, "8 of 6-21"},
		{"ctrl+u", 1, "0 of 0-15"},
	} {
		for range c.times {
			press(l, c.keys)
		}
		if got := at(l) + " of " + sight(t, l); got != c.want {
			t.Fatalf("after %d times %s: on %s, want %s", c.times, c.keys, got, c.want)
		}
	}
}

func TestARowStaysUnderTheMouseThatChoseIt(t *testing.T) {
	l := list(t, upTo(40), 20, 16)
	press(l, "ctrl+d", "ctrl+d")
	before := sight(t, l)
	for _, line := range []int{15, 0} {
		l.ClickRow(line)
		l.SetSize(20, 16) // as each frame does
		if got := sight(t, l); got != before {
			t.Errorf("after a click on line %d rows %s are in sight, want %s", line, got, before)
		}
	}
}

func TestMostMovesInALongListScrollNothing(t *testing.T) {
	l := list(t, upTo(500), 20, 32)
	press(l, "ctrl+d", "ctrl+d", "ctrl+d")
	scrolled, before := 0, sight(t, l)
	for range 400 {
		press(l, "j")
		if now := sight(t, l); now != before {
			scrolled, before = scrolled+1, now
		}
	}
	if scrolled > 50 {
		t.Errorf("%d of 400 moves scrolled the list", scrolled)
	}
}

func TestOnlyRowsInSightAreDrawnAndOnlyOnce(t *testing.T) {
	s := upTo(250_000)
	l := list(t, s, 20, 10)
	for range 5 {
		l.View()
		press(l, "j")
	}
	if len(s.drawn) > 12 {
		t.Errorf("%d rows were drawn", len(s.drawn))
	}
	for id, n := range s.drawn {
		if n != 1 {
			t.Errorf("row %d was drawn %d times", id, n)
		}
	}
}

func TestNewRowsAboveDoNotMoveTheCursor(t *testing.T) {
	s := upTo(50)
	l := list(t, s, 20, 10)
	press(l, "j", "j", "j")
	before := l.View()
	s.ids = append([]int{1000, 1001}, s.ids...)
	l.Changed(nil)
	if got := l.View(); strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("the window moved:\n%s\nwas:\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
	}
}

func TestAFilterKeepsTheRowOrTheNextBest(t *testing.T) {
	s := upTo(50)
	l := list(t, s, 20, 10)
	press(l, "j", "j", "j", "j")
	l.Changed(s.those(func(id int) bool { return id%2 == 0 }))
	if got := at(l); got != "4" || l.Len() != 25 {
		t.Errorf("on %s of %d", got, l.Len())
	}
	l.Changed([]int{})
	if _, ok := l.Cursor(); ok || l.Len() != 0 {
		t.Error("a row of nothing")
	}
	l.Changed(nil)
	if l.Len() != 50 {
		t.Errorf("%d rows without the filter", l.Len())
	}
}

func TestAStateIsComeBackTo(t *testing.T) {
	s := upTo(50)
	l := list(t, s, 20, 10)
	press(l, "G")
	press(l, "k", "k", "k")
	place, view := l.Place(), strings.Join(l.View(), "\n")
	s.ids = append([]int{77}, s.ids...)
	other := list(t, s, 20, 10)
	other.Restore(place)
	if got := strings.Join(other.View(), "\n"); got != view {
		t.Errorf("got\n%s\nwant\n%s", got, view)
	}
}

// The list that is come back to may have fewer rows so far.
func TestAStateIsComeBackToInAShorterList(t *testing.T) {
	s := upTo(50)
	l := list(t, s, 20, 10)
	press(l, "G")
	s.ids = []int{1, 49, 2, 3}
	other := list(t, s, 20, 10)
	other.Restore(l.Place())
	if got := at(other); got != "49" {
		t.Errorf("the cursor is on %q", got)
	}
}

func TestAnyListFitsAnyWindow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := upTo(rapid.IntRange(0, 40).Draw(rt, "rows"))
		width, height := rapid.IntRange(0, 30).Draw(rt, "width"), rapid.IntRange(0, 12).Draw(rt, "height")
		l := list(t, s, width, height)
		for _, k := range rapid.SliceOf(rapid.SampledFrom([]string{"j", "k", "g", "G", "ctrl+d", "new", "gone", "odd", "all"})).Draw(rt, "keys") {
			switch k {
			case "new":
				s.ids = append([]int{len(s.ids) + 1000}, s.ids...)
				l.Changed(nil)
			case "gone":
				s.ids = s.ids[len(s.ids)/2:]
				l.Changed(nil)
			case "odd":
				l.Changed(s.those(func(id int) bool { return id%2 == 1 }))
			case "all":
				l.Changed(nil)
			default:
				press(l, k)
			}
			lines := l.View()
			if len(lines) != height {
				rt.Fatalf("%d lines in %d", len(lines), height)
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > width {
					rt.Fatalf("%q in %d cells", line, width)
				}
			}
			if _, ok := l.Cursor(); ok && height > 0 && width > 8 && at(l) == "" {
				rt.Fatalf("the cursor is out of sight:\n%s", strings.Join(lines, "\n"))
			}
		}
	})
}

func BenchmarkMove(b *testing.B) {
	l := list(b, upTo(250_000), 120, 36)
	for b.Loop() {
		press(l, "j")
		l.View()
	}
}

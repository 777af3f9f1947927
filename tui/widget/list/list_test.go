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

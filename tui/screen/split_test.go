package screen

import (
	"os"
	"strings"
	"testing"

	"chainscope/tui/keymap"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func sight(a Arrangement) string {
	switch {
	case a.Both() && a.Beside:
		return "beside"
	case a.Both():
		return "below"
	case a.List.Height > 0:
		return "list"
	}
	return "detail"
}

func TestTheRoomDecidesUntilTheUserDoes(t *testing.T) {
	for _, c := range []struct {
		width, height int
		inDetail      bool
		keys, want    string
	}{
		{120, 36, false, "", "beside"},
		{80, 20, false, "", "list"},
		{80, 20, true, "", "detail"},
		{80, 40, false, "", "below"},
		{80, 20, false, "+", "below"},
		{80, 8, false, "+", "list"},
		{120, 36, false, "_", "list"},
		{120, 36, true, "_", "detail"},
		{120, 36, true, "+", "detail"},
		{120, 36, true, "++_", "beside"},
	} {
		var s Split
		for _, k := range c.keys {
			if !s.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}}, keymap.Default(), c.width, c.height) {
				t.Fatalf("%q is no key", k)
			}
		}
		if got := sight(s.Arrange(c.width, c.height, c.inDetail, false)); got != c.want {
			t.Errorf("%dx%d, detail %v, keys %q: %s, want %s", c.width, c.height, c.inDetail, c.keys, got, c.want)
		}
	}
	if (&Split{}).Key(tea.KeyMsg{Type: tea.KeyEnter}, keymap.Default(), 80, 20) {
		t.Error("enter is taken")
	}
}

func TestAnyRoomIsFilledExactly(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	long := make([]string, 200)
	for i := range long {
		long[i] = strings.Repeat("x", 300)
	}
	step := 49
	if os.Getenv("CHAINSCOPE_LONG") != "" {
		step = 7
	}
	for chosen := auto; chosen <= detailAlone; chosen++ {
		for w := 0; w < 240; w += step {
			for h := range 60 {
				for _, inDetail := range []bool{false, true} {
					for _, lines := range [][]string{nil, long} {
						out := Split{chosen: chosen}.Arrange(w, h, inDetail, w%2 == 0).Draw(th, lines, lines, lines)
						if len(out) != h {
							t.Fatalf("%d lines in %dx%d of %d", len(out), w, h, chosen)
						}
						for _, line := range out {
							if ansi.StringWidth(line) > w {
								t.Fatalf("%d cells in %dx%d of %d", ansi.StringWidth(line), w, h, chosen)
							}
						}
					}
				}
			}
		}
	}
}

func TestADetailThatComesFirstFillsTheRoomToo(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		width, height int
		want          []string // the first cells of the first and the last line
	}{
		{100, 30, []string{"d", "d"}},
		{80, 30, []string{"d", "l"}},
	} {
		a := Split{}.Arrange(c.width, c.height, true, false).Swap()
		of := func(s string, n int) []string { return strings.Split(strings.Repeat(s+"\n", n-1)+s, "\n") }
		out := a.Draw(th, of("l", a.List.Height), of("d", a.Detail.Height), nil)
		if len(out) != c.height || !strings.HasPrefix(out[0], c.want[0]) || !strings.HasPrefix(out[c.height-1], c.want[1]) {
			t.Errorf("%dx%d: %d lines, first %q, last %q", c.width, c.height, len(out), out[0], out[c.height-1])
		}
		if a.Detail.X != 0 || a.Detail.Y != 0 || !a.List.Has(a.List.X, a.List.Y) || a.List.Has(0, 0) {
			t.Errorf("%dx%d: detail at %+v, list at %+v", c.width, c.height, a.Detail, a.List)
		}
	}
}

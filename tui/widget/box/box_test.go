package box

import (
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func plain(t testing.TB) *theme.Theme {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestABoxLiesOverTheFrame(t *testing.T) {
	th := plain(t)
	frame := strings.Split(strings.TrimSuffix(strings.Repeat(strings.Repeat("漢.", 10)+"\n", 8), "\n"), "\n")
	box := Draw(th, "Title", "esc close", []string{"one", "two"}, 17, 5)
	got := Over(frame, box, 4, 1, 30)
	for i := range got {
		got[i] = ansi.Strip(got[i])
	}
	uitest.Golden(t, "over", strings.Join(got, "\n"), 30, 8)
}

func TestALongTitleIsCutAndNotLost(t *testing.T) {
	for n := range 40 {
		top := Draw(plain(t), "Title"+strings.Repeat("x", n), "hint"+strings.Repeat("x", n), nil, 20, 3)
		if !strings.Contains(ansi.Strip(top[0]), " Titlex"[:min(7, 6+n)]) || !strings.Contains(ansi.Strip(top[2]), " hint") {
			t.Fatalf("%d more characters: %q", n, top)
		}
	}
}

func TestHowABoxIsLeftIsSaidAsLongAsAnythingIs(t *testing.T) {
	for width, want := range map[int]string{
		60: "enter show the rows  ← → column  esc close",
		40: "enter show the rows  esc close",
		24: "esc close",
	} {
		edge := ansi.Strip(Draw(plain(t), "Title", "enter show the rows  ← → column  esc close", nil, width, 3)[2])
		if got := strings.Trim(edge, "╰─╯ "); got != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestALineThatIsCutSaysSo(t *testing.T) {
	if got := ansi.Strip(Draw(plain(t), "Title", "", []string{"a line that is long"}, 14, 3)[1]); got != "│ a line th… │" {
		t.Error(got)
	}
}

func TestABoxFitsAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width, height := rapid.IntRange(1, 60).Draw(rt, "width"), rapid.IntRange(1, 20).Draw(rt, "height")
		w, h := rapid.IntRange(0, 70).Draw(rt, "box width"), rapid.IntRange(0, 30).Draw(rt, "box height")
		frame := strings.Split(strings.TrimSuffix(strings.Repeat(strings.Repeat("x", width)+"\n", height), "\n"), "\n")
		box := Draw(plain(t), rapid.StringMatching(`[a-z漢 ]{0,30}`).Draw(rt, "title"), "hint", []string{"a line that is long"}, w, h)
		for _, line := range box {
			if ansi.StringWidth(line) != w {
				rt.Fatalf("an edge of %d cells in a box of %d", ansi.StringWidth(line), w)
			}
		}
		x, y := Centre(w, h, width, height)
		for i, line := range Over(frame, box, x, y, width) {
			if ansi.StringWidth(line) != width {
				rt.Fatalf("line %d has %d of %d cells", i, ansi.StringWidth(line), width)
			}
		}
	})
}

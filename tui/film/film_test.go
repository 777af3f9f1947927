package film

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"
)

// threeFrames returns a film whose first line stays and whose second changes twice.
func threeFrames() *Film {
	f := &Film{Title: "a <film>", Width: 12, Height: 2}
	f.Show("head\none", time.Second)
	f.Show("head\none", time.Second)
	f.Show("head\ntwo", time.Second)
	f.Still()
	f.Show("head\nthree", time.Second)
	return f
}

func TestACastHasWhatChangesAndWhen(t *testing.T) {
	var at []float64
	var written []string
	for i, line := range strings.Split(strings.TrimSpace(threeFrames().Cast()), "\n") {
		if i == 0 {
			var head struct{ Version, Width, Height int }
			if err := json.Unmarshal([]byte(line), &head); err != nil || head.Version != 2 || head.Width != 12 || head.Height != 2 {
				t.Fatalf("head %s: %v", line, err)
			}
			continue
		}
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		at, written = append(at, event[0].(float64)), append(written, event[2].(string))
	}
	if len(at) != 4 || at[1] != 2 || at[2] != 3 || at[3] != 4 {
		t.Fatalf("frames at %v", at)
	}
	if !strings.Contains(written[0], "head") || strings.Contains(written[1], "head") || !strings.Contains(written[1], "two") {
		t.Errorf("written %q", written)
	}
}

// A line that stays is drawn once; one frame stands where nothing may move.
func TestAPictureThatMovesDrawsALineOnce(t *testing.T) {
	got := threeFrames().SVG(DarkTerminal)
	for text, want := range map[string]int{">head<": 1, ">one<": 1, ">two<": 1, ">three<": 1, `class="h `: 2} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q stands %d times, want %d:\n%s", text, n, want, got)
		}
	}
	for _, want := range []string{
		"prefers-reduced-motion:no-preference",
		"animation:s2 4.00s",
		"{0%{visibility:hidden}50%{visibility:visible}75%{visibility:hidden}}",
		"<g class=\"s2\">\n<text x=\"14.0\" y=\"69.5\" textLength=\"25.2\" fill=\"#d7dae0\">two",
		"a &lt;film&gt;",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
}

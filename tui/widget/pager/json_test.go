package pager

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/theme"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func view(t testing.TB, raw string, width, height int) *JSON {
	th, err := theme.New("dark", theme.Options{Dark: true, Colors: colorprofile.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	v := NewJSON(th, keymap.Default())
	v.SetSize(width, height)
	v.SetJSON([]byte(raw))
	return v
}

func press(v *JSON, keys ...string) {
	for _, k := range keys {
		v.Key(uitest.Key(k))
	}
}

const sample = `{"b":1,"a":{"big":340282366920938463463374607431768211455,"list":[true,null,1.50,{}],"evil":"a\u001b[31m\u202eb"},"empty":[],"z":"last"}`

func TestTheTextIsShownInItsOrder(t *testing.T) {
	v := view(t, sample, 60, 18)
	uitest.Golden(t, "whole", strings.Join(v.View(), "\n"), 60, 18)
}

func TestPartsAreFolded(t *testing.T) {
	v := view(t, sample, 60, 8)
	press(v, "j", "j", "enter")
	uitest.Golden(t, "folded", strings.Join(v.View(), "\n"), 60, 8)
	press(v, "f")
	if v.count() != 15 {
		t.Errorf("with one part folded all are unfolded: %d lines", v.count())
	}
	press(v, "f")
	if v.count() != 6 {
		t.Errorf("all folded: %d lines", v.count())
	}
}

func TestASearchGoesFromHitToHit(t *testing.T) {
	v := view(t, `["x","ab","y","AB","ab"]`, 40, 10)
	press(v, "/", "a", "b")
	if v.cursor != 2 || len(v.hits) != 3 {
		t.Fatalf("cursor %d, hits %v", v.cursor, v.hits)
	}
	press(v, "enter", "n", "n")
	if v.cursor != 5 {
		t.Errorf("after two steps: %d", v.cursor)
	}
	press(v, "n", "N")
	if v.cursor != 5 {
		t.Errorf("round and back: %d", v.cursor)
	}
	press(v, "/", "esc")
	if !v.query.Empty() || v.Typing() {
		t.Error("esc leaves the search")
	}
}

func TestWhatIsNoJSONIsShownAsItCame(t *testing.T) {
	v := view(t, "<html>\n\x1b[31mno</html>", 40, 4)
	uitest.Golden(t, "broken", strings.Join(v.View(), "\n"), 40, 4)
}

func TestAnyJSONFitsAnyWindow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		raw, err := json.Marshal(map[string]any{
			rapid.String().Draw(rt, "key"): rapid.SliceOf(rapid.String()).Draw(rt, "values"),
			"n":                            rapid.Float64Range(-1e9, 1e9).Draw(rt, "n"),
		})
		if err != nil {
			rt.Fatal(err)
		}
		width, height := rapid.IntRange(1, 80).Draw(rt, "width"), rapid.IntRange(0, 12).Draw(rt, "height")
		v := view(t, string(raw), width, height)
		for _, k := range rapid.SliceOf(rapid.SampledFrom([]string{"j", "k", "g", "G", "enter", "f", "/", "n", "N", "esc", "a"})).Draw(rt, "keys") {
			press(v, k)
			lines := v.View()
			if len(lines) != height {
				rt.Fatalf("%d lines in %d", len(lines), height)
			}
			for _, l := range lines {
				if ansi.StringWidth(l) > width {
					rt.Fatalf("%d cells in %d: %q", ansi.StringWidth(l), width, l)
				}
			}
		}
	})
}

func FuzzSetJSON(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`{"a":1}{`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v := view(t, string(raw), 30, 5)
		for _, l := range v.View() {
			if strings.ContainsAny(ansi.Strip(l), "\x00\x07\x1b\u202e\u200b") {
				t.Fatalf("a control character in %q", l)
			}
		}
	})
}

// What is underlined elsewhere is a link, and nothing here is one.
func TestNothingOfAJSONTextLooksLikeALink(t *testing.T) {
	for _, line := range view(t, sample, 60, 18).View() {
		if strings.Contains(line, "\x1b[4m") || strings.Contains(line, ";4m") || strings.Contains(line, "[4;") {
			t.Errorf("underlined: %q", line)
		}
	}
}

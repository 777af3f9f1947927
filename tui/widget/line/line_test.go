package line_test

import (
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func plain(t testing.TB) *theme.Theme {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func press(l *line.Line, name string) line.Outcome { return l.Key(uitest.Key(name)) }

func TestKeysEditTheLine(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		want string // | is the cursor
	}{
		"letters are typed":                   {"a b", "ab|"},
		"a letter goes in at the cursor":      {"a c left b", "ab|c"},
		"left and right stop at the ends":     {"a left left left b right right right c", "bac|"},
		"home and end":                        {"b home a end c", "abc|"},
		"ctrl+a and ctrl+e":                   {"b ctrl+a a ctrl+e c", "abc|"},
		"ctrl+u deletes to the start":         {"a b c left ctrl+u", "|c"},
		"ctrl+k deletes to the end":           {"a b c left left ctrl+k", "a|"},
		"ctrl+w deletes a word":               {"one space two ctrl+w", "one |"},
		"a word back":                         {"one space two alt+b x", "one x|two"},
		"backspace and delete":                {"a b c left backspace delete", "a|"},
		"alt with another letter is no text":  {"a alt+x", "a|"},
		"the word after is not deleted":       {"a home alt+d", "|a"},
		"nothing is read from the clipboard":  {"a ctrl+v", "a|"},
		"esc clears":                          {"a b esc", "|"},
		"keys of the list leave the text be":  {"a up down pgup pgdown tab ctrl+n", "a|"},
		"what is typed after esc starts anew": {"a esc b", "b|"},
	} {
		t.Run(name, func(t *testing.T) {
			l := line.New()
			for _, k := range strings.Fields(c.keys) {
				press(&l, k)
			}
			r := []rune(l.Value())
			if got := string(r[:l.Position()]) + "|" + string(r[l.Position():]); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAKeySaysWhatItDid(t *testing.T) {
	l := line.New()
	for _, step := range []struct {
		key  string
		want line.Outcome
	}{
		{"a", line.Changed},
		{"left", line.Moved},
		{"up", line.Ignored},
		{"down", line.Ignored},
		{"tab", line.Ignored},
		{"ctrl+n", line.Ignored},
		{"ctrl+u", line.Moved},
		{"enter", line.Accepted},
		{"esc", line.Changed},
		{"esc", line.Closed},
		{"backspace", line.Moved},
	} {
		if got := press(&l, step.key); got != step.want {
			t.Errorf("%s: got %d, want %d", step.key, got, step.want)
		}
	}
}

func TestAPasteIsMadeSafe(t *testing.T) {
	for pasted, want := range map[string]string{
		"\nSP1.token\r\n":   "SP1.token",
		"a\nb\r\nc\td":      "a b c d",
		"a\x1b[31mb\x07":    "a[31mb",
		"bidi\u202eand\x00": "bidi\u202eand",
	} {
		l := line.New()
		l.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(pasted), Paste: true})
		if l.Value() != want {
			t.Errorf("%q becomes %q, want %q", pasted, l.Value(), want)
		}
		if drawn := l.View(plain(t), 60, true); strings.ContainsAny(drawn, "\x1b\u202e\x07") {
			t.Errorf("%q is drawn as %q", pasted, drawn)
		}
	}
}

func TestALineIsBounded(t *testing.T) {
	l := line.New()
	l.SetValue(strings.Repeat("a", 513))
	press(&l, "x")
	if l.Value() != strings.Repeat("a", 512) {
		t.Errorf("%d characters are taken", len(l.Value()))
	}
}

func TestTheCursorIsInSight(t *testing.T) {
	l := line.New()
	l.SetValue("0123456789")
	for at, want := range map[int]string{10: "6789 ", 9: "56789", 5: "12345", 2: "01234"} {
		press(&l, "end")
		for range 10 - at {
			press(&l, "left")
		}
		if got := l.View(plain(t), 5, true); got != want {
			t.Errorf("cursor at %d: %q, want %q", at, got, want)
		}
	}
	if got := l.View(plain(t), 5, false); got != "01234" {
		t.Errorf("without focus: %q", got)
	}
}

func TestAnyKeysAndAnyWidthFit(t *testing.T) {
	names := []string{
		"a", "漢", "é", "\u200b", "👩‍💻", "\u202e", "space", "left", "right", "home", "end", "ctrl+a", "ctrl+e", "ctrl+u", "ctrl+w", "ctrl+k",
		"backspace", "delete", "esc", "enter", "up", "down", "tab", "pgup", "pgdown", "alt+b", "alt+d", "alt+x", "ctrl+n", "ctrl+v",
	}
	th := plain(t)
	rapid.Check(t, func(rt *rapid.T) {
		l := line.New()
		for _, k := range rapid.SliceOf(rapid.SampledFrom(names)).Draw(rt, "keys") {
			press(&l, k)
			width := rapid.IntRange(0, 30).Draw(rt, "width")
			if drawn := l.View(th, width, true); ansi.StringWidth(drawn) > width {
				rt.Fatalf("%d cells in %d: %q", ansi.StringWidth(drawn), width, drawn)
			}
		}
	})
}

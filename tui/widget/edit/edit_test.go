package edit_test

import (
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/edit"

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

func TestTypingAndEditing(t *testing.T) {
	for name, c := range map[string]struct {
		many bool
		keys []string
		want string
	}{
		"letters":                                    {false, []string{"r", "e", "n", "t"}, "rent"},
		"a letter in the middle":                     {false, []string{"rnt", "left", "left", "e"}, "rent"},
		"backspace and delete":                       {false, []string{"abcd", "left", "left", "backspace", "delete"}, "ad"},
		"the word before the cursor goes":            {false, []string{"one two", "ctrl+w"}, "one "},
		"all before the cursor goes":                 {false, []string{"one two", "ctrl+left", "ctrl+u"}, "two"},
		"enter is no letter of a line":               {false, []string{"a", "enter", "b"}, "ab"},
		"alt and enter break a line anywhere":        {false, []string{"a", "alt+enter", "b"}, "a\nb"},
		"a paste of many lines is kept":              {false, []string{"a\r\nb\rc\nd"}, "a\nb\nc\nd"},
		"hidden characters are kept":                 {false, []string{"a\u202eb\x1b[31m"}, "a\u202eb\x1b[31m"},
		"enter breaks a line of many":                {true, []string{"a", "enter", "b"}, "a\nb"},
		"up and down keep the column":                {true, []string{"abc\nd\nefg", "up", "up", "!"}, "abc!\nd\nefg"},
		"home and end are those of the line":         {true, []string{"ab\ncd", "home", "<", "end", ">"}, "ab\n<cd>"},
		"a page down ends on the last line":          {true, []string{"ab\ncd", "pgup", "pgdown", "!"}, "ab\ncd!"},
		"keys at the edges do no harm":               {true, []string{"up", "down", "left", "right", "delete", "backspace", "x"}, "x"},
		"a word further":                             {false, []string{"one two", "home", "ctrl+right", "!"}, "one! two"},
		"wide characters count as one for the arrow": {false, []string{"日本", "left", "の"}, "日の本"},
	} {
		t.Run(name, func(t *testing.T) {
			e := edit.New(c.many)
			for _, k := range c.keys {
				e.Key(uitest.Key(k))
			}
			if got := e.Value(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAFormGoesOnWhereTheTextEnds(t *testing.T) {
	e := edit.New(true)
	e.SetValue("a\nb")
	if !e.Key(uitest.Key("down")) {
		t.Error("down inside the text was not taken")
	}
	if e.Key(uitest.Key("down")) {
		t.Error("down on the last line was taken")
	}
	if edit.New(false).Key(uitest.Key("enter")) {
		t.Error("enter on a single line was taken")
	}
}

func TestTheCursorIsAlwaysInSightAndNothingIsWiderThanItsRoom(t *testing.T) {
	th := plain(t)
	keys := []string{"a", "日本", "\n", "\u202e", "\x1b", "left", "right", "up", "down", "home", "end", "backspace", "delete", "pgup", "pgdown", "enter", "ctrl+w", "é", "🙂"}
	rapid.Check(t, func(r *rapid.T) {
		e := edit.New(rapid.Bool().Draw(r, "many"))
		for _, k := range rapid.SliceOf(rapid.SampledFrom(keys)).Draw(r, "keys") {
			e.Key(uitest.Key(k))
			w, h := rapid.IntRange(1, 12).Draw(r, "width"), rapid.IntRange(1, 4).Draw(r, "height")
			lines := e.View(th, w, h, true)
			if len(lines) != h {
				r.Fatalf("%d lines, want %d", len(lines), h)
			}
			for _, l := range lines {
				if text.Width(l) != w {
					r.Fatalf("%q has %d cells, want %d", l, text.Width(l), w)
				}
				if strings.ContainsAny(l, "\x1b\u202e\n") {
					r.Fatalf("%q holds a character that a terminal obeys", l)
				}
			}
		}
	})
}

func BenchmarkAKeyInASourceOf200KB(b *testing.B) {
	th := plain(b)
	e := edit.New(true)
	e.SetValue(strings.Repeat("(define-public (transfer (amount uint)) (ok true))\n", 4000))
	for range 2000 {
		e.Key(uitest.Key("down"))
	}
	for b.Loop() {
		e.Key(uitest.Key("x"))
		e.View(th, 100, 20, true)
	}
}

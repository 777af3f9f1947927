package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/hidden"

	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text stays", "alice.btc", "alice.btc"},
		{"other scripts stay", "Привет 你好 ₿", "Привет 你好 ₿"},
		{"an escape sequence is shown, not obeyed", "red \x1b[31m", `red \x1b[31m`},
		{"a window title attack is shown", "\x1b]0;own\x07", `\x1b]0;own\x07`},
		{"a C1 control is shown", "\u009b2J", `\u009b2J`},
		{"a font's own picture is no lock", "\uf023 safe", `\uf023 safe`},
		{"an override is shown where it stands", "abc\u202etxt.exe", `abc\u202etxt.exe`},
		{"zero-width space keeps two names apart", "ali\u200bce", `ali\u200bce`},
		{"invisible ASCII is shown", "a\U000e0041", `a\U000e0041`},
		{"a blank letter is shown", "a\u3164", `a\u3164`},
		{"bytes that are no UTF-8 are shown", "a\xff\x9b", `a\xff\x9b`},
		{"line breaks and tabs are shown", "a\r\nb\nc\td\u2028e", `a\r\nb\nc\td\u2028e`},
		{"a lone carriage return is shown", "a\rb", `a\rb`},
		{"Unicode spaces become spaces", "a\u00a0b\u3000c\u2009d", "a b c d"},
		{"variation selectors are dropped", "❤\ufe0f☕\ufe0e", "❤☕"},
		{"joiners in emoji are dropped", "👨\u200d👩\u200d👧", "👨👩👧"},
		{"a joiner between letters is shown", "a\u200db", `a\u200db`},
		{"decomposed letters are composed", "e\u0301", "é"},
		{"a mark without a letter is shown", "\u0301a", `\u0301a`},
		{"a tower of marks is cut down", "x" + strings.Repeat("\u0335", 50), "x" + strings.Repeat("\u0335", 3)},
		{"flags stay", "🇨🇭", "🇨🇭"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.in); got != tt.want {
				t.Errorf("Line(%+q) = %+q, want %+q", tt.in, got, tt.want)
			}
		})
	}
}

func TestLineIsBounded(t *testing.T) {
	for _, in := range []string{strings.Repeat("a", MaxLine+1), strings.Repeat("é", MaxLine), strings.Repeat("\xff", MaxLine*2)} {
		got := Line(in)
		if !strings.HasSuffix(got, Ellipsis) || len(got) > 4*MaxLine+len(Ellipsis) {
			t.Errorf("Line of %d bytes has %d bytes and ends in %q", len(in), len(got), got[len(got)-4:])
		}
	}
}

func TestHiddenListsWhatAPersonShouldKnow(t *testing.T) {
	got := Hidden("pay\u202e 1\n❤\ufe0f")
	if d := cmp.Diff([]hidden.Finding{{Offset: 3, Rune: 0x202e, Kind: hidden.Bidi}}, got); d != "" {
		t.Error(d)
	}
}

func TestFitting(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"short text stays", Truncate("abc", 5), "abc"},
		{"text that fits exactly stays", Truncate("abcde", 5), "abcde"},
		{"long text gets an ellipsis", Truncate("abcdef", 5), "abcd…"},
		{"a wide character is not halved", Truncate("你好世界", 4), "你…"},
		{"nothing fits into no cells", Truncate("abc", 0), ""},
		{"one cell shows the ellipsis", Truncate("abc", 1), "…"},
		{"hostile text is cleaned first", Truncate("a\x1b[31mb", 6), `a\x1b…`},
		{"ASCII terminals get ASCII marks", TruncateWith("abcdef", 5, "..."), "ab..."},
		{"a mark that is too wide is left out", TruncateWith("abcdef", 2, "..."), "ab"},
		{"a hash keeps begin and end", Middle("0x7f3a01bcdde19c91e", 11), "0x7f3a…c91e"},
		{"an odd cell goes to the begin", Middle("abcdefghij", 6), "abc…ij"},
		{"a hash that fits stays", Middle("0x12", 4), "0x12"},
		{"a hash in two cells is its begin", Middle("0x1234", 2), "0x"},
		{"a padded word has its width", Pad("ab", 4), "ab  "},
		{"numbers are padded on the left", PadLeft("42", 4), "  42"},
		{"padding counts cells", Pad("你", 4), "你  "},
		{"padding shortens too", Pad("abcdef", 4), "abc…"},
		{"a wide character that does not fit leaves a space", Pad("你好", 3), "你…"},
		{"styled text is filled by what is seen", Fill("\x1b[1mab\x1b[m", 4), "\x1b[1mab\x1b[m  "},
		{"styled text is clipped by what is seen", ansi.Strip(Clip("\x1b[1mabcdef\x1b[m", 3)), "abc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestWhatIsCutSaysSo(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"whole", "whole"},
		{"it is too long", "it is to…"},
		{"blanks           ", "blanks   "},
		{"\x1b[1mit is too long\x1b[m", "\x1b[1mit is to…\x1b[m"},
		{"漢字漢字漢字", "漢字漢字…"},
	} {
		if got := Cut(c.line, 9, "…"); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestBlock(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		width int
		want  []string
	}{
		{"nothing has no lines", "", 10, nil},
		{"short lines stay", "a\nb", 10, []string{"a", "b"}},
		{"empty lines stay", "a\n\nb\n", 10, []string{"a", "", "b"}},
		{"long lines break between words", "the quick brown fox", 10, []string{"the quick", "brown fox"}},
		{"a word at the edge fits", "abcde fghij", 5, []string{"abcde", "fghij"}},
		{"long words break where they must", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a continued line keeps its indentation", "  (begin one two)", 9, []string{"  (begin", "  one", "  two)"}},
		{"tabs go to stops of four", "a\tb", 10, []string{"a   b"}},
		{"CR LF ends a line", "a\r\nb", 10, []string{"a", "b"}},
		{"Unicode separators end a line", "a\u2028b\u2029c", 10, []string{"a", "b", "c"}},
		{"escapes are shown", "a\x1b[2Jb", 20, []string{`a\x1b[2Jb`}},
		{"wide characters break by cells", "你好世界", 4, []string{"你好", "世界"}},
		{"a wide character in one cell becomes an ellipsis", "你a", 1, []string{"…", "a"}},
		{"a width of nothing counts as one", "ab", 0, []string{"a", "b"}},
		{"spaces at a break are dropped", "ab    cd", 4, []string{"ab", "cd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Block(tt.in, tt.width)); d != "" {
				t.Errorf("Block(%q, %d) (-want +got):\n%s", tt.in, tt.width, d)
			}
		})
	}
}

func TestBlockIsBoundedAndSaysSo(t *testing.T) {
	lines := Block(strings.Repeat("x", MaxBlock)+strings.Repeat("y", 5000), 1000)
	if got := lines[len(lines)-1]; got != "… 5.0 kB more" {
		t.Errorf("last line is %q", got)
	}
}

// safe fails when s could do anything in a terminal but show itself.
func safe(t *testing.T, in, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("%+q became %+q: no UTF-8", in, s)
	}
	if f := hidden.Find(s); f != nil {
		t.Fatalf("%+q became %+q: %v", in, s, f)
	}
	sum, ascii := 0, false
	for rest := s; rest != ""; {
		seq, w, n, _ := ansi.DecodeSequence(rest, ansi.NormalState, nil)
		if r, _ := utf8.DecodeRuneInString(seq); w == 0 && !(ascii && unicode.Is(unicode.M, r)) {
			t.Fatalf("%+q became %+q: %+q has no width", in, s, seq)
		}
		sum += w
		ascii = n == 1
		rest = rest[n:]
	}
	if w := Width(s); w != sum {
		t.Fatalf("%+q became %+q: Width says %d, its characters take %d", in, s, w, sum)
	}
}

var hostile = []string{
	"", "plain", "a\x1b[31mb", "\x1b]52;c;aGk=\x07", "\u009b2J", "a\u202eb", "ali\u200bce", "\U000e0041", "\xff\xfe\x9b",
	"👨\u200d👩\u200d👧", "❤\ufe0f", "e\u0301", "x\u0335\u0335\u0335\u0335\u0335", "你好", "\u1161\u11a8", "🇨🇭🇨", "\r\n\t\u2028",
	"\u3164\u115f", "\u0600\u0661", "क्षि", "\u200d\ufe0f\u0301", "1\ufe0f\u20e3", "\u1100\u1161\u11a8", "\ufeff",
}

func FuzzLine(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		line := Line(s)
		safe(t, s, line)
		if again := Line(line); len(s) < MaxLine/16 && again != line {
			t.Fatalf("Line(%+q) = %+q, and again %+q", s, line, again)
		}
		width %= 300
		for name, got := range map[string]string{"Truncate": Truncate(s, width), "Middle": Middle(s, width)} {
			safe(t, s, got)
			if w := Width(got); w > max(0, width) {
				t.Fatalf("%s(%+q, %d) = %+q is %d wide", name, s, width, got, w)
			}
		}
		if got := Pad(s, width); Width(got) != max(0, width) {
			t.Fatalf("Pad(%+q, %d) = %+q is %d wide", s, width, got, Width(got))
		}
	})
}

func FuzzBlock(f *testing.F) {
	for _, s := range hostile {
		f.Add(s+"\n  "+s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		width %= 300
		for _, line := range Block(s, width) {
			safe(t, s, line)
			if w := Width(line); w > max(1, width) {
				t.Fatalf("Block(%+q, %d) has %+q, %d wide", s, width, line, w)
			}
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{"ascii": "alice-in-wonderland.btc", "unicode": "Привет 你好 ₿ naïve", "hostile": "a\x1b[31m\u202eb\u200b"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Line(s)
			}
		})
	}
}

func TestWhatFramesAreMadeOfIsMeasuredAsTheTerminalLayerMeasuresIt(t *testing.T) {
	for r := rune(0x20); r < 0x3000; r++ {
		if drawsFrames(r) && ansi.StringWidth(string(r)) != 1 {
			t.Errorf("%c (%U) takes %d cells", r, r, ansi.StringWidth(string(r)))
		}
	}
	parts := []string{
		"a", " ", "~", "\x1b[m", "\x1b[1;38;2;154;163;176m", "\x1b[4:3m", "│", "─", "▏", "█", "…", "✓", "▸", "↓", // what frames are made of
		"\x1b", "\x1b[", "\x1b[2", "\x1b[2K", "\x1b]8;;x\x1b\\", "é", "e\u0301", "\u0301", "\ufe0f", "\u200d", "漢", "👍", "\n", "\t", "\xff", "\x7f", "", "\xe2\x94",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		cells, ok := frameWidth(s)
		if ok && cells != ansi.StringWidth(s) {
			t.Errorf("%q: %d cells, the terminal layer says %d", s, cells, ansi.StringWidth(s))
		}
		for _, width := range []int{1, cells, cells + 1, 80} {
			if width > 0 && Clip(s, width) != ansi.Truncate(s, width, "") {
				t.Errorf("%q clipped to %d: %q, want %q", s, width, Clip(s, width), ansi.Truncate(s, width, ""))
			}
		}
	})
}

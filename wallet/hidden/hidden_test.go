package hidden

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want []Finding
	}{
		{"plain ASCII hides nothing", "hello, world ~", nil},
		{"letters of other scripts hide nothing", "Привет 你好 שלום ₿ é", nil},
		{"an escape is found at its offset", "a\x1b[31m", []Finding{{1, 0x1b, Escape}}},
		{"C1 CSI written as UTF-8 is an escape", "\u009b31m", []Finding{{0, 0x9b, Escape}}},
		{"C1 OSC is an escape", "\u009d", []Finding{{0, 0x9d, Escape}}},
		{
			"NUL, BEL, DEL and NEL are controls", "\x00\x07\x7f\u0085",
			[]Finding{{0, 0, Control}, {1, 7, Control}, {2, 0x7f, Control}, {3, 0x85, Control}},
		},
		{"line and paragraph separators are controls", "\u2028\u2029", []Finding{{0, 0x2028, Control}, {3, 0x2029, Control}}},
		{"tab and line feed are reported", "\t\n", []Finding{{0, '\t', Control}, {1, '\n', Control}}},
		{"an override reorders text", "ab\u202ecd", []Finding{{2, 0x202e, Bidi}}},
		{
			"marks and isolates reorder text", "\u061c\u200e\u2066\u2069",
			[]Finding{{0, 0x61c, Bidi}, {2, 0x200e, Bidi}, {5, 0x2066, Bidi}, {8, 0x2069, Bidi}},
		},
		{
			"zero-width characters are found", "\u00ad\u200b\u200c\u200d\u2060\ufeff\u034f\u180e",
			[]Finding{
				{0, 0xad, ZeroWidth},
				{2, 0x200b, ZeroWidth},
				{5, 0x200c, ZeroWidth},
				{8, 0x200d, ZeroWidth},
				{11, 0x2060, ZeroWidth},
				{14, 0xfeff, ZeroWidth},
				{17, 0x34f, ZeroWidth},
				{19, 0x180e, ZeroWidth},
			},
		},
		{
			"musical and shorthand format controls are zero width", "\U0001d173\U0001bca0",
			[]Finding{{0, 0x1d173, ZeroWidth}, {4, 0x1bca0, ZeroWidth}},
		},
		{
			"variation selectors of both planes", "\ufe0f\U000e0100\u180b",
			[]Finding{{0, 0xfe0f, VariationSelector}, {3, 0xe0100, VariationSelector}, {7, 0x180b, VariationSelector}},
		},
		{"tag characters are invisible ASCII", "\U000e0041\U000e007f", []Finding{{0, 0xe0041, Tag}, {4, 0xe007f, Tag}}},
		{
			"fillers show nothing", "\u3164\u115f\u1160\uffa0\u2800",
			[]Finding{{0, 0x3164, Filler}, {3, 0x115f, Filler}, {6, 0x1160, Filler}, {9, 0xffa0, Filler}, {12, 0x2800, Filler}},
		},
		{"bytes that are no UTF-8 give their value", "a\xff\xc3", []Finding{{1, 0xff, Invalid}, {2, 0xc3, Invalid}}},
		{"a raw C1 byte is no UTF-8", "\x9b", []Finding{{0, 0x9b, Invalid}}},
		{"encoded surrogates are no UTF-8", "\xed\xa0\x80", []Finding{{0, 0xed, Invalid}, {1, 0xa0, Invalid}, {2, 0x80, Invalid}}},
		{"noncharacters are invalid", "\uffff\ufdd0", []Finding{{0, 0xffff, Invalid}, {3, 0xfdd0, Invalid}}},
		{"a replacement character that was sent is ordinary", "\ufffd", nil},
		{"Arabic number signs are visible", "\u0600", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Find(tt.in)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("Find(%+q) (-want +got):\n%s", tt.in, d)
			}
		})
	}
}

func TestFindText(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want []Finding
	}{
		{"line feeds and tabs are how people write", "a\tb\nc\r\nd", nil},
		{"a lone carriage return overwrites the line", "pay 1\rpay 9", []Finding{{5, '\r', Control}}},
		{"a carriage return at the end is reported", "a\r", []Finding{{1, '\r', Control}}},
		{"a family emoji is well meant", "👨\u200d👩\u200d👧", nil},
		{"a joiner after a skin tone is well meant", "👩🏽\u200d💻", nil},
		{"a heart on fire has a selector before its joiner", "❤\ufe0f\u200d🔥", nil},
		{"a keycap has a selector", "1\ufe0f\u20e3", nil},
		{"a joiner between letters hides", "a\u200db", []Finding{{1, zwj, ZeroWidth}}},
		{"a joiner after an emoji and before a letter hides", "👩\u200db", []Finding{{4, zwj, ZeroWidth}}},
		{"a joiner at the start or end hides", "\u200d👩\u200d", []Finding{{0, zwj, ZeroWidth}, {7, zwj, ZeroWidth}}},
		{"a selector after a letter hides", "a\ufe0f", []Finding{{1, 0xfe0f, VariationSelector}}},
		{"an override is never forgiven", "x\u202ey", []Finding{{1, 0x202e, Bidi}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, FindText(tt.in)); d != "" {
				t.Errorf("FindText(%+q) (-want +got):\n%s", tt.in, d)
			}
		})
	}
}

func TestFindingInWords(t *testing.T) {
	got := Find("ab\u202e\xff")
	want := []string{"bidirectional control U+202E at byte 2", "invalid UTF-8 0xFF at byte 5"}
	for i, f := range got {
		if f.String() != want[i] {
			t.Errorf("finding %d is %q, want %q", i, f, want[i])
		}
	}
}

func TestEveryRuneHasAKindThatHasAName(t *testing.T) {
	for r := rune(-1); r <= utf8.MaxRune+1; r++ {
		if s := Classify(r).String(); strings.HasPrefix(s, "Kind(") {
			t.Fatalf("%U: %s", r, s)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"", "plain", "a\x1b[31m", "\xff\xfe", "👨\u200d👩", "a\u202eb", "\r\n", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		all := Find(s)
		at := -1
		for _, x := range all {
			if x.Offset <= at || x.Offset >= len(s) || x.Kind == None {
				t.Fatalf("bad finding %+v in %q", x, s)
			}
			at = x.Offset
		}
		if len(FindText(s)) > len(all) {
			t.Fatalf("FindText finds more than Find in %q", s)
		}
	})
}

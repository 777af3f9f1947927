// Package hidden finds the characters of a string that a reader cannot see, or
// that change how the text around them is shown: controls, escape introducers,
// bidirectional overrides, zero-width characters, variation selectors, tag
// characters, invisible fillers and bytes that are no UTF-8.
//
// It only classifies; what to do about a finding (warn, escape, drop) is the
// caller's choice. It is pure, holds no state, and imports nothing but the
// standard library: both the wallet, which warns about what it signs, and the
// terminal text package, which must never print any of this, build on it.
package hidden

import (
	"fmt"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Kind reports why a character is worth a look.
type Kind uint8

// The kinds, from the most to the least dangerous in a terminal.
const (
	// None: an ordinary visible character or a plain space.
	None Kind = iota
	// Escape starts a terminal control sequence: ESC, and the C1 forms of DCS,
	// SOS, CSI, ST, OSC, PM and APC (ECMA-48).
	Escape
	// Control is any other C0 or C1 control, DEL, and the line and paragraph
	// separators U+2028 and U+2029. Tab and line feed are of this kind too;
	// [FindText] forgives them.
	Control
	// Bidi reorders the text around it: marks, embeddings, overrides and
	// isolates (UAX #9).
	Bidi
	// ZeroWidth takes no room: zero-width space and joiners, word joiner, byte
	// order mark, soft hyphen, invisible operators and format characters.
	ZeroWidth
	// VariationSelector picks a form of the character before it; some
	// terminals change the width of the character with it.
	VariationSelector
	// Tag is one of the tag characters U+E0000 to U+E007F, an invisible copy
	// of ASCII.
	Tag
	// Filler is a letter or symbol without a visible form: the Hangul fillers
	// and the blank braille pattern.
	Filler
	// Invalid is a byte that is not part of well-formed UTF-8, or a code point
	// that Unicode reserves as a noncharacter.
	Invalid
)

var kindNames = [...]string{
	None:              "none",
	Escape:            "escape character",
	Control:           "control character",
	Bidi:              "bidirectional control",
	ZeroWidth:         "zero-width character",
	VariationSelector: "variation selector",
	Tag:               "tag character",
	Filler:            "invisible filler",
	Invalid:           "invalid UTF-8",
}

// String returns the kind in words, singular.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Finding is one hidden character in a string.
type Finding struct {
	// Offset is its position, in bytes from the start of the string.
	Offset int
	// Rune is the character. For a byte that is no UTF-8 it is the value of
	// that byte.
	Rune rune
	// Kind describes what it is.
	Kind Kind
}

// String returns the finding as the user would want it in a warning, for example
// "bidirectional control U+202E at byte 5".
func (f Finding) String() string {
	if f.Kind == Invalid && f.Rune <= 0xff {
		return fmt.Sprintf("%s 0x%02X at byte %d", f.Kind, f.Rune, f.Offset)
	}
	return fmt.Sprintf("%s U+%04X at byte %d", f.Kind, f.Rune, f.Offset)
}

// Classify returns the kind of one character, [None] for an ordinary one. It
// looks at the character alone: U+FFFD is ordinary, since by itself it cannot
// be distinguished from a replaced byte.
func Classify(r rune) Kind {
	if r >= 0x20 && r < 0x7f {
		return None
	}
	switch {
	case r < 0 || r > unicode.MaxRune || r >= 0xd800 && r <= 0xdfff:
		return Invalid
	case r == 0x1b, r == 0x90, r == 0x98, r >= 0x9b && r <= 0x9f:
		return Escape
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
		return Control
	case r < 0xad:
		return None
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return Bidi
	case r == 0x180f, unicode.Is(unicode.Variation_Selector, r):
		return VariationSelector
	case r >= 0xe0000 && r <= 0xe007f:
		return Tag
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x2800:
		return Filler
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return Invalid
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return ZeroWidth
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return ZeroWidth
	}
	return None
}

// Find lists every hidden character of s in order, tabs and line feeds
// included; nil when there is none. It suits text that is one line by nature,
// such as a name or a symbol.
func Find(s string) []Finding { return slices.Collect(all(s)) }

// FindText is [Find] for text of several lines written by people: it forgives
// tab, line feed, carriage return before a line feed, and the joiners and
// variation selectors that are part of an emoji.
func FindText(s string) []Finding {
	var found []Finding
	for f := range all(s) {
		if !ordinary(s, f) {
			found = append(found, f)
		}
	}
	return found
}

// all yields every hidden character of s.
func all(s string) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		for i := 0; i < len(s); {
			if b := s[i]; b >= 0x20 && b < 0x7f {
				i++
				continue
			}
			r, size := utf8.DecodeRuneInString(s[i:])
			f := Finding{Offset: i, Rune: r}
			if r == utf8.RuneError && size == 1 {
				f.Rune, f.Kind = rune(s[i]), Invalid
			} else {
				f.Kind = Classify(r)
			}
			i += size
			if f.Kind != None && !yield(f) {
				return
			}
		}
	}
}

// ordinary reports whether a finding is what well-meant text of several lines
// holds at that place.
func ordinary(s string, f Finding) bool {
	switch f.Rune {
	case '\t', '\n':
		return f.Kind == Control
	case '\r':
		return f.Offset+1 < len(s) && s[f.Offset+1] == '\n'
	case 0xfe0e, 0xfe0f:
		before, _ := utf8.DecodeLastRuneInString(s[:f.Offset])
		return pictograph(before) || keycapBase(before)
	case zwj:
		return JoinsEmoji(s, f.Offset)
	}
	return false
}

// zwj is the zero-width joiner.
const zwj = 0x200d

// JoinsEmoji reports whether the zero-width joiner at byte offset i of s joins
// two emoji, as in a family or a profession, and so has a meaning that can be
// seen.
func JoinsEmoji(s string, i int) bool {
	if r, _ := utf8.DecodeRuneInString(s[i:]); r != zwj {
		return false
	}
	after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(zwj):])
	head := s[:i]
	before, size := utf8.DecodeLastRuneInString(head)
	// One variation selector or skin tone may be between base and joiner.
	if before == 0xfe0f || before >= 0x1f3fb && before <= 0x1f3ff {
		before, _ = utf8.DecodeLastRuneInString(head[:len(head)-size])
	}
	return pictograph(before) && pictograph(after)
}

// keycapBase reports whether r can begin a keycap emoji.
func keycapBase(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*'
}

// pictograph reports whether r is in the blocks that hold emoji. It is wider
// than the Extended_Pictographic property: it only decides what is forgiven.
func pictograph(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff,
		r >= 0x2600 && r <= 0x27bf,
		r >= 0x2300 && r <= 0x23ff,
		r >= 0x2190 && r <= 0x21ff,
		r >= 0x2900 && r <= 0x297f,
		r >= 0x2b00 && r <= 0x2bff,
		r >= 0x25a0 && r <= 0x25ff:
		return true
	}
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x24c2, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return false
}

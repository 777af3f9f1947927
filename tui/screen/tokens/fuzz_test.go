package tokens

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"chainscope/tui/text"
)

func FuzzAnythingTypedIsJudged(f *testing.F) {
	for _, s := range []string{"", dollar, dollar + "::1", "sp1", "SP2O.x", "港.港", "https://explorer.hiro.so/txid/" + dollar, "\x1b[2J"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, principal, id string) {
		if !utf8.ValidString(principal) || !utf8.ValidString(id) {
			return // keys are characters
		}
		form := &form{}
		form.line[principalLine].insert([]rune(principal))
		form.line[idLine].insert([]rune(id))
		for i := range formLines {
			v := form.check(i)
			if v.At < 0 || v.At > len(form.line[i].runes) {
				t.Fatalf("line %d of %q: points at %d", i, form.line[i].String(), v.At)
			}
			before, under, after, at := form.line[i].shown(20, v.At)
			if w := text.Width(before + under + after); w > 20 && text.Width(under) <= 20 || at > 20 {
				t.Fatalf("%q takes %d cells of 20", before+under+after, w)
			}
			for _, part := range []string{before, under, after} {
				if len(text.Hidden(part)) > 0 {
					t.Fatalf("a hidden character in %q", part)
				}
			}
		}
		if place, ok := form.place(); ok && !(visit{Principal: place.Principal, TokenID: place.TokenID}).valid() {
			t.Fatalf("%v is no token", place)
		}
	})
}

func FuzzAnyJSONIsShown(f *testing.F) {
	for _, s := range []string{`1`, `"a\u001b[2J"`, `null`, `[[[]]]`, `{"a":{"b":[1,2,"\u202e"]}}`, `""`, ` true `, `{`, `"\"`, `{"[":"]"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		field := jsonField("label", json.RawMessage(raw))
		row, _ := rowOf(field, 20, false)
		for _, line := range text.Block(row.Value, 20) {
			if len(text.Hidden(line)) > 0 || text.Width(line) > 20 {
				t.Fatalf("%q is drawn of %q", line, raw)
			}
		}
		if field.Look != missing && field.Value == "" {
			t.Fatalf("%q is shown as nothing", raw)
		}
	})
}

func BenchmarkMovingInALongDetail(b *testing.B) {
	d := start(b, setup{})
	d.open(someHostile)
	for b.Loop() {
		d.press("j")
		d.view()
	}
}

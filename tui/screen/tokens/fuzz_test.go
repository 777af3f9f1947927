package tokens

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/text"

	"github.com/charmbracelet/x/ansi"
)

func FuzzAnythingTypedIsJudged(f *testing.F) {
	for _, s := range []string{"", dollar, dollar + "::1", "sp1", "SP2O.x", "港.港", "https://explorer.hiro.so/txid/" + dollar, "\x1b[2J"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, principal, id string) {
		if !utf8.ValidString(principal) || !utf8.ValidString(id) {
			return // keys are characters
		}
		e, th := newEntry(keymap.Default(), nil), uitest.Theme(t, "mono")
		e.fill(nav.NFT(principal, id, ""))
		for i := range entryLines {
			if v := e.Check(i); v.Offset < -1 || v.Offset > len(e.texts[i]) {
				t.Fatalf("line %d of %q: points at %d", i, e.texts[i], v.Offset)
			}
			e.GoTo(i)
			for _, drawn := range e.View(th, 40, 7) {
				if text.Width(drawn) > 40 || len(text.Hidden(ansi.Strip(drawn))) > 0 {
					t.Fatalf("%q is drawn of %q and %q", drawn, principal, id)
				}
			}
		}
		if place, ok := e.place(); ok && !(visit{Principal: place.Principal, TokenID: place.TokenID}).valid() {
			t.Fatalf("%v is no token", place)
		}
	})
}

func FuzzAnyJSONIsShown(f *testing.F) {
	for _, s := range []string{`1`, `"a\u001b[2J"`, `null`, `[[[]]]`, `{"a":{"b":[1,2,"\u202e"]}}`, `""`, ` true `, `{`, `"\"`, `{"[":"]"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		sections := describeNonFungible(someNFT, apiclient.NonFungibleToken{Metadata: &apiclient.Metadata{Properties: map[string]json.RawMessage{"label": json.RawMessage(raw)}}})
		field, there := find(sections, "Properties", "label")
		if !there {
			t.Fatalf("%q is not shown", raw)
		}
		row, _ := rowOf(field, 20, false)
		for _, line := range text.Block(row.Value, 20) {
			if len(text.Hidden(line)) > 0 || text.Width(line) > 20 {
				t.Fatalf("%q is drawn of %q", line, raw)
			}
		}
		if field.Emphasis != missing && field.Value == "" {
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

package tokens

import "strings"

// Texts a contract may hold to deceive whoever shows them.
const (
	// escapes: colour, clear screen, window title, clipboard write, hyperlink,
	// device query, C1 controls, backspace, carriage return, bell.
	escapes = "\x1b[31mred\x1b[0m \x1b[2J\x1b[H\x1b]0;owned\x07 \x1b]52;c;b3duZWQ=\x07 \x1b]8;;https://phish.example\x1b\\click\x1b]8;;\x1b\\ \x1b[6n\x1b[c \u009b31m\u009d0;owned\u009c \b\b\b\r\v\f\x00\x7f end"
	// bidi: override, isolates and marks that reorder what follows.
	bidi = "pay \u202etnuoma\u202c to \u2066me\u2069 \u200f\u061c\u2067now\u2069 \u202axyz\u202b\u202d"
	// hidden: zero width, joiners, tags, soft hyphen, variation selectors, fillers, line separators.
	hidden = "U\u200bS\u200cD\u200d \ufeffco\u2060in \u00ad\u180e\ufe0f\U000e0041\U000e0042\u3164\u2800\u2028\u2029 ok"
)

// longText returns 10 kB of words, with a word of 2,000 letters that cannot break.
func longText() string {
	words := strings.Repeat("A harbor is a place where ships may wait for weather. ", 148)
	return words + strings.Repeat("x", 2_000) + " " + strings.Repeat("港", 20) + " the end."
}

func attribute(trait, display, value string) Attribute {
	return Attribute{TraitType: trait, DisplayType: display, Value: encodeString(value)}
}

func hostileContracts() []*contract {
	about := &Localization{URI: "javascript:alert('{locale}')", Default: "en", Locales: []string{"en", "x-\x1b[5mblink", "\u202exm-se"}}
	escapesMeta := &Metadata{
		SIP: 16, Name: "\x1b[1mBold Name\x1b[0m", Description: escapes,
		Image: "javascript:alert(1)", CachedImage: "http://127.0.0.1:1/admin", CachedThumbnailImage: "file:///etc/passwd",
		Attributes:   []Attribute{attribute("\x1b[7mtrait", "\x1b]0;title\x07", escapes), {TraitType: "deep", Value: raw(strings.Repeat("[", 200) + strings.Repeat("]", 200))}},
		Properties:   raw(`{"\u001b[31mkey":"\u001b[32mvalue","\u202ekey":"\u202evalue","__proto__":{"x":1},"collection":"\u001b[2Jcollection","total_supply":"-1e999"}`),
		Localization: about,
	}
	escapesToken := token{
		what: Hostile, name: "Escapes\x1b[2J\x1b[H", symbol: "\x1b[31mESC", decimals: decimals(6), supply: "1000000",
		uri: "javascript:alert(document.cookie)", meta: escapesMeta,
	}
	for _, code := range about.Locales {
		escapesToken.locales = append(escapesToken.locales, locale{code, escapesMeta})
	}
	uris := (Metadata{SIP: 16, Name: "Where will you go?", Description: "The picture of this token lies on your own machine."})
	uris.Image, uris.CachedImage, uris.CachedThumbnailImage = "http://[::1]:22/", "http://169.254.169.254/latest/meta-data/", "http://localhost.example@127.0.0.1:22/x.png"

	decoys := nonFungible(nightfall, "hostile-pictures", "decoy")
	for i, name := range []string{"bomb", "not-an-image", "cut", "redirect"} {
		decoys.tokens = append(decoys.tokens, &token{
			id: uint64(i) + 1, what: Hostile, uri: "https://tokens.example/decoy.json",
			meta: (Metadata{SIP: 16, Name: "Decoy: " + name, Description: "A picture that is not what it says."}).picture(name),
		})
	}

	return []*contract{
		fungible(nightfall, "hostile-escapes", "escapes", escapesToken),
		fungible(nightfall, "hostile-bidi", "bidi", token{
			what: Hostile, name: bidi, symbol: "\u202eDSU", decimals: decimals(6), supply: "1000000",
			uri: "https://\u202egnp.example/", meta: &Metadata{SIP: 16, Name: bidi, Description: bidi, Image: "data:image/png;base64,AAAA"},
		}),
		fungible(nightfall, "hostile-hidden", "hidden", token{
			what: Hostile, name: hidden, symbol: "U\u200bSD", decimals: decimals(6), supply: "1000000",
			uri: "https://examp\u0142e.example/x", meta: &Metadata{SIP: 16, Name: hidden, Description: hidden, Properties: raw(`{"co\u200bllection":"U\u200bSD"}`)},
		}),
		fungible(nightfall, "hostile-long", "long", token{
			what: Hostile, name: strings.Repeat("Long ", 400), symbol: strings.Repeat("S", 300), decimals: decimals(1_000_000), supply: strings.Repeat("9", 400),
			uri: "https://tokens.example/" + strings.Repeat("long/", 400), meta: &Metadata{SIP: 16, Name: strings.Repeat("長", 500), Description: longText()},
		}),
		fungible(nightfall, "hostile-uris", "uris", token{
			what: Hostile, name: "Where will you go?", symbol: "URI", decimals: decimals(-1), supply: "-5",
			uri: "http://127.0.0.1:22/", meta: &uris,
		}),
		nonFungible(nightfall, "hostile-nft", "hostile",
			&token{id: 1, what: Hostile, uri: "javascript:alert(1)", meta: escapesMeta, locales: escapesToken.locales},
			&token{id: 2, what: Hostile, uri: "http://0.0.0.0/", meta: &Metadata{SIP: 16, Name: bidi, Description: bidi + hidden, Attributes: []Attribute{attribute(bidi, hidden, escapes)}}},
			&token{id: 3, what: Hostile, uri: "http://127.0.0.1:22/", meta: &Metadata{SIP: 16, Name: "Long", Description: longText(), Attributes: manyAttributes()}},
		),
		decoys,
	}
}

// manyAttributes returns a list no screen can hold.
func manyAttributes() []Attribute {
	out := make([]Attribute, 0, 300)
	for i := range 300 {
		out = append(out, attribute("trait "+strings.Repeat("t", i%40), "", strings.Repeat("value ", i%7)))
	}
	return out
}

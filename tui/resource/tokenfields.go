package resource

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// Place returns where the token is, in the locale that it was requested in.
func (t Token) Place() nav.Place {
	if t.TokenID == "" {
		return nav.FT(t.Principal, t.Locale)
	}
	return nav.NFT(t.Principal, t.TokenID, t.Locale)
}

// fields returns all that the server says of a token. Nearly all of it is untrusted text of any
// length.
func (t Token) fields() []Field {
	switch {
	case t.FT != nil:
		return t.metadata(t.fungible(*t.FT), t.FT.Metadata)
	case t.NFT != nil:
		fields := []Field{
			{Section: "Non-fungible token"},
			{Label: "contract", Value: TextOf(t.Principal), To: nav.Contract(t.Principal).Link(), Key: "p"},
			{Label: "token id", Type: Digits, Value: TextOf(t.TokenID), Key: "i"},
			{Label: "history", Value: TextOf("whose it is and was"), LinkOnly: true, To: nav.Moves(t.Principal, t.TokenID).Link(), Key: "o"},
			{Label: "token URI", Type: Address, Value: TextOf(t.NFT.TokenURI), Key: "k"},
		}
		return t.metadata(append(fields, unnamed("", t.NFT.Extra)...), t.NFT.Metadata)
	}
	return []Field{
		{Section: "Token"},
		{Label: "contract", Value: TextOf(t.Principal), Key: "p"},
		{Label: "token id", Type: Digits, Value: TextOf(t.TokenID), Key: "i"},
	}
}

func (t Token) fungible(ft apiclient.FungibleToken) []Field {
	fields := []Field{
		{Section: "Fungible token"},
		{Label: "name", Value: TextOf(ft.Name), Key: "n"},
		{Label: "symbol", Value: TextOf(ft.Symbol)},
		decimalsField(ft.Decimals),
	}
	fields = append(append(fields, supplyFields(ft)...),
		Field{Label: "description", Value: TextOf(ft.Description)},
		Field{Label: "token URI", Type: Address, Value: TextOf(ft.TokenURI), Key: "k"},
		Field{Label: "image", Type: Address, Value: TextOf(ft.ImageURI), Picture: true},
		Field{Label: "thumbnail", Type: Address, Value: TextOf(ft.ImageThumbnailURI), Picture: true},
		Field{Label: "original image", Type: Address, Value: TextOf(ft.ImageCanonicalURI), Picture: true},
		Field{Label: "contract", Type: Principal, Value: TextOf(t.Principal), Page: ContractPage, To: nav.Contract(t.Principal).Link(), Key: "p"},
		Field{Label: "holders", Value: TextOf("who has it"), LinkOnly: true, To: nav.Holders(t.Principal).Link(), Key: "o"},
		Field{Label: "asset identifier", Type: Hash, Value: TextOf(ft.AssetIdentifier), Key: "a"},
		Field{Label: "sender address", Type: Principal, Value: TextOf(ft.SenderAddress), Page: AddressPage, Key: "s"},
		Field{Label: "deployed by", Type: Hash, Value: TextOf(ft.TxID), Page: TransactionPage, Key: "t"},
	)
	return append(fields, unnamed("", ft.Extra)...)
}

func decimalsField(n *int) Field {
	f := Field{Label: "decimals", Type: Number}
	if n != nil {
		f.Value = NumberOf(int64(*n))
		if !usable(*n) {
			f.Note = "not from 0 to " + strconv.Itoa(text.MaxDecimals) + "; the supply is shown as it is"
		}
	}
	return f
}

// usable reports whether a supply can be shown through so many decimals.
func usable(decimals int) bool { return decimals >= 0 && decimals <= text.MaxDecimals }

// supplyFields returns the amount in whole tokens, and below it the number of the contract. What
// came in place of a whole number is shown as it is.
func supplyFields(ft apiclient.FungibleToken) []Field {
	of := Field{Label: "total supply", Type: Amount}
	switch v := ft.TotalSupply; {
	case ft.TotalSupplyText != "":
		of.Type, of.Value, of.Note = Text, TextOf(ft.TotalSupplyText), "not a number"
	case v == nil:
	case ft.Decimals == nil || !usable(*ft.Decimals):
		of.Value, of.Note = AmountOf(v, 0), "in the smallest unit"
	default:
		of.Value, of.Note = AmountOf(v, *ft.Decimals), ft.Symbol
		if *ft.Decimals > 0 {
			return []Field{of, {Label: "  smallest unit", Type: Digits, Value: TextOf(v.String())}}
		}
	}
	return []Field{of}
}

// metadata appends the fields of the metadata document to those of the token, without values
// that these have already. It names the token where the contract does not.
func (t Token) metadata(fields []Field, m *apiclient.Metadata) []Field {
	above := fields
	fields = append(fields, Field{Section: "Metadata"})
	if m == nil {
		return append(fields, Field{Label: "metadata", Value: TextOf("the server has no metadata document of this token"), Mark: Remark})
	}
	sip, name := Field{Label: "SIP", Type: Number}, Field{Label: "name", Value: TextOf(m.Name)}
	if m.SIP != nil {
		sip.Value = NumberOf(int64(*m.SIP))
	}
	if t.FT == nil || t.FT.Name == "" {
		name.Key = "n"
	}
	var same []string
	for _, f := range []Field{
		sip, name,
		{Label: "description", Value: TextOf(m.Description)},
		{Label: "image", Type: Address, Value: TextOf(m.Image), Picture: true},
		{Label: "cached image", Type: Address, Value: TextOf(m.CachedImage), Picture: true},
		{Label: "cached thumbnail", Type: Address, Value: TextOf(m.CachedThumbnailImage), Picture: true},
	} {
		if f.Value.Known() && slices.ContainsFunc(above, func(a Field) bool { return a.Type == f.Type && a.Value == f.Value }) {
			same = append(same, f.Label)
		} else {
			fields = append(fields, f)
		}
	}
	if len(same) > 0 {
		fields = append(fields, Field{Label: "as above", Value: TextOf(strings.Join(same, ", ")), Mark: Remark})
	}
	fields = append(append(fields, unnamed("", m.Extra)...), attributes(m.Attributes)...)
	fields = append(fields, properties(m.Properties)...)
	return append(fields, t.localization(m.Localization)...)
}

func attributes(all []apiclient.Attribute) []Field {
	if len(all) == 0 {
		return []Field{{Label: "attributes", Value: TextOf("none"), Mark: Remark}}
	}
	fields := []Field{{Section: "Attributes " + text.Count(len(all))}}
	for i, a := range all {
		if i == listed {
			return append(fields, moreListed(len(all)))
		}
		f := jsonField(a.TraitType, a.Value)
		f.Note = a.DisplayType
		if f.Label == "" {
			f.Label = "(no trait type)"
		}
		fields = append(append(fields, f), unnamed(a.TraitType+".", a.Extra)...)
	}
	return fields
}

func properties(all map[string]json.RawMessage) []Field {
	if len(all) == 0 {
		return []Field{{Label: "properties", Value: TextOf("none"), Mark: Remark}}
	}
	fields := []Field{{Section: "Properties " + text.Count(len(all))}}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i == listed {
			return append(fields, moreListed(len(all)))
		}
		fields = append(fields, jsonField(name, all[name]))
	}
	return fields
}

// localization returns the locales that the token says it has, as links.
func (t Token) localization(l *apiclient.Localization) []Field {
	if l == nil {
		return nil
	}
	fields := []Field{
		{Section: "Localization"},
		{Label: "URI template", Value: TextOf(l.URI)},
		{Label: "default locale", Value: TextOf(l.Default)},
	}
	for i, code := range l.Locales {
		if i == listed {
			fields = append(fields, moreListed(len(l.Locales)))
			break
		}
		in := t
		in.Locale = code
		f := Field{Value: TextOf(code), To: in.Place().Link()}
		if code == t.Locale {
			f.Note = "shown"
		}
		if i == 0 {
			f.Label = "locales"
		}
		fields = append(fields, f)
	}
	if len(l.Locales) == 0 {
		fields = append(fields, Field{Label: "locales", Value: TextOf("none"), Mark: Remark})
	}
	return append(fields, unnamed("", l.Extra)...)
}

// unnamed returns fields that the API's description does not name.
func unnamed(prefix string, all map[string]json.RawMessage) []Field {
	var fields []Field
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i == listed {
			return append(fields, moreListed(len(all)))
		}
		f := jsonField(prefix+name, all[name])
		f.Note = "not in the API's description"
		fields = append(fields, f)
	}
	return fields
}

// listed bounds how many attributes, properties or locales are shown: a token may claim
// more than a screen can hold.
const listed = 2000

// moreListed returns where the rest of a long list is.
func moreListed(all int) Field {
	return Field{Value: TextOf(text.Count(all-listed) + " more in the raw JSON"), Mark: Remark}
}

// jsonField returns the field of a value of any JSON kind. A string is shown as text, a scalar as
// it is written (no digit is lost), a list or an object as JSON.
func jsonField(label string, raw json.RawMessage) Field {
	raw = bytes.TrimSpace(raw)
	f := Field{Label: label}
	if len(raw) == 0 {
		return f
	}
	words := string(raw)
	switch raw[0] {
	case '"':
		var s string
		switch {
		case json.Unmarshal(raw, &s) != nil:
			f.Type = Digits
		case s == "":
			words, f.Mark = "(empty text)", Remark
		default:
			words = s
			if isAddress(s) {
				f.Type = Address
			}
		}
	case '[', '{':
		words, f.Type = text.CompactJSON(raw), JSON
	case 'n':
		words, f.Mark = "null", Remark
	case 't', 'f':
	default:
		f.Type = Digits
	}
	f.Value = TextOf(words)
	return f
}

// isAddress tells text that is an http or https address from other text.
func isAddress(s string) bool {
	return len(s) < 2048 && !strings.ContainsAny(s, " \n\t") && (strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://"))
}

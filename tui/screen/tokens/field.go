package tokens

import (
	"encoding/json"
	"slices"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// look says how a value is styled.
type look int

const (
	plain   look = iota
	number       // an amount or a count
	missing      // nothing is known
	address      // a URI; a link where it can be opened
	code         // JSON
	remark       // words of ours about the field
)

// page is a kind of page of the web explorer.
type page int

const (
	noPage page = iota
	transactionPage
	addressPage
	contractPage
)

// field is one line of a token's detail. Label, Note and Value are as they
// came: untrusted, of any length and any number of lines.
type field struct {
	Label string
	// Note stands after the value: a display type, a remark of ours.
	Note  string
	Value string
	Look  look
	// Picture tells that Value is the address of a picture.
	Picture bool
	// Page is the page that the web explorer has of Value.
	Page page
	// Short tells that begin and end of Value are enough to know it by.
	Short bool
	// Hidden counts hidden characters in label and value.
	Hidden int
	// To is a place that the value names; its zero value is none.
	To nav.Place
}

// section is a titled group of fields.
type section struct {
	Title  string
	Fields []field
}

// describer gathers sections.
type describer struct {
	place    nav.Place
	sections []section
}

func (d *describer) section(title string) {
	d.sections = append(d.sections, section{Title: title})
}

func (d *describer) add(f field) {
	if f.Value == "" && f.Look != remark {
		f.Value, f.Look = text.Unknown, missing
	}
	if f.Look == missing {
		f.Picture = false
	} else if f.Look != code {
		f.Hidden += len(text.Hidden(f.Value))
	}
	f.Hidden += len(text.Hidden(f.Label))
	last := &d.sections[len(d.sections)-1]
	last.Fields = append(last.Fields, f)
}

func (d *describer) text(label, value string) { d.add(field{Label: label, Value: value}) }
func (d *describer) uri(label, value string)  { d.add(field{Label: label, Value: value, Look: address}) }

func (d *describer) picture(label, value string) {
	d.add(field{Label: label, Value: value, Look: address, Picture: true})
}

// describeFungible lists every field of the fungible token at a place.
func describeFungible(place nav.Place, t apiclient.FungibleToken) []section {
	d := &describer{place: place}
	d.section("Fungible token")
	d.text("name", t.Name)
	d.text("symbol", t.Symbol)
	d.decimals(t.Decimals)
	if t.TotalSupplyText != "" {
		d.add(field{Label: "total supply", Value: t.TotalSupplyText, Note: "not a number"})
	} else {
		d.supply(t)
	}
	d.text("description", t.Description)
	d.uri("token URI", t.TokenURI)
	d.picture("image", t.ImageURI)
	d.picture("thumbnail", t.ImageThumbnailURI)
	d.picture("original image", t.ImageCanonicalURI)
	d.add(field{Label: "contract", Value: place.Principal, Page: contractPage, Short: true})
	d.add(field{Label: "asset identifier", Value: t.AssetIdentifier, Short: true})
	d.add(field{Label: "sender address", Value: t.SenderAddress, Page: addressPage, Short: true})
	d.add(field{Label: "deployed by", Value: t.TxID, Page: transactionPage, Short: true})
	d.extra("", t.Extra)
	d.metadata(t.Metadata)
	return d.sections
}

// describeNonFungible lists every field of the non-fungible token at a place.
func describeNonFungible(place nav.Place, t apiclient.NonFungibleToken) []section {
	d := &describer{place: place}
	d.section("Non-fungible token")
	d.add(field{Label: "contract", Value: place.Principal, To: nav.FT(place.Principal, "")})
	d.add(field{Label: "token id", Value: place.TokenID, Look: number})
	d.uri("token URI", t.TokenURI)
	d.extra("", t.Extra)
	d.metadata(t.Metadata)
	return d.sections
}

func (d *describer) decimals(n *int) {
	f := field{Label: "decimals", Look: number}
	if n != nil {
		f.Value = strconv.Itoa(*n)
		if !usable(*n) {
			f.Note = "not from 0 to " + strconv.Itoa(text.MaxDecimals) + "; the supply is shown as it is"
		}
	}
	d.add(f)
}

// usable tells whether a supply can be shown through that many decimals.
func usable(decimals int) bool { return decimals >= 0 && decimals <= text.MaxDecimals }

// supply shows the amount in whole tokens, and below it the number of the
// contract; what came in place of a whole number is shown as it is.
func (d *describer) supply(t apiclient.FungibleToken) {
	v := t.TotalSupply
	switch {
	case v == nil && t.TotalSupplyText != "":
		d.add(field{Label: "total supply", Value: t.TotalSupplyText, Note: "no number that could be counted"})
	case v == nil:
		d.text("total supply", "")
	case t.Decimals == nil || !usable(*t.Decimals):
		d.add(field{Label: "total supply", Value: text.Integer(v), Look: number, Note: "in the smallest unit"})
	default:
		d.add(field{Label: "total supply", Value: text.Amount(v, *t.Decimals), Look: number, Note: t.Symbol})
		if *t.Decimals > 0 {
			d.add(field{Label: "  smallest unit", Value: v.String(), Look: number})
		}
	}
}

func (d *describer) metadata(m *apiclient.Metadata) {
	d.section("Metadata")
	if m == nil {
		d.add(field{Label: "metadata", Value: "the server has no metadata document of this token", Look: missing})
		return
	}
	standard := field{Label: "SIP", Look: number}
	if m.SIP != nil {
		standard.Value = strconv.Itoa(*m.SIP)
	}
	d.add(standard)
	d.text("name", m.Name)
	d.text("description", m.Description)
	d.picture("image", m.Image)
	d.picture("cached image", m.CachedImage)
	d.picture("cached thumbnail", m.CachedThumbnailImage)
	d.extra("", m.Extra)
	d.attributes(m.Attributes)
	d.properties(m.Properties)
	d.localization(m.Localization)
}

func (d *describer) attributes(all []apiclient.Attribute) {
	if len(all) == 0 {
		d.add(field{Label: "attributes", Value: "none", Look: missing})
		return
	}
	d.section("Attributes " + text.Count(len(all)))
	for i, a := range all {
		if d.enough(i, len(all)) {
			break
		}
		f := jsonField(a.TraitType, a.Value)
		f.Note = a.DisplayType
		f.Hidden += len(text.Hidden(a.DisplayType))
		if f.Label == "" {
			f.Label, f.Note = "(no trait type)", a.DisplayType
		}
		d.add(f)
		d.extra(a.TraitType+".", a.Extra)
	}
}

func (d *describer) properties(all map[string]json.RawMessage) {
	if len(all) == 0 {
		d.add(field{Label: "properties", Value: "none", Look: missing})
		return
	}
	d.section("Properties " + text.Count(len(all)))
	for i, name := range sortedKeys(all) {
		if d.enough(i, len(all)) {
			break
		}
		d.add(jsonField(name, all[name]))
	}
}

func (d *describer) localization(l *apiclient.Localization) {
	if l == nil {
		return
	}
	d.section("Localization")
	d.text("URI template", l.URI)
	d.text("default locale", l.Default)
	for i, code := range l.Locales {
		if d.enough(i, len(l.Locales)) {
			break
		}
		f := field{Value: code, To: d.place}
		f.To.Locale = code
		if code == d.place.Locale {
			f.Note = "shown"
		}
		if i == 0 {
			f.Label = "locales"
		}
		d.add(f)
	}
	if len(l.Locales) == 0 {
		d.add(field{Label: "locales", Value: "none", Look: missing})
	}
	d.extra("", l.Extra)
}

// extra lists fields that the API's description does not name.
func (d *describer) extra(prefix string, all map[string]json.RawMessage) {
	for i, name := range sortedKeys(all) {
		if d.enough(i, len(all)) {
			break
		}
		f := jsonField(prefix+name, all[name])
		f.Note = "not in the API's description"
		d.add(f)
	}
}

// listed bounds how many attributes, properties or locales are shown: a
// token may claim more than a screen can hold.
const listed = 2000

// enough ends a list that is too long and says where the rest is.
func (d *describer) enough(i, of int) bool {
	if i < listed {
		return false
	}
	d.add(field{Value: text.Count(of-listed) + " more in the raw JSON", Look: remark})
	return true
}

func sortedKeys(all map[string]json.RawMessage) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// hiddenIn counts the hidden characters of all fields and names the first
// fields that have some.
func hiddenIn(sections []section) (count int, labels []string) {
	for _, s := range sections {
		for _, f := range s.Fields {
			if f.Hidden > 0 {
				count += f.Hidden
				if !slices.Contains(labels, f.Label) {
					labels = append(labels, f.Label)
				}
			}
		}
	}
	return count, labels
}

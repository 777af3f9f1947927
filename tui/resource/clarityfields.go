package resource

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
)

// Bounds of a value of Clarity that is taken apart: the parts that are shown, how deep they
// lie, and how many bytes are looked at.
const (
	maxParts     = 40
	maxPartDepth = 8
	maxUnfolded  = 256 << 10
)

// clarityFields returns the fields of a value of Clarity: one for a plain value; for a tuple or a
// list one for the whole and one for each part, indented below it, most of them altogether.
func clarityFields(label, note string, v apiclient.ClarityValue, most int) []Field {
	whole := Field{Label: label, Value: TextOf(brief(v.Repr)), Note: brief(note), Exact: v.Hex, To: LinkTo(v.Repr).Link()}
	if len(v.Hex)/2 > maxUnfolded {
		whole.Note = strings.TrimSpace(whole.Note + "  " + text.Bytes(int64(len(v.Hex)/2)) + ", in the raw JSON")
		return []Field{whole}
	}
	value, err := clarity.DecodeHex(v.Hex)
	if err != nil {
		return []Field{whole}
	}
	p := parts{most: most}
	p.add(0, label, note, value)
	p.fields[0].Exact = v.Hex
	if p.left > 0 {
		p.fields = append(p.fields, Field{Label: "and more", Value: TextOf(text.Plural(p.left, "part") + ", in the raw JSON"), Mark: Remark})
	}
	return p.fields
}

// parts are the fields of a value, at most how many, and how many of its parts are left out.
type parts struct {
	most   int
	fields []Field
	left   int
}

// add adds the fields of a part.
func (p *parts) add(depth int, label, note string, v clarity.Value) {
	if len(p.fields) >= p.most {
		p.left++
		return
	}
	words, inner := wrapped(v)
	f := Field{Label: strings.Repeat("  ", depth) + label, Note: brief(note)}
	n, kind := 0, ""
	switch inner := inner.(type) {
	case clarity.Tuple:
		n, kind = len(inner.Fields), "tuple of "
	case clarity.List:
		n, kind = len(inner), "list of "
	}
	if n == 0 || depth >= maxPartDepth {
		f.plain(v, inner)
		p.fields = append(p.fields, f)
		return
	}
	f.Value = TextOf(words + kind + text.Count(n))
	p.fields = append(p.fields, f)
	switch inner := inner.(type) {
	case clarity.Tuple:
		for _, field := range inner.Fields {
			p.add(depth+1, field.Name, "", field.Value)
		}
	case clarity.List:
		for i, item := range inner {
			if len(p.fields) >= p.most {
				p.left += n - i
				return
			}
			p.add(depth+1, strconv.Itoa(i+1), "", item)
		}
	}
}

// wrapped takes the optionals and responses off a value, and says which they were.
func wrapped(v clarity.Value) (words string, inner clarity.Value) {
	for {
		switch w := v.(type) {
		case clarity.Some:
			words, v = words+"some ", w.Value
		case clarity.OK:
			words, v = words+"ok ", w.Value
		case clarity.Err:
			words, v = words+"err ", w.Value
		default:
			return words, v
		}
	}
}

// plain fills in a value without parts.
func (f *Field) plain(whole, inner clarity.Value) {
	f.Value = TextOf(brief(clarity.Repr(whole)))
	switch inner := inner.(type) {
	case clarity.Principal:
		f.To = LinkTo(inner.String()).Link()
	case clarity.Buffer:
		f.To = LinkTo(clarity.Repr(inner)).Link()
		if words := readable(string(inner)); words != "" {
			f.Note = strings.TrimSpace(f.Note + "  " + brief(strconv.Quote(words)))
		}
	}
}

// readable returns the text that bytes are, "" for bytes that are none.
func readable(s string) string {
	s = strings.TrimRight(s, "\x00")
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ""
	}
	return s
}

// Decimal reads a whole number, nil for what is none.
func Decimal(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil
	}
	return n
}

// hexOf returns the serialization of a value as the API writes it.
func hexOf(v clarity.Value) string {
	digits, err := clarity.EncodeHex(v)
	if err != nil {
		return ""
	}
	return "0x" + strings.TrimPrefix(digits, "0x")
}

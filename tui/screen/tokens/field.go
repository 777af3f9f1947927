package tokens

import (
	"slices"

	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// emphasis describes how a value is styled.
type emphasis int

const (
	plain   emphasis = iota
	number           // an amount or a count
	missing          // nothing is known
	address          // a URI; a link where it can be opened
	code             // JSON
	remark           // words of ours about the field
)

// field is a field of a token as it is drawn. Label, Note and Value are as they came:
// untrusted, of any length and any number of lines.
type field struct {
	resource.Field
	Value    string
	Emphasis emphasis
	// Hidden counts hidden characters in label, value and note.
	Hidden int
}

// section is a titled group of fields.
type section struct {
	Title  string
	Fields []field
}

// sectionsOf returns the fields of a token.
func sectionsOf(t resource.Token) []section {
	var sections []section
	for _, f := range resource.Tokens(false).Fields(t) {
		if f.Section != "" {
			sections = append(sections, section{Title: f.Section})
			continue
		}
		last := &sections[len(sections)-1]
		last.Fields = append(last.Fields, drawn(f))
	}
	return sections
}

func drawn(f resource.Field) field {
	d := field{Field: f, Value: f.Value.Text(f.Type), Emphasis: emphasisOf(f)}
	switch {
	case !f.Value.Known():
		d.Value = text.Unknown
	case d.Emphasis == code:
		d.Hidden = hiddenInJSON([]byte(d.Value))
	case d.Emphasis != missing:
		d.Hidden = len(text.Hidden(d.Value))
	}
	d.Hidden += len(text.Hidden(f.Label))
	if f.Type != resource.Amount { // its note is the symbol, which is counted already
		d.Hidden += len(text.Hidden(f.Note))
	}
	return d
}

func emphasisOf(f resource.Field) emphasis {
	switch {
	case f.Mark == resource.Remark && f.Label == "":
		return remark
	case f.Mark == resource.Remark, !f.Value.Known():
		return missing
	}
	return map[resource.Type]emphasis{
		resource.Number: number, resource.Amount: number, resource.Digits: number, resource.Address: address, resource.JSON: code,
	}[f.Type]
}

// short reports whether begin and end of a value are enough to recognize it.
func (f field) short() bool { return f.Type.Middle() }

// picture reports whether the value is the address of a picture.
func (f field) picture() bool { return f.Picture && f.Emphasis != missing }

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

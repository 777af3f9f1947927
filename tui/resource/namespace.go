package resource

import (
	"unicode/utf8"

	"chainscope/tui/nav"
)

// Namespace is a namespace of names.
type Namespace struct {
	Name string
	// Names counts its names; First are some of them.
	Names Value
	First []string
	Why   string // why it is of interest, "" for nothing
}

// Namespaces describes namespaces.
func Namespaces() Kind[Namespace] {
	return Kind[Namespace]{Name: "namespace", Fields: Namespace.fields, Columns: []Column[Namespace]{
		{Name: "namespace", Head: "NAMESPACE", Least: 10, Most: 60, Keep: 9, Value: func(n Namespace) Value { return TextOf(n.Name) }},
		{Name: "length", Type: Number, Value: func(n Namespace) Value { return NumberOf(int64(utf8.RuneCountInString(n.Name))) }},
		{Name: "names", Head: "NAMES", Type: Number, Least: 9, Most: 12, Keep: 8, Style: Numeral, Blank: true, Value: func(n Namespace) Value { return n.Names }},
		{Name: "why", Head: "WHY", Least: 11, Most: 11, Keep: 4, Style: Muted, Hidden: true, Blank: true, Value: func(n Namespace) Value { return TextOf(n.Why) }},
	}}
}

// fields returns all that is known of a namespace.
func (n Namespace) fields() []Field {
	fields := []Field{
		{Section: "Namespace"},
		{Label: "namespace", Value: TextOf(n.Name), To: nav.Names(n.Name).Link(), Key: "n"},
		{Label: "names", Type: Number, Value: n.Names},
		{Label: "registry", Value: TextOf("BNS v1")},
	}
	for i, name := range n.First {
		if i == 0 {
			fields = append(fields, Field{Section: "First names"})
		}
		fields = append(fields, Field{Value: TextOf(name), To: nav.Name(name).Link()})
	}
	return fields
}

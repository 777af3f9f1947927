package params

import (
	"slices"

	"chainscope/tui/text"
	"chainscope/wallet/signer"
)

// Field is one param, or one part of an item of a list.
type Field = signer.Param

// Form holds what a method takes. A form of one list without a name is of a method
// whose params are that list and not an object.
type Form struct {
	Method string
	Title  string // what it does, in a few words
	Fields []Field
}

// All returns the forms of all methods in the order in which they are offered.
func All() []Form {
	var out []Form
	for _, m := range signer.Methods() {
		out = append(out, formOf(m))
	}
	return out
}

// Of finds the form of a method.
func Of(method string) (Form, bool) {
	m, known := signer.Lookup(method)
	return formOf(m), known
}

func formOf(m signer.Method) Form {
	f := Form{Method: m.Name, Title: m.Title, Fields: hinted(m.Params)}
	if m.Entry != "" {
		f.Fields = []Field{{
			Label: m.Entry + "s", Kind: signer.KindList, Word: m.Entry, About: "are signed with one approval", Items: f.Fields,
		}}
	}
	return f
}

// hinted says in each field how it can be typed.
func hinted(params []Field) []Field {
	out := slices.Clone(params)
	for i, p := range out {
		switch {
		case p.FromFile():
			out[i].About += ", or @FILE"
		case isText(p) && !p.Optional:
			out[i].About += "; alt+enter breaks the line"
		}
		out[i].Items = hinted(p.Items)
	}
	return out
}

// isText reports whether any text is right, also an empty one.
func isText(f Field) bool { return f.Kind == signer.KindText || f.Kind == signer.KindMessage }

// array returns the list that the params are, if they are one.
func (f Form) array() (Field, bool) {
	if len(f.Fields) == 1 && f.Fields[0].Lists() && f.Fields[0].Name == "" {
		return f.Fields[0], true
	}
	return Field{}, false
}

// Field finds a field by its name.
func (f Form) Field(name string) (Field, bool) { return named(f.Fields, name) }

func named(fields []Field, name string) (Field, bool) {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return fields[i], true
}

// Item is one item of a list: the texts of its fields by name.
type Item map[string]string

// Draft holds what is filled in: texts by the names of the fields, and the items
// of lists. Extra are params without a field; they are kept.
type Draft struct {
	Texts map[string]string
	Items map[string][]Item
	Extra []Param
}

// Param is a param with its JSON value.
type Param = text.Member

// Empty returns a draft of nothing. A list that has to be there begins with one
// item.
func (f Form) Empty() Draft {
	d := Draft{Texts: map[string]string{}, Items: map[string][]Item{}}
	for _, field := range f.Fields {
		if field.Lists() && !field.Optional {
			d.Items[field.Name] = []Item{{}}
		}
	}
	return d
}

// Place names one text of a draft: a param, or a part of an item of a list.
type Place struct {
	Name string // of the param
	Item int    // of a list, -1 for a param that is none
	Part string // of the item
}

// At returns the place of a param.
func At(name string) Place { return Place{Name: name, Item: -1} }

// Get reads a text.
func (d Draft) Get(p Place) string {
	if p.Item < 0 {
		return d.Texts[p.Name]
	}
	if items := d.Items[p.Name]; p.Item < len(items) {
		return items[p.Item][p.Part]
	}
	return ""
}

// Set writes a text.
func (d Draft) Set(p Place, s string) {
	if p.Item < 0 {
		d.Texts[p.Name] = s
		return
	}
	if items := d.Items[p.Name]; p.Item < len(items) {
		items[p.Item][p.Part] = s
	}
}

// Add puts a new item after one of a list and returns its number; -1 puts it
// at the begin.
func (d Draft) Add(name string, behind int) int {
	at := min(behind+1, len(d.Items[name]))
	d.Items[name] = slices.Insert(d.Items[name], at, Item{})
	return at
}

// Remove takes an item out of a list.
func (d Draft) Remove(name string, item int) {
	if items := d.Items[name]; item >= 0 && item < len(items) {
		d.Items[name] = slices.Delete(items, item, item+1)
	}
}

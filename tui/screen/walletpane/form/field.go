package form

import "slices"

// Kind says what a field holds, and with that how it is typed, checked and
// written.
type Kind int

// The kinds of fields. All but Bool, Index and List are JSON strings;
// Value is a Clarity value in JSON, or its hexadecimal digits.
const (
	Text      Kind = iota
	Amount         // a positive integer
	Integer        // an integer from 0
	Index          // of an input, a JSON number
	Address        // a Stacks address
	Principal      // a Stacks address or contract
	Contract       // ADDRESS.NAME
	Asset          // CONTRACT::TOKEN
	Name           // of a function
	NewName        // of a contract to be deployed
	Bitcoin        // a Bitcoin address
	PublicKey      // 33 bytes in hexadecimal digits
	Value          // a Clarity value, typed as a literal
	Memo           // at most 34 bytes
	Source         // of a contract: many lines, or @FILE
	PSBT           // base64, or @FILE
	Hex            // of a transaction, or @FILE
	Choice         // one of Choices
	Bool           // true or false
	JSON           // any JSON value, as it is typed
	List           // any number of items
)

// Field is one param, or one part of an item of a list.
type Field struct {
	Name     string // of the param; "" for an item that is one value
	Label    string
	Kind     Kind
	Optional bool
	// Unit of an integer: micro-STX, satoshis, units.
	Unit    string
	Choices []string // of a Choice; "" stands for not given
	About   string   // what it is and what would be right, in a few words
	// Item are the fields of an item of a List, and Word what one is called.
	Item []Field
	Word string
	// When hides a field of an item whose other fields make it needless.
	When func(Item) bool
}

// FromFile reports whether the field's text may be @FILE.
func (f Field) FromFile() bool { return f.Kind == Source || f.Kind == PSBT || f.Kind == Hex }

// Chosen reports whether the field is chosen from a few and not typed.
func (f Field) Chosen() bool { return f.Kind == Choice || f.Kind == Bool }

// Options are what a field can be chosen from; "" is not given.
func (f Field) Options() []string {
	options := f.Choices
	if f.Kind == Bool {
		options = []string{"true", "false"}
	}
	if f.Optional && !slices.Contains(options, "") {
		options = append([]string{""}, options...)
	}
	return options
}

// Form is what a method takes. A form of one list without a name is of a method
// whose params are that list and not an object.
type Form struct {
	Method string
	Title  string // what it does, in a few words
	Fields []Field
}

// array returns the list that the params are, if they are one.
func (f Form) array() (Field, bool) {
	if len(f.Fields) == 1 && f.Fields[0].Kind == List && f.Fields[0].Name == "" {
		return f.Fields[0], true
	}
	return Field{}, false
}

// Field finds a field by its name.
func (f Form) Field(name string) (Field, bool) {
	for _, field := range f.Fields {
		if field.Name == name {
			return field, true
		}
	}
	return Field{}, false
}

// Item is one item of a list: the texts of its fields by name.
type Item map[string]string

// Draft is what is filled in: texts by the names of the fields, and the items
// of lists. Extra are params that no field stands for; they are kept.
type Draft struct {
	Texts map[string]string
	Items map[string][]Item
	Extra []Param
}

// Param is a param with its JSON value.
type Param struct {
	Name string
	JSON []byte
}

// Empty returns a draft of nothing. A list that has to be there begins with one
// item.
func (f Form) Empty() Draft {
	d := Draft{Texts: map[string]string{}, Items: map[string][]Item{}}
	for _, field := range f.Fields {
		if field.Kind == List && !field.Optional {
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

// At is the place of a param.
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

// Shows lists the fields of an item that matter.
func (f Field) Shows(item Item) []Field {
	var out []Field
	for _, part := range f.Item {
		if part.When == nil || part.When(item) {
			out = append(out, part)
		}
	}
	return out
}

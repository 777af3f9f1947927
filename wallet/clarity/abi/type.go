package abi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
)

// Kind says which of the types of Clarity a Type is.
type Kind int

// The kinds of types.
const (
	// Unknown is a type that is not understood, or that the interface does not say.
	Unknown Kind = iota
	Int
	UInt
	Bool
	Principal
	Trait // a contract that has a trait
	Buffer
	ASCII
	UTF8
	Optional
	Response
	List
	Tuple
)

// Type is a type of Clarity.
type Type struct {
	Kind Kind
	// Length is the most that a buffer, a string or a list may have.
	Length int
	// Of holds what is in an optional or a list, and the two sides of a response.
	Of []Type
	// Fields are those of a tuple.
	Fields []Field
	// text describes how an unknown type was written.
	text string
}

// Field is an argument, or an entry of a tuple.
type Field struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// None holds what a node writes where a type cannot be inferred, such as the error of a function
// that only ever answers (ok …).
var None = Type{text: "none"}

// words are the types of one word.
var words = map[string]Kind{
	"int128": Int, "uint128": UInt, "bool": Bool, "principal": Principal, "trait_reference": Trait,
}

// sizes are the types that have a length alone.
var sizes = map[string]Kind{"buffer": Buffer, "string-ascii": ASCII, "string-utf8": UTF8}

// UnmarshalJSON reads a type as a node writes it. It never fails: what it does not
// understand is Unknown.
func (t *Type) UnmarshalJSON(raw []byte) error {
	*t = typeOf(raw, 1)
	return nil
}

// maxUnknown limits how many bytes are kept of a type that is not understood.
const maxUnknown = 200

func unknown(raw []byte) Type {
	return Type{text: strings.ToValidUTF8(string(raw[:min(len(raw), maxUnknown)]), "")}
}

func typeOf(raw []byte, depth int) Type {
	if raw = bytes.TrimSpace(raw); depth > clarity.MaxDepth || len(raw) == 0 {
		return unknown(raw)
	}
	var word string
	if raw[0] == '"' && json.Unmarshal(raw, &word) == nil {
		if kind, known := words[word]; known {
			return Type{Kind: kind}
		}
		return unknown([]byte(word))
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || len(object) != 1 {
		return unknown(raw)
	}
	for name, of := range object {
		if t, ok := compound(name, of, depth); ok {
			return t
		}
	}
	return unknown(raw)
}

// compound reads a type that is an object with one member.
func compound(name string, raw json.RawMessage, depth int) (t Type, ok bool) {
	if kind, sized := sizes[name]; sized {
		var of struct {
			Length *int `json:"length"`
		}
		if json.Unmarshal(raw, &of) != nil || of.Length == nil || *of.Length < 0 {
			return Type{}, false
		}
		return Type{Kind: kind, Length: *of.Length}, true
	}
	switch name {
	case "optional":
		return Type{Kind: Optional, Of: []Type{typeOf(raw, depth+1)}}, true
	case "response":
		var of struct {
			OK  json.RawMessage `json:"ok"`
			Err json.RawMessage `json:"error"`
		}
		if json.Unmarshal(raw, &of) != nil {
			return Type{}, false
		}
		return Type{Kind: Response, Of: []Type{typeOf(of.OK, depth+1), typeOf(of.Err, depth+1)}}, true
	case "list":
		var of struct {
			Type   json.RawMessage `json:"type"`
			Length *int            `json:"length"`
		}
		if json.Unmarshal(raw, &of) != nil || of.Length == nil || *of.Length < 0 {
			return Type{}, false
		}
		return Type{Kind: List, Length: *of.Length, Of: []Type{typeOf(of.Type, depth+1)}}, true
	case "tuple":
		var fields []struct {
			Name string          `json:"name"`
			Type json.RawMessage `json:"type"`
		}
		if json.Unmarshal(raw, &fields) != nil {
			return Type{}, false
		}
		t = Type{Kind: Tuple}
		for _, f := range fields {
			t.Fields = append(t.Fields, Field{f.Name, typeOf(f.Type, depth+1)})
		}
		return t, true
	}
	return Type{}, false
}

// MarshalJSON writes a type as a node does. What is unknown is written as it was, as far
// as it was kept.
func (t Type) MarshalJSON() ([]byte, error) {
	var of any = t.text
	for word, kind := range words {
		if kind == t.Kind {
			of = word
		}
	}
	for word, kind := range sizes {
		if kind == t.Kind {
			of = map[string]any{word: map[string]any{"length": t.Length}}
		}
	}
	switch t.Kind {
	case Unknown:
		if json.Valid([]byte(t.text)) && strings.HasPrefix(t.text, "{") {
			return []byte(t.text), nil
		}
	case Optional:
		of = map[string]any{"optional": t.Of[0]}
	case Response:
		of = map[string]any{"response": map[string]any{"ok": t.Of[0], "error": t.Of[1]}}
	case List:
		of = map[string]any{"list": map[string]any{"type": t.Of[0], "length": t.Length}}
	case Tuple:
		of = map[string]any{"tuple": append([]Field{}, t.Fields...)}
	}
	return json.Marshal(of)
}

// String writes the type as contract authors do. What is unknown is written as it was,
// which is untrusted text, or as a question mark.
func (t Type) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

// plain are the types without parts, as authors write them.
var plain = map[Kind]string{Int: "int", UInt: "uint", Bool: "bool", Principal: "principal", Trait: "<trait>"}

// sizedWords are the types with a length, as authors write them.
var sizedWords = map[Kind]string{Buffer: "buff", ASCII: "string-ascii", UTF8: "string-utf8", List: "list"}

func (t Type) write(b *strings.Builder) {
	if word, ok := plain[t.Kind]; ok {
		b.WriteString(word)
		return
	}
	switch t.Kind {
	case Buffer, ASCII, UTF8, List:
		b.WriteString("(" + sizedWords[t.Kind] + " " + strconv.Itoa(t.Length))
		if t.Kind == List {
			b.WriteByte(' ')
			t.Of[0].write(b)
		}
	case Optional:
		b.WriteString("(optional ")
		t.Of[0].write(b)
	case Response:
		b.WriteString("(response ")
		t.Of[0].write(b)
		b.WriteByte(' ')
		t.Of[1].write(b)
	case Tuple:
		b.WriteByte('{')
		for i, f := range t.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(" " + f.Name + ": ")
			f.Type.write(b)
		}
		b.WriteString(" }")
		return
	default:
		b.WriteString(cmp.Or(t.text, "?"))
		return
	}
	b.WriteByte(')')
}

// Signature writes a function with the names and types of its arguments and of its result:
// "(get-balance (who principal)) (response uint uint)".
func (f *Function) Signature() string {
	var b strings.Builder
	b.WriteString("(" + f.Name)
	for _, a := range f.Args {
		b.WriteString(" (" + a.Name + " ")
		a.Type.write(&b)
		b.WriteByte(')')
	}
	b.WriteString(") ")
	f.Outputs.Type.write(&b)
	return b.String()
}

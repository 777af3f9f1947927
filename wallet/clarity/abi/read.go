package abi

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chainscope/wallet/clarity"
)

// Read reads a value of the type: a literal, or plain where the type says what it is: 5
// for uint, an address without the quote for principal, text for strings, and what is in
// an optional for the optional.
func (t Type) Read(text string) (clarity.Value, error) {
	v, err := clarity.ParseLiteral(text)
	if err == nil {
		v, err = t.Convert(v)
	}
	if err == nil {
		return v, nil
	}
	if bare, ok := t.bare(text); ok {
		bare, failed := t.Convert(bare)
		if failed == nil {
			_, failed = clarity.Encode(bare) // its bounds
		}
		if failed == nil {
			return bare, nil
		} else if t.reads(text) {
			err = failed
		}
	}
	if _, is := errors.AsType[*clarity.LiteralError](err); is && !strings.ContainsAny(text, "({\"") {
		return nil, fmt.Errorf("%s is not %s; write %s", short(text), t.article(), t.Example())
	}
	return nil, err
}

// Words returns the type of a value, with a question mark where the value does not say it.
func Words(v clarity.Value) string {
	return strings.ReplaceAll(clarity.TypeOf(v), "UnknownType", "?")
}

// reads reports whether a text without marks is the value itself.
func (t Type) reads(text string) bool {
	switch t.Kind {
	case ASCII, UTF8:
		return true
	case Optional:
		return t.Of[0].reads(text)
	case Principal, Trait:
		return strings.HasPrefix(text, "S")
	case UInt:
		return text != "" && strings.Trim(text, "0123456789") == ""
	}
	return false
}

// bare reads a value that is typed without the marks of a literal.
func (t Type) bare(text string) (clarity.Value, bool) {
	switch t.Kind {
	case UInt:
		if len(text) > 40 || strings.Trim(text, "0123456789") != "" {
			return nil, false
		}
		n, ok := new(big.Int).SetString(text, 10)
		return clarity.UInt{N: n}, ok
	case Principal, Trait:
		p, err := clarity.ParsePrincipal(text)
		return p, err == nil
	case ASCII:
		return clarity.ASCII(text), true
	case UTF8:
		return clarity.UTF8(text), utf8.ValidString(text)
	case Optional:
		v, ok := t.Of[0].bare(text)
		if !ok { // a literal of what is in it
			inner, err := clarity.ParseLiteral(text)
			v, ok = inner, err == nil
		}
		return clarity.Some{Value: v}, ok
	}
	return nil, false
}

// Convert returns a value as one of the type, or an error that says why it is none. An integer that can be
// a uint, and a text that can be UTF-8, become that where the type wants it.
func (t Type) Convert(v clarity.Value) (clarity.Value, error) { return t.convert(v, "") }

func (t Type) convert(v clarity.Value, path string) (clarity.Value, error) {
	switch t.Kind {
	case Unknown:
		return v, nil
	case UInt:
		if n, is := v.(clarity.Int); is && n.N.Sign() >= 0 {
			return clarity.UInt(n), nil
		}
	case UTF8:
		if s, is := v.(clarity.ASCII); is {
			v = clarity.UTF8(s)
		}
	case Optional:
		if s, is := v.(clarity.Some); is {
			inner, err := t.Of[0].convert(s.Value, path)
			return clarity.Some{Value: inner}, err
		}
	case Response:
		switch r := v.(type) {
		case clarity.OK:
			inner, err := t.Of[0].convert(r.Value, path)
			return clarity.OK{Value: inner}, err
		case clarity.Err:
			inner, err := t.Of[1].convert(r.Value, path)
			return clarity.Err{Value: inner}, err
		}
	case List:
		if list, is := v.(clarity.List); is {
			return t.convertList(list, path)
		}
	case Tuple:
		if tuple, is := v.(clarity.Tuple); is {
			return t.convertTuple(tuple, path)
		}
	}
	if !t.is(v) {
		return nil, fmt.Errorf("%s, such as %s; %s is %s", strings.TrimSpace(path+" wants "+t.article()), t.Example(), short(clarity.Repr(v)), Words(v))
	}
	if length, name := lengthOf(v); t.Length < length {
		return nil, fmt.Errorf("%s has %d %s, at most %d are taken: %s", cmp.Or(path, "it"), length, name, t.Length, t)
	}
	return v, nil
}

// is reports whether a value is of the type's kind.
func (t Type) is(v clarity.Value) bool {
	switch v.(type) {
	case clarity.Int:
		return t.Kind == Int
	case clarity.UInt:
		return t.Kind == UInt
	case clarity.Bool:
		return t.Kind == Bool
	case clarity.Principal:
		return t.Kind == Principal || t.Kind == Trait
	case clarity.Buffer:
		return t.Kind == Buffer
	case clarity.ASCII:
		return t.Kind == ASCII
	case clarity.UTF8:
		return t.Kind == UTF8
	case clarity.None:
		return t.Kind == Optional
	}
	return false
}

// lengthOf returns the length of a value that its type bounds; 0 and "" for any other.
func lengthOf(v clarity.Value) (length int, of string) {
	switch v := v.(type) {
	case clarity.Buffer:
		return len(v), "bytes"
	case clarity.ASCII:
		return len(v), "characters"
	case clarity.UTF8:
		return utf8.RuneCountInString(string(v)), "characters"
	}
	return 0, ""
}

func (t Type) convertList(list clarity.List, path string) (clarity.Value, error) {
	if len(list) > t.Length {
		return nil, fmt.Errorf("%s has %d items, at most %d are taken", cmp.Or(path, "the list"), len(list), t.Length)
	}
	out := make(clarity.List, len(list))
	for i, item := range list {
		var err error
		if out[i], err = t.Of[0].convert(item, path+"["+strconv.Itoa(i)+"]"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t Type) convertTuple(tuple clarity.Tuple, path string) (clarity.Value, error) {
	out := clarity.Tuple{Ordered: tuple.Ordered}
	for _, f := range tuple.Fields {
		at := slices.IndexFunc(t.Fields, func(of Field) bool { return of.Name == f.Name })
		if at < 0 {
			return nil, fmt.Errorf("%s has no entry %s; its entries are %s", cmp.Or(path, "the tuple"), short(f.Name), short(t.entries()))
		}
		v, err := t.Fields[at].Type.convert(f.Value, strings.TrimPrefix(path+"."+f.Name, "."))
		if err != nil {
			return nil, err
		}
		out.Fields = append(out.Fields, clarity.Field{Name: f.Name, Value: v})
	}
	for _, f := range t.Fields {
		if _, there := tuple.Get(f.Name); !there {
			return nil, fmt.Errorf("%s lacks the entry %s, %s", cmp.Or(path, "the tuple"), short(f.Name), f.Type.article())
		}
	}
	return out, nil
}

func (t Type) entries() string {
	var names []string
	for _, f := range t.Fields {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// article returns the type in a sentence.
func (t Type) article() string {
	switch t.Kind {
	case Int:
		return "an int"
	case Trait:
		return "a contract"
	case Optional:
		return "an " + short(strings.Trim(t.String(), "()"))
	}
	return "a " + short(strings.Trim(t.String(), "()"))
}

// Example returns a literal of the type, short enough for a sentence.
func (t Type) Example() string {
	switch t.Kind {
	case Int:
		return "-5"
	case UInt:
		return "u5"
	case Bool:
		return "true"
	case Principal:
		return "'SP000000000000000000002Q6VF78"
	case Trait:
		return "'SP000000000000000000002Q6VF78.token"
	case Buffer:
		return "0x00ff"
	case ASCII:
		return `"text"`
	case UTF8:
		return `u"text"`
	case Optional:
		return "none"
	case Response:
		return "(ok …)"
	case List:
		if simple := t.Of[0]; simple.Kind < Optional && simple.Kind != Unknown {
			return "(list " + simple.Example() + ")"
		}
		return "(list …)"
	case Tuple:
		if len(t.Fields) > 0 && t.Fields[0].Type.Kind < Optional && len(t.Fields[0].Name) < 40 {
			more := ""
			if len(t.Fields) > 1 {
				more = ", …"
			}
			return "{ " + t.Fields[0].Name + ": " + t.Fields[0].Type.Example() + more + " }"
		}
		return "{ … }"
	}
	return "u5"
}

// maxShort limits how many bytes of a text a sentence quotes.
const maxShort = 80

func short(s string) string { return clarity.Brief(s, maxShort) }

// Arguments reads the arguments of a call as they are typed.
func (f *Function) Arguments(texts []string) ([]clarity.Value, error) {
	if len(texts) != len(f.Args) {
		return nil, fmt.Errorf("%s takes %s, not %d: %s", short(f.Name), counted(len(f.Args), "argument"), len(texts), f.Signature())
	}
	values := make([]clarity.Value, len(texts))
	for i, text := range texts {
		var err error
		if values[i], err = f.Args[i].Type.Read(text); err != nil {
			return nil, fmt.Errorf("argument %d (%s %s): %w", i+1, short(f.Args[i].Name), short(f.Args[i].Type.String()), err)
		}
	}
	return values, nil
}

func counted(n int, word string) string {
	switch n {
	case 0:
		return "no " + word + "s"
	case 1:
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

package clarity

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Names of types in the JSON form (SIP-030).
const (
	typeInt      = "int"
	typeUInt     = "uint"
	typeBuffer   = "buffer"
	typeTrue     = "true"
	typeFalse    = "false"
	typeAddress  = "address"
	typeContract = "contract"
	typeOK       = "ok"
	typeErr      = "err"
	typeNone     = "none"
	typeSome     = "some"
	typeList     = "list"
	typeTuple    = "tuple"
	typeASCII    = "ascii"
	typeUTF8     = "utf8"
)

const typeNames = "int, uint, buffer, true, false, address, contract, ok, err, none, some, list, tuple, ascii, utf8"

// PathError describes where in the JSON form a value is wrong. Path is what follows
// the name of the param, as in ".value[2].value"; it is empty for the whole.
type PathError struct {
	Path string
	Err  error
}

// Error writes the path and what is wrong there.
func (e *PathError) Error() string {
	if e.Path == "" {
		return "clarity: " + e.Err.Error()
	}
	return "clarity: " + strings.TrimPrefix(e.Path, ".") + ": " + e.Err.Error()
}

// Unwrap returns what is wrong, without the path.
func (e *PathError) Unwrap() error { return e.Err }

// ParseJSON reads the JSON form {"type", "value"} (SIP-030). Integers may be
// decimal strings or JSON integers, a buffer is hexadecimal digits with or
// without 0x. What is no part of the form is refused, so that nothing is signed
// that leaves out a part of what was requested. The error is a [*PathError].
func ParseJSON(text []byte) (Value, error) {
	fail := func(err error) (Value, error) { return nil, &PathError{"", err} }
	if len(text) > 8*MaxBytes {
		return fail(fmt.Errorf("the JSON has %d bytes, at most %d are read", len(text), 8*MaxBytes))
	}
	if !utf8.Valid(text) {
		return fail(errors.New("the JSON is not UTF-8"))
	}
	if !json.Valid(text) {
		return fail(errors.New("this is not JSON"))
	}
	v, err := parseJSON(text, "", 1)
	if err != nil {
		return nil, err
	}
	if _, err := Encode(v); err != nil {
		return fail(errors.Unwrap(err))
	}
	return v, nil
}

// ParseWire reads a value as wallets take it: hexadecimal digits of its consensus bytes in a
// JSON string, or its JSON form.
func ParseWire(raw json.RawMessage) (Value, error) {
	var digits string
	if json.Unmarshal(raw, &digits) == nil {
		return DecodeHex(digits)
	}
	return ParseJSON(raw)
}

func parseJSON(text json.RawMessage, path string, depth int) (Value, error) {
	fail := func(err error) (Value, error) { return nil, &PathError{path, err} }
	if depth > MaxDepth {
		return fail(errDepth)
	}
	if text = bytes.TrimSpace(text); text[0] != '{' {
		return fail(errors.New(`it must be an object {"type", "value"}`))
	}
	kind, value, err := membersOf(text, path)
	if err != nil {
		return nil, err
	}
	inner := path + ".value"
	nested := func(wrap func(Value) Value) (Value, error) {
		if value == nil {
			return nil, &PathError{inner, errors.New("it is missing")}
		}
		v, err := parseJSON(value, inner, depth+1)
		if err != nil {
			return nil, err
		}
		return wrap(v), nil
	}
	if value != nil && (kind == typeTrue || kind == typeFalse || kind == typeNone) {
		return nil, &PathError{inner, fmt.Errorf("a value of type %s has none", kind)}
	}
	var v Value
	switch kind {
	case typeTrue:
		return Bool(true), nil
	case typeFalse:
		return Bool(false), nil
	case typeNone:
		return None{}, nil
	case typeSome:
		return nested(func(v Value) Value { return Some{v} })
	case typeOK:
		return nested(func(v Value) Value { return OK{v} })
	case typeErr:
		return nested(func(v Value) Value { return Err{v} })
	case typeList:
		return parseJSONList(value, inner, depth)
	case typeTuple:
		return parseJSONTuple(value, inner, depth)
	case typeInt, typeUInt:
		v, err = parseJSONInteger(kind, value)
	case typeBuffer, typeASCII, typeUTF8, typeAddress, typeContract:
		v, err = parseJSONText(kind, value)
	default:
		return nil, &PathError{path + ".type", fmt.Errorf("%.40q is unknown, it must be one of %s", kind, typeNames)}
	}
	if err != nil {
		return nil, &PathError{inner, err}
	}
	return v, nil
}

// membersOf returns the type and the value of a value in its JSON form; null counts as
// absent.
func membersOf(text json.RawMessage, path string) (kind string, value json.RawMessage, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || json.Unmarshal(members["type"], &kind) != nil {
		return "", nil, &PathError{path + ".type", errors.New("it must be one of " + typeNames)}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != "type" && name != "value" {
			return "", nil, &PathError{fmt.Sprintf("%s.%.40s", path, name), errors.New("it is no part of a Clarity value, which has type and value")}
		}
	}
	if value = members["value"]; string(value) == "null" {
		value = nil
	}
	return kind, value, nil
}

func parseJSONInteger(kind string, raw json.RawMessage) (Value, error) {
	text := string(raw)
	if len(raw) > 0 && raw[0] == '"' {
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
	}
	n, ok := decimal(text)
	if !ok {
		return nil, fmt.Errorf("it must be an integer: a decimal string or a JSON integer, here %.48s", cmp.Or(string(raw), "missing"))
	}
	if kind == typeInt {
		return Int{n}, Int{n}.check()
	}
	return UInt{n}, UInt{n}.check()
}

// decimal reads an optional minus and at most 40 digits, more than any Clarity
// integer has.
func decimal(text string) (*big.Int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(strings.TrimLeft(digits, "0")) > 40 || len(digits) > 128 {
		return nil, false
	}
	for i := range len(digits) {
		if !digit(digits[i]) {
			return nil, false
		}
	}
	return new(big.Int).SetString(text, 10)
}

func parseJSONText(kind string, raw json.RawMessage) (Value, error) {
	var text *string
	if raw == nil || json.Unmarshal(raw, &text) != nil || text == nil {
		return nil, errors.New("it must be a string")
	}
	if LoneSurrogate(raw) {
		return nil, errors.New("it holds a lone surrogate")
	}
	switch kind {
	case typeBuffer:
		digits := strings.TrimPrefix(*text, "0x")
		b, err := hex.DecodeString(digits)
		if err != nil {
			return nil, hexError(digits)
		}
		return Buffer(b), nil
	case typeASCII:
		return ASCII(*text), ASCII(*text).check()
	case typeUTF8:
		return UTF8(*text), nil
	}
	p, err := ParsePrincipal(*text)
	switch {
	case err != nil:
		return nil, err
	case kind == typeAddress && p.Contract != "":
		return nil, errors.New("this is a contract, its type must be contract")
	case kind == typeContract && p.Contract == "":
		return nil, errors.New("this is an address, its type must be address")
	}
	return p, nil
}

// LoneSurrogate reports whether the JSON text of a string holds an escaped half of a
// surrogate pair, which has no UTF-8. encoding/json silently replaces it by U+FFFD: what is
// signed would not be what was sent.
func LoneSurrogate(text []byte) bool {
	_, err := jsontext.AppendUnquote(nil, text)
	return err != nil
}

func parseJSONList(raw json.RawMessage, path string, depth int) (Value, error) {
	var items []json.RawMessage
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return nil, &PathError{path, errors.New("it must be an array")}
	}
	list := make(List, len(items))
	for i, item := range items {
		v, err := parseJSON(item, fmt.Sprintf("%s[%d]", path, i), depth+1)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}

func parseJSONTuple(raw json.RawMessage, path string, depth int) (Value, error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return nil, &PathError{path, errors.New("it must be an object")}
	}
	reader := json.NewDecoder(bytes.NewReader(raw))
	if _, err := reader.Token(); err != nil {
		return nil, &PathError{path, err}
	}
	tuple, keys := Tuple{}, tupleKeys{}
	for reader.More() {
		key, err := reader.Token()
		if err != nil {
			return nil, &PathError{path, err}
		}
		name, _ := key.(string)
		if err := keys.add(name); err != nil {
			return nil, &PathError{path, err}
		}
		var item json.RawMessage
		if err := reader.Decode(&item); err != nil {
			return nil, &PathError{path, err}
		}
		v, err := parseJSON(item, path+"."+name, depth+1)
		if err != nil {
			return nil, err
		}
		tuple.Fields = append(tuple.Fields, Field{name, v})
	}
	return tuple, nil
}

// JSON writes the JSON form (SIP-030): integers as decimal strings, buffers in
// hexadecimal digits without 0x, tuple keys in the order of the value.
func JSON(v Value) (json.RawMessage, error) {
	if _, err := Encode(v); err != nil {
		return nil, err
	}
	var w bytes.Buffer
	writeJSON(&w, v)
	return w.Bytes(), nil
}

func writeJSON(w *bytes.Buffer, v Value) {
	plain := func(kind string) { w.WriteString(`{"type":"` + kind + `"}`) }
	open := func(kind string) { w.WriteString(`{"type":"` + kind + `","value":`) }
	text := func(kind, s string) {
		open(kind)
		w.WriteString(QuoteJSON(s) + "}")
	}
	nested := func(kind string, v Value) {
		open(kind)
		writeJSON(w, v)
		w.WriteByte('}')
	}
	switch v := v.(type) {
	case Int:
		text(typeInt, v.N.String())
	case UInt:
		text(typeUInt, v.N.String())
	case Bool:
		if v {
			plain(typeTrue)
		} else {
			plain(typeFalse)
		}
	case Buffer:
		text(typeBuffer, hex.EncodeToString(v))
	case ASCII:
		text(typeASCII, string(v))
	case UTF8:
		text(typeUTF8, string(v))
	case Principal:
		if v.Contract == "" {
			text(typeAddress, v.String())
		} else {
			text(typeContract, v.String())
		}
	case None:
		plain(typeNone)
	case Some:
		nested(typeSome, v.Value)
	case OK:
		nested(typeOK, v.Value)
	case Err:
		nested(typeErr, v.Value)
	case List:
		open(typeList)
		writeList(w, v, writeJSON)
		w.WriteByte('}')
	case Tuple:
		open(typeTuple)
		writeFields(w, v.Fields, writeJSON)
		w.WriteByte('}')
	}
}

// writeList writes a JSON array of values, and writeFields an object of fields, each value as
// write does.
func writeList(w *bytes.Buffer, items []Value, write func(*bytes.Buffer, Value)) {
	w.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			w.WriteByte(',')
		}
		write(w, item)
	}
	w.WriteByte(']')
}

func writeFields(w *bytes.Buffer, fields []Field, write func(*bytes.Buffer, Value)) {
	w.WriteByte('{')
	for i, field := range fields {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString(QuoteJSON(field.Name) + ":")
		write(w, field.Value)
	}
	w.WriteByte('}')
}

// QuoteJSON returns s as a JSON string as JavaScript's JSON.stringify writes it, which leaves all
// but quotes, backslashes and controls as they are.
func QuoteJSON(s string) string {
	text, _ := jsontext.AppendQuote(nil, s) // what is no UTF-8 becomes U+FFFD
	return string(text)
}

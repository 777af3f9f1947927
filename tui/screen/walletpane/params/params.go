package params

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/signer"
)

// Params writes a draft as the params of the method, in the order of the
// fields; nil when there are none. What is empty is left out. The error is a
// [*Problem]: Clarity values and indexes have no JSON until they are right, and
// nor has what is still a file.
func (f Form) Params(d Draft) (json.RawMessage, error) {
	if field, is := f.array(); is {
		return encodeList(d, field)
	}
	var members []string
	for _, field := range f.Fields {
		var value []byte
		var err error
		switch items := d.Items[field.Name]; {
		case !field.Lists():
			value, err = encode(field, At(field.Name), d.Texts[field.Name])
		case len(items) > 0 || !field.Optional:
			value, err = encodeList(d, field)
		}
		if err != nil {
			return nil, err
		}
		members = with(members, field.Name, value)
	}
	for _, extra := range d.Extra {
		members = with(members, extra.Name, extra.JSON)
	}
	if len(members) == 0 {
		return nil, nil
	}
	return object(members), nil
}

// with adds a member of an object, unless it has no value.
func with(members []string, name string, value []byte) []string {
	if value == nil {
		return members
	}
	return append(members, string(text.EncodeJSON(name))+":"+string(value))
}

func object(members []string) []byte { return []byte("{" + strings.Join(members, ",") + "}") }

func encodeList(d Draft, field Field) ([]byte, error) {
	var list []string
	for i, item := range d.Items[field.Name] {
		value, err := encodeItem(field, i, item)
		if err != nil {
			return nil, err
		}
		list = append(list, string(value))
	}
	return []byte("[" + strings.Join(list, ",") + "]"), nil
}

func encodeItem(field Field, i int, item Item) ([]byte, error) {
	if field.Single() {
		value, err := encode(field.Items[0], Place{Name: field.Name, Item: i}, item[""])
		if err == nil && value == nil {
			value = []byte(`""`)
		}
		return value, err
	}
	var members []string
	for _, p := range field.Shows(item) {
		value, err := encode(p, Place{field.Name, i, p.Name}, item[p.Name])
		if err != nil {
			return nil, err
		}
		members = with(members, p.Name, value)
	}
	return object(members), nil
}

// encode writes the JSON of one text; nil for none.
func encode(field Field, at Place, s string) ([]byte, error) {
	wrong := func(err error, format string, args ...any) ([]byte, error) {
		return nil, &Problem{at, fmt.Sprintf(format, args...), err}
	}
	if s == "" && (field.Optional || !isText(field) && field.Kind != signer.KindSource) {
		if field.Kind.Clarity() && !field.Optional {
			return wrong(nil, "is missing: %s", field.About)
		}
		return nil, nil
	}
	switch field.Kind {
	case signer.KindBool:
		if s != "true" && s != "false" {
			return wrong(nil, "must be true or false")
		}
		return []byte(s), nil
	case signer.KindJSON:
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			return wrong(err, "%v", err)
		}
		return []byte(strings.TrimSpace(s)), nil
	case signer.KindIndex:
		n, err := strconv.ParseUint(s, 10, 31)
		if err != nil {
			return wrong(err, "must be a whole number from 0")
		}
		return strconv.AppendUint(nil, n, 10), nil
	case signer.KindValue, signer.KindTuple:
		v, err := readValue(s)
		if err != nil {
			return wrong(err, "%v", err)
		}
		if digits, is := cutPrefix(s, hexMark); is {
			return text.EncodeJSON(digits), nil // the order of its keys stays as it is
		}
		return clarity.JSON(v)
	}
	if field.FromFile() {
		if path, is := text.FileNamed(s); is {
			return wrong(nil, "the file %s is not read yet", path)
		}
		if field.Kind != signer.KindSource {
			s = compact(s)
		}
	}
	return text.EncodeJSON(s), nil
}

// hexMark begins a Clarity value that is typed as the hexadecimal digits of its
// consensus bytes.
const hexMark = "hex:"

// readValue reads a Clarity literal, or consensus bytes behind hexMark.
func readValue(s string) (clarity.Value, error) {
	if digits, is := cutPrefix(s, hexMark); is {
		return clarity.DecodeHex(digits)
	}
	return clarity.ParseLiteral(s)
}

// Problem holds what is wrong with one text of a draft.
type Problem struct {
	At   Place
	Text string // what would be right; may quote untrusted text
	err  error  // that it comes from, nil for none
}

// Unwrap returns the error that it comes from.
func (p *Problem) Unwrap() error { return p.err }

// Error names the place.
func (p *Problem) Error() string { return p.At.String() + ": " + p.Text }

// String returns the path of the param, as the wallet names it.
func (p Place) String() string {
	s := p.Name
	if p.Item >= 0 {
		s = fmt.Sprintf("%s[%d]", s, p.Item)
	}
	if p.Part != "" {
		s += "." + p.Part
	}
	return s
}

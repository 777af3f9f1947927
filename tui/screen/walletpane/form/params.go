package form

import (
	"bytes"
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
	o := &object{}
	for _, field := range f.Fields {
		if field.Lists() {
			if err := o.list(d, field); err != nil {
				return nil, err
			}
			continue
		}
		if err := o.text(field, At(field.Name), d.Texts[field.Name]); err != nil {
			return nil, err
		}
	}
	for _, extra := range d.Extra {
		o.put(extra.Name, extra.JSON)
	}
	return o.end(), nil
}

// object writes a JSON object member by member.
type object struct{ b bytes.Buffer }

func (o *object) put(name string, value []byte) {
	if o.b.Len() > 0 {
		o.b.WriteByte(',')
	}
	o.b.Write(text.EncodeJSON(name))
	o.b.WriteByte(':')
	o.b.Write(value)
}

// end is the object, nil when it has no members.
func (o *object) end() json.RawMessage {
	if o.b.Len() == 0 {
		return nil
	}
	return json.RawMessage("{" + o.b.String() + "}")
}

// text writes one text, unless it is empty and may be.
func (o *object) text(field Field, at Place, s string) error {
	value, err := encode(field, at, s)
	if err != nil || value == nil {
		return err
	}
	o.put(field.Name, value)
	return nil
}

func (o *object) list(d Draft, field Field) error {
	if len(d.Items[field.Name]) == 0 && field.Optional {
		return nil
	}
	list, err := encodeList(d, field)
	if err != nil {
		return err
	}
	o.put(field.Name, list)
	return nil
}

func encodeList(d Draft, field Field) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, item := range d.Items[field.Name] {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := encodeItem(field, i, item)
		if err != nil {
			return nil, err
		}
		b.Write(value)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

func encodeItem(field Field, i int, item Item) ([]byte, error) {
	if field.Single() {
		at := Place{Name: field.Name, Item: i}
		value, err := encode(field.Items[0], at, item[""])
		if err == nil && value == nil {
			value = []byte(`""`)
		}
		return value, err
	}
	part := &object{}
	for _, p := range field.Shows(item) {
		if err := part.text(p, Place{field.Name, i, p.Name}, item[p.Name]); err != nil {
			return nil, err
		}
	}
	if value := part.end(); value != nil {
		return value, nil
	}
	return []byte("{}"), nil
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
		if path, is := FilePath(s); is {
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

// Problem is what is wrong with one text of a draft.
type Problem struct {
	At   Place
	Text string // what would be right; may quote untrusted text
	err  error  // that it comes from, nil for none
}

// Unwrap returns the error that it comes from.
func (p *Problem) Unwrap() error { return p.err }

// Error names the place.
func (p *Problem) Error() string { return p.At.String() + ": " + p.Text }

// String is the path of the param, as the wallet names it.
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

package params

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// Load fills a draft from params. What no field can show is an error, which
// names it: then the params are edited as JSON. Params that the method does not
// know are kept as Extra.
func (f Form) Load(params json.RawMessage) (Draft, error) {
	d := Draft{Texts: map[string]string{}, Items: map[string][]Item{}}
	if len(bytes.TrimSpace(params)) == 0 || string(bytes.TrimSpace(params)) == "null" {
		return f.Empty(), nil
	}
	if field, is := f.array(); is {
		var err error
		d.Items[field.Name], err = loadList(field, params)
		return d, err
	}
	members, err := text.Members(params)
	if err != nil {
		return d, fmt.Errorf("the params: %w", err)
	}
	for _, m := range members {
		field, known := f.Field(m.Name)
		switch {
		case !known:
			d.Extra = append(d.Extra, m)
		case string(m.JSON) == "null":
		case field.Lists():
			if d.Items[field.Name], err = loadList(field, m.JSON); err != nil {
				return d, err
			}
		default:
			if d.Texts[m.Name], err = decode(field, m.JSON); err != nil {
				return d, fmt.Errorf("%s: %w", m.Name, err)
			}
		}
	}
	return d, nil
}

func loadList(field Field, raw json.RawMessage) ([]Item, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("%s: is no array", cmp.Or(field.Name, "the params"))
	}
	items := make([]Item, 0, len(list))
	for i, value := range list {
		item, err := loadItem(field, value)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", field.Name, i, err)
		}
		items = append(items, item)
	}
	return items, nil
}

func loadItem(field Field, raw json.RawMessage) (Item, error) {
	if field.Single() {
		s, err := decode(field.Items[0], raw)
		return Item{"": s}, err
	}
	if field.Kind == signer.KindInputs && raw[0] != '{' {
		s, err := decode(field.Items[0], raw)
		return Item{"index": s}, err
	}
	if field.Kind == signer.KindConditions {
		var err error
		if raw, err = conditionJSON(raw); err != nil {
			return nil, err
		}
	}
	parts, err := text.Members(raw)
	if err != nil {
		return nil, err
	}
	item := Item{}
	for _, p := range parts {
		part, known := named(field.Shows(item), p.Name)
		if !known {
			return nil, fmt.Errorf("%.40q has no field", p.Name)
		}
		if item[p.Name], err = decode(part, p.JSON); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return item, nil
}

// conditionJSON writes a post-condition, in JSON or in hexadecimal digits, in the one form
// that the fields have.
func conditionJSON(raw json.RawMessage) (json.RawMessage, error) {
	var digits string
	var p stxtx.PostCondition
	var err error
	if json.Unmarshal(raw, &digits) == nil {
		p, err = stxtx.DecodePostConditionHex(digits)
	} else {
		p, err = stxtx.ParsePostConditionJSON(raw)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// decode reads the text of a field from its JSON.
func decode(field Field, raw json.RawMessage) (string, error) {
	switch field.Kind {
	case signer.KindValue, signer.KindTuple:
		return decodeValue(raw)
	case signer.KindJSON:
		return string(raw), nil
	}
	if raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", err
		}
		if clarity.LoneSurrogate(raw) {
			return "", fmt.Errorf("holds a lone surrogate")
		}
		return s, fits(field, s)
	}
	s := string(raw)
	switch field.Kind {
	case signer.KindBool, signer.KindAmount, signer.KindInteger, signer.KindIndex, signer.KindChoice, signer.KindVersion, signer.KindMode:
		if strings.Trim(s, "0123456789") == "" || field.Kind == signer.KindBool && (s == "true" || s == "false") {
			return s, fits(field, s)
		}
	}
	return "", fmt.Errorf("this is not what the field holds")
}

// fits refuses a text that a field to choose from does not offer: it could not
// be shown, and would be lost.
func fits(field Field, s string) error {
	if !field.Chosen() || slices.Contains(field.Options(), s) {
		return nil
	}
	return fmt.Errorf("%.40q cannot be chosen", s)
}

// decodeValue reads a Clarity value in JSON or hexadecimal digits as a literal.
func decodeValue(raw json.RawMessage) (string, error) {
	v, err := clarity.ParseWire(raw)
	if err != nil {
		return "", err
	}
	var digits, other string
	if json.Unmarshal(raw, &digits) == nil {
		other = hexMark + digits
	}
	return literal(v, other), nil
}

// literal writes a value so that the same bytes come of it; other where a
// literal cannot, since what is signed must not change: the order of tuple
// keys.
func literal(v clarity.Value, other string) string {
	s := clarity.Repr(v)
	again, err := clarity.ParseLiteral(s)
	if err == nil {
		a, errA := clarity.EncodeHex(v)
		b, errB := clarity.EncodeHex(again)
		if errA == nil && errB == nil && a == b {
			return s
		}
	}
	if other != "" {
		return other
	}
	if h, err := clarity.EncodeHex(v); err == nil {
		return hexMark + h
	}
	return s
}

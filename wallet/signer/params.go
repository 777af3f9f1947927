package signer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
)

// object holds the params of a request by name. null counts as absent.
type object map[string]json.RawMessage

func parseObject(params json.RawMessage) (object, error) {
	params = bytes.TrimSpace(params)
	if len(params) == 0 || string(params) == "null" {
		return object{}, nil
	}
	if len(params) > jsonrpc.MaxRequestBytes {
		return nil, jsonrpc.InvalidParam("params", "%d bytes, at most %d are read", len(params), jsonrpc.MaxRequestBytes)
	}
	if !utf8.Valid(params) {
		return nil, jsonrpc.InvalidParam("params", "must be UTF-8")
	}
	o := object{}
	if params[0] != '{' {
		return nil, jsonrpc.InvalidParam("params", "must be an object, here %s", jsonrpc.KindOf(params))
	}
	if json.Unmarshal(params, &o) != nil {
		return nil, jsonrpc.InvalidParam("params", "must be an object")
	}
	for name, raw := range o {
		if string(raw) == "null" {
			delete(o, name)
		}
	}
	return o, nil
}

// parseObjects reads the params of a method that takes an array of objects.
func parseObjects(params json.RawMessage) ([]object, error) {
	params = bytes.TrimSpace(params)
	var list []json.RawMessage
	if len(params) == 0 || params[0] != '[' || json.Unmarshal(params, &list) != nil {
		return nil, jsonrpc.InvalidParam("params", "must be an array of objects")
	}
	if len(list) > maxBatch {
		return nil, jsonrpc.InvalidParam("params", "must have at most %d entries, has %d", maxBatch, len(list))
	}
	objects := make([]object, len(list))
	for i, raw := range list {
		if raw[0] != '{' {
			return nil, jsonrpc.InvalidParam(fmt.Sprintf("[%d]", i), "must be an object, here %s", jsonrpc.KindOf(raw))
		}
		o, err := parseObject(raw)
		if err != nil {
			return nil, within(fmt.Sprintf("[%d].", i), err)
		}
		objects[i] = o
	}
	return objects, nil
}

// within puts a prefix before the path that an error of a param begins with.
func within(prefix string, err error) error {
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams && e.Code != jsonrpc.MethodAddressMismatch {
		return err
	}
	c := *e
	c.Message = prefix + e.Message
	return &c
}

func (o object) has(name string) bool { return o[name] != nil }

// oneOf returns which of several names of one param is used, the first when
// none is. Two that differ are refused.
func (o object) oneOf(names ...string) (string, error) {
	used := ""
	for _, name := range names {
		switch {
		case !o.has(name):
		case used == "":
			used = name
		case !sameJSON(o[used], o[name]):
			return used, jsonrpc.InvalidParam(name, "differs from %s, which is the same param: give one of them", used)
		}
	}
	if used == "" {
		used = names[0]
	}
	return used, nil
}

// sameJSON compares two JSON texts without their white space.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func textOf(path string, raw json.RawMessage) (string, error) {
	if n := len(raw) - 1; n > 0 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1:n]), nil // nothing in it is escaped
	}
	var text string
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return "", jsonrpc.InvalidParam(path, "must be a string, here %s", jsonrpc.KindOf(raw))
	}
	if clarity.LoneSurrogate(raw) {
		return "", jsonrpc.InvalidParam(path, "holds a lone surrogate, must be well-formed text")
	}
	return text, nil
}

func integerRule(least uint64) string {
	return fmt.Sprintf("must be an integer from %d to 18446744073709551615, as a decimal string or a JSON integer", least)
}

func integerOf(path string, raw json.RawMessage, least uint64) (uint64, error) {
	text := string(raw)
	if raw[0] == '"' {
		if err := json.Unmarshal(raw, &text); err != nil {
			return 0, jsonrpc.InvalidParam(path, "%s", integerRule(least))
		}
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least {
		return 0, jsonrpc.InvalidParam(path, "%s", integerRule(least))
	}
	return n, nil
}

const valueRule = `must be a Clarity value: hexadecimal digits or JSON {"type", "value"}`

func valueOf(path string, raw json.RawMessage) (clarity.Value, error) {
	switch raw[0] {
	case '"':
		text, err := textOf(path, raw)
		if err != nil {
			return nil, err
		}
		v, err := clarity.DecodeHex(text)
		if err != nil {
			return nil, jsonrpc.InvalidParam(path, "%v; %s", err, valueRule)
		}
		return v, nil
	case '{':
		v, err := clarity.ParseJSON(raw)
		if err != nil {
			return nil, nested(path, err, valueRule)
		}
		return v, nil
	}
	return nil, jsonrpc.InvalidParam(path, "%s, here %s", valueRule, jsonrpc.KindOf(raw))
}

// nested puts the path inside a value after that of the param.
func nested(path string, err error, rule string) error {
	if at, is := errors.AsType[*clarity.PathError](err); is {
		return jsonrpc.InvalidParam(path+at.Path, "%v; %s", at.Err, rule)
	}
	return jsonrpc.InvalidParam(path, "%v; %s", err, rule)
}

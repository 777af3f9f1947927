package wallet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsnumber"
)

// Undefined is JavaScript's undefined among params: a key with it is dropped
// when the params are sent.
type Undefined struct{}

// object is a JSON object that keeps the order of its keys: the storage record
// is written in the order in which the library would write it.
type object struct {
	keys   []string
	values map[string]any
}

func newObject() *object { return &object{values: map[string]any{}} }

func (o *object) get(key string) (any, bool) {
	v, there := o.values[key]
	return v, there
}

func (o *object) set(key string, v any) {
	if _, there := o.values[key]; !there {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) delete(key string) {
	if _, there := o.values[key]; !there {
		return
	}
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// clone copies the object, not what it holds.
func (o *object) clone() *object {
	return &object{slices.Clone(o.keys), maps.Clone(o.values)}
}

// read decodes one JSON text into nil, bool, json.Number, string, []any and
// *object.
func read(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, maxDepth)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err == nil {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return v, nil
}

// maxDepth bounds how deep the JSON of a page or a wallet may nest.
const maxDepth = 512

func readValue(d *json.Decoder, depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("the JSON nests deeper than %d levels", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			v, err := readValue(d, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	o := newObject()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := readValue(d, depth-1)
		if err != nil {
			return nil, err
		}
		o.set(key.(string), v)
	}
	_, err = d.Token()
	return o, err
}

// write encodes as JSON.stringify does: undefined members are dropped,
// undefined items are null, a bigint throws.
func write(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := writeValue(&b, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func writeValue(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case nil, Undefined:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case json.Number:
		b.WriteString(v.String())
	case string:
		b.WriteString(clarity.QuoteJSON(v))
	case *big.Int:
		return typeError("Do not know how to serialize a BigInt")
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeValue(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case *object:
		b.WriteByte('{')
		first := true
		for _, key := range v.keys {
			member := v.values[key]
			if _, dropped := member.(Undefined); dropped {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteString(clarity.QuoteJSON(key) + ":")
			if err := writeValue(b, member); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	default:
		return fmt.Errorf("wallet: no JSON form for %T", v)
	}
	return nil
}

// value turns what a Go caller passes as params into the values above. Integers
// become numbers, *big.Int becomes a bigint, functions become undefined; any
// other type goes through its JSON form.
func value(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, json.Number, Undefined, *object:
		return v, nil
	case *big.Int:
		if v == nil {
			return Undefined{}, nil
		}
		return v, nil
	case big.Int:
		return &v, nil
	case json.RawMessage:
		if len(v) == 0 {
			return Undefined{}, nil
		}
		return read(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			var err error
			if list[i], err = value(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		o := newObject()
		for _, key := range slices.Sorted(maps.Keys(v)) {
			member, err := value(v[key])
			if err != nil {
				return nil, err
			}
			o.set(key, member)
		}
		return o, nil
	}
	if reflect.TypeOf(v).Kind() == reflect.Func {
		return Undefined{}, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("wallet: params: %w", err)
	}
	return read(raw)
}

// show gives the text that JavaScript makes of a value in its messages.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case Undefined:
		return "undefined"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return jsnumber.Format(toNumber(v))
	case *big.Int:
		return v.String()
	case string:
		return v
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			switch item.(type) {
			case nil, Undefined:
			default:
				items[i] = show(item)
			}
		}
		return strings.Join(items, ",")
	}
	return "[object Object]"
}

// truthy reports whether JavaScript takes a value for true.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil, Undefined:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f := toNumber(v)
		return f != 0 && f == f
	case *big.Int:
		return v.Sign() != 0
	}
	return true
}

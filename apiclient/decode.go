package apiclient

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"chainscope/apiclient/internal/jsoncursor"
)

// decoder decodes the body of an answer. The decoded strings may share its
// memory.
type decoder[T any] func(body string) (T, error)

// newDecoder makes the decoder of a whole body out of one of a value. Inlined, as the
// other makers of decoders, it would be in the program once for each decoder, not once for
// each type.
//
//go:noinline
func newDecoder[T any](value func(*jsoncursor.Cursor, *T)) decoder[T] {
	return func(body string) (T, error) {
		var v T
		c := jsoncursor.New(body)
		value(c, &v)
		return v, c.End()
	}
}

// field is a key of an object and how its value is read into a T.
type field[T any] struct {
	key  string
	read func(*jsoncursor.Cursor, *T)
}

// fieldTable lists the fields of an object, in the order in which the servers
// write them, which makes each the next one to be looked for.
type fieldTable[T any] []field[T]

// decode reads an object into v; null and "" leave v as it is. Fields that are
// not in the table go to extra as they came.
func (t fieldTable[T]) decode(c *jsoncursor.Cursor, v *T, extra *map[string]json.RawMessage) {
	if !c.Object() {
		return
	}
	for next := 0; ; {
		key, ok := c.Key()
		if !ok {
			return
		}
		if i := t.find(key, next); i >= 0 {
			t[i].read(c, v)
			next = i + 1
		} else {
			collectUnknown(c, extra, key)
		}
	}
}

// find returns the index of key, or -1. It begins at index from.
func (t fieldTable[T]) find(key string, from int) int {
	for n := range t {
		i := from + n
		if i >= len(t) {
			i -= len(t)
		}
		if t[i].key == key {
			return i
		}
	}
	return -1
}

// collectUnknown keeps the value of an unknown field.
func collectUnknown(c *jsoncursor.Cursor, extra *map[string]json.RawMessage, key string) {
	raw := c.Skip()
	if c.Err() != nil {
		return
	}
	if *extra == nil {
		*extra = make(map[string]json.RawMessage)
	}
	(*extra)[strings.Clone(key)] = json.RawMessage(raw)
}

// requireObject makes a value that is no object an error.
//
//go:noinline
func requireObject[T any](value func(*jsoncursor.Cursor, *T)) func(*jsoncursor.Cursor, *T) {
	return func(c *jsoncursor.Cursor, v *T) {
		if !c.Here('{') {
			c.Want("an object")
			return
		}
		value(c, v)
	}
}

// maxNumber is the greatest number that every JSON reader takes as it is,
// 2^53-1. No height, time, count or cost of a chain comes near it.
const maxNumber = 1<<53 - 1

// numberBetween reads a whole number from least to maxNumber; known is false for
// null and "".
func numberBetween(c *jsoncursor.Cursor, least int64) (n int64, known bool) {
	at := c.Offset()
	n, known = c.Int()
	switch {
	case !known:
		return 0, false
	case n < least && least == 0:
		c.Fail(at, "the number is negative")
	case n < least:
		c.Fail(at, "the number is below "+strconv.FormatInt(least, 10))
	case n > maxNumber:
		c.Fail(at, "the number is above 2^53-1")
	default:
		return n, true
	}
	return 0, false
}

// count reads a number that cannot be negative; null and "" are 0.
func count(c *jsoncursor.Cursor) int64 {
	n, _ := numberBetween(c, 0)
	return n
}

// smallInt reads a number of 32 bits; null and "" are nil.
func smallInt(c *jsoncursor.Cursor) *int {
	at := c.Offset()
	n, known := c.Int()
	if !known {
		return nil
	}
	small := int(int32(n))
	if int64(small) != n {
		c.Fail(at, "the number is out of range")
		return nil
	}
	return &small
}

// texts reads a list of strings; null and "" are nil.
func texts(c *jsoncursor.Cursor) []string {
	if !c.Array() {
		return nil
	}
	out := []string{}
	for c.Item() {
		if cap(out) == 0 {
			out = make([]string, 0, 16)
		}
		out = append(out, c.String())
	}
	return out
}

// tenure reads a tenure height. Servers write -1 for one that they do not know.
func tenure(c *jsoncursor.Cursor) *int64 {
	n, known := numberBetween(c, -1)
	if !known || n < 0 {
		return nil
	}
	return &n
}

// supply reads a decimal string. What a contract claims that is no such number,
// or one of more digits than are worth reading, comes back as text: one absurd
// value must not hide a token.
func supply(c *jsoncursor.Cursor) (n *big.Int, text string) {
	const most = 1000
	s := c.Digits()
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > most || strings.Trim(digits, "0123456789") != "" {
		return nil, s
	}
	n, _ = new(big.Int).SetString(s, 10)
	return n, ""
}

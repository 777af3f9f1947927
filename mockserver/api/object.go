package api

import (
	"net/http"
	"slices"
	"strconv"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/internal/plainjson"
)

// object is a JSON object whose fields keep their order.
type object []field

type field struct {
	name  string // ASCII without quotes and backslashes
	value any
}

// object answers with an object.
func (x *Exchange) object(o object) { x.JSON(http.StatusOK, o.appendJSON(nil)) }

// MarshalJSON lets an object be part of other values.
func (o object) MarshalJSON() ([]byte, error) { return o.appendJSON(nil), nil }

// appendJSON writes the fields in their order. It writes by itself what pages are full of: an
// encoder for each field would make a page of blocks take three times as long.
func (o object) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, f := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, f.name...)
		dst = append(dst, `":`...)
		switch v := f.value.(type) {
		case nil:
			dst = append(dst, "null"...)
		case object:
			dst = v.appendJSON(dst)
		case []object:
			dst = append(dst, '[')
			for i, one := range v {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = one.appendJSON(dst)
			}
			dst = append(dst, ']')
		case int:
			dst = strconv.AppendInt(dst, int64(v), 10)
		case int64:
			dst = strconv.AppendInt(dst, v, 10)
		case uint64:
			dst = strconv.AppendUint(dst, v, 10)
		case bool:
			dst = strconv.AppendBool(dst, v)
		case string:
			dst = appendText(dst, v)
		case chain.Hash:
			dst = append(dst, '"')
			dst = append(dst, v.String()...)
			dst = append(dst, '"')
		default:
			dst = plainjson.Append(dst, v)
		}
	}
	return append(dst, '}')
}

// appendText writes a text. Nearly all are plain.
func appendText(dst []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return plainjson.Append(dst, text)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}

// filled leaves out fields that are "".
func (o object) filled() object {
	return slices.DeleteFunc(o, func(f field) bool { return f.value == "" })
}

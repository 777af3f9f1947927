package mockserver

import (
	"net/http"
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
func (x *exchange) object(o object) { x.json(http.StatusOK, o.appendJSON(make([]byte, 0, 1_024))) }

// MarshalJSON lets an object stand in other values.
func (o object) MarshalJSON() ([]byte, error) { return o.appendJSON(nil), nil }

// appendJSON writes the fields in their order. It writes what pages are full of by itself: an encoder for each field would
// make a page of blocks take three times as long.
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
		case chain.Hash:
			dst = append(dst, '"')
			dst = append(dst, v.String()...)
			dst = append(dst, '"')
		default:
			dst = append(dst, plainjson.Encode(v)...)
		}
	}
	return append(dst, '}')
}

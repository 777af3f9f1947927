// Package plainjson writes JSON as the real services do: without escapes for HTML and
// without a newline at the end.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Encode returns v as JSON. It is for types of the mock's own, which always encode, and
// panics for others.
func Encode(v any) []byte { return Append(nil, v) }

// Append returns Encode behind what dst holds.
func Append(dst []byte, v any) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("plainjson: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

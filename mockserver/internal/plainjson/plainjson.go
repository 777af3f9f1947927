// Package plainjson writes JSON as the real services do: without escapes for HTML and
// without a newline at the end, and reads it strictly.
package plainjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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

// Decode reads one JSON value whose fields are all known.
func Decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

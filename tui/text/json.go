package text

import (
	"bytes"
	"encoding/json"
	"errors"
)

// EncodeJSON writes a value as JSON without escapes for HTML; nil when it has no JSON.
func EncodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// CompactJSON writes JSON on one line. What is not JSON stays as it is. The result is
// as untrusted as raw.
func CompactJSON(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// IndentJSON writes JSON over several lines. What is not JSON stays as it is. The
// result is as untrusted as raw.
func IndentJSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// Member is one member of a JSON object.
type Member struct {
	Name string
	JSON json.RawMessage
}

// Members takes a JSON object apart, in its order.
func Members(raw []byte) ([]Member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("is no object")
	}
	var out []Member
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := Member{}
		m.Name, _ = t.(string)
		if err := d.Decode(&m.JSON); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	_, err := d.Token()
	return out, err
}

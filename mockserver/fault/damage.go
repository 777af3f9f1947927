package fault

import (
	"bytes"
	"encoding/json"
)

// Cut returns what Truncate leaves of a body: its first half, never all of it, and
// never valid JSON if it was an object or an array.
func Cut(body []byte) []byte {
	if len(body) < 2 {
		return nil
	}
	return body[:len(body)/2]
}

// Retype changes the JSON type of one field that the contract fixes: a field of
// the first result, of the object itself, or the first entry of a list. bits
// choose the field. What is no JSON object or array comes back as it was.
func Retype(body []byte, bits uint64) []byte {
	fields := members(body, 0)
	if len(fields) == 0 {
		switch {
		case bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")):
			return []byte("{}")
		case bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
			return []byte("[]")
		}
		return body
	}
	if fields[0].key == "" { // a list: its first entry
		return fields[0].replace(body)
	}
	for _, f := range fields {
		if f.key != "results" {
			continue
		}
		rows := members(body[f.start:f.end], f.start)
		if len(rows) > 0 {
			if inner := members(body[rows[0].start:rows[0].end], rows[0].start); len(inner) > 0 {
				fields = inner
			}
		}
		break
	}
	return fields[bits%uint64(len(fields))].replace(body)
}

// member is the place of a value in a body; key is "" in a list.
type member struct {
	key        string
	start, end int
}

// members returns the direct members of the object or array in text, which begins
// at offset base of its body.
func members(text []byte, base int) []member {
	d := json.NewDecoder(bytes.NewReader(text))
	open, _ := d.Token() // nil where there is an error
	if open != json.Delim('{') && open != json.Delim('[') {
		return nil
	}
	var out []member
	for d.More() {
		var m member
		if open == json.Delim('{') {
			key, err := d.Token()
			if err != nil {
				return nil
			}
			m.key, _ = key.(string)
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil
		}
		m.end = base + int(d.InputOffset())
		m.start = m.end - len(raw)
		out = append(out, m)
	}
	return out
}

// replace puts a value of a type that is surely wrong in the member's place.
func (m member) replace(body []byte) []byte {
	wrong := `{"mock":"wrong type"}`
	if first := body[m.start]; first == '{' || first == '[' {
		wrong = `"wrong type"`
	}
	out := append([]byte(nil), body[:m.start]...)
	out = append(out, wrong...)
	return append(out, body[m.end:]...)
}

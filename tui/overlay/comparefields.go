package overlay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// field is one value of the two things; a missing one is nil.
type field struct {
	name string
	a, b *string
}

// same reports whether both have the same value.
func (f field) same() bool { return f.a != nil && f.b != nil && *f.a == *f.b }

// change returns by how much a number differs, "" for anything else.
func (f field) change() string {
	if f.a == nil || f.b == nil || f.same() {
		return ""
	}
	a, okA := new(big.Int).SetString(*f.a, 10)
	b, okB := new(big.Int).SetString(*f.b, 10)
	if !okA || !okB {
		return ""
	}
	return fmt.Sprintf("%+d", new(big.Int).Sub(b, a))
}

// mostFields bounds how many values of a thing are compared.
const mostFields = 2000

// pair joins the values of two JSON texts, in the order of the first.
func pair(a, b json.RawMessage) []field {
	var all []field
	at := map[string]int{}
	for _, v := range flatten(a) {
		at[v[0]] = len(all)
		all = append(all, field{name: v[0], a: &v[1]})
	}
	for _, v := range flatten(b) {
		if i, there := at[v[0]]; there {
			all[i].b = &v[1]
		} else {
			all = append(all, field{name: v[0], b: &v[1]})
		}
	}
	return all
}

// flatten lists the values of a JSON text with their paths: "metadata.name",
// "txs.0". What follows an error is left out.
func flatten(raw json.RawMessage) [][2]string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out [][2]string
	var walk func(path string) bool
	walk = func(path string) bool {
		token, err := d.Token()
		if err != nil || len(out) >= mostFields {
			return false
		}
		open, nested := token.(json.Delim)
		if !nested {
			out = append(out, [2]string{path, write(token)})
			return true
		}
		for i := 0; d.More(); i++ {
			name := fmt.Sprint(i)
			if open == '{' {
				key, err := d.Token()
				if err != nil {
					return false
				}
				name = fmt.Sprint(key)
			}
			if !walk(strings.TrimPrefix(path+"."+name, ".")) {
				return false
			}
		}
		_, err = d.Token()
		return err == nil
	}
	walk("")
	return out
}

func write(token json.Token) string {
	if token == nil {
		return "null"
	}
	return fmt.Sprint(token)
}

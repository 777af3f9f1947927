package mockserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tree is a JSON value whose objects keep the order of their keys.
type tree struct {
	kind string // what a value is: object, array, number, bool, null, or how its text is written
	text string // of a scalar
	keys []string
	of   []*tree // by key, or the entries of an array
}

func parseTree(t testing.TB, body []byte) *tree {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	v, err := readTree(d)
	if err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	return v
}

func readTree(d *json.Decoder) (*tree, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		n := &tree{kind: map[json.Delim]string{'{': "object", '[': "array"}[v]}
		for d.More() {
			if v == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.keys = append(n.keys, key.(string))
			}
			one, err := readTree(d)
			if err != nil {
				return nil, err
			}
			n.of = append(n.of, one)
		}
		_, err = d.Token()
		return n, err
	case json.Number:
		return &tree{kind: "number", text: v.String()}, nil
	case bool:
		return &tree{kind: "bool", text: fmt.Sprint(v)}, nil
	case string:
		return &tree{kind: kindOfText(v), text: v}, nil
	}
	return &tree{kind: "null", text: "null"}, nil
}

// textKinds describe how a text is written, where that is not just any text.
var textKinds = []struct {
	kind  string
	shape *regexp.Regexp
}{
	{"no text", regexp.MustCompile(`^$`)},
	{"id", regexp.MustCompile(`^0x[0-9a-f]{64}$`)},
	{"hexadecimal", regexp.MustCompile(`^0x[0-9a-f]*$`)},
	{"amount", regexp.MustCompile(`^-?[0-9]+$`)},
	{"time", regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*Z$`)},
	{"cursor", regexp.MustCompile(`^-?[0-9a-fx]+:[0-9A-Za-z:.-]+$`)},
	{"contract", regexp.MustCompile(`^S[0-9A-Z]{27,40}\.[a-z0-9-]+$`)},
	{"asset", regexp.MustCompile(`^S[0-9A-Z]{27,40}\.[a-z0-9-]+::[a-z0-9-]+$`)},
	{"address", regexp.MustCompile(`^S[0-9A-Z]{27,40}$`)},
}

func kindOfText(s string) string {
	for _, k := range textKinds {
		if k.shape.MatchString(s) {
			return k.kind
		}
	}
	return "text"
}

// words are keys whose values are words of the API: they have to be the recorded ones.
var words = []string{
	"tx_status", "status", "tx_type", "type", "event_type", "asset_event_type", "post_condition_mode",
	"condition_code", "type_id", "found", "canonical", "entity_type", "function_name", "function_signature", "topic",
	"involvement", "transfer_type", "sponsored", "message", "error", "statusCode", "code", "is_unanchored", "microblock_hash",
}

// sorts are the words that say what an entry of a list is.
var sorts = []string{"tx_status", "status", "tx_type", "type", "event_type", "asset_event_type", "sponsored", "transfer_type", "involvement"}

// sort returns what an entry of a list is, as far as its keys depend on it.
func (n *tree) sort() string {
	var out []string
	for i, key := range n.keys {
		switch one := n.of[i]; {
		case slices.Contains(sorts, key) && one.keys == nil:
			out = append(out, one.text)
		case key == "sponsor", key == "memo":
			out = append(out, key+"="+one.kind)
		case one.kind == "object":
			out = append(out, one.sort())
		}
	}
	return strings.Join(out, " ")
}

// lists are arrays whose entries depend on what is in the chain beside what is requested.
var lists = []string{"results", "events"}

// entries hold what was recorded in lists, by sort.
type entries map[string][]*tree

func (e entries) add(key string, n *tree) {
	for i, one := range n.of {
		switch {
		case n.kind == "object":
			e.add(n.keys[i], one)
		case slices.Contains(lists, key):
			e[one.sort()] = append(e[one.sort()], one)
			e.add("", one)
		default:
			e.add("", one)
		}
	}
}

// differ returns where a value is not like the recorded one, "" for nowhere. Keys, their order,
// the kinds of values, the words of the API and the lengths of lists have to agree.
func (e entries) differ(at string, got, want *tree) string {
	if got.kind != want.kind {
		if strings.HasSuffix(at, ".vm_error") { // a node may say why, or nothing
			return ""
		}
		return fmt.Sprintf("%s is %s, not %s", at, got.kind, want.kind)
	}
	if !slices.Equal(got.keys, want.keys) {
		return fmt.Sprintf("%s has %s", at, cmpKeys(got.keys, want.keys))
	}
	key := at[strings.LastIndexByte(at, '.')+1:]
	if slices.Contains(words, key) && got.text != want.text {
		return fmt.Sprintf("%s is %q, not %q", at, got.text, want.text)
	}
	if len(got.of) != len(want.of) {
		return fmt.Sprintf("%s has %d entries, not %d", at, len(got.of), len(want.of))
	}
	for i, one := range got.of {
		where := at + "." + fmt.Sprint(i)
		if got.kind == "object" {
			where = at + "." + got.keys[i]
		}
		like := []*tree{want.of[i]}
		if s := one.sort(); slices.Contains(lists, key) && s != want.of[i].sort() {
			if like = e[s]; len(like) == 0 {
				return fmt.Sprintf("%s is %q, which was not recorded", where, s)
			}
		}
		if why := e.differAll(where, one, like); why != "" {
			return why
		}
	}
	return ""
}

// differAll returns where a value is not like any of those that were recorded.
func (e entries) differAll(at string, got *tree, like []*tree) (why string) {
	for _, one := range like {
		if why = e.differ(at, got, one); why == "" {
			return ""
		}
	}
	return why
}

// cmpKeys returns how keys differ.
func cmpKeys(got, want []string) string {
	missing := slices.DeleteFunc(slices.Clone(want), func(k string) bool { return slices.Contains(got, k) })
	more := slices.DeleteFunc(slices.Clone(got), func(k string) bool { return slices.Contains(want, k) })
	if len(missing)+len(more) == 0 {
		return fmt.Sprintf("the keys in another order: %v, not %v", got, want)
	}
	return fmt.Sprintf("not %v, but %v", missing, more)
}

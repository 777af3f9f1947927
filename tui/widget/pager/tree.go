package pager

import (
	"bytes"
	"encoding/json"
	"fmt"

	"chainscope/tui/text"
)

// maxDepth bounds how deep values may nest before the text is shown as it is.
const maxDepth = 500

type kind uint8

const (
	object kind = iota
	array
	word   // a string
	number // as it was written, with all its digits
	other  // true, false, null
)

// node is one value. Children of an object have keys.
type node struct {
	kind     kind
	key      string
	keyed    bool
	text     string // of a leaf, as written in JSON
	children []*node
	folded   bool
	last     bool // no comma after it
}

// parse reads JSON in the order in which it was written.
func parse(raw []byte) (*node, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	root, err := value(decoder, 0)
	if err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("there is more after the value, at byte %d", decoder.InputOffset())
	}
	root.last = true
	return root, nil
}

func value(d *json.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("values nest deeper than %d", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		n := &node{kind: array}
		if token == '{' {
			n.kind = object
		}
		for d.More() {
			if err := child(d, n, depth); err != nil {
				return nil, err
			}
		}
		if _, err := d.Token(); err != nil {
			return nil, err
		}
		if len(n.children) > 0 {
			n.children[len(n.children)-1].last = true
		}
		return n, nil
	case string:
		return &node{kind: word, text: string(text.EncodeJSON(token))}, nil
	case json.Number:
		return &node{kind: number, text: token.String()}, nil
	case bool:
		return &node{kind: other, text: fmt.Sprint(token)}, nil
	}
	return &node{kind: other, text: "null"}, nil
}

func child(d *json.Decoder, parent *node, depth int) error {
	key, keyed := "", parent.kind == object
	if keyed {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key, _ = token.(string)
	}
	n, err := value(d, depth+1)
	if err != nil {
		return err
	}
	n.key, n.keyed = key, keyed
	parent.children = append(parent.children, n)
	return nil
}

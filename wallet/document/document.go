// Package document reads what a user writes by hand, strictly: YAML of one document, whose
// nodes know their lines, and JSON of one value, whose fields are all known.
package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML returns the root of a document, nil if it is empty.
func YAML(data []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	if err := d.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil //nolint:nilnil // an empty text is no error
		}
		return nil, plain(err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document; write one list")
	}
	// A key that is given twice, an alias within its own anchor, aliases without bound.
	if err := document.Decode(new(any)); err != nil {
		return nil, plain(err)
	}
	return document.Content[0], nil
}

// plain takes from an error of the decoder what says nothing to a user.
func plain(err error) error {
	return errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  "))
}

// Field is a named value of a mapping.
type Field struct {
	Name  string
	Value *yaml.Node
}

// Fields returns the fields of a mapping, with those that are merged into it, in the order of the
// text, and false for what is no mapping. Aliases are replaced by what they refer to.
func Fields(node *yaml.Node) ([]Field, bool) {
	var all map[string]yaml.Node
	if node = resolved(node); node.Kind != yaml.MappingNode || node.Decode(&all) != nil {
		return nil, false
	}
	fields := make([]Field, 0, len(all))
	for name, value := range all {
		fields = append(fields, Field{name, &value})
	}
	slices.SortFunc(fields, func(a, b Field) int {
		return cmp.Or(a.Value.Line-b.Value.Line, a.Value.Column-b.Value.Column)
	})
	for i := range fields {
		fields[i].Value = resolved(fields[i].Value)
	}
	return fields, true
}

// Value returns a node as the objects and lists that JSON has, with what scalar makes of the rest.
func Value(node *yaml.Node, scalar func(*yaml.Node) (any, error)) (any, error) {
	node = resolved(node)
	if fields, ok := Fields(node); ok {
		object := make(map[string]any, len(fields))
		for _, f := range fields {
			value, err := Value(f.Value, scalar)
			if err != nil {
				return nil, err
			}
			object[f.Name] = value
		}
		return object, nil
	}
	if node.Kind != yaml.SequenceNode {
		return scalar(node)
	}
	list := make([]any, len(node.Content))
	for i, item := range node.Content {
		var err error
		if list[i], err = Value(item, scalar); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// resolved returns the node that an alias refers to, and any other as it is.
func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// JSON reads one value whose fields are all known.
func JSON(data []byte, into any) error {
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

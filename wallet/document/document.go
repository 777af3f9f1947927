// Package document reads what a user writes by hand, strictly: YAML of one document, whose
// nodes know their lines, and JSON of one value, whose fields are all known.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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

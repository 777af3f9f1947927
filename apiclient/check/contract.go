package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// contract holds what an OpenAPI document says of a server: its routes, their
// parameters and the schemas of their answers. It is the only place that rules come
// from.
type contract struct {
	operations []operation
	schemas    map[string]*schema
}

// operation is one GET route.
type operation struct {
	path       string
	parameters []parameter
	// responses are the schemas of answers by status, such as "200" or "4XX".
	responses map[string]*schema
}

type parameter struct {
	Name   string  `json:"name"`
	In     string  `json:"in"`
	Schema *schema `json:"schema"`
}

// besideTag marks the routes of a document that are beside the contract: a server
// need not have them.
const besideTag = "backend"

// readContract reads the GET routes of an OpenAPI document, in the order of their
// paths.
func readContract(document []byte) (*contract, error) {
	var doc struct {
		Paths map[string]struct {
			Get *struct {
				Tags       []string    `json:"tags"`
				Parameters []parameter `json:"parameters"`
				Responses  map[string]struct {
					Content map[string]struct {
						Schema *schema `json:"schema"`
					} `json:"content"`
				} `json:"responses"`
			} `json:"get"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]*schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("the contract: %w", err)
	}
	c := &contract{schemas: doc.Components.Schemas}
	for path, item := range doc.Paths {
		if item.Get == nil || slices.Contains(item.Get.Tags, besideTag) {
			continue
		}
		op := operation{path: path, parameters: item.Get.Parameters, responses: map[string]*schema{}}
		for status, response := range item.Get.Responses {
			op.responses[status] = response.Content["application/json"].Schema
		}
		c.operations = append(c.operations, op)
	}
	if len(c.operations) == 0 {
		return nil, errors.New("the contract names no route")
	}
	sort.Slice(c.operations, func(i, j int) bool { return c.operations[i].path < c.operations[j].path })
	return c, nil
}

// answers returns the schema of an answer with a status, nil when the contract says
// nothing of its body; known is false when it does not have the status.
func (o operation) answers(status int) (s *schema, known bool) {
	exact := strconv.Itoa(status)
	for _, key := range []string{exact, exact[:1] + "XX", "default"} {
		if s, known = o.responses[key]; known {
			return s, true
		}
	}
	return nil, false
}

// at returns the path with its parameters replaced, false when one has no value.
func (o operation) at(values map[string]string) (string, bool) {
	path := o.path
	for _, p := range o.parameters {
		if p.In != "path" {
			continue
		}
		value, known := values[p.Name]
		if !known {
			return "", false
		}
		path = strings.ReplaceAll(path, "{"+p.Name+"}", value)
	}
	return path, true
}

// matches reports whether a path without its query is one of the operation's.
func (o operation) matches(path string) bool {
	want, got := strings.Split(o.path, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, part := range want {
		if part != got[i] && (!strings.HasPrefix(part, "{") || got[i] == "") {
			return false
		}
	}
	return true
}

// refused returns a parameter with a value that its schema does not allow: one above
// its maximum, else one that does not match its pattern, else a word for a number.
func (o operation) refused() (p parameter, value string, found bool) {
	for _, p := range o.parameters {
		if p.Schema != nil && p.Schema.Maximum != nil {
			return p, strconv.FormatFloat(*p.Schema.Maximum+1, 'f', -1, 64), true
		}
	}
	const word = "none"
	for _, p := range o.parameters {
		if s := p.Schema; s != nil && (s.Pattern != "" && !s.matches(word) || s.Type == "integer" || s.Type == "number") {
			return p, word, true
		}
	}
	return parameter{}, "", false
}

package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// schema is the part of JSON Schema that the contract's document uses.
type schema struct {
	Ref                  string             `json:"$ref"`
	Type                 string             `json:"type"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties json.RawMessage    `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	MaxItems             *int               `json:"maxItems"`
	Pattern              string             `json:"pattern"`
	Enum                 []any              `json:"enum"`
	Minimum              *float64           `json:"minimum"`
	Maximum              *float64           `json:"maximum"`
	Default              any                `json:"default"`
	AnyOf                []*schema          `json:"anyOf"`
	OneOf                []*schema          `json:"oneOf"`
}

// matches reports whether a text matches the pattern. A pattern that is no regular
// expression matches everything.
func (s *schema) matches(text string) bool {
	pattern, err := regexp.Compile(s.Pattern)
	return err != nil || pattern.MatchString(text)
}

// comparison collects where a value differs from a schema.
type comparison struct {
	schemas  map[string]*schema
	findings []Finding
}

func (c *comparison) add(severity Severity, where, what string) {
	f := Finding{Severity: severity, Where: where, What: what}
	if !slices.Contains(c.findings, f) {
		c.findings = append(c.findings, f)
	}
}

// value compares a decoded value with a schema. Elements of a list have one path:
// results[].height.
func (c *comparison) value(s *schema, value any, where string) {
	if s != nil && s.Ref != "" {
		s = c.schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	switch {
	case s == nil:
		return
	case len(s.AnyOf) > 0 || len(s.OneOf) > 0:
		c.closest(append(slices.Clone(s.AnyOf), s.OneOf...), value, where)
		return
	case s.Type != "" && !isOfType(s.Type, value):
		c.add(Error, where, fmt.Sprintf("is %s, the contract says %s", typeOf(value), s.Type))
		return
	}
	c.bounds(s, value, where)
	switch v := value.(type) {
	case map[string]any:
		c.object(s, v, where)
	case []any:
		if s.MaxItems != nil && len(v) > *s.MaxItems {
			c.add(Warning, where, fmt.Sprintf("has %d elements, the contract allows %d", len(v), *s.MaxItems))
		}
		for _, element := range v {
			c.value(s.Items, element, where+"[]")
		}
	}
}

// closest compares a value with the alternative that it fits best.
func (c *comparison) closest(alternatives []*schema, value any, where string) {
	var best []Finding
	for i, s := range alternatives {
		one := comparison{schemas: c.schemas}
		one.value(s, value, where)
		if i == 0 || len(one.findings) < len(best) {
			best = one.findings
		}
	}
	for _, f := range best {
		c.add(f.Severity, f.Where, f.What)
	}
}

func (c *comparison) object(s *schema, object map[string]any, where string) {
	inside := func(name string) string { return strings.TrimPrefix(where+"."+name, ".") }
	for _, name := range s.Required {
		if _, there := object[name]; !there {
			c.add(Error, inside(name), "is missing")
		}
	}
	var rest *schema
	open := string(s.AdditionalProperties) != "false"
	if len(s.AdditionalProperties) > 0 && s.AdditionalProperties[0] == '{' {
		rest = new(schema)
		_ = json.Unmarshal(s.AdditionalProperties, rest) // it was decoded with the document
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property, known := s.Properties[name]
		switch {
		case known && object[name] == nil && !slices.Contains(s.Required, name):
			c.add(Warning, inside(name), "is null where the contract leaves it out")
		case known:
			c.value(property, object[name], inside(name))
		case rest != nil:
			c.value(rest, object[name], inside("*"))
		case !open:
			c.add(Warning, inside(name), "is unknown to the contract ("+typeOf(object[name])+")")
		}
	}
}

// bounds compares a value with what a schema says beside its type.
func (c *comparison) bounds(s *schema, value any, where string) {
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(one any) bool { return fmt.Sprint(one) == fmt.Sprint(value) }) {
		c.add(Warning, where, "has a value that the contract does not list")
	}
	switch v := value.(type) {
	case string:
		if s.Pattern != "" && !s.matches(v) {
			c.add(Warning, where, "does not match "+s.Pattern)
		}
	case json.Number:
		n, err := v.Float64()
		switch {
		case err != nil:
			c.add(Error, where, "is a number out of range")
		case s.Minimum != nil && n < *s.Minimum:
			c.add(Warning, where, "is below "+strconv.FormatFloat(*s.Minimum, 'f', -1, 64))
		case s.Maximum != nil && n > *s.Maximum:
			c.add(Warning, where, "is above "+strconv.FormatFloat(*s.Maximum, 'f', -1, 64))
		}
	}
}

// typeOf names the JSON type of a decoded value.
func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	}
	return "object"
}

// isOfType reports whether a value has a type of JSON Schema, in which every integer
// is a number and 1.0 is an integer.
func isOfType(want string, value any) bool {
	got := typeOf(value)
	if got == want || want == "number" && got == "integer" {
		return true
	}
	n, isNumber := value.(json.Number)
	if want != "integer" || !isNumber {
		return false
	}
	f, err := n.Float64()
	return err == nil && f == float64(int64(f))
}

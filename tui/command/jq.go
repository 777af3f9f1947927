package command

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"github.com/itchyny/gojq"
)

// jqFilter is the expression of --jq.
type jqFilter struct{ code *gojq.Code }

// newJQ compiles an expression.
func newJQ(expression string) (*jqFilter, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, usagef("--jq: %v", err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, usagef("--jq: %v", err)
	}
	return &jqFilter{code}, nil
}

// run filters a JSON text and prints each result: a string as it is, anything
// else as JSON.
func (f *jqFilter) run(ctx context.Context, raw json.RawMessage, print func(string) error) error {
	value, err := decodeJSON(raw)
	if err != nil {
		return err
	}
	results := f.code.RunWithContext(ctx, exact(value))
	for {
		result, more := results.Next()
		if !more {
			return nil
		}
		if err, failed := result.(error); failed {
			return jqError(err)
		}
		if err := print(jqText(result)); err != nil {
			return err
		}
	}
}

func jqError(err error) error {
	var halt *gojq.HaltError
	switch {
	case errors.As(err, &halt) && halt.Value() == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return err
	}
	return &Error{Kind: KindInvalidInput, Message: "--jq: " + err.Error(), err: err}
}

func jqText(result any) string {
	if s, ok := result.(string); ok {
		return s
	}
	raw, err := gojq.Marshal(result)
	if err != nil {
		return "null"
	}
	return string(raw)
}

// exact replaces the numbers of a decoded JSON value by those of jq: whole ones
// keep all their digits.
func exact(value any) any {
	switch v := value.(type) {
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			if n, ok := new(big.Int).SetString(string(v), 10); ok {
				if n.IsInt64() {
					return int(n.Int64())
				}
				return n
			}
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = exact(v[key])
		}
	}
	return value
}

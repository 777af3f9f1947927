package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/signer"
)

// call is one request on its way from the page to the engine.
type call struct {
	method string // as the page called it
	as     string // the signer's method
	values map[string]json.RawMessage
	// ignored are the params that the wallet drops.
	ignored  []string
	fillZero bool
	describe bool     // addresses come with descriptors
	purposes []string // of addresses that were asked for
	network  string   // that was asked for, as the signer names it
}

// read takes the params apart; null counts as absent, for the whole and for a
// member.
func (c *call) read(params json.RawMessage) error {
	c.values = map[string]json.RawMessage{}
	params = bytes.TrimSpace(params)
	if len(params) == 0 || string(params) == "null" {
		return nil
	}
	if params[0] != '{' || json.Unmarshal(params, &c.values) != nil {
		return jsonrpc.InvalidParam("params", "must be an object, here %s", jsonrpc.KindOf(params))
	}
	for name, raw := range c.values {
		if absent(raw) {
			delete(c.values, name)
		}
	}
	return nil
}

// take keeps the named params. Others are refused by a strict wallet, and
// ignored by the rest.
func (c *call) take(names []string, strict bool) error {
	for name := range c.values {
		if slices.Contains(names, name) {
			continue
		}
		if strict {
			return jsonrpc.InvalidParam(brief(name), "is not a param of %s", c.method)
		}
		delete(c.values, name)
		c.ignore(name)
	}
	return nil
}

// ignore notes a param that is dropped.
func (c *call) ignore(path string) { c.ignored = append(c.ignored, brief(path)) }

// set writes a param.
func (c *call) set(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return jsonrpc.NewError(jsonrpc.InternalError, "the params cannot be written again")
	}
	c.values[name] = text
	return nil
}

// text reads a string, "" when there is none.
func (c *call) text(name string) (string, error) {
	raw := c.values[name]
	if raw == nil {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return "", jsonrpc.InvalidParam(name, "must be a string, here %s", jsonrpc.KindOf(raw))
	}
	return text, nil
}

// encode writes the params for the engine, nil for none.
func (c *call) encode() (json.RawMessage, error) {
	if len(c.values) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(c.values)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the params cannot be written again")
	}
	return text, nil
}

// noteKey is the key of [notes] in a context.
type noteKey struct{}

// notes are what the wallet in front knows of a request beside its params. They
// travel in the context, as they are of one request.
type notes struct {
	ignored     []string
	fillZero    bool
	descriptors bool
}

// notes adds what there is to know to the context.
func (c *call) notes(ctx context.Context) context.Context {
	slices.Sort(c.ignored)
	return context.WithValue(ctx, noteKey{}, notes{c.ignored, c.fillZero, c.describe})
}

// noted returns the environment with the notes of the context.
func noted(ctx context.Context, env signer.Env) signer.Env {
	if n, ok := ctx.Value(noteKey{}).(notes); ok {
		env.Ignored, env.FillZero, env.Descriptors = n.ignored, n.fillZero, n.descriptors
	}
	return env
}

// needsParams reports whether a method of the signer has a param that must be
// there.
func needsParams(method string) bool {
	m, known := signer.Lookup(method)
	return known && m.Needs()
}

func takesNetwork(method string) bool {
	m, known := signer.Lookup(method)
	return known && m.Takes("network")
}

// absent reports whether a member is missing; null counts as missing.
func absent(raw json.RawMessage) bool { return raw == nil || string(raw) == "null" }

// first is the first byte of a JSON value: " for a string, [ for an array.
func first(raw json.RawMessage) byte {
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}

// only is an answer that keeps the named members of the result.
func only(names ...string) func(*Mock, *call, json.RawMessage) (json.RawMessage, error) {
	return func(_ *Mock, _ *call, result json.RawMessage) (json.RawMessage, error) {
		o, err := resultOf(result)
		if err != nil {
			return nil, err
		}
		for name := range o {
			if !slices.Contains(names, name) {
				delete(o, name)
			}
		}
		return marshal(o)
	}
}

func resultOf(result json.RawMessage) (map[string]json.RawMessage, error) {
	var o map[string]json.RawMessage
	if json.Unmarshal(result, &o) != nil || o == nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the result cannot be read")
	}
	return o, nil
}

func marshal(v any) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the result cannot be written: %v", err)
	}
	return text, nil
}

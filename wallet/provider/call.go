package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/signer"
)

// call is one request on its way from the page to the engine.
type call struct {
	row
	method  string          // as the page called it
	as      string          // the signer's method
	given   json.RawMessage // the params as they came
	values  map[string]json.RawMessage
	changed bool // values are no longer what was given
	// ignored are the params that the wallet drops.
	ignored  []string
	purposes []string // of addresses that were requested
	network  string   // that was requested, as the signer names it
}

// prepare makes the params of the signer's method of those of the page, as the row of the
// model says.
func (c *call) prepare(model *Model) error {
	if err := c.read(); err != nil {
		return err
	}
	if c.params != "*" {
		c.changed = true
		if err := c.selectParams(model.Strict); err != nil {
			return err
		}
	}
	if c.needs != "" && c.values[c.needs] == nil {
		return jsonrpc.InvalidParam(c.needs, "%s", c.needsRule)
	}
	for name, why := range c.refuses {
		if c.values[name] != nil {
			return jsonrpc.InvalidParam(name, "%s", why)
		}
	}
	for _, name := range strings.Fields(c.drops) {
		if c.values[name] != nil {
			delete(c.values, name)
			c.changed = true
			c.ignore(name)
		}
	}
	if err := c.shape(!model.Strict); err != nil {
		return err
	}
	for name, value := range c.defaults {
		if c.values[name] == nil {
			c.set(name, value)
		}
	}
	if network, err := c.text("network"); err == nil && c.networks[network] != "" {
		c.set("network", c.networks[network])
	}
	if err := c.readTitle(); err != nil || c.check == nil {
		return err
	}
	return c.check(c)
}

// read takes the params apart; null counts as absent, for the whole and for a
// member.
func (c *call) read() error {
	c.values = map[string]json.RawMessage{}
	params := bytes.TrimSpace(c.given)
	if len(params) == 0 || string(params) == "null" {
		return nil
	}
	if params[0] != '{' || json.Unmarshal(params, &c.values) != nil {
		return jsonrpc.InvalidParam("params", "must be an object, here %s", jsonrpc.KindOf(params))
	}
	maps.DeleteFunc(c.values, func(_ string, raw json.RawMessage) bool { return string(raw) == "null" })
	return nil
}

// selectParams keeps the params that the wallet reads. Others are refused by a strict wallet, and
// ignored by the rest.
func (c *call) selectParams(strict bool) error {
	for name := range c.values {
		if slices.Contains(c.names(), name) {
			continue
		}
		if strict {
			return jsonrpc.InvalidParam(clarity.Brief(name, 80), "is not a param of %s", c.method)
		}
		delete(c.values, name)
		c.ignore(name)
	}
	return nil
}

// shape refuses params that have another form than the wallet takes. Members that the
// signer does not know in the entries of a list are ignored where that is wanted.
func (c *call) shape(ignoring bool) error {
	for name, form := range c.shapes {
		if raw := c.values[name]; raw != nil && !form.fits(raw) {
			return jsonrpc.InvalidParam(name, "%s", form.rule)
		}
	}
	m, _ := signer.Lookup(c.as)
	for _, p := range m.Params {
		if p.Kind != signer.KindList || p.Single() || c.values[p.Name] == nil || !ignoring {
			continue
		}
		var entries []map[string]json.RawMessage
		if json.Unmarshal(c.values[p.Name], &entries) != nil {
			return nil //nolint:nilerr // the signer says what is wrong
		}
		for i, entry := range entries {
			path := signer.Indexed(p.Name, i) + "."
			for name, raw := range entry {
				known := slices.ContainsFunc(p.Items, func(item signer.Param) bool { return item.Name == name })
				if form, shaped := c.shapes[p.Name+"[]."+name]; shaped && !form.fits(raw) {
					return jsonrpc.InvalidParam(path+name, "%s", form.rule)
				}
				if !known {
					delete(entry, name)
					c.ignore(path + name)
				}
			}
		}
		c.set(p.Name, entries)
	}
	return nil
}

// readTitle reads the network that the page names as sats-connect does.
func (c *call) readTitle() error {
	if c.title == "" || c.values[c.title] == nil {
		return nil
	}
	title, err := c.text(c.title)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(signer.BitcoinNetworks(), func(name string) bool { return strings.EqualFold(name, title) })
	if i < 0 {
		return jsonrpc.InvalidParam(c.title, "%.40q is unknown, must be Mainnet, Testnet, Testnet4, Signet or Regtest", title)
	}
	c.network = strings.ToLower(title)
	if c.title == "network" {
		c.set("network", c.network)
	}
	return nil
}

// ignore notes a param that is dropped.
func (c *call) ignore(path string) { c.ignored = append(c.ignored, clarity.Brief(path, 80)) }

// set writes a param.
func (c *call) set(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic("provider: a param cannot be written again") // cannot happen: it was read, or is a string
	}
	c.values[name], c.changed = text, true
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
	if !c.changed {
		return c.given, nil
	}
	if len(c.values) == 0 {
		return nil, nil
	}
	return marshal(c.values)
}

// noteKey is the key of [notes] in a context.
type noteKey struct{}

// notes hold what the wallet in front has of a request beside its params. They
// travel in the context, as they are of one request.
type notes struct {
	ignored     []string
	fillZero    bool
	descriptors bool
	versionless bool
}

// notes adds what there is to know to the context.
func (c *call) notes(ctx context.Context) context.Context {
	return context.WithValue(ctx, noteKey{}, notes{c.ignored, c.fillZero, c.descriptors, c.versionless})
}

// noted returns the environment with the notes of the context.
func noted(ctx context.Context, env signer.Env) signer.Env {
	if n, ok := ctx.Value(noteKey{}).(notes); ok {
		env.Ignored, env.FillZero, env.Descriptors, env.Versionless = n.ignored, n.fillZero, n.descriptors, n.versionless
	}
	return env
}

// newCall begins a call of a method.
func newCall(r row, method string, params json.RawMessage) *call {
	return &call{row: r, method: method, as: cmp.Or(r.signs, method), given: params}
}

// resultOf takes an object apart that the engine answers.
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
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v cannot be written", err)
	}
	return text, nil
}

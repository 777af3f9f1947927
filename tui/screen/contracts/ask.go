package contracts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// target holds what is called or read: a function, a variable, a constant or a map.
type target struct {
	contract, name string
	args           []abi.Field
	returns        abi.Type
	kind           targetKind
}

type targetKind int

const (
	readOnly targetKind = iota
	public
	variable
	constant
	entry // of a map
)

// targetOf finds what has a name in a contract; the error says what there is.
func targetOf(of *resource.Contract, name string, function bool) (target, error) {
	t := target{contract: of.ID, name: name}
	if of.Wrong != nil {
		return t, of.Wrong
	}
	if f, there := of.Face.Function(name); there && function {
		t.args, t.returns = f.Args, f.Outputs.Type
		switch f.Access {
		case abi.Public:
			t.kind = public
		case abi.ReadOnly:
		default:
			return t, fmt.Errorf("%s is private: only the contract itself can call it", name)
		}
		return t, nil
	}
	if v, there := of.Face.Variable(name); there && !function {
		t.kind, t.returns = variable, v.Type
		if v.Access == abi.Constant {
			t.kind = constant
		}
		return t, nil
	}
	if m, there := of.Face.Map(name); there && !function {
		t.kind, t.args, t.returns = entry, []abi.Field{{Name: "key", Type: m.Key}}, abi.Type{Kind: abi.Optional, Of: []abi.Type{m.Value}}
		return t, nil
	}
	return t, fmt.Errorf("the contract has nothing called %s", name)
}

// answer is the outcome of a call or a read.
type answer struct {
	arguments string // the arguments, as they are written
	value     clarity.Value
	repr      string
	lines     []string
	// cause reports why a call returned no value: the call failed, not the request.
	cause    string
	raw      json.RawMessage
	exchange uint64
	duration time.Duration
}

// request calls or reads.
func (t *target) request(ctx context.Context, c *apiclient.Client, now func() time.Time, args []clarity.Value, sender string) (answer, error) {
	began := now()
	hex := make([]string, len(args))
	var a answer
	for i, v := range args {
		digits, err := clarity.EncodeHex(v)
		if err != nil {
			return a, err
		}
		hex[i] = "0x" + digits
		if i > 0 {
			a.arguments += " "
		}
		a.arguments += clarity.Repr(v)
	}
	digits, err := t.read(ctx, c, &a, hex, sender)
	if a.duration = now().Sub(began); err != nil || a.cause != "" {
		return a, err
	}
	if a.value, err = clarity.DecodeHex(digits); err != nil {
		return a, fmt.Errorf("the value cannot be read: %w", err)
	}
	a.repr, a.lines = clarity.Repr(a.value), layout(a.value)
	return a, nil
}

// read requests the value, and returns it in hex.
func (t *target) read(ctx context.Context, c *apiclient.Client, a *answer, args []string, sender string) (string, error) {
	var kept apiclient.Answer[apiclient.StateValue]
	var err error
	switch t.kind {
	case variable:
		kept, err = c.DataVar(ctx, t.contract, t.name)
	case constant:
		kept, err = c.Constant(ctx, t.contract, t.name)
	case entry:
		if len(args) != 1 {
			return "", errors.New("a map is read by one key")
		}
		kept, err = c.MapEntry(ctx, t.contract, t.name, args[0])
	default:
		called, err := c.CallReadOnly(ctx, t.contract, t.name, sender, args)
		a.raw, a.exchange = called.Raw, called.ExchangeID
		if err == nil && !called.Value.Okay {
			a.cause = resource.RefusedCall(t.name, called.Value.Cause)
		}
		return called.Value.Result, err
	}
	a.raw, a.exchange = kept.Raw, kept.ExchangeID
	return kept.Value.Data, err
}

package signer

import (
	"context"
	"encoding/json"

	"chainscope/wallet/jsonrpc"
)

// fixed is a call that needs nothing of the chain, and has no fee to change.
type fixed struct {
	description Description
	sign        func() (any, error)
}

// Method returns the name of the method.
func (c fixed) Method() string { return c.description.Method }

// Prepare has nothing to fill in.
func (c fixed) Prepare(context.Context) (Call, error) { return c, nil }

// Edit refuses.
func (c fixed) Edit(Edit) (Call, error) {
	return nil, jsonrpc.InvalidParam("fee", "this method has no fee and no nonce to change")
}

// Describe returns what will be signed or given out.
func (c fixed) Describe() Description { return c.description }

// Sign signs, or gives out, what was described.
func (c fixed) Sign(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := c.sign()
	if err != nil {
		return nil, err
	}
	return result(v)
}

// result writes the result of a method.
func result(v any) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the result cannot be written: %v", err)
	}
	return text, nil
}

// maxBatch bounds how many messages or transactions one request may have.
const maxBatch = 100

// batch is several calls that one approval is for.
type batch struct {
	fixed
	calls []Call
	join  func(results []json.RawMessage) (any, error)
}

// Prepare prepares each of the calls.
func (c batch) Prepare(ctx context.Context) (Call, error) {
	prepared := make([]Call, len(c.calls))
	for i, call := range c.calls {
		var err error
		if prepared[i], err = call.Prepare(ctx); err != nil {
			return nil, err
		}
	}
	c.calls = prepared
	return c, nil
}

// Describe describes each of the calls.
func (c batch) Describe() Description {
	d := c.description
	d.Batch = make([]Description, len(c.calls))
	for i, call := range c.calls {
		d.Batch[i] = call.Describe()
	}
	return d
}

// Sign signs the calls in their order.
func (c batch) Sign(ctx context.Context) (json.RawMessage, error) {
	results := make([]json.RawMessage, len(c.calls))
	for i, call := range c.calls {
		var err error
		if results[i], err = call.Sign(ctx); err != nil {
			return nil, err
		}
	}
	v, err := c.join(results)
	if err != nil {
		return nil, err
	}
	return result(v)
}

package signer

import (
	"context"
	"encoding/json"
)

// runRequest takes one request all the way: parse, prepare, approve, sign.
func runRequest(ctx context.Context, method string, params json.RawMessage, env Env, approver Approver) (json.RawMessage, error) {
	call, err := Parse(method, params, env)
	if err != nil {
		return nil, err
	}
	if call, err = call.Prepare(ctx); err != nil {
		return nil, err
	}
	if call, err = Approve(ctx, call, approver); err != nil {
		return nil, err
	}
	return call.Sign(ctx)
}

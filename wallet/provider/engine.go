package provider

import (
	"context"
	"encoding/json"
)

// Engine holds what is behind a mock wallet: it runs a method from its params
// to its result, approval included. Errors are
// [*chainscope/wallet/jsonrpc.Error].
type Engine interface {
	Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// EngineFunc makes a function an [Engine].
type EngineFunc func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

// Call calls the function.
func (f EngineFunc) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	return f(ctx, method, params)
}

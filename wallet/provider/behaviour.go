package provider

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chainscope/wallet/jsonrpc"
)

// Behaviour changes how any mock wallet answers.
type Behaviour string

// The behaviours. Asking, approving and rejecting are three ways to answer the
// same question and are given to the engine as its approver; the other three
// change what happens around it.
const (
	Asks     Behaviour = "asks"     // a person is asked
	Approves Behaviour = "approves" // every valid request is approved
	Rejects  Behaviour = "rejects"  // every valid request is refused
	Slow     Behaviour = "slow"     // as before, after a while
	Locked   Behaviour = "locked"   // the wallet is locked and does nothing
	Failing  Behaviour = "failing"  // the wallet breaks
)

// Behaviours returns all of them, in the order in which they are offered.
func Behaviours() []Behaviour {
	return []Behaviour{Asks, Approves, Rejects, Slow, Locked, Failing}
}

// slowness is the time that a slow wallet takes.
const slowness = 3 * time.Second

// errLocked and errFailing mark errors of a behaviour, so that a personality
// can answer in its own way.
var (
	errLocked  = errors.New("the wallet is locked")
	errFailing = errors.New("the wallet failed")
)

// Behave lays a behaviour over an engine. [Asks], [Approves] and [Rejects] leave
// it as it is. Sleep waits where the wallet is slow.
func Behave(e Engine, b Behaviour, sleep func(context.Context, time.Duration) error) Engine {
	switch b {
	case Slow:
		return EngineFunc(func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			if err := sleep(ctx, slowness); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "the request was withdrawn", Cause: err}
			}
			return e.Call(ctx, method, params)
		})
	case Locked:
		return broken(&jsonrpc.Error{Code: jsonrpc.MethodAccessDenied, Message: "the wallet is locked", Cause: errLocked})
	case Failing:
		return broken(&jsonrpc.Error{Code: jsonrpc.InternalError, Message: "the wallet failed", Cause: errFailing})
	}
	return e
}

func broken(err *jsonrpc.Error) Engine {
	return EngineFunc(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		c := *err
		return nil, &c
	})
}

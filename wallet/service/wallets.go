package service

import (
	"context"
	"encoding/json"
	"errors"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// newMock returns a mock wallet of this service.
func (s *Service) newMock(p provider.Personality) *provider.Mock {
	m := provider.NewMock(p, provider.EngineFunc(s.call))
	m.OnRequest, m.OnIgnored = s.received, s.ignored
	return m
}

// maxIgnored bounds how many dropped params a call names.
const maxIgnored = 32

// ignored notes the params that a wallet dropped.
func (s *Service) ignored(ctx context.Context, _ string, params []string) {
	c := callOf(ctx)
	if c == nil {
		return
	}
	s.mu.Lock()
	c.Ignored = params[:min(len(params), maxIgnored)]
	s.mu.Unlock()
}

// received notes what reached a wallet, which is not always what was requested.
func (s *Service) received(ctx context.Context, p provider.Personality, method string, params json.RawMessage) {
	c := callOf(ctx)
	if c == nil {
		return
	}
	s.mu.Lock()
	c.Wallet, c.Received = p, &Received{method, params}
	s.mu.Unlock()
}

// call runs a request that a mock wallet has received: it is the engine of all
// of them, each with its behaviour as it is at the time of the request.
func (s *Service) call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	c := callOf(ctx)
	if c == nil {
		return nil, errNoCall
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.behaving(ctx, c.Wallet, s.signing).Call(ctx, method, params)
}

// behaving lays the behaviour of a wallet over an engine, as it is now.
func (s *Service) behaving(ctx context.Context, p provider.Personality, e provider.Engine) provider.Engine {
	s.mu.Lock()
	behaviour, persona := s.behaviour(p), s.persona
	if of := replayOf(ctx); of != nil {
		persona = of.Persona
	}
	if s.keys.locked() || persona == LockedWallet {
		behaviour = provider.Locked
	}
	s.mu.Unlock()
	return provider.Behave(e, behaviour, s.options.Sleep)
}

var errNoCall = errors.New("a request must come through Request, Connect or the bridge")

// unwrapReply returns what a wallet resolved or rejected with as a result or an
// error.
func unwrapReply(envelope json.RawMessage, err error) (json.RawMessage, *jsonrpc.Error) {
	if err != nil {
		var rejection *provider.Rejection
		var failure *jsonrpc.Error
		switch {
		case errors.As(err, &rejection):
			envelope = rejection.Value
		case errors.As(err, &failure):
			return nil, failure
		default:
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
	}
	reply, err := jsonrpc.ParseReply(envelope)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the wallet's answer is not JSON")
	}
	if reply.Error != nil {
		e := &jsonrpc.Error{}
		if err := json.Unmarshal(reply.Error, e); err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "the wallet's error is malformed")
		}
		return nil, e
	}
	return reply.Result, nil
}

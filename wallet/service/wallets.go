package service

import (
	"context"
	"encoding/json"
	"errors"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// watched is a mock wallet that notes what it receives.
type watched struct {
	*provider.Mock
	service *Service
}

// Request notes method and params as they arrive at the wallet, which is not
// always as the caller gave them.
func (w *watched) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if c := callOf(ctx); c != nil {
		w.service.received(c, w.Personality(), method, params)
	}
	return w.Mock.Request(ctx, method, params)
}

// engine is what stands behind a mock wallet: its manner, as it is when a
// request comes, over the one signer.
func (s *Service) engine(p provider.Personality) provider.Engine {
	return provider.EngineFunc(func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		s.mu.Lock()
		manner := s.manner(p)
		if s.keys.Ring == nil {
			manner.Behaviour = provider.Locked
		}
		s.mu.Unlock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return provider.Behave(s.signing, manner).Call(ctx, method, params)
	})
}

// answerOf reads what a wallet resolves or rejects with as one answer.
func answerOf(envelope json.RawMessage, err error) (json.RawMessage, *jsonrpc.Error) {
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
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "the wallet's error is none")
		}
		return nil, e
	}
	return reply.Result, nil
}

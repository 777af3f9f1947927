package service

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"chainscope/wallet"
	"chainscope/wallet/clarity"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// Request is a request of a page to the library.
type Request struct {
	Method string
	Params json.RawMessage // nil for none
	// Options are the request options by the library's names
	// ([wallet.OptionNames]) with their JSON values.
	Options map[string]json.RawMessage
	// Raw sends the request to the wallet of this id without the library around it
	// (requestRaw); "" goes through the library.
	Raw string
}

// Outcome describes how a request came out.
type Outcome struct {
	Call   Call            // as it is in the timeline
	Result json.RawMessage // whole, nil for none
	Err    error           // a *jsonrpc.Error or a *wallet.Exception
	// Shown holds what was described last, nil when nothing was.
	Shown *signer.Description
}

// Request sends a request and waits for the answer, and for the user who decides. The
// end of ctx withdraws it.
func (s *Service) Request(ctx context.Context, r Request) Outcome {
	c := Call{Requester: Requester{Kind: s.options.Requester}, Kind: KindRequest, Method: r.Method, Params: r.Params, Options: r.Options}
	if r.Raw != "" {
		c.Kind, c.Options = KindRaw, map[string]json.RawMessage{"provider": json.RawMessage(clarity.QuoteJSON(r.Raw))}
	}
	return s.run(ctx, c, func(ctx context.Context) (json.RawMessage, error) {
		if r.Raw != "" {
			var p provider.Provider
			if found := s.library.Registry().Lookup(r.Raw); found != nil {
				p = found
			}
			return s.library.RequestRaw(ctx, p, r.Method, r.Params)
		}
		o, err := s.LibraryOptions(r.Options)
		if err != nil {
			return nil, err
		}
		var params any
		if len(r.Params) > 0 {
			params = r.Params
		}
		return s.library.Request(ctx, o, r.Method, params)
	})
}

// Connect makes the user select a wallet and requests its addresses. The
// network is passed on when it is not "".
func (s *Service) Connect(ctx context.Context, options map[string]json.RawMessage, network string) Outcome {
	c := Call{Requester: Requester{Kind: s.options.Requester}, Kind: KindConnect, Method: "getAddresses", Options: options}
	if network != "" {
		c.Params, _ = json.Marshal(map[string]string{"network": network})
	}
	return s.run(ctx, c, func(ctx context.Context) (json.RawMessage, error) {
		o, err := s.LibraryOptions(options)
		if err != nil {
			return nil, err
		}
		return s.library.Connect(ctx, o, network)
	})
}

// ErrOtherConnection says that another program has connected or disconnected since the connection was read.
var ErrOtherConnection = errors.New("nothing was done: another program has connected or disconnected meanwhile, see what is connected now")

// Disconnect forgets the wallet and the addresses. A connection that another program made since
// it was read last stays: the outcome is [ErrOtherConnection], without a call.
func (s *Service) Disconnect(ctx context.Context) Outcome {
	if s.connectionMoved() {
		s.ReadAdded()
		s.ReadConnection()
		s.messages.put(stateMoved{})
		return Outcome{Err: ErrOtherConnection}
	}
	c := Call{Requester: Requester{Kind: s.options.Requester}, Kind: KindDisconnect}
	return s.run(ctx, c, func(context.Context) (json.RawMessage, error) { return nil, s.library.Disconnect() })
}

// Replay makes the request of a call again, with its account and network. It goes to the wallet
// that had it, without a selector; a call of a page as it was received. Other keys than it had are an
// [*Obstacle].
func (s *Service) Replay(ctx context.Context, c Call) Outcome {
	if now, others := s.Others(c); others && c.Kind != KindDisconnect {
		return Outcome{Call: c, Err: obstacle("not sent: the keys are others now, %s in place of %s", now.Fingerprint, c.Keys.Fingerprint)}
	}
	switch c.Kind {
	case KindConnect:
		return s.Connect(ctx, c.Options, networkOf(c.Params))
	case KindDisconnect:
		return s.Disconnect(ctx)
	case KindRepair:
		r, err := repairOf(c)
		if err != nil {
			return Outcome{Call: c, Err: err}
		}
		o := s.Repair(context.WithValue(ctx, replayKey{}, &c), r)
		if o.Call.ID == 0 { // nothing was sent
			o.Call = c
		}
		return o
	}
	r, err := c.Again()
	if err != nil {
		return Outcome{Call: c, Err: err}
	}
	return s.Request(context.WithValue(ctx, replayKey{}, &c), r)
}

// RequestAs is [Service.Request] with the account, the network and the persona of a call.
func (s *Service) RequestAs(ctx context.Context, c Call, r Request) Outcome {
	return s.Request(context.WithValue(ctx, replayKey{}, &Call{Account: c.Account, Network: c.Network, Persona: c.Persona}), r)
}

var errCut = obstacle("the params of this call were too long to be kept")

// Again returns the same request to the same wallet, without a selector. The error is
// that of [Call.Request].
func (c Call) Again() (Request, error) {
	r, err := c.Request()
	if c.Kind == KindRequest && c.Wallet != "" {
		if r.Options = maps.Clone(r.Options); r.Options == nil {
			r.Options = map[string]json.RawMessage{}
		}
		delete(r.Options, "forceWalletSelect")
		r.Options["provider"] = json.RawMessage(clarity.QuoteJSON(c.Wallet.ID()))
	}
	return r, err
}

// Request returns the request that repeats the call. The error says when its
// params were too long to be kept.
func (c Call) Request() (Request, error) {
	if slices.Contains(c.Cut, "params") {
		return Request{}, errCut
	}
	r := Request{Method: c.Method, Params: c.Params, Options: c.Options}
	switch c.Kind {
	case KindRaw:
		var id string
		_ = json.Unmarshal(c.Options["provider"], &id)
		r.Raw, r.Options = id, nil
	case KindPage:
		r.Raw = c.Wallet.ID()
	}
	return r, nil
}

// LibraryOptions reads options by their names. The error names the wrong one.
func (s *Service) LibraryOptions(options map[string]json.RawMessage) (wallet.Options, error) {
	var o wallet.Options
	for _, name := range wallet.OptionNames() { // in one order, whatever the map's
		raw, there := options[name]
		if !there {
			continue
		}
		if err := s.library.SetOption(&o, name, raw); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (s *Service) run(ctx context.Context, c Call, do func(context.Context) (json.RawMessage, error)) Outcome {
	ctx, running := s.begin(ctx, c, 0)
	result, err := do(ctx)
	ended := s.end(ctx, running, result, err)
	s.ReadConnection()
	s.messages.put(stateMoved{})
	return Outcome{Call: ended, Result: result, Err: err, Shown: running.shown}
}

package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// Request calls a method of the wallet: of the option Provider, else of the
// remembered one, else of the one that the user selects. On its way the params
// are changed to what the kind of wallet takes (option EnableOverrides), and
// Clarity values, post-conditions and bigints among them become hex and
// decimal strings, always.
//
// Params is nil for none, a json.RawMessage, or a tree of Go values in which
// *big.Int is a bigint. The result is nil when the wallet answered with
// none. The error is a [*jsonrpc.Error], or an [*Exception] where the library
// lets one escape.
func (l *Library) Request(ctx context.Context, o Options, method string, params any) (json.RawMessage, error) {
	if raw, ok := params.(json.RawMessage); params == nil || ok && len(raw) == 0 {
		params = Undefined{}
	}
	tree, err := value(params)
	if err != nil {
		return nil, err
	}
	p := o.Provider
	if p == nil {
		p = l.SelectedProvider()
	}
	if p != nil && !o.forceSelect() {
		return l.call(ctx, o, p, method, tree)
	}
	if l.config.Selector == nil {
		return nil, nil
	}
	id, err := l.config.Selector.Select(ctx, l.Rows(o))
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.UserCanceled, Message: "User canceled the request", Cause: err}
	}
	result, err := l.call(ctx, o, l.config.Registry.Lookup(id), method, tree)
	if err != nil {
		return nil, err
	}
	if o.persist() {
		if err := l.SetSelectedProviderID(id); err != nil {
			l.config.Warn("Failed to store the selected provider:", err)
		}
	}
	return result, nil
}

// RequestRaw calls a method of a wallet with nothing around it but the mapping
// of its answer to a result or an error: no selector, no conversion, no
// storage.
func (l *Library) RequestRaw(ctx context.Context, p provider.Provider, method string, params json.RawMessage) (json.RawMessage, error) {
	return requestRaw(ctx, p, method, params)
}

// call sends one request to a wallet, with overrides, conversions and storage.
func (l *Library) call(ctx context.Context, o Options, p provider.Provider, method string, params any) (json.RawMessage, error) {
	_, object := params.(*object)
	_, absent := params.(Undefined)
	if p != nil && o.overrides() && (object || absent) {
		var err error
		if method, params, err = override(provider.KindOf(p), method, params); err != nil {
			return nil, err
		}
	}
	sent, err := serialize(params)
	if err != nil {
		return nil, err
	}
	raw, err := requestRaw(ctx, p, method, sent)
	if err != nil {
		return nil, err
	}
	var result any = Undefined{}
	if raw != nil {
		if result, err = read(raw); err != nil {
			return nil, jsonrpc.NewError(jsonrpc.UnknownError, "the result is not JSON")
		}
	}
	if o.localStorage() && (method == "getAddresses" || method == "wallet_connect") {
		if err := l.storeResult(result); err != nil {
			return nil, err
		}
	}
	if !o.overrides() {
		return raw, nil
	}
	return overrideResult(result)
}

func (l *Library) storeResult(result any) error {
	switch result := result.(type) {
	case *object:
		if addresses, there := result.get("addresses"); there {
			return l.store(addresses)
		}
		return nil
	case []any:
		return nil
	}
	return cannotSearch("addresses", result)
}

// requestRaw maps what a provider resolves or rejects with.
func requestRaw(ctx context.Context, p provider.Provider, method string, params json.RawMessage) (json.RawMessage, error) {
	if p == nil {
		return nil, unknown(cannotRead(Undefined{}, "request"))
	}
	envelope, err := p.Request(ctx, method, params)
	if err != nil {
		return nil, rejected(err)
	}
	reply, err := jsonrpc.ParseReply(envelope)
	switch {
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.UnknownError, Message: "the reply of the provider is not JSON", Cause: err}
	case reply.Absent:
		return nil, jsonrpc.NewError(jsonrpc.UnknownError, "Provider did not return a response")
	case !reply.Object:
		v, err := read(reply.Text)
		if err != nil {
			return nil, unknown(typeError("%s", err))
		}
		return nil, unknown(cannotSearch("error", v))
	case reply.Error != nil:
		e, exception := fromResponse(reply.Error)
		if exception != nil {
			return nil, unknown(exception)
		}
		return nil, e
	}
	return reply.Result, nil
}

// unknown returns an exception caught by the library: an error with no code of a
// wallet.
func unknown(e *Exception) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.UnknownError, Message: e.Message, Cause: e}
}

// fromResponse reads the value of an error key, which may be anything.
func fromResponse(raw json.RawMessage) (*jsonrpc.Error, *Exception) {
	v, err := read(raw)
	if err != nil {
		return nil, &Exception{Name: "SyntaxError", Message: err.Error()}
	}
	if v == nil {
		return nil, cannotRead(nil, "message")
	}
	o, _ := v.(*object)
	return errorOf(o, 0), nil
}

// errorOf reads code, message and data off an object. A code that is no integer
// is otherwise: Go has no place for it.
func errorOf(o *object, otherwise int) *jsonrpc.Error {
	e := &jsonrpc.Error{Code: otherwise}
	if n, ok := valueOf(o, "code").(json.Number); ok {
		if code, err := strconv.Atoi(n.String()); err == nil {
			e.Code = code
		}
	}
	switch message := valueOf(o, "message").(type) {
	case Undefined:
		e.NoMessage = true
	case string:
		e.Message = message
	default:
		e.Message = show(message)
	}
	if data := valueOf(o, "data"); data != any(Undefined{}) {
		e.Data, _ = write(data)
	}
	return e
}

// rejected maps what a provider rejects with. Envelopes and errors with a code
// keep it; what is no object at all escapes as an exception.
func rejected(err error) error {
	var r *provider.Rejection
	if !errors.As(err, &r) {
		if e, is := errors.AsType[*jsonrpc.Error](err); is {
			c := *e
			c.Cause = err
			return &c
		}
		return &jsonrpc.Error{Code: jsonrpc.UnknownError, Message: err.Error(), Cause: err}
	}
	var v any = Undefined{}
	if r.Value != nil {
		var readErr error
		if v, readErr = read(r.Value); readErr != nil {
			return &jsonrpc.Error{Code: jsonrpc.UnknownError, Message: "the provider rejected with what is not JSON", Cause: err}
		}
	}
	switch v := v.(type) {
	case *object:
		if _, envelope := v.get("jsonrpc"); !envelope {
			e := errorOf(v, jsonrpc.UnknownError)
			e.Cause = err
			return e
		}
		switch inner := valueOf(v, "error").(type) {
		case Undefined, nil:
			return cannotRead(inner, "message")
		case *object:
			return errorOf(inner, 0)
		default:
			return errorOf(nil, 0)
		}
	case []any:
		return &jsonrpc.Error{Code: jsonrpc.UnknownError, NoMessage: true, Cause: err}
	}
	return cannotSearch("jsonrpc", v)
}

package provider

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"chainscope/wallet/jsonrpc"
)

// leatherMethods are the methods that Leather has.
var leatherMethods = map[string]bool{
	"getAddresses": true, "stx_getAddresses": true, "sendTransfer": true, "signPsbt": true,
	"stx_transferStx": true, "stx_callContract": true, "stx_deployContract": true, "stx_signTransaction": true,
	"stx_signMessage": true, "stx_signStructuredMessage": true, "stx_transferSip10Ft": true, "stx_transferSip9Nft": true,
}

// leather answers as Leather does: PSBTs in hex, amounts as strings, no
// accounts, no empty messages.
func (m *Mock) leather(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if !leatherMethods[method] {
		return nil, jsonrpc.NewError(jsonrpc.MethodNotFound, "%q is not supported", method)
	}
	switch method {
	case "getAddresses":
		return m.engine.Call(ctx, method, params)
	case "stx_getAddresses": // the same answer as getAddresses
		return m.engine.Call(ctx, "getAddresses", params)
	}
	if params == nil {
		return nil, jsonrpc.NewError(jsonrpc.InvalidRequest, "params: are missing")
	}
	p, err := members(params)
	if err != nil {
		return nil, err
	}
	switch method {
	case "sendTransfer":
		if err := leatherAmounts(p["recipients"]); err != nil {
			return nil, err
		}
	case "signPsbt":
		return m.leatherPSBT(ctx, p)
	case "stx_signMessage":
		if string(p["message"]) == `""` || absent(p["message"]) {
			return nil, jsonrpc.NewError(jsonrpc.InvalidRequest, "message: is missing")
		}
	}
	result, err := m.engine.Call(ctx, method, params)
	if err != nil || method != "stx_signTransaction" {
		return result, err
	}
	return withCopy(result, "transaction", "txHex")
}

// leatherAmounts takes amounts of recipients as strings only.
func leatherAmounts(recipients json.RawMessage) error {
	var list []map[string]json.RawMessage
	if json.Unmarshal(recipients, &list) != nil {
		return jsonrpc.InvalidParam("recipients", "must be an array of objects with address and amount")
	}
	for i, r := range list {
		if first(r["amount"]) != '"' {
			return jsonrpc.InvalidParam(fmt.Sprintf("recipients[%d].amount", i), "must be a string of digits")
		}
	}
	return nil
}

// leatherPSBT takes {hex, signAtIndex, …} and answers with hex, never
// finalized.
func (m *Mock) leatherPSBT(ctx context.Context, p map[string]json.RawMessage) (json.RawMessage, error) {
	var text string
	if absent(p["hex"]) || json.Unmarshal(p["hex"], &text) != nil {
		return nil, jsonrpc.InvalidParam("hex", "must be a PSBT in hex, is missing")
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, jsonrpc.InvalidParam("hex", "must be a PSBT in hex, is not hex")
	}
	ours := map[string]json.RawMessage{}
	for _, key := range []string{"allowedSighash", "broadcast", "network", "account"} {
		if !absent(p[key]) {
			ours[key] = p[key]
		}
	}
	ours["psbt"], _ = json.Marshal(base64.StdEncoding.EncodeToString(raw))
	if at := p["signAtIndex"]; !absent(at) {
		if first(at) != '[' {
			at = json.RawMessage("[" + string(at) + "]")
		}
		ours["signInputs"] = at
	}
	params, err := object(ours)
	if err != nil {
		return nil, err
	}
	result, err := m.engine.Call(ctx, "signPsbt", params)
	if err != nil {
		return nil, err
	}
	var signed map[string]json.RawMessage
	var psbt string
	if json.Unmarshal(result, &signed) != nil || json.Unmarshal(signed["psbt"], &psbt) != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the signed PSBT cannot be read")
	}
	if raw, err = base64.StdEncoding.DecodeString(psbt); err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the signed PSBT cannot be read")
	}
	delete(signed, "psbt")
	signed["hex"], _ = json.Marshal(hex.EncodeToString(raw))
	return object(signed)
}

// withCopy adds a member that repeats another.
func withCopy(result json.RawMessage, from, to string) (json.RawMessage, error) {
	o, err := members(result)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the result cannot be read")
	}
	if v, there := o[from]; there {
		o[to] = v
	}
	return object(o)
}

// leatherError gives an error Leather's code.
func leatherError(e *jsonrpc.Error, cause error) *jsonrpc.Error {
	c := *e
	switch {
	case errors.Is(cause, errLocked):
		c.Code = jsonrpc.LeatherUnauthenticated
	case e.Code == jsonrpc.UserRejection:
		c.Code, c.Message = jsonrpc.LeatherUserRejection, "User rejected request"
	case e.Code == jsonrpc.MethodAccessDenied:
		c.Code = jsonrpc.LeatherAccessDenied
	case e.Code == jsonrpc.InternalError && e.Data != nil: // the node refused what was signed
		c.Code = jsonrpc.LeatherUnsupported
	}
	return &c
}

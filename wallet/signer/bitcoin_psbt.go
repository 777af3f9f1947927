package signer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

// psbtCall is signPsbt.
type psbtCall struct {
	description Description
	plan        *bitcoin.Plan
	account     *bitcoin.Account
	hex         bool // the PSBT came in hexadecimal digits and goes back so
}

func parseSignPsbt(o object, env Env) (Call, error) {
	n, notes, err := o.network(env)
	if err != nil {
		return nil, err
	}
	params, err := readSignPsbt(o)
	if err != nil {
		return nil, err
	}
	chosen, _, err := o.accountIndex()
	if err != nil {
		return nil, err
	}
	index, a, plan, err := env.planPSBT(n, params, chosen)
	if err != nil {
		return nil, err
	}
	d, err := env.describeBitcoin("signPsbt", index, n, notes, plan.Describe())
	if err != nil {
		return nil, err
	}
	if params.Request.Broadcast {
		d.Warnings = append(d.Warnings, Warning{Kind: WarnNotSent, Path: "broadcast", Text: "it is made final but not sent anywhere"})
	}
	return &psbtCall{d, plan, a, params.Request.Path == "hex"}, nil
}

// planPSBT finds the account that signs: the active one, or another of the
// wallet when the request names addresses that are all that one's. A chosen
// account signs, whichever is active.
func (env Env) planPSBT(n Network, params signPsbtParams, chosen *uint32) (uint32, *bitcoin.Account, *bitcoin.Plan, error) {
	if chosen != nil {
		return env.planFor(*chosen, n, params)
	}
	index, a, plan, first := env.planFor(env.Account, n, params)
	var e *jsonrpc.Error
	if first == nil || !errors.As(first, &e) || e.Code != jsonrpc.MethodAddressMismatch || !params.namesAddresses() {
		return index, a, plan, first
	}
	for other := range uint32(searchedAccounts) {
		if other == env.Account {
			continue
		}
		if index, a, plan, err := env.planFor(other, n, params); err == nil {
			return index, a, plan, nil
		}
	}
	return 0, nil, nil, first
}

func (out *signPsbtParams) namesAddresses() bool {
	for _, in := range out.Request.Inputs {
		if in.Address != "" {
			return true
		}
	}
	return false
}

func (env Env) planFor(index uint32, n Network, params signPsbtParams) (uint32, *bitcoin.Account, *bitcoin.Plan, error) {
	a, err := bitcoinAccount(env.Keys, index, n)
	if err != nil {
		return 0, nil, nil, err
	}
	plan, err := params.PSBT.Plan(&a.Owner, params.Request)
	if err != nil {
		return 0, nil, nil, bitcoinError(err)
	}
	for _, asked := range params.PublicKeys {
		own := &a.P2WPKH
		if params.PSBT.InputType(asked.Index) == bitcoin.P2TR {
			own = &a.P2TR
		}
		if !bytes.Equal(asked.PublicKey, own.PublicKey) && !bytes.Equal(asked.PublicKey, own.XOnly) {
			return 0, nil, nil, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is not the account's key of input %d", asked.Path, asked.Index)
		}
	}
	return index, a, plan, nil
}

func (c *psbtCall) Method() string                        { return c.description.Method }
func (c *psbtCall) Prepare(context.Context) (Call, error) { return c, nil }
func (c *psbtCall) Edit(Edit) (Call, error)               { return nil, errNothingToEdit() }
func (c *psbtCall) Describe() Description                 { return c.description }

func (c *psbtCall) Sign(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	signed, err := c.plan.Sign(c.account)
	if err != nil {
		return nil, bitcoinError(err)
	}
	out := struct {
		TxID        string `json:"txid,omitempty"`
		PSBT        string `json:"psbt,omitempty"`
		Hex         string `json:"hex,omitempty"`
		Transaction string `json:"transaction,omitempty"`
	}{TxID: signed.TxID, Transaction: signed.Transaction}
	if c.hex {
		out.Hex, err = signed.PSBT.Hex()
	} else {
		out.PSBT, err = signed.PSBT.Base64()
	}
	if err != nil {
		return nil, bitcoinError(err)
	}
	return result(out)
}

package signer

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

func parseSignTransaction(o object, env Env) (Call, error) {
	name, err := o.oneOf("transaction", "txHex")
	if err != nil {
		return nil, err
	}
	text, err := o.text(name)
	if err != nil {
		return nil, err
	}
	return readTransaction("stx_signTransaction", name, text, o, env)
}

// parseSignTransactions reads several transactions that one approval is for.
func parseSignTransactions(o object, env Env) (Call, error) {
	items, err := o.list("transactions")
	if err != nil {
		return nil, err
	}
	if len(items) == 0 || len(items) > maxBatch {
		return nil, jsonrpc.InvalidParam("transactions", "must be an array of 1 to %d transactions in hexadecimal digits", maxBatch)
	}
	batch := &batchCall{join: signAll}
	for i, raw := range items {
		path := indexed("transactions", i)
		text, err := textOf(path, raw)
		if err != nil {
			return nil, err
		}
		call, err := readTransaction("stx_signTransactions", path, text, o, env)
		if err != nil {
			return nil, err
		}
		batch.calls = append(batch.calls, call)
	}
	first := batch.calls[0].Describe()
	batch.description = Description{Method: "stx_signTransactions", Account: first.Account, Network: first.Network, Warnings: []Warning{}}
	return batch, nil
}

// signAll signs transactions in their order.
func signAll(ctx context.Context, calls []Call) (any, error) {
	var out struct {
		Transactions []string `json:"transactions"`
	}
	for _, call := range calls {
		text, err := call.Sign(ctx)
		if err != nil {
			return nil, err
		}
		var signed struct{ Transaction string }
		if err := json.Unmarshal(text, &signed); err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "the signed transaction cannot be read")
		}
		out.Transactions = append(out.Transactions, signed.Transaction)
	}
	return out, nil
}

// readTransaction reads a transaction that is to be signed as its origin.
func readTransaction(method, path, text string, o object, env Env) (Call, error) {
	broadcast, err := o.flag("broadcast")
	if err != nil {
		return nil, err
	}
	if _, err := o.optionalText("attachment"); err != nil {
		return nil, err
	}
	tx, err := stxtx.DecodeHex(text)
	if err == nil {
		err = tx.CheckNetwork()
	}
	if err != nil {
		return nil, jsonrpc.InvalidParam(path, "%v; must be a Stacks transaction in hexadecimal digits", err)
	}
	n, notes, err := o.transactionNetwork(tx, env)
	if err != nil {
		return nil, err
	}
	id, err := o.transactionSigner(path, tx, n, env)
	if err != nil {
		return nil, err
	}
	d := Description{Method: method, Account: id.Account, Network: n, Warnings: notes}
	d.describePayload(tx.Payload)
	w := warnings(d.Warnings)
	w.conditions(tx.PostConditions, n)
	if origin := &tx.Auth.Origin; origin.HashMode.Multisig() {
		d.Signers = &Signers{
			Address: origin.Address(tx.Mainnet()).String(), Mode: origin.HashMode.String(),
			Required: int(origin.Required), Signed: origin.Signatures(),
		}
		w.add(WarnMultisig, path, "the sender has several keys: with this signature it has %d of the %d that it requires", origin.Signatures()+1, origin.Required)
	}
	if o.has("attachment") {
		w.add(WarnAttachment, "attachment", "the attachment is not part of what is signed, and is sent nowhere")
	}
	d.Warnings = w
	c := &transactionCall{base: d, env: env, signer: id, tx: tx, fee: FromParams, nonce: FromParams, broadcast: broadcast}
	if env.FillZero {
		c.fillZero()
	}
	return c, c.encode()
}

// fillZero lets a fee or nonce of 0 be filled in, unless there is a signature
// already.
func (c *transactionCall) fillZero() {
	origin := &c.tx.Auth.Origin
	if origin.Signatures() > 0 {
		return
	}
	if origin.Nonce == 0 {
		c.nonce = FromNowhere
	}
	if origin.Fee == 0 && c.tx.Auth.Sponsor == nil {
		c.fee = FromNowhere
	}
}

// transactionSigner finds the account whose key signs: for one key the one that
// the transaction names, for several keys the one that the params name, or the
// active one. Which keys an origin of several keys has is known only when all
// of them stand in it; a key that is there already cannot sign once more.
func (o object) transactionSigner(path string, tx *stxtx.Transaction, n Network, env Env) (identity, error) {
	origin := &tx.Auth.Origin
	if !origin.HashMode.Multisig() {
		id, found, err := env.find(n, func(id identity) bool {
			return stxtx.SingleSigner(origin.HashMode, id.key.PublicKey()) == origin.Signer
		})
		if err == nil && !found {
			err = jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: its sender is not one of the wallet's; must be one of its first %d accounts", path, searchedAccounts)
		}
		if err != nil {
			return id, err
		}
		return id, o.sameSigner(id, n, env)
	}
	if origin.Signatures() >= int(origin.Required) {
		return identity{}, jsonrpc.InvalidParam(path, "has the %d signatures that it requires, must lack one", origin.Required)
	}
	id, err := o.signer(env, n)
	if err != nil {
		return id, err
	}
	keys, err := tx.OriginKeys()
	if err != nil {
		return id, jsonrpc.InvalidParam(path, "%v", err)
	}
	public := id.key.PublicKey()
	if slices.ContainsFunc(keys, func(key []byte) bool { return hex.EncodeToString(key) == hex.EncodeToString(public[:]) }) {
		return id, jsonrpc.InvalidParam(path, "holds the key of account %d already, must be signed by another", id.Index)
	}
	return id, nil
}

// sameSigner refuses params that name another account than the sender.
func (o object) sameSigner(id identity, n Network, env Env) error {
	for _, name := range append([]string{"address"}, signerNames...) {
		if !o.has(name) {
			continue
		}
		named, err := o.signer(env, n)
		if err == nil && named.Index != id.Index {
			err = jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is of account %d, but the sender of the transaction is account %d", name, named.Index, id.Index)
		}
		return err
	}
	return nil
}

// transactionNetwork is the network of the transaction, which the params may
// name but not change.
func (o object) transactionNetwork(tx *stxtx.Transaction, env Env) (Network, warnings, error) {
	n, notes, err := o.network(env)
	if err != nil {
		return n, nil, err
	}
	if n.Mainnet() == tx.Mainnet() {
		return n, notes, nil
	}
	name := "testnet"
	if tx.Mainnet() {
		name = "mainnet"
	}
	if o.has("network") {
		return n, nil, jsonrpc.InvalidParam("network", "is %s, but the transaction is for %s", n.Name, name)
	}
	if n, known := NetworkNamed(name); known {
		return n, notes, nil
	}
	return n, nil, fmt.Errorf("signer: no network %s", name)
}

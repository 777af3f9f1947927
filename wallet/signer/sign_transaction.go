package signer

import (
	"bytes"
	"encoding/json"
	"slices"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

func parseSignTransaction(r *request) (Call, error) {
	return r.readTransaction(r.paths["transaction"], get[*stxtx.Transaction](r, "transaction"))
}

// parseSignTransactions reads several transactions that one approval is for.
func parseSignTransactions(r *request) (Call, error) {
	list := items[*stxtx.Transaction](r, "transactions")
	if len(list) == 0 || len(list) > maxBatch {
		return nil, jsonrpc.InvalidParam("transactions", "must be an array of 1 to %d transactions in hexadecimal digits", maxBatch)
	}
	part := *r
	part.ignored = nil // that is said once
	all := batch{join: joinTransactions}
	for i, tx := range list {
		call, err := part.readTransaction(Indexed("transactions", i), tx)
		if err != nil {
			return nil, err
		}
		all.calls = append(all.calls, call)
	}
	first := all.calls[0].Describe()
	all.description = r.describe(first.Account, first.Network, Warnings{})
	return all, nil
}

// joinTransactions takes the transactions out of the results of stx_signTransaction.
func joinTransactions(results []json.RawMessage) (any, error) {
	var out struct {
		Transactions []string `json:"transactions"`
	}
	for _, text := range results {
		var signed struct{ Transaction string }
		if err := json.Unmarshal(text, &signed); err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "the signed transaction cannot be read")
		}
		out.Transactions = append(out.Transactions, signed.Transaction)
	}
	return out, nil
}

// readTransaction reads a transaction that is to be signed as its origin.
func (r *request) readTransaction(path string, tx *stxtx.Transaction) (Call, error) {
	n, notes, err := r.transactionNetwork(tx)
	if err != nil {
		return nil, err
	}
	id, err := r.transactionSigner(path, tx, n)
	if err != nil {
		return nil, err
	}
	d := r.describe(id.Account, n, notes)
	d.describePayload(tx.Payload)
	if origin := &tx.Auth.Origin; origin.HashMode.Multisig() {
		d.Signers = &Signers{
			Address: origin.Address(tx.Mainnet()).String(), Mode: origin.HashMode.String(),
			Required: int(origin.Required), Signed: origin.Signatures(),
		}
		d.Warnings.add(WarnMultisig, path, "the sender has several keys: with this signature it has %d of the %d that it requires", origin.Signatures()+1, origin.Required)
	}
	if r.has("attachment") {
		d.Warnings.add(WarnAttachment, "attachment", "the attachment is not part of what is signed, and is sent nowhere")
	}
	c := &transactionCall{base: d, env: r.env, signer: id, tx: tx, fee: FromParams, nonce: FromParams, broadcast: get[bool](r, "broadcast")}
	if r.env.FillZero {
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
// active one. Which keys an origin of several keys has is known only when it
// has all of them; a key that is there already cannot sign once more.
func (r *request) transactionSigner(path string, tx *stxtx.Transaction, n Network) (identity, error) {
	origin := &tx.Auth.Origin
	if !origin.HashMode.Multisig() {
		id, found, err := r.env.find(n, func(id identity) bool { return id.signs(origin, n.Mainnet()) })
		if err == nil && !found {
			err = jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: its sender is not one of the wallet's; must be one of its first %d accounts", path, searchedAccounts)
		}
		if err != nil {
			return id, err
		}
		return id, r.sameSigner(id, n)
	}
	if watched := r.env.Persona.Watched; watched != nil {
		return identity{}, jsonrpc.NewError(jsonrpc.InternalError, "this wallet only watches %s: it has no keys, and the sender of the transaction has several", watched)
	}
	if origin.Signatures() >= int(origin.Required) {
		return identity{}, jsonrpc.InvalidParam(path, "has the %d signatures that it requires, must lack one", origin.Required)
	}
	id, err := r.signer(n)
	if err != nil {
		return id, err
	}
	keys, err := tx.OriginKeys()
	if err != nil {
		return id, jsonrpc.InvalidParam(path, "%v", err)
	}
	public := id.key.PublicKey()
	if slices.ContainsFunc(keys, func(key []byte) bool { return bytes.Equal(key, public[:]) }) {
		return id, jsonrpc.InvalidParam(path, "holds the key of account %d already, must be signed by another", id.Index)
	}
	return id, nil
}

// sameSigner refuses params that name another account than the sender.
func (r *request) sameSigner(id identity, n Network) error {
	for _, name := range signerParams {
		if !r.has(name) {
			continue
		}
		named, err := r.signer(n)
		if err == nil && named.Index != id.Index {
			err = jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is of account %d, but the sender of the transaction is account %d", r.paths[name], named.Index, id.Index)
		}
		return err
	}
	return nil
}

// transactionNetwork returns the network of the transaction, which the params may
// name but not change.
func (r *request) transactionNetwork(tx *stxtx.Transaction) (Network, Warnings, error) {
	n, notes, err := r.network()
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
	if r.has("network") {
		return n, nil, jsonrpc.InvalidParam("network", "is %s, but the transaction is for %s", n.Name, name)
	}
	n, _ = NetworkNamed(name)
	return n, notes, nil
}

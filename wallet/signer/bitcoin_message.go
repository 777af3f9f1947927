package signer

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
)

// maxBatch bounds how many messages or transactions one request may have.
const maxBatch = 100

// bitcoinMessageCall is signMessage.
type bitcoinMessageCall struct {
	description Description
	account     *bitcoin.Account
}

func (c *bitcoinMessageCall) Method() string                        { return c.description.Method }
func (c *bitcoinMessageCall) Prepare(context.Context) (Call, error) { return c, nil }
func (c *bitcoinMessageCall) Edit(Edit) (Call, error)               { return nil, errNothingToEdit() }
func (c *bitcoinMessageCall) Describe() Description                 { return c.description }

// bitcoinMessageResult has what Xverse and Leather answer.
type bitcoinMessageResult struct {
	Signature   string           `json:"signature"`
	Address     string           `json:"address"`
	Message     string           `json:"message"`
	MessageHash string           `json:"messageHash"`
	Protocol    bitcoin.Protocol `json:"protocol"`
}

func (c *bitcoinMessageCall) sign(ctx context.Context) (bitcoinMessageResult, error) {
	if err := ctx.Err(); err != nil {
		return bitcoinMessageResult{}, err
	}
	m := c.description.Signing
	signed, err := c.account.SignMessage(m.Type, m.Protocol, m.Text)
	if err != nil {
		return bitcoinMessageResult{}, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
	}
	return bitcoinMessageResult{signed.Signature, signed.Address, m.Text, signed.Hash, signed.Protocol}, nil
}

func (c *bitcoinMessageCall) Sign(ctx context.Context) (json.RawMessage, error) {
	signed, err := c.sign(ctx)
	if err != nil {
		return nil, err
	}
	return result(signed)
}

func parseSignMessage(o object, env Env) (Call, error) { return readSignMessage("signMessage", o, env) }

// readSignMessage reads the params of Xverse (address, protocol) and those of
// Leather (paymentType, type, network, account).
func readSignMessage(method string, o object, env Env) (*bitcoinMessageCall, error) {
	text, err := o.text("message")
	if err != nil {
		return nil, err
	}
	key, err := o.bitcoinKey(env)
	if err != nil {
		return nil, err
	}
	protocol, err := o.protocol(key)
	if err != nil {
		return nil, err
	}
	id, err := env.identity(key.index, key.network)
	if err != nil {
		return nil, err
	}
	m := &BitcoinMessage{
		Text: text, Hex: hex.EncodeToString([]byte(text)), Address: key.address().Address, Type: key.kind,
		Protocol: protocol, Hash: bitcoin.MessageHash(protocol, text),
	}
	w := key.notes
	w.hidden("message", hidden.FindText(text))
	w.account(id.Account)
	return &bitcoinMessageCall{Description{Method: method, Account: id.Account, Network: key.network, Signing: m, Warnings: w}, key.account}, nil
}

// bitcoinKey is one address of the wallet.
type bitcoinKey struct {
	account *bitcoin.Account
	kind    bitcoin.ScriptType // p2wpkh or p2tr
	index   uint32             // of the account
	network Network
	notes   warnings
	named   bool // by the param address
}

func (k bitcoinKey) address() *bitcoin.Address {
	if k.kind == bitcoin.P2TR {
		return &k.account.P2TR
	}
	return &k.account.P2WPKH
}

// bitcoinKey finds the key that has to sign: that of address, of any account,
// else that of paymentType, p2wpkh when there is neither.
func (o object) bitcoinKey(env Env) (bitcoinKey, error) {
	kind, err := o.optionalText("paymentType")
	if err != nil {
		return bitcoinKey{}, err
	}
	if o.has("paymentType") && kind != "p2wpkh" && kind != "p2tr" {
		return bitcoinKey{}, jsonrpc.InvalidParam("paymentType", "%.40q is unknown, must be p2wpkh or p2tr", kind)
	}
	if o.has("address") {
		key, err := o.keyOfAddress(env)
		if err == nil && kind != "" && kind != string(key.kind) {
			return key, jsonrpc.InvalidParam("paymentType", "must be %s, as the address is", key.kind)
		}
		return key, err
	}
	n, notes, err := o.network(env)
	if err != nil {
		return bitcoinKey{}, err
	}
	index, _, err := o.accountIndex()
	if err != nil {
		return bitcoinKey{}, err
	}
	key := bitcoinKey{kind: bitcoin.P2WPKH, index: env.Account, network: n, notes: notes}
	if kind != "" {
		key.kind = bitcoin.ScriptType(kind)
	}
	if index != nil {
		key.index = *index
	}
	key.account, err = bitcoinAccount(env.Keys, key.index, n)
	return key, err
}

// keyOfAddress finds an address among the first accounts. The network is that
// of the address; the network of the request only decides between those that
// share their addresses.
func (o object) keyOfAddress(env Env) (bitcoinKey, error) {
	address, err := o.text("address")
	if err != nil {
		return bitcoinKey{}, err
	}
	asked, notes, err := o.network(env)
	if err != nil {
		return bitcoinKey{}, err
	}
	networks := []Network{asked}
	for _, name := range []string{"mainnet", "testnet", "regtest"} {
		n, _ := NetworkNamed(name)
		networks = append(networks, n)
	}
	valid := false
	for _, n := range networks {
		network, err := bitcoin.NetworkNamed(n.Bitcoin())
		if err != nil {
			return bitcoinKey{}, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
		if _, err := network.ScriptOf(address); err != nil {
			continue
		}
		valid = true
		if o.has("network") && n.Bitcoin() != asked.Bitcoin() {
			return bitcoinKey{}, jsonrpc.InvalidParam("address", "is an address of %s, must be one of %s", n.Name, asked.Name)
		}
		key, found, err := env.findBitcoin(n, address)
		if found || err != nil {
			key.notes = notes
			return key, err
		}
	}
	if !valid {
		return bitcoinKey{}, jsonrpc.InvalidParam("address", "must be a Bitcoin address of the wallet")
	}
	return bitcoinKey{}, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "address: is not one of the wallet's; must be that of one of its first %d accounts", searchedAccounts)
}

// findBitcoin looks for an address, in the active account first.
func (env Env) findBitcoin(n Network, address string) (bitcoinKey, bool, error) {
	try := func(index uint32) (bitcoinKey, bool, error) {
		a, err := bitcoinAccount(env.Keys, index, n)
		if err != nil {
			return bitcoinKey{}, false, err
		}
		for _, own := range []bitcoin.Address{a.P2WPKH, a.P2TR} {
			if own.Address == address {
				return bitcoinKey{account: a, kind: own.Type, index: index, network: n, named: true}, true, nil
			}
		}
		return bitcoinKey{}, false, nil
	}
	if key, found, err := try(env.Account); found || err != nil {
		return key, found, err
	}
	for index := range uint32(searchedAccounts) {
		if key, found, err := try(index); found || err != nil {
			return key, found, err
		}
	}
	return bitcoinKey{}, false, nil
}

// protocol reads protocol or type. Without them an address is signed with as
// Xverse does, a payment type as Leather does.
func (o object) protocol(key bitcoinKey) (bitcoin.Protocol, error) {
	p := bitcoin.BIP322
	if key.named && key.kind == bitcoin.P2WPKH {
		p = bitcoin.ECDSA
	}
	form, err := o.optionalText("type")
	if err != nil {
		return "", err
	}
	switch {
	case form == "legacy":
		p = bitcoin.ECDSA
	case form == "bip322":
		p = bitcoin.BIP322
	case o.has("type"):
		return "", jsonrpc.InvalidParam("type", "%.40q is unknown, must be bip322 or legacy", form)
	}
	name, path, other := "protocol", "protocol", bitcoin.BIP322
	if o.has("protocol") {
		text, err := o.text(name)
		if err != nil {
			return "", err
		}
		named := bitcoin.Protocol(text)
		if named != bitcoin.ECDSA && named != bitcoin.BIP322 {
			return "", jsonrpc.InvalidParam("protocol", "%.40q is unknown, must be ECDSA or BIP322", text)
		}
		if form != "" && named != p {
			return "", jsonrpc.InvalidParam("type", "differs from protocol: give one of them")
		}
		p = named
	} else if form != "" {
		path, other = "type", "bip322"
	}
	if p == bitcoin.ECDSA && key.kind == bitcoin.P2TR {
		return "", jsonrpc.InvalidParam(path, "must be %s for a p2tr address", other)
	}
	return p, nil
}

// batchCall is several calls that one approval is for.
type batchCall struct {
	description Description
	calls       []Call
	join        func(context.Context, []Call) (any, error)
}

func (c *batchCall) Method() string { return c.description.Method }

func (c *batchCall) Edit(Edit) (Call, error) { return nil, errNothingToEdit() }

func (c *batchCall) Prepare(ctx context.Context) (Call, error) {
	p := *c
	p.calls = make([]Call, len(c.calls))
	for i, call := range c.calls {
		var err error
		if p.calls[i], err = call.Prepare(ctx); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

func (c *batchCall) Describe() Description {
	d := c.description
	d.Batch = make([]Description, len(c.calls))
	for i, call := range c.calls {
		d.Batch[i] = call.Describe()
	}
	return d
}

func (c *batchCall) Sign(ctx context.Context) (json.RawMessage, error) {
	v, err := c.join(ctx, c.calls)
	if err != nil {
		return nil, err
	}
	return result(v)
}

// parseSignMessages reads the array of signMultipleMessages.
func parseSignMessages(list []object, env Env) (Call, error) {
	n, err := env.network()
	if err != nil {
		return nil, err
	}
	id, err := env.identity(env.Account, n)
	if err != nil {
		return nil, err
	}
	batch := &batchCall{description: Description{Method: "signMultipleMessages", Account: id.Account, Network: n, Warnings: []Warning{}}}
	for i, o := range list {
		prefix := fmt.Sprintf("[%d].", i)
		if !o.has("address") {
			return nil, jsonrpc.InvalidParam(prefix+"address", "is missing, must be a Bitcoin address of the wallet")
		}
		call, err := readSignMessage("signMultipleMessages", o, env)
		if err != nil {
			return nil, within(prefix, err)
		}
		batch.calls = append(batch.calls, call)
	}
	batch.description.Silent = len(list) == 0
	batch.join = func(ctx context.Context, calls []Call) (any, error) {
		signed := make([]bitcoinMessageResult, len(calls))
		for i, call := range calls {
			var err error
			if signed[i], err = call.(*bitcoinMessageCall).sign(ctx); err != nil {
				return nil, err
			}
		}
		return signed, nil
	}
	return batch, nil
}

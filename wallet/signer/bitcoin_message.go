package signer

import (
	"cmp"
	"encoding/hex"
	"encoding/json"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
)

// bitcoinMessageResult has what Xverse and Leather answer.
type bitcoinMessageResult struct {
	Signature   string           `json:"signature"`
	Address     string           `json:"address"`
	Message     string           `json:"message"`
	MessageHash string           `json:"messageHash"`
	Protocol    bitcoin.Protocol `json:"protocol"`
}

// parseSignMessage reads the params of Xverse (address, protocol) and those of
// Leather (paymentType, type, network, account).
func parseSignMessage(r *request) (Call, error) {
	key, err := r.bitcoinKey()
	if err != nil {
		return nil, err
	}
	protocol, err := r.protocol(key)
	if err != nil {
		return nil, err
	}
	id, err := r.env.identity(key.index, key.network)
	if err != nil {
		return nil, err
	}
	text := get[string](r, "message")
	m := &BitcoinMessage{
		Text: text, Hex: hex.EncodeToString([]byte(text)), Address: key.address().Address, Type: key.kind,
		Protocol: protocol, Hash: bitcoin.MessageHash(protocol, text),
	}
	d := r.describe(id.Account, key.network, key.notes)
	d.Signing = m
	d.Warnings.hidden("message", hidden.FindText(text))
	d.Warnings.account(id.Account)
	return fixed{d, func() (any, error) {
		signed, err := key.account.SignMessage(m.Type, m.Protocol, m.Text)
		if err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
		return bitcoinMessageResult{signed.Signature, signed.Address, m.Text, signed.Hash, signed.Protocol}, nil
	}}, nil
}

// bitcoinKey is one address of the wallet.
type bitcoinKey struct {
	account *bitcoin.Account
	kind    bitcoin.ScriptType // p2wpkh or p2tr
	index   uint32             // of the account
	network Network
	notes   Warnings
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
func (r *request) bitcoinKey() (bitcoinKey, error) {
	kind := bitcoin.ScriptType(get[string](r, "paymentType"))
	if r.has("address") {
		key, err := r.keyOfAddress()
		if err == nil && kind != "" && kind != key.kind {
			return key, jsonrpc.InvalidParam("paymentType", "must be %s, as the address is", key.kind)
		}
		return key, err
	}
	n, notes, err := r.network()
	if err != nil {
		return bitcoinKey{}, err
	}
	key := bitcoinKey{kind: cmp.Or(kind, bitcoin.P2WPKH), index: r.account(), network: n, notes: notes}
	key.account, err = bitcoinAccount(r.env.Keys, key.index, n)
	return key, err
}

// keyOfAddress finds an address among the first accounts. The network is that
// of the address; the network of the request only decides between those that
// share their addresses.
func (r *request) keyOfAddress() (bitcoinKey, error) {
	address, path := get[string](r, "address"), r.paths["address"]
	asked, notes, err := r.network()
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
		if r.has("network") && n.Bitcoin() != asked.Bitcoin() {
			return bitcoinKey{}, jsonrpc.InvalidParam(path, "is an address of %s, must be one of %s", n.Name, asked.Name)
		}
		key, found, err := r.env.findBitcoin(n, address)
		if found || err != nil {
			key.notes = notes
			return key, err
		}
	}
	if !valid {
		return bitcoinKey{}, jsonrpc.InvalidParam(path, "must be a Bitcoin address of the wallet")
	}
	return bitcoinKey{}, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is not one of the wallet's; must be that of one of its first %d accounts", path, searchedAccounts)
}

// findBitcoin looks for an address.
func (env Env) findBitcoin(n Network, address string) (bitcoinKey, bool, error) {
	for account := range env.searched {
		a, err := bitcoinAccount(env.Keys, account, n)
		if err != nil {
			return bitcoinKey{}, false, err
		}
		for _, own := range []bitcoin.Address{a.P2WPKH, a.P2TR} {
			if own.Address == address {
				return bitcoinKey{account: a, kind: own.Type, index: account, network: n, named: true}, true, nil
			}
		}
	}
	return bitcoinKey{}, false, nil
}

// protocol reads protocol or type. Without them an address is signed with as
// Xverse does, a payment type as Leather does.
func (r *request) protocol(key bitcoinKey) (bitcoin.Protocol, error) {
	named, form := bitcoin.Protocol(get[string](r, "protocol")), get[string](r, "type")
	p := bitcoin.BIP322
	if form == "legacy" || form == "" && key.named && key.kind == bitcoin.P2WPKH {
		p = bitcoin.ECDSA
	}
	path, other := cmp.Or(r.paths["protocol"], r.paths["type"], r.prefix+"protocol"), "bip322"
	if r.has("protocol") || !r.has("type") {
		other = string(bitcoin.BIP322)
	}
	if named != "" {
		if form != "" && named != p {
			return "", jsonrpc.InvalidParam("type", "differs from protocol: give one of them")
		}
		p = named
	}
	if p == bitcoin.ECDSA && key.kind == bitcoin.P2TR {
		return "", jsonrpc.InvalidParam(path, "must be %s for a p2tr address", other)
	}
	return p, nil
}

// parseSignMessages reads the entries of signMultipleMessages.
func parseSignMessages(r *request, entries []*request) (Call, error) {
	n, err := r.env.network()
	if err != nil {
		return nil, err
	}
	id, err := r.env.identity(r.env.Account, n)
	if err != nil {
		return nil, err
	}
	all := batch{join: func(results []json.RawMessage) (any, error) { return results, nil }}
	all.description = r.describe(id.Account, n, Warnings{})
	all.description.Silent = len(entries) == 0
	for _, entry := range entries {
		call, err := parseSignMessage(entry)
		if err != nil {
			return nil, err
		}
		all.calls = append(all.calls, call)
	}
	return all, nil
}

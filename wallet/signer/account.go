package signer

import (
	"encoding/hex"
	"strings"

	"chainscope/wallet/c32"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

// Account is the account that a request is for.
type Account struct {
	Index     uint32 `json:"index"`
	Address   string `json:"address"`   // Stacks, on the network of the request
	PublicKey string `json:"publicKey"` // hexadecimal digits
	// Selected says that the request asked for this account, which is not the
	// active one.
	Selected bool `json:"selected,omitempty"`
}

// identity is an account with its key.
type identity struct {
	Account
	key *keys.PrivateKey
}

// identityName is what an identity is kept under in the ring.
type identityName struct {
	account uint32
	version byte // of the address
}

func (env Env) identity(index uint32, n Network) (identity, error) {
	if env.Persona.Watched != nil {
		return identity{Account: Account{Index: index, Address: env.watched(n), Selected: index != env.Account}}, nil
	}
	id, err := keys.Once(env.Keys, identityName{index, n.addressVersion()}, func() (identity, error) {
		key, err := env.Keys.Stacks(index)
		if err != nil {
			return identity{}, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
		public := key.PublicKey()
		address := c32.Address{Version: n.addressVersion(), Hash160: key.Hash160()}
		return identity{Account{Index: index, Address: address.String(), PublicKey: hex.EncodeToString(public[:])}, key}, nil
	})
	id.Selected = index != env.Account
	return id, err
}

// find looks for an account, the active one first.
func (env Env) find(n Network, fits func(identity) bool) (identity, bool, error) {
	active, err := env.identity(env.Account, n)
	if err != nil || fits(active) {
		return active, err == nil, err
	}
	for index := range uint32(searchedAccounts) {
		id, err := env.identity(index, n)
		if err != nil {
			return id, false, err
		}
		if fits(id) {
			return id, true, nil
		}
	}
	return identity{}, false, nil
}

// signer finds the account that has to sign: the active one, or the one that
// the params address (stxAddress), publicKey (pubkey), account or accountIndex
// name.
func (o object) signer(env Env, n Network) (identity, error) {
	address, addressAt, err := o.signerAddress()
	if err != nil {
		return identity{}, err
	}
	public, publicAt, err := o.signerKey()
	if err != nil {
		return identity{}, err
	}
	index, indexAt, err := o.accountIndex()
	if err != nil {
		return identity{}, err
	}
	active := env.Account
	if index != nil {
		env.Account = *index
	}
	id, found, err := env.find(n, func(id identity) bool {
		return (address == nil || *address == c32.Address{Version: n.addressVersion(), Hash160: id.key.Hash160()}) &&
			(public == "" || public == id.PublicKey) && (index == nil || *index == id.Index)
	})
	if err != nil {
		return id, err
	}
	if !found {
		name := addressAt
		if address == nil {
			name = publicAt
		}
		if name == "" {
			name = indexAt
		}
		return id, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is not one of the wallet's on %s; must be that of one of its first %d accounts", name, n.Name, searchedAccounts)
	}
	id.Selected = id.Index != active
	return id, nil
}

// signerAddress reads address or stxAddress.
func (o object) signerAddress() (*c32.Address, string, error) {
	name, err := o.oneOf("address", "stxAddress")
	if err != nil || !o.has(name) {
		return nil, "", err
	}
	text, err := o.text(name)
	if err != nil {
		return nil, name, err
	}
	a, err := c32.ParseAddress(text)
	if err != nil {
		return nil, name, jsonrpc.InvalidParam(name, "%v; must be a Stacks address of the wallet", err)
	}
	return &a, name, nil
}

// signerKey reads publicKey or pubkey, in lower-case hexadecimal digits.
func (o object) signerKey() (string, string, error) {
	name, err := o.oneOf("publicKey", "pubkey")
	if err != nil || !o.has(name) {
		return "", "", err
	}
	public, err := o.text(name)
	if err != nil {
		return "", name, err
	}
	public = strings.ToLower(strings.TrimPrefix(public, "0x"))
	if b, err := hex.DecodeString(public); err != nil || len(b) != 33 {
		return "", name, jsonrpc.InvalidParam(name, "must be 66 hexadecimal digits of a compressed key")
	}
	return public, name, nil
}

// accountIndex reads account or accountIndex, a number from 0.
func (o object) accountIndex() (*uint32, string, error) {
	name, err := o.oneOf("account", "accountIndex")
	if err != nil || !o.has(name) {
		return nil, "", err
	}
	n, err := o.integer(name, 0)
	if err != nil || n > keys.MaxAccount {
		return nil, name, jsonrpc.InvalidParam(name, "must be the number of an account, from 0 to %d", uint32(keys.MaxAccount))
	}
	index := uint32(n)
	return &index, name, nil
}

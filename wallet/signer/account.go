package signer

import (
	"cmp"
	"encoding/hex"
	"fmt"

	"chainscope/wallet/c32"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// Account is the account that a request is for.
type Account struct {
	Index     uint32 `json:"index"`
	Address   string `json:"address"`   // Stacks, on the network of the request
	PublicKey string `json:"publicKey"` // hexadecimal digits
	// Selected says that the request requested this account, which is not the
	// active one.
	Selected bool `json:"selected,omitempty"`
}

// identity is an account with its key, nil for one that is watched.
type identity struct {
	Account
	key *keys.PrivateKey
}

// condition returns what an account signs with, before it does.
func (id identity) condition() stxtx.SpendingCondition {
	a := id.sender().Address
	c := stxtx.SpendingCondition{Signer: a.Hash160}
	if a.Version == c32.MainnetP2SH || a.Version == c32.TestnetP2SH {
		c.HashMode = stxtx.HashP2WPKH // the only one of a single key
	}
	return c
}

// identityName holds what an identity is kept under in the ring.
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

// searched yields the accounts that an address or a key is looked for in, the active one
// first.
func (env Env) searched(yield func(account uint32) bool) {
	if !yield(env.Account) {
		return
	}
	for account := range uint32(searchedAccounts) {
		if account != env.Account && !yield(account) {
			return
		}
	}
}

// find looks for an account.
func (env Env) find(n Network, fits func(identity) bool) (identity, bool, error) {
	for account := range env.searched {
		if id, err := env.identity(account, n); err != nil || fits(id) {
			return id, err == nil, err
		}
	}
	return identity{}, false, nil
}

// signs reports whether it is the account of a spending condition with one key.
func (id identity) signs(c *stxtx.SpendingCondition, mainnet bool) bool {
	if id.key == nil {
		return c.Address(mainnet) == id.sender().Address
	}
	public := id.key.PublicKey()
	return stxtx.SingleSigner(c.HashMode, public[:]) == c.Signer
}

// searchedIn names what an address is looked for in.
func (env Env) searchedIn() string {
	if w := env.Persona.Watched; w != nil {
		return "the address that the wallet watches, " + w.String()
	}
	return fmt.Sprintf("one of the wallet's first %d accounts", searchedAccounts)
}

// signerParams are the params that name the account that has to sign.
var signerParams = []string{"address", "publicKey", "account"}

// signer finds the account that has to sign: the active one, or the one that
// the params address (stxAddress), publicKey (pubkey) or account (accountIndex) name.
func (r *request) signer(n Network) (identity, error) {
	address, byAddress := r.values["address"].(c32.Address)
	public, byKey := r.values["publicKey"].(string)
	index, byIndex := r.values["account"].(uint32)
	env, active := r.env, r.env.Account
	env.Account = r.account()
	id, found, err := env.find(n, func(id identity) bool {
		return (!byAddress || address == id.sender().Address) &&
			(!byKey || public == id.PublicKey) && (!byIndex || index == id.Index)
	})
	if err != nil {
		return id, err
	}
	if !found {
		name := cmp.Or(r.paths["address"], r.paths["publicKey"], r.paths["account"])
		return id, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is not one of the wallet's on %s; must be that of one of its first %d accounts", name, n.Name, searchedAccounts)
	}
	id.Selected = id.Index != active
	return id, nil
}

// account returns the number of the account that the params name, else of the active one.
func (r *request) account() uint32 {
	if r.has("account") {
		return get[uint32](r, "account")
	}
	return r.env.Account
}

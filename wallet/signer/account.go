package signer

import (
	"encoding/hex"
	"strings"

	"chainscope/wallet/c32"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// Network is a Stacks network as a request names it.
type Network struct {
	Name               string `json:"name"` // mainnet, testnet, devnet, mocknet or regtest
	ChainID            uint32 `json:"chainId"`
	TransactionVersion byte   `json:"transactionVersion"`
}

// Mainnet reports whether it is the main network.
func (n Network) Mainnet() bool { return n.ChainID == stxtx.ChainIDMainnet }

// CoinType is that of Bitcoin paths: 0 on the main network, else 1.
func (n Network) CoinType() uint32 {
	if n.Mainnet() {
		return 0
	}
	return 1
}

// addressVersion is that of addresses of one key.
func (n Network) addressVersion() byte {
	if n.Mainnet() {
		return c32.MainnetP2PKH
	}
	return c32.TestnetP2PKH
}

// networkNames are the networks that requests can name.
var networkNames = []string{"mainnet", "testnet", "devnet", "mocknet", "regtest"}

// NetworkNamed finds a network. All but mainnet share the version byte and the
// chain id of testnet.
func NetworkNamed(name string) (Network, bool) {
	switch name {
	case "mainnet":
		return Network{name, stxtx.ChainIDMainnet, stxtx.VersionMainnet}, true
	case "testnet", "devnet", "mocknet", "regtest":
		return Network{name, stxtx.ChainIDTestnet, stxtx.VersionTestnet}, true
	}
	return Network{}, false
}

// network reads the param, or else what the wallet is set to.
func (o object) network(env Env) (Network, error) {
	name, err := o.optionalText("network")
	if err != nil {
		return Network{}, err
	}
	if !o.has("network") {
		if name = env.Network; name == "" {
			name = "mainnet"
		}
	}
	n, known := NetworkNamed(name)
	if !known {
		return n, jsonrpc.InvalidParam("network", "%.40q is unknown, must be one of %s", name, strings.Join(networkNames, ", "))
	}
	return n, nil
}

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
// the params address and publicKey name.
func (o object) signer(env Env, n Network) (identity, error) {
	var address *c32.Address
	if o.has("address") {
		text, err := o.text("address")
		if err != nil {
			return identity{}, err
		}
		a, err := c32.ParseAddress(text)
		if err != nil {
			return identity{}, jsonrpc.InvalidParam("address", "%v; must be a Stacks address of the wallet", err)
		}
		address = &a
	}
	public, err := o.optionalText("publicKey")
	if err != nil {
		return identity{}, err
	}
	public = strings.ToLower(strings.TrimPrefix(public, "0x"))
	if b, err := hex.DecodeString(public); err != nil || public != "" && len(b) != 33 {
		return identity{}, jsonrpc.InvalidParam("publicKey", "must be 66 hexadecimal digits of a compressed key")
	}
	id, found, err := env.find(n, func(id identity) bool {
		return (address == nil || *address == c32.Address{Version: n.addressVersion(), Hash160: id.key.Hash160()}) &&
			(public == "" || public == id.PublicKey)
	})
	if err != nil {
		return id, err
	}
	if !found {
		name := "address"
		if address == nil {
			name = "publicKey"
		}
		return id, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: is not one of the wallet's on %s; must be that of one of its first %d accounts", name, n.Name, searchedAccounts)
	}
	return id, nil
}

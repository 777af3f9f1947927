package signer

import (
	"context"
	"strings"

	"chainscope/wallet/c32"
	"chainscope/wallet/jsonrpc"
)

// Persona holds what a wallet is made to be, so that a page meets other people than
// the one with an account and coins of everything.
type Persona struct {
	NoCoins   bool   // its Bitcoin addresses hold nothing
	NoBitcoin bool   // it has no Bitcoin addresses
	Accounts  uint32 // how many accounts are given out with the active one; 0 is 1
	// Watched is an address without keys, in place of those of Env.Keys;
	// nil for none. Its transactions have an empty signature, which only a mock that
	// impersonates the address takes.
	Watched *c32.Address
}

// allows refuses what the persona cannot do.
func (env Env) allows(m Method) error {
	p := env.Persona
	switch {
	case p.Watched != nil && !m.keyless && !m.unsigned:
		return jsonrpc.NewError(jsonrpc.InternalError, "this wallet only watches %s: it has no keys, so it sends transactions to a mock that impersonates it, and signs nothing else", p.Watched)
	case p.NoBitcoin && m.bitcoin:
		return jsonrpc.NewError(jsonrpc.MethodNotFound, "this wallet has no Bitcoin account: %s is not supported", m.Name)
	case env.Keys == nil && p.Watched == nil:
		return errNoKeys()
	}
	return nil
}

// impersonated returns why an account without keys cannot send a transaction, nil if it can.
func (env Env) impersonated(ctx context.Context, address string) error {
	refuse := func(format string, args ...any) error {
		return jsonrpc.NewError(jsonrpc.InternalError, "this wallet only watches "+address+": it has no keys, and only a mock that impersonates the address takes its transactions; "+format, args...)
	}
	if env.Source == nil {
		return refuse("there is none here")
	}
	does, err := env.Source.Impersonates(ctx, address)
	switch {
	case err != nil:
		return refuse("%s", strings.TrimPrefix(err.Error(), "nothing was sent: "))
	case !does:
		return refuse("start it with --impersonate %s, or post that to /mock/v1/impersonations", address)
	}
	return nil
}

func errNoKeys() error { return jsonrpc.NewError(jsonrpc.InternalError, "the wallet has no keys") }

// watched returns the watched address on a network.
func (env Env) watched(n Network) string {
	a := *env.Persona.Watched
	switch {
	case a.Version == c32.MainnetP2SH || a.Version == c32.TestnetP2SH:
		a.Version = c32.TestnetP2SH
		if n.Mainnet() {
			a.Version = c32.MainnetP2SH
		}
	default:
		a.Version = n.addressVersion()
	}
	return a.String()
}

// entries returns the addresses of an account as the persona has them.
func (env Env) entries(account uint32, n Network) ([]AddressEntry, error) {
	if env.Persona.Watched != nil {
		return []AddressEntry{{
			Symbol: "STX", Address: env.watched(n), Purpose: purposeStacks, AddressType: purposeStacks, WalletType: walletType,
		}}, nil
	}
	if env.Keys == nil {
		return nil, errNoKeys()
	}
	list := Addresses
	if env.Descriptors {
		list = described
	}
	all, err := list(env.Keys, account, n)
	if err == nil && env.Persona.NoBitcoin {
		all = all[len(all)-1:] // that of Stacks is last
	}
	return all, err
}

// Own returns the addresses of the active account as the persona has them.
func (env Env) Own(n Network) ([]AddressEntry, error) { return env.entries(env.Account, n) }

// StacksAddress returns the Stacks address of the active account, or the one that is
// watched. Unlike [Env.Own] it derives no Bitcoin keys.
func (env Env) StacksAddress(n Network) (string, error) {
	if env.Persona.Watched != nil {
		return env.watched(n), nil
	}
	if env.Keys == nil {
		return "", errNoKeys()
	}
	key, err := env.Keys.Stacks(env.Account)
	if err != nil {
		return "", err
	}
	return c32.Address{Version: n.addressVersion(), Hash160: key.Hash160()}.String(), nil
}

// SharedAccounts returns the numbers of the accounts that pages get, the active one
// first.
func (env Env) SharedAccounts() []uint32 {
	list := []uint32{env.Account}
	if env.Persona.Watched != nil {
		return list
	}
	for account := uint32(0); account < env.Persona.Accounts; account++ {
		if account != env.Account {
			list = append(list, account)
		}
	}
	return list
}

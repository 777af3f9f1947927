package signer

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

// AddressEntry is one address as getAddresses answers it: the fields of Leather
// and those of Xverse, so that pages written for either find theirs.
type AddressEntry struct {
	Symbol           string `json:"symbol"`         // BTC or STX
	Type             string `json:"type,omitempty"` // p2wpkh or p2tr
	Address          string `json:"address"`
	PublicKey        string `json:"publicKey"` // 33 bytes, hexadecimal digits
	TweakedPublicKey string `json:"tweakedPublicKey,omitempty"`
	DerivationPath   string `json:"derivationPath"`
	// Descriptor is the output descriptor (BIP-380) of the one address, without
	// its checksum. It is there when the wallet in front answers it.
	Descriptor  string `json:"descriptor,omitempty"`
	Purpose     string `json:"purpose"`     // payment, ordinals or stacks
	AddressType string `json:"addressType"` // p2wpkh, p2tr or stacks
	WalletType  string `json:"walletType"`
}

// Purposes of addresses, as Xverse names them.
const (
	purposePayment  = "payment"
	purposeOrdinals = "ordinals"
	purposeStacks   = "stacks"
)

// walletType holds what wallets say whose keys are in no device.
const walletType = "software"

// Addresses returns the addresses of an account: p2wpkh, p2tr, Stacks. As wallets
// do, tweakedPublicKey is the x-only key before it is tweaked.
func Addresses(ring *keys.Ring, account uint32, n Network) ([]AddressEntry, error) {
	entries, err := described(ring, account, n)
	for i := range entries {
		entries[i].Descriptor = ""
	}
	return entries, err
}

// described returns the addresses of an account with their descriptors.
func described(ring *keys.Ring, account uint32, n Network) ([]AddressEntry, error) {
	ring, account = ring.Of(account)
	b, err := bitcoinAccount(ring, account, n)
	if err != nil {
		return nil, err
	}
	id, err := Env{Keys: ring, Account: account}.identity(account, n)
	if err != nil {
		return nil, err
	}
	entry := func(kind, function, purpose, address string, publicKey []byte, p keys.Purpose) AddressEntry {
		path := keys.BitcoinPath(p, n.CoinType(), account)
		return AddressEntry{
			Symbol: "BTC", Type: kind, Address: address, PublicKey: hex.EncodeToString(publicKey), DerivationPath: path,
			Descriptor: fmt.Sprintf("%s([%s%s]%x)", function, ring.Fingerprint(), path[1:], publicKey),
			Purpose:    purpose, AddressType: kind, WalletType: walletType,
		}
	}
	p2wpkh := entry("p2wpkh", "wpkh", purposePayment, b.P2WPKH.Address, b.P2WPKH.PublicKey, keys.P2WPKH)
	p2tr := entry("p2tr", "tr", purposeOrdinals, b.P2TR.Address, b.P2TR.PublicKey, keys.P2TR)
	p2tr.Descriptor = fmt.Sprintf("tr([%s%s]%x)", ring.Fingerprint(), p2tr.DerivationPath[1:], b.P2TR.XOnly)
	p2tr.TweakedPublicKey = hex.EncodeToString(b.P2TR.XOnly)
	return []AddressEntry{p2wpkh, p2tr, {
		Symbol: "STX", Address: id.Address, PublicKey: id.PublicKey, DerivationPath: keys.StacksPath(account),
		Purpose: purposeStacks, AddressType: purposeStacks, WalletType: walletType,
	}}, nil
}

// purposes returns the kinds of addresses that a param names, nil for none. What the wallet has
// no addresses of is returned as missing too: Spark and Starknet, which it never
// has, and Bitcoin where the persona has none.
func (r *request) purposes(name string) (wanted, missing []string) {
	list := items[string](r, name)
	for _, purpose := range list {
		known := purpose == purposePayment || purpose == purposeOrdinals || purpose == purposeStacks
		if known {
			wanted = append(wanted, purpose)
		}
		if p := r.env.Persona; !known || purpose != purposeStacks && (p.NoBitcoin || p.Watched != nil) {
			missing = append(missing, purpose)
		}
	}
	if len(list) > 0 && wanted == nil {
		wanted = []string{}
	}
	return wanted, missing
}

// purposeEntries returns the addresses of the accounts that pages get for the
// purposes in their order, all of them for nil.
func purposeEntries(env Env, n Network, purposes []string) ([]AddressEntry, error) {
	entries := []AddressEntry{}
	for _, account := range env.SharedAccounts() {
		all, err := env.entries(account, n)
		if err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
		if purposes == nil {
			entries = append(entries, all...)
		}
		for _, purpose := range purposes {
			i := slices.IndexFunc(all, func(e AddressEntry) bool { return e.Purpose == purpose })
			if i >= 0 && !slices.Contains(entries, all[i]) {
				entries = append(entries, all[i])
			}
		}
	}
	return entries, nil
}

// chainName names a network inside a result.
type chainName struct {
	Name string `json:"name"`
}

// networkResult is the network as Xverse answers it: the Bitcoin name has a
// capital letter, the others have none.
type networkResult struct {
	Bitcoin chainName `json:"bitcoin"`
	Stacks  chainName `json:"stacks"`
	Spark   chainName `json:"spark"`
}

func networkResultOf(n Network) networkResult {
	if n.Mainnet() {
		return networkResult{chainName{"Mainnet"}, chainName{"mainnet"}, chainName{"mainnet"}}
	}
	return networkResult{chainName{BitcoinTitle(n.Bitcoin())}, chainName{"testnet"}, chainName{"regtest"}}
}

// BitcoinTitle returns the name of a Bitcoin network as Xverse writes it, "" for no network.
func BitcoinTitle(name string) string {
	for _, title := range bitcoinNetworkNames {
		if strings.ToLower(title) == name {
			return title
		}
	}
	return ""
}

// BitcoinNetworks returns the Bitcoin networks as sats-connect names them.
func BitcoinNetworks() []string { return slices.Clone(bitcoinNetworkNames) }

// addressResult is the result of getAddresses.
type addressResult struct {
	Addresses []AddressEntry `json:"addresses"`
	Network   networkResult  `json:"network"`
}

package signer

import (
	"fmt"
	"slices"

	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
)

// gaiaHub is the storage hub that wallets name.
const gaiaHub = "https://hub.hiro.so"

// disclose begins a description of something that is given out.
func (r *request) disclose(what string) (Description, error) {
	n, notes, err := r.network()
	if err != nil {
		return Description{}, err
	}
	id, err := r.env.identity(r.env.Account, n)
	if err != nil {
		return Description{}, err
	}
	message := get[string](r, "message")
	if len([]rune(message)) > maxConnectMessage {
		return Description{}, jsonrpc.InvalidParam("message", "must have at most %d characters", maxConnectMessage)
	}
	notes.hidden("message", hidden.FindText(message))
	d := r.describe(id.Account, n, notes)
	d.Disclosed = &Disclosed{What: what, Message: message}
	return d, nil
}

// discloseAddresses makes a call that gives out addresses: for the purposes that a param
// names, for usual where it names none, all of them where that is nil.
func (r *request) discloseAddresses(param string, usual []string, answer func(Network, []AddressEntry) any) (Call, error) {
	d, err := r.disclose("addresses")
	if err != nil {
		return nil, err
	}
	var purposes []string
	if purposes, d.Disclosed.Missing = r.purposes(param); purposes == nil {
		purposes = usual
	}
	entries, err := purposeEntries(r.env, d.Network, purposes)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		d.Disclosed.Addresses = append(d.Disclosed.Addresses, entry.Address)
	}
	return fixed{d, func() (any, error) { return answer(d.Network, entries), nil }}, nil
}

func parseAddresses(r *request) (Call, error) {
	return r.discloseAddresses("purposes", nil, func(n Network, entries []AddressEntry) any {
		return addressResult{entries, networkResultOf(n)}
	})
}

// accountEntry is one account as stx_getAccounts answers it.
type accountEntry struct {
	Address    string `json:"address"`
	PublicKey  string `json:"publicKey"`
	GaiaHubURL string `json:"gaiaHubUrl"`
	GaiaAppKey string `json:"gaiaAppKey"`
}

func parseAccounts(r *request) (Call, error) {
	env := r.env
	d, err := r.disclose("accounts")
	if err != nil {
		return nil, err
	}
	var accounts []accountEntry
	for _, account := range env.SharedAccounts() {
		id, err := env.identity(account, d.Network)
		if err != nil {
			return nil, err
		}
		d.Disclosed.Addresses = append(d.Disclosed.Addresses, id.Address)
		accounts = append(accounts, accountEntry{id.Address, id.PublicKey, gaiaHub, ""})
	}
	d.Disclosed.AppKey = true
	d.Warnings.add(WarnAppKey, "", "the answer holds the private key of the account's gaia storage")
	return fixed{d, func() (any, error) {
		list := slices.Clone(accounts)
		for i, account := range env.SharedAccounts() {
			key, err := env.Keys.GaiaAppsKey(account)
			if err != nil {
				return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
			}
			list[i].GaiaAppKey = key.Reveal()
		}
		// One list under both names: libraries disagree which one it is.
		return struct {
			Addresses []accountEntry `json:"addresses"`
			Accounts  []accountEntry `json:"accounts"`
			Network   networkResult  `json:"network"`
		}{list, list, networkResultOf(d.Network)}, nil
	}}, nil
}

func parseNetworks(r *request) (Call, error) {
	d, err := r.disclose("networks")
	if err != nil {
		return nil, err
	}
	type entry struct {
		ID                 string `json:"id"`
		ChainID            string `json:"chainId"`
		TransactionVersion string `json:"transactionVersion"`
	}
	return fixed{d, func() (any, error) {
		out := struct {
			Active   string  `json:"active"`
			Networks []entry `json:"networks"`
		}{Active: d.Network.Name}
		for _, name := range networkNames() {
			if n, known := NetworkNamed(name); known {
				out.Networks = append(out.Networks, entry{n.Name, fmt.Sprint(n.ChainID), fmt.Sprint(n.TransactionVersion)})
			}
		}
		return out, nil
	}}, nil
}

package signer

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

func addressMethods() []Method {
	params := []Param{networkParam}
	return []Method{
		{"getAddresses", params, parseAddresses("getAddresses")},
		{"stx_getAddresses", params, parseAddresses("stx_getAddresses")},
		{"stx_getAccounts", params, parseAccounts},
		{"stx_getNetworks", []Param{}, parseNetworks},
	}
}

// gaiaHub is the storage hub that wallets name.
const gaiaHub = "https://hub.hiro.so"

// disclosureCall gives something out without signing.
type disclosureCall struct {
	description Description
	answer      func() (any, error)
}

func (c *disclosureCall) Method() string                        { return c.description.Method }
func (c *disclosureCall) Prepare(context.Context) (Call, error) { return c, nil }
func (c *disclosureCall) Edit(Edit) (Call, error)               { return nil, errNothingToEdit() }
func (c *disclosureCall) Describe() Description                 { return c.description }

func (c *disclosureCall) Sign(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := c.answer()
	if err != nil {
		return nil, err
	}
	return result(v)
}

// AddressEntry is one address as getAddresses answers it.
type AddressEntry struct {
	Symbol           string `json:"symbol"`         // BTC or STX
	Type             string `json:"type,omitempty"` // p2wpkh or p2tr
	Address          string `json:"address"`
	PublicKey        string `json:"publicKey"` // 33 bytes, hexadecimal digits
	TweakedPublicKey string `json:"tweakedPublicKey,omitempty"`
	DerivationPath   string `json:"derivationPath"`
}

// Addresses are the addresses of an account: p2wpkh, p2tr, Stacks. As wallets
// do, tweakedPublicKey is the x-only key before it is tweaked.
func Addresses(ring *keys.Ring, account uint32, n Network) ([]AddressEntry, error) {
	b, err := bitcoinAccount(ring, account, n)
	if err != nil {
		return nil, err
	}
	id, err := Env{Keys: ring, Account: account}.identity(account, n)
	if err != nil {
		return nil, err
	}
	return []AddressEntry{
		{"BTC", "p2wpkh", b.P2WPKH.Address, hex.EncodeToString(b.P2WPKH.PublicKey), "", keys.BitcoinPath(keys.P2WPKH, n.CoinType(), account)},
		{"BTC", "p2tr", b.P2TR.Address, hex.EncodeToString(b.P2TR.PublicKey), hex.EncodeToString(b.P2TR.XOnly), keys.BitcoinPath(keys.P2TR, n.CoinType(), account)},
		{"STX", "", id.Address, id.PublicKey, "", keys.StacksPath(account)},
	}, nil
}

// disclose begins a description of something that is given out.
func disclose(method, what string, o object, env Env) (Description, error) {
	n, err := o.network(env)
	if err != nil {
		return Description{}, err
	}
	id, err := env.identity(env.Account, n)
	if err != nil {
		return Description{}, err
	}
	return Description{Method: method, Account: id.Account, Network: n, Disclosed: &Disclosed{What: what}, Warnings: []Warning{}}, nil
}

func parseAddresses(method string) func(object, Env) (Call, error) {
	return func(o object, env Env) (Call, error) {
		d, err := disclose(method, "addresses", o, env)
		if err != nil {
			return nil, err
		}
		entries, err := Addresses(env.Keys, env.Account, d.Network)
		if err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
		for _, entry := range entries {
			d.Disclosed.Addresses = append(d.Disclosed.Addresses, entry.Address)
		}
		return &disclosureCall{d, func() (any, error) {
			return map[string][]AddressEntry{"addresses": entries}, nil
		}}, nil
	}
}

// accountEntry is one account as stx_getAccounts answers it.
type accountEntry struct {
	Address    string `json:"address"`
	PublicKey  string `json:"publicKey"`
	GaiaHubURL string `json:"gaiaHubUrl"`
	GaiaAppKey string `json:"gaiaAppKey"`
}

// WithoutSecrets is a result as it may be logged or kept: the gaia keys that
// stx_getAccounts answers are written as "[secret]". Results of other methods
// hold no secrets and are returned as they are.
func WithoutSecrets(method string, answer json.RawMessage) json.RawMessage {
	if method != "stx_getAccounts" {
		return answer
	}
	var lists map[string][]map[string]any
	if json.Unmarshal(answer, &lists) != nil {
		return json.RawMessage(`"[secret]"`)
	}
	for _, list := range lists {
		for _, entry := range list {
			if _, there := entry["gaiaAppKey"]; there {
				entry["gaiaAppKey"] = keys.Secret{}
			}
		}
	}
	masked, err := json.Marshal(lists)
	if err != nil {
		return json.RawMessage(`"[secret]"`)
	}
	return masked
}

func parseAccounts(o object, env Env) (Call, error) {
	d, err := disclose("stx_getAccounts", "accounts", o, env)
	if err != nil {
		return nil, err
	}
	d.Disclosed.Addresses, d.Disclosed.AppKey = []string{d.Account.Address}, true
	w := warnings(d.Warnings)
	w.add(WarnAppKey, "", "the answer holds the private key of the account's gaia storage")
	d.Warnings = w
	return &disclosureCall{d, func() (any, error) {
		key, err := env.Keys.GaiaAppsKey(env.Account)
		if err != nil {
			return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
		}
		list := []accountEntry{{d.Account.Address, d.Account.PublicKey, gaiaHub, key.Reveal()}}
		// One list under both names: libraries disagree which one it is.
		return map[string][]accountEntry{"addresses": list, "accounts": list}, nil
	}}, nil
}

func parseNetworks(o object, env Env) (Call, error) {
	d, err := disclose("stx_getNetworks", "networks", object{}, env)
	if err != nil {
		return nil, err
	}
	type entry struct {
		ID                 string `json:"id"`
		ChainID            uint32 `json:"chainId"`
		TransactionVersion byte   `json:"transactionVersion"`
	}
	return &disclosureCall{d, func() (any, error) {
		out := struct {
			Active   string  `json:"active"`
			Networks []entry `json:"networks"`
		}{Active: d.Network.Name}
		for _, name := range networkNames {
			if n, known := NetworkNamed(name); known {
				out.Networks = append(out.Networks, entry{n.Name, n.ChainID, n.TransactionVersion})
			}
		}
		return out, nil
	}}, nil
}

package signer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

func addressMethods() []Method {
	params := []Param{networkParam}
	return []Method{
		{Name: "getAddresses", Params: params, Also: []string{"purposes", "message"}, parse: parseAddresses("getAddresses")},
		{Name: "stx_getAddresses", Params: params, Also: []string{"message"}, parse: parseAddresses("stx_getAddresses")},
		{Name: "stx_getAccounts", Params: params, parse: parseAccounts},
		{Name: "stx_getNetworks", Params: []Param{}, parse: parseNetworks},
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

// disclose begins a description of something that is given out.
func disclose(method, what string, o object, env Env) (Description, error) {
	n, notes, err := o.network(env)
	if err != nil {
		return Description{}, err
	}
	id, err := env.identity(env.Account, n)
	if err != nil {
		return Description{}, err
	}
	message, err := o.optionalText("message")
	if err != nil {
		return Description{}, err
	}
	if len([]rune(message)) > maxConnectMessage {
		return Description{}, jsonrpc.InvalidParam("message", "must have at most %d characters", maxConnectMessage)
	}
	notes.hidden("message", hidden.FindText(message))
	return Description{Method: method, Account: id.Account, Network: n, Disclosed: &Disclosed{What: what, Message: message}, Warnings: notes}, nil
}

func parseAddresses(method string) func(object, Env) (Call, error) {
	return func(o object, env Env) (Call, error) {
		d, err := disclose(method, "addresses", o, env)
		if err != nil {
			return nil, err
		}
		purposes, missing, err := o.purposes("purposes", env)
		if err != nil {
			return nil, err
		}
		entries, err := purposeEntries(env, d.Network, purposes)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			d.Disclosed.Addresses = append(d.Disclosed.Addresses, entry.Address)
		}
		d.Disclosed.Missing = missing
		return &disclosureCall{d, func() (any, error) {
			return addressResult{entries, networkResultOf(d.Network)}, nil
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
	var result map[string]any
	if json.Unmarshal(answer, &result) != nil {
		return json.RawMessage(`"[secret]"`)
	}
	for _, member := range result {
		list, _ := member.([]any)
		for _, item := range list {
			if entry, ok := item.(map[string]any); ok && entry["gaiaAppKey"] != nil {
				entry["gaiaAppKey"] = keys.Secret{}
			}
		}
	}
	masked, err := json.Marshal(result)
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
	var accounts []accountEntry
	for _, account := range env.accounts() {
		id, err := env.identity(account, d.Network)
		if err != nil {
			return nil, err
		}
		d.Disclosed.Addresses = append(d.Disclosed.Addresses, id.Address)
		accounts = append(accounts, accountEntry{id.Address, id.PublicKey, gaiaHub, ""})
	}
	d.Disclosed.AppKey = true
	w := warnings(d.Warnings)
	w.add(WarnAppKey, "", "the answer holds the private key of the account's gaia storage")
	d.Warnings = w
	return &disclosureCall{d, func() (any, error) {
		list := slices.Clone(accounts)
		for i, account := range env.accounts() {
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

func parseNetworks(_ object, env Env) (Call, error) {
	d, err := disclose("stx_getNetworks", "networks", object{}, env)
	if err != nil {
		return nil, err
	}
	type entry struct {
		ID                 string `json:"id"`
		ChainID            string `json:"chainId"`
		TransactionVersion string `json:"transactionVersion"`
	}
	return &disclosureCall{d, func() (any, error) {
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

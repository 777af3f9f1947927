package signer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

// maxConnectMessage is how many characters a page may say about its wish to
// connect, as in Xverse.
const maxConnectMessage = 80

// connectMethods are the methods by which pages of sats-connect connect and
// read. Their params and results are those of Xverse (@sats-connect/core 0.16).
func connectMethods() []Method {
	message := optional("message", "string", "what the page says about its wish, at most 80 characters")
	return []Method{
		{Name: "wallet_connect", parse: parseConnect, Params: []Param{
			optional("addresses", "array", "payment, ordinals, stacks; all when absent"), message,
			optional("network", "string", "Mainnet, Testnet, Testnet4, Signet or Regtest: switches to it"),
		}},
		{Name: "getAccounts", parse: parsePurposeAccounts, Also: []string{"network"}, Params: []Param{
			required("purposes", "array", "payment, ordinals, stacks"), message,
		}},
		{Name: "wallet_getAccount", parse: parseAccount, Silent: true, Params: []Param{networkParam}},
		{Name: "wallet_getNetwork", parse: parseGetNetwork, Silent: true, Params: []Param{networkParam}},
		{Name: "wallet_changeNetwork", parse: parseChangeNetwork, Params: []Param{
			required("name", "string", "Mainnet, Testnet, Testnet4, Signet or Regtest"),
		}},
		{Name: "getBalance", parse: parseBalance, Silent: true, Params: []Param{networkParam}},
	}
}

// accountResult is the result of wallet_connect and wallet_getAccount.
type accountResult struct {
	ID         string          `json:"id"`
	WalletType string          `json:"walletType"`
	Addresses  []purposeResult `json:"addresses"`
	Network    networkResult   `json:"network"`
}

// purposeResult is an address as Xverse writes it.
type purposeResult struct {
	Address     string `json:"address"`
	PublicKey   string `json:"publicKey"` // of p2tr the x-only key before it is tweaked
	Purpose     string `json:"purpose"`
	AddressType string `json:"addressType"`
	WalletType  string `json:"walletType"`
}

// purposeResults writes entries as Xverse does.
func purposeResults(entries []AddressEntry) []purposeResult {
	out := make([]purposeResult, len(entries))
	for i, e := range entries {
		out[i] = purposeResult{e.Address, e.PublicKey, e.Purpose, e.AddressType, e.WalletType}
		if e.TweakedPublicKey != "" {
			out[i].PublicKey = e.TweakedPublicKey
		}
	}
	return out
}

// allPurposes is the order of Xverse when no purposes are named.
var allPurposes = []string{purposeOrdinals, purposePayment, purposeStacks}

// accountID names the active account on a network: a string that stays the same
// as long as the keys do.
func (env Env) accountID(n Network) string {
	var owner string
	if env.Persona.Watched != nil {
		owner = env.watched(n)
	} else {
		owner = env.Keys.Fingerprint()
	}
	hash := sha256.Sum256(fmt.Appendf(nil, "account-%s-%d-%s", owner, env.Account, n.Bitcoin()))
	return hex.EncodeToString(hash[:])
}

// account makes the result of wallet_connect for purposes, all for nil.
func (env Env) accountResult(n Network, purposes []string) (accountResult, error) {
	if purposes == nil {
		purposes = allPurposes
	}
	entries, err := purposeEntries(env, n, purposes)
	return accountResult{env.accountID(n), walletType, purposeResults(entries), networkResultOf(n)}, err
}

func parseConnect(o object, env Env) (Call, error) {
	return discloseAccount("wallet_connect", "addresses", o, env, func(a accountResult) any { return a })
}

// discloseAccount makes a call that answers with something of an account, which has
// the addresses for the purposes that a param names.
func discloseAccount(method, param string, o object, env Env, answer func(accountResult) any) (Call, error) {
	d, err := disclose(method, "addresses", o, env)
	if err != nil {
		return nil, err
	}
	purposes, missing, err := o.purposes(param, env)
	if err != nil {
		return nil, err
	}
	account, err := env.accountResult(d.Network, purposes)
	if err != nil {
		return nil, err
	}
	for _, a := range account.Addresses {
		d.Disclosed.Addresses = append(d.Disclosed.Addresses, a.Address)
	}
	d.Disclosed.Missing = missing
	return &disclosureCall{d, func() (any, error) { return answer(account), nil }}, nil
}

func parsePurposeAccounts(o object, env Env) (Call, error) {
	if !o.has("purposes") {
		return nil, jsonrpc.InvalidParam("purposes", "is missing, must be an array of payment, ordinals and stacks")
	}
	return discloseAccount("getAccounts", "purposes", o, env, func(a accountResult) any { return a.Addresses })
}

// silent makes a call that needs no approval.
func silent(method, what string, o object, env Env, answer func(Network) (any, error)) (Call, error) {
	d, err := disclose(method, what, o, env)
	if err != nil {
		return nil, err
	}
	d.Silent = true
	return &disclosureCall{d, func() (any, error) { return answer(d.Network) }}, nil
}

func parseAccount(o object, env Env) (Call, error) {
	return silent("wallet_getAccount", "addresses", o, env, func(n Network) (any, error) { return env.accountResult(n, nil) })
}

func parseGetNetwork(o object, env Env) (Call, error) {
	return silent("wallet_getNetwork", "networks", o, env, func(n Network) (any, error) { return networkResultOf(n), nil })
}

// balanceResult is the result of getBalance: satoshis as decimal strings.
type balanceResult struct {
	Confirmed   string `json:"confirmed"`
	Unconfirmed string `json:"unconfirmed"`
	Total       string `json:"total"`
}

// parseBalance answers the mock coins that sendTransfer spends.
func parseBalance(o object, env Env) (Call, error) {
	return silent("getBalance", "balance", o, env, func(n Network) (any, error) {
		a, err := bitcoinAccount(env.Keys, env.Account, n)
		if err != nil {
			return nil, err
		}
		sum := uint64(0)
		if !env.Persona.NoCoins {
			for _, coin := range bitcoin.MockCoins(&a.Owner) {
				sum += coin.Amount
			}
		}
		text := strconv.FormatUint(sum, 10)
		return balanceResult{text, "0", text}, nil
	})
}

// parseChangeNetwork reads a change of the network; the wallet in front carries
// it out.
func parseChangeNetwork(o object, env Env) (Call, error) {
	name, err := o.text("name")
	if err != nil {
		return nil, err
	}
	n, known := networkTitled(name)
	if !known {
		return nil, jsonrpc.InvalidParam("name", "%.40q is unknown, must be Mainnet, Testnet, Testnet4, Signet or Regtest", name)
	}
	d, err := disclose("wallet_changeNetwork", "networks", object{}, env)
	if err != nil {
		return nil, err
	}
	d.Disclosed, d.Switch = nil, n.Name
	return &disclosureCall{d, func() (any, error) { return nil, nil }}, nil
}

// networkTitled finds a network by the name that Xverse writes, Testnet4.
func networkTitled(title string) (Network, bool) {
	for name, t := range bitcoinTitles {
		if t == title {
			return NetworkNamed(name)
		}
	}
	return Network{}, false
}

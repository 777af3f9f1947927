package signer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"chainscope/wallet/bitcoin"
)

// maxConnectMessage limits how many characters a page may say about its wish to
// connect, as in Xverse.
const maxConnectMessage = 80

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

// connected returns the result of wallet_connect.
func (r *request) connected(n Network, entries []AddressEntry) any {
	return accountResult{r.env.accountID(n), walletType, purposeResults(entries), networkResultOf(n)}
}

func parseConnect(r *request) (Call, error) {
	return r.discloseAddresses("addresses", allPurposes, r.connected)
}

func parseAccount(r *request) (Call, error) { return r.discloseAddresses("", allPurposes, r.connected) }

func parsePurposeAccounts(r *request) (Call, error) {
	return r.discloseAddresses("purposes", allPurposes, func(_ Network, entries []AddressEntry) any { return purposeResults(entries) })
}

// answer makes a call that is answered from the network.
func (r *request) answer(what string, answer func(Network) (any, error)) (Call, error) {
	d, err := r.disclose(what)
	if err != nil {
		return nil, err
	}
	return fixed{d, func() (any, error) { return answer(d.Network) }}, nil
}

func parseGetNetwork(r *request) (Call, error) {
	return r.answer("networks", func(n Network) (any, error) { return networkResultOf(n), nil })
}

// balanceResult is the result of getBalance: satoshis as decimal strings.
type balanceResult struct {
	Confirmed   string `json:"confirmed"`
	Unconfirmed string `json:"unconfirmed"`
	Total       string `json:"total"`
}

// parseBalance answers the mock coins that sendTransfer spends.
func parseBalance(r *request) (Call, error) {
	return r.answer("balance", func(n Network) (any, error) {
		a, err := bitcoinAccount(r.env.Keys, r.env.Account, n)
		if err != nil {
			return nil, err
		}
		sum := uint64(0)
		if !r.env.Persona.NoCoins {
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
func parseChangeNetwork(r *request) (Call, error) {
	d, err := r.disclose("networks")
	if err != nil {
		return nil, err
	}
	d.Disclosed, d.Switch = nil, strings.ToLower(get[string](r, "name"))
	return fixed{d, func() (any, error) { return nil, nil }}, nil
}

package snippet

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"chainscope/wallet/clarity"
)

// transaction are the params that all transactions of @stacks/connect take, conditions those that
// may move assets.
const (
	transaction = "address network fee nonce sponsored "
	conditions  = transaction + "postConditions postConditionMode "
)

// connectMethods are the methods of @stacks/connect 8, satsMethods those that sats-connect 4 has
// beside them, each with the params of its type. A * marks what is needed; behind = is what a
// value must be where a wallet takes more: c a Clarity value, a one or its hexadecimal digits, f a
// list of either, i inputs, each with its address or none, h sighashes that are not combined.
var (
	connectMethods = map[string]string{
		"getAddresses": "network", "stx_getAddresses": "network", "stx_getAccounts": "network", "stx_updateProfile": "*profile",
		"sendTransfer":              "*recipients network",
		"signPsbt":                  "*psbt signInputs=i broadcast network allowedSighash=h descriptor",
		"stx_transferStx":           transaction + "*recipient *amount memo",
		"stx_transferSip10Ft":       conditions + "*recipient *asset *amount",
		"stx_transferSip9Nft":       conditions + "*recipient *asset *assetId=a",
		"stx_callContract":          conditions + "*contract *functionName functionArgs=f",
		"stx_deployContract":        conditions + "*name *clarityCode clarityVersion",
		"stx_signTransaction":       "*transaction broadcast",
		"stx_signMessage":           "*message publicKey",
		"stx_signStructuredMessage": "*message=c *domain=c",
	}
	satsMethods = map[string]string{
		"signMessage": "*address *message protocol", "signMultipleMessages": "*address *message protocol",
		"stx_signTransactions": "*transactions broadcast", "getAccounts": "*purposes message",
		"wallet_connect": "permissions addresses message network", "wallet_changeNetwork": "*name",
		"getBalance": "", "getInfo": "", "wallet_getAccount": "", "wallet_getNetwork": "", "wallet_getWalletType": "", "wallet_disconnect": "",
		"wallet_requestPermissions": "", "wallet_renouncePermissions": "", "wallet_getCurrentPermissions": "",
	}
)

// constants are those of sats-connect for the values of params, by the names of these.
var constants = map[string]string{"purposes": purposes, "addresses": purposes, "name": networks, "network": networks, "protocol": "MessageSigningProtocols ECDSA BIP322"}

const (
	purposes = "AddressPurpose Payment Ordinals Stacks Starknet Spark"
	networks = "BitcoinNetworkType Mainnet Testnet Testnet4 Signet Regtest"
)

// constant returns the constant that has a value, "" for none.
func (w *writer) constant(value string) string {
	names := strings.Fields(w.of)
	for i, name := range names {
		if i > 0 && (name == value || w.of == purposes && strings.ToLower(name) == value) {
			w.imports = append(w.imports, names[0])
			return names[0] + "." + name
		}
	}
	return ""
}

// misfit names the param for which the types of the library refuse the params, "" for none.
func (w *writer) misfit(types string, params json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) == nil && len(list) > 0 {
		params = list[0]
	}
	var given map[string]json.RawMessage
	if len(params) > 0 && json.Unmarshal(params, &given) != nil {
		return "params"
	}
	for _, t := range strings.Fields(types) {
		name, kind, _ := strings.Cut(strings.TrimPrefix(t, "*"), "=")
		value, there := given[name]
		if there && !w.fits(kind, value) || !there && t[0] == '*' {
			return name
		}
		delete(given, name)
	}
	if len(given) == 0 {
		return ""
	}
	return slices.Min(slices.Collect(maps.Keys(given)))
}

// fits reports whether the types of the library take a value for a kind of param.
func (w *writer) fits(kind string, raw json.RawMessage) bool {
	isText := raw[0] == '"'
	_, err := clarity.ParseJSON(raw)
	isValue := err == nil && !w.plain
	var list []json.RawMessage
	switch kind {
	case "c":
		return isValue || isText && w.plain
	case "a":
		return isValue || isText
	case "h":
		return !bytes.ContainsRune(raw, '_') && !bytes.Contains(raw, []byte("DEFAULT"))
	case "i":
		var by []struct{ Address *string }
		lacks := func(one struct{ Address *string }) bool { return one.Address == nil }
		return json.Unmarshal(raw, new([]int)) == nil || json.Unmarshal(raw, &by) == nil && !slices.ContainsFunc(by, lacks)
	case "f":
		texts := json.Unmarshal(raw, new([]string)) == nil
		return texts || json.Unmarshal(raw, &list) == nil && !slices.ContainsFunc(list, func(one json.RawMessage) bool { return !w.fits("c", one) })
	}
	return true
}

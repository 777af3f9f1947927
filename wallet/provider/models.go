package provider

import (
	"maps"
	"sync"

	"chainscope/wallet/signer"
)

// Params that many methods of a wallet share.
const (
	// leatherCommon are the params of Leather's Stacks transactions.
	leatherCommon = " address network fee nonce postConditions postConditionMode sponsored"
	// xverseConditions are those of Xverse's.
	xverseConditions = " postConditions postConditionMode"
)

// leatherNetworks gives Leather's devnet the Bitcoin network that it has there: regtest.
var leatherNetworks = map[string]string{"devnet": "sbtcDevenv"}

// satsConnect returns the methods by which pages of sats-connect connect and read.
func satsConnect() map[string]row {
	return map[string]row{
		// Which permissions a page wants is not read: it gets those of the account.
		"wallet_connect":               {params: "addresses message network permissions", drops: "permissions", title: "network", answer: connected},
		"getAccounts":                  {params: "purposes message"},
		"wallet_getAccount":            {permission: true},
		"wallet_getNetwork":            {permission: true},
		"getBalance":                   {permission: true},
		"wallet_changeNetwork":         {params: "name", title: "name", answer: networkChanged},
		"wallet_requestPermissions":    {signs: "wallet_connect", answer: permitted},
		"wallet_getCurrentPermissions": {permission: true, own: currentPermissions},
		"wallet_getWalletType":         {permission: true, own: walletType},
		"wallet_renouncePermissions":   {own: renounce},
		"wallet_disconnect":            {own: renounce},
		"getInfo":                      {own: info},
	}
}

// merged returns the rows of several tables; those of a later one win.
func merged(tables ...map[string]row) map[string]row {
	out := map[string]row{}
	for _, rows := range tables {
		maps.Copy(out, rows)
	}
	return out
}

// everything hands the methods of the signer on as they are.
func everything() map[string]row {
	rows, connecting := map[string]row{}, satsConnect()
	for _, m := range signer.Methods() {
		r := connecting[m.Name]
		r.params, r.array = "*", m.Entry != ""
		rows[m.Name] = r
	}
	return rows
}

// models are the tables of the wallets that can be played.
var models = sync.OnceValue(func() map[Personality]*Model {
	return map[Personality]*Model{PlayChainscope: chainscopeModel(), PlayLeather: leatherModel(), PlayXverse: xverseModel()}
})

// chainscopeModel returns the plain wallet: it takes what the signer takes, in the
// shapes of SIP-030, and refuses what it does not know.
func chainscopeModel() *Model {
	return &Model{
		ID: ChainscopeID, Name: "chainscope (terminal)", Version: "1.0.0",
		Source:      "SIP-030; for the methods of other wallets their own sources",
		Unsupported: "the wallet has no method %q",
		Strict:      true,
		Listen:      []string{"addListener", "listen"},
		methods: merged(satsConnect(), everything(), map[string]row{
			"supportedMethods": {own: supported},
			"open":             {params: "mode", own: open}, "openSwap": {params: "base quote", own: openSwap},
		}),
	}
}

func leatherModel() *Model {
	return &Model{
		ID: LeatherID, Name: "Leather", Version: "6.73.4",
		Source:      "leather-io/extension 05d24d70 (October 2025, @leather.io/rpc 2.20.15); @leather.io/rpc 2.21.16; leather-io/mono 4ac9e631",
		Traits:      Traits{IsLeather: true},
		Rejects:     true,
		Globals:     []string{"StacksProvider", "HiroWalletProvider", "btc"},
		Unsupported: "%q is not supported. Try running .request('supportedMethods') to see what is",
		NeedsParams: true,
		methods: map[string]row{
			"supportedMethods": {own: supported},
			"open":             {params: "mode", own: open}, "openSwap": {params: "base quote", own: openSwap},

			"getAddresses":     {params: "network", networks: leatherNetworks, descriptors: true, answer: leatherAddresses},
			"stx_getAddresses": {params: "network", signs: "getAddresses", networks: leatherNetworks, descriptors: true, answer: leatherAddresses},
			"sendTransfer":     {params: "recipients address amount network account", networks: leatherNetworks, members: "txid transaction"},
			"signPsbt": {
				params: "hex signAtIndex allowedSighash broadcast network account", needs: "hex", needsRule: "must be a PSBT in hex, is missing",
				networks: leatherNetworks, check: leatherPSBT, members: "hex txid transaction",
			},
			"signMessage": { // by BIP-322, or by ECDSA where the type is legacy, which the schema of its library has
				params: "message paymentType type network account", defaults: map[string]any{"paymentType": "p2wpkh"},
				networks: leatherNetworks, members: "signature address message",
			},

			"stx_transferStx": {params: "recipient amount memo" + leatherCommon},
			"stx_callContract": { // it would drop the name that Xverse has for functionArgs, and sign a call without arguments
				params:  "contract functionName functionArgs arguments" + leatherCommon,
				refuses: map[string]string{"arguments": "is not read by Leather, must be functionArgs"},
			},
			"stx_deployContract":  {params: "name clarityCode clarityVersion" + leatherCommon, versionless: true},
			"stx_transferSip10Ft": {params: "recipient asset amount" + leatherCommon}, "stx_transferSip9Nft": {params: "recipient asset assetId" + leatherCommon},
			"stx_signTransaction":       {params: "transaction txHex stxAddress attachment accountIndex network", fillZero: true, answer: leatherTransaction},
			"stx_signMessage":           {params: "message messageType domain network", check: leatherMessage},
			"stx_signStructuredMessage": {params: "message domain network"},
		},
	}
}

func xverseModel() *Model {
	return &Model{
		ID: XverseID, Name: "Xverse Wallet", Version: "1.4.0",
		Source:      "@sats-connect/core 0.16.0; secretkeylabs/xverse-web-extension bdbd6a00 (0.49.0); docs.xverse.app",
		Traits:      Traits{XverseFunctions: true},
		Globals:     []string{"XverseProviders.StacksProvider", "StacksProvider", "BitcoinProvider"},
		Listen:      []string{"addListener"},
		Unsupported: "%q is not supported.",
		methods: merged(satsConnect(), map[string]row{
			"getAddresses": {
				params: "purposes message", signs: "wallet_getAccount", permission: true, check: readPurposes, answer: xverseAddresses,
			},
			"stx_getAddresses": {
				params: "message", signs: "wallet_getAccount", permission: true, check: readPurposes, answer: xverseAddresses,
			},
			"stx_getAccounts": {permission: true, members: "addresses network"},

			"sendTransfer": {
				params: "recipients",
				shapes: map[string]shape{"recipients[].amount": {"-0123456789", "must be a number"}}, members: "txid transaction",
			},
			"signPsbt": {
				params: "psbt signInputs broadcast",
				shapes: map[string]shape{"signInputs": {"{", "must be an object of arrays of indexes by address"}}, members: "psbt txid transaction",
			},
			"signMessage": {
				params: "address message protocol", needs: "address", needsRule: "is missing, must be a Bitcoin address of the wallet",
				members: "signature messageHash address protocol",
			},
			"signMultipleMessages": {array: true},

			"stx_transferStx":  {params: "amount recipient memo version pubkey" + xverseConditions},
			"stx_callContract": {params: "contract functionName functionArgs arguments" + xverseConditions},
			"stx_deployContract": {
				params: "name clarityCode clarityVersion" + xverseConditions, shapes: map[string]shape{"clarityVersion": {"-0123456789", "must be a number"}},
			},
			"stx_signTransaction":       {params: "transaction pubkey broadcast", defaults: map[string]any{"broadcast": true}},
			"stx_signTransactions":      {params: "transactions broadcast", defaults: map[string]any{"broadcast": true}},
			"stx_signMessage":           {params: "message parameterFormatVersion"},
			"stx_signStructuredMessage": {params: "domain message publicKey"},
		}),
	}
}

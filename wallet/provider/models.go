package provider

// Params that many methods of a wallet share.
const (
	// leatherCommon are the params of Leather's Stacks transactions.
	leatherCommon = " address network fee nonce postConditions postConditionMode sponsored"
	// xverseConditions are those of Xverse's.
	xverseConditions = " postConditions postConditionMode"
)

// models are the tables of the wallets that can be played.
var models = map[Personality]*Model{PlayChainscope: chainscopeModel, PlayLeather: leatherModel, PlayXverse: xverseModel}

// chainscopeModel is the plain wallet: it takes what the signer takes, in the
// shapes of SIP-030, and refuses what it does not know.
var chainscopeModel = &Model{
	ID: ChainscopeID, Name: "chainscope (terminal)", Version: "1.0.0",
	Source:      "SIP-030; for the methods of other wallets their own sources",
	Unsupported: "the wallet has no method %q",
	Strict:      true,
	Listen:      []string{"addListener", "listen"},
	methods: map[string]methodModel{
		"getAddresses": {takes: "*"}, "stx_getAddresses": {takes: "*"}, "stx_getAccounts": {takes: "*"}, "stx_getNetworks": {takes: "*"},
		"sendTransfer": {takes: "*"}, "signPsbt": {takes: "*"}, "signMessage": {takes: "*"}, "signMultipleMessages": {array: true},
		"stx_transferStx": {takes: "*"}, "stx_callContract": {takes: "*"}, "stx_deployContract": {takes: "*"},
		"stx_transferSip10Ft": {takes: "*"}, "stx_transferSip9Nft": {takes: "*"},
		"stx_signTransaction": {takes: "*"}, "stx_signTransactions": {takes: "*"},
		"stx_signMessage": {takes: "*"}, "stx_signStructuredMessage": {takes: "*"},

		"wallet_connect": {takes: "*", params: networkByTitle, answer: connected}, "getAccounts": {takes: "*"},
		"wallet_getAccount": {takes: "*", silent: true, permission: true}, "wallet_getNetwork": {takes: "*", silent: true, permission: true},
		"getBalance": {takes: "*", silent: true, permission: true}, "wallet_changeNetwork": {takes: "*", params: rememberTitle, answer: networkChanged},
		"wallet_requestPermissions":    {as: "wallet_connect", answer: permitted},
		"wallet_getCurrentPermissions": {silent: true, permission: true, own: currentPermissions},
		"wallet_getWalletType":         {silent: true, permission: true, own: walletType},
		"wallet_renouncePermissions":   {silent: true, own: renounce}, "wallet_disconnect": {silent: true, own: renounce},
		"getInfo": {silent: true, own: info}, "supportedMethods": {silent: true, own: supported},
		"open": {takes: "mode", silent: true, own: open}, "openSwap": {takes: "base quote", silent: true, own: openSwap},
	},
}

var leatherModel = &Model{
	ID: LeatherID, Name: "Leather", Version: "6.73.4",
	Source:      "leather-io/extension 05d24d70 (October 2025, @leather.io/rpc 2.20.15); @leather.io/rpc 2.21.16; leather-io/mono 4ac9e631",
	Traits:      Traits{IsLeather: true},
	Rejects:     true,
	Globals:     []string{"StacksProvider", "HiroWalletProvider", "btc"},
	Unsupported: "%q is not supported. Try running .request('supportedMethods') to see what is",
	NeedsParams: true,
	methods: map[string]methodModel{
		"supportedMethods": {silent: true, own: supported},
		"open":             {takes: "mode", silent: true, own: open}, "openSwap": {takes: "base quote", silent: true, own: openSwap},

		"getAddresses":     {takes: "network", params: withDescriptors, answer: leatherAddresses},
		"stx_getAddresses": {takes: "network", as: "getAddresses", params: withDescriptors, answer: leatherAddresses},
		"sendTransfer":     {takes: "recipients address amount network account", params: leatherTransfer, answer: only("txid", "transaction")},
		"signPsbt":         {takes: "hex signAtIndex allowedSighash broadcast network account", params: leatherPSBT, answer: only("hex", "txid", "transaction")},
		"signMessage":      {takes: "message paymentType type network account", params: leatherBitcoinMessage, answer: only("signature", "address", "message")},

		"stx_transferStx":     {takes: "recipient amount memo" + leatherCommon},
		"stx_callContract":    {takes: "contract functionName functionArgs arguments" + leatherCommon, params: refuseArguments},
		"stx_deployContract":  {takes: "name clarityCode clarityVersion" + leatherCommon},
		"stx_transferSip10Ft": {takes: "recipient asset amount" + leatherCommon}, "stx_transferSip9Nft": {takes: "recipient asset assetId" + leatherCommon},
		"stx_signTransaction": {
			takes: "transaction txHex stxAddress attachment accountIndex network", params: fillZero, answer: leatherTransaction,
		},
		"stx_signMessage":           {takes: "message messageType domain network", params: leatherMessage},
		"stx_signStructuredMessage": {takes: "message domain network"},
	},
}

var xverseModel = &Model{
	ID: XverseID, Name: "Xverse Wallet", Version: "1.4.0",
	Source:      "@sats-connect/core 0.16.0; secretkeylabs/xverse-web-extension bdbd6a00 (0.49.0); docs.xverse.app",
	Traits:      Traits{XverseFunctions: true},
	Globals:     []string{"XverseProviders.StacksProvider", "StacksProvider", "BitcoinProvider"},
	Listen:      []string{"addListener"},
	Unsupported: "%q is not supported.",
	methods: map[string]methodModel{
		"getInfo":        {silent: true, own: info},
		"wallet_connect": {takes: "addresses message network permissions", params: networkByTitle, answer: connected},
		"getAccounts":    {takes: "purposes message"},
		"getAddresses": {
			takes: "purposes message", as: "wallet_getAccount", silent: true, permission: true, params: rememberPurposes, answer: xverseAddresses,
		},
		"stx_getAddresses": {
			takes: "message", as: "wallet_getAccount", silent: true, permission: true, params: stacksPurpose, answer: xverseStacksAddresses,
		},
		"stx_getAccounts":   {permission: true, answer: only("addresses", "network")},
		"wallet_getAccount": {silent: true, permission: true}, "wallet_getNetwork": {silent: true, permission: true},
		"getBalance": {silent: true, permission: true}, "wallet_changeNetwork": {takes: "name", params: rememberTitle, answer: networkChanged},
		"wallet_requestPermissions":    {as: "wallet_connect", answer: permitted},
		"wallet_getCurrentPermissions": {silent: true, permission: true, own: currentPermissions},
		"wallet_getWalletType":         {silent: true, permission: true, own: walletType},
		"wallet_renouncePermissions":   {silent: true, own: renounce}, "wallet_disconnect": {silent: true, own: renounce},

		"sendTransfer":         {takes: "recipients", params: xverseTransfer, answer: only("txid", "transaction")},
		"signPsbt":             {takes: "psbt signInputs broadcast", params: xversePSBT, answer: only("psbt", "txid", "transaction")},
		"signMessage":          {takes: "address message protocol", params: needsAddress, answer: only("signature", "messageHash", "address", "protocol")},
		"signMultipleMessages": {array: true},

		"stx_transferStx":           {takes: "amount recipient memo version pubkey" + xverseConditions},
		"stx_callContract":          {takes: "contract functionName functionArgs arguments" + xverseConditions},
		"stx_deployContract":        {takes: "name clarityCode clarityVersion" + xverseConditions, params: versionAsNumber},
		"stx_signTransaction":       {takes: "transaction pubkey broadcast", params: broadcastByDefault},
		"stx_signTransactions":      {takes: "transactions broadcast", params: broadcastByDefault},
		"stx_signMessage":           {takes: "message parameterFormatVersion"},
		"stx_signStructuredMessage": {takes: "domain message publicKey"},
	},
}

package form

import "slices"

var networks = []string{"", "mainnet", "testnet", "devnet", "mocknet", "regtest"}

var network = Field{Name: "network", Label: "network", Kind: Choice, Optional: true, Choices: networks, About: "the wallet's when not given"}

var signing = []Field{
	{Name: "address", Label: "signer", Kind: Address, Optional: true, About: "an address of the wallet that has to sign"},
	{Name: "publicKey", Label: "public key", Kind: PublicKey, Optional: true, About: "of the account that has to sign"},
}

var common = []Field{
	network,
	{Name: "fee", Label: "fee", Kind: Integer, Unit: "micro-STX", Optional: true, About: "asked of the chain when not given"},
	{Name: "nonce", Label: "nonce", Kind: Integer, Optional: true, About: "asked of the chain when not given"},
	{Name: "sponsored", Label: "sponsored", Kind: Bool, Optional: true, About: "leaves the fee to a sponsor; not broadcast"},
	signing[0],
}

func forFungible(i Item) bool { return !forNFT(i) && !forPoX(i) }
func forToken(i Item) bool    { return i["type"] == "ft-postcondition" || forNFT(i) }
func forNFT(i Item) bool      { return i["type"] == "nft-postcondition" }
func forPoX(i Item) bool      { return i["type"] == "pox-postcondition" }

var conditions = []Field{
	{Name: "postConditionMode", Label: "mode", Kind: Choice, Optional: true, Choices: []string{"", "deny", "allow", "originator"}, About: "deny when not given: nothing moves but what is said"},
	{Name: "postConditions", Label: "post-conditions", Kind: List, Optional: true, Word: "post-condition", About: "what may be moved", Item: []Field{
		{Name: "type", Label: "type", Kind: Choice, Choices: []string{"stx-postcondition", "ft-postcondition", "nft-postcondition", "staking-postcondition", "pox-postcondition"}},
		{Name: "address", Label: "who", Kind: Principal, About: "an address, a contract or origin"},
		{Name: "condition", Label: "sends", Kind: Choice, Choices: []string{"eq", "gt", "gte", "lt", "lte"}, When: forFungible},
		{Name: "nftCondition", Label: "sends", Kind: Choice, Choices: []string{"sent", "not-sent", "maybe-sent"}, When: forNFT},
		{Name: "poxCondition", Label: "stacking", Kind: Choice, Choices: []string{"will-not-perform", "may-perform", "will-perform"}, When: forPoX},
		{Name: "asset", Label: "asset", Kind: Asset, About: "CONTRACT::TOKEN", When: forToken},
		{Name: "amount", Label: "amount", Kind: Integer, Unit: "units", When: forFungible, About: "micro-STX, or units of the token"},
		{Name: "assetId", Label: "id", Kind: Value, About: "of the token, such as u42", When: forNFT},
	}},
}

var (
	recipient = Field{Name: "recipient", Label: "recipient", Kind: Principal, About: "a Stacks address or contract"}
	asset     = Field{Name: "asset", Label: "asset", Kind: Asset, About: "CONTRACT::TOKEN"}
)

// bitcoinNetworks are the networks as sats-connect names them.
var bitcoinNetworks = []string{"Mainnet", "Testnet", "Testnet4", "Signet", "Regtest"}

// purposes is a list of the kinds of addresses that sats-connect asks for.
func purposes(name, about string) Field {
	return Field{Name: name, Label: "addresses", Kind: List, Word: "kind of address", About: about, Item: []Field{
		{Label: "kind", Kind: Choice, Choices: []string{"payment", "ordinals", "stacks"}},
	}}
}

func optional(f Field) Field {
	f.Optional = true
	return f
}

var (
	wish      = Field{Name: "message", Label: "message", Kind: Text, Optional: true, About: "what the page says about its wish, at most 80 characters"}
	bitcoinBy = Field{Name: "address", Label: "signer", Kind: Bitcoin, About: "a Bitcoin address of the wallet"}
	protocol  = Field{
		Name: "protocol", Label: "protocol", Kind: Choice, Optional: true, Choices: []string{"", "ECDSA", "BIP322"},
		About: "when not given ECDSA for p2wpkh and BIP322 for p2tr; BIP322 without a signer",
	}
	plainText = Field{Name: "message", Label: "message", Kind: Text, About: "any text; alt+enter breaks the line"}
)

// forms are in the order in which they are offered.
var forms = []Form{
	{"stx_signMessage", "sign a text", slices.Concat([]Field{
		plainText,
		network,
	}, signing)},
	{"stx_transferStx", "send STX", slices.Concat([]Field{
		recipient,
		{Name: "amount", Label: "amount", Kind: Amount, Unit: "micro-STX", About: "1 STX is 1000000 micro-STX"},
		{Name: "memo", Label: "memo", Kind: Memo, Optional: true, About: "at most 34 bytes"},
	}, common)},
	{"stx_callContract", "call a public function", slices.Concat([]Field{
		{Name: "contract", Label: "contract", Kind: Contract, About: "ADDRESS.NAME"},
		{Name: "functionName", Label: "function", Kind: Name, About: "a public function of the contract"},
		{Name: "functionArgs", Label: "arguments", Kind: List, Word: "argument", Optional: true, About: "Clarity values", Item: []Field{
			{Label: "argument", Kind: Value, About: "a Clarity literal: u1, \"text\", 'SP…, (some u1), { a: u1 }"},
		}},
	}, conditions, common)},
	{"stx_deployContract", "deploy a contract", slices.Concat([]Field{
		{Name: "name", Label: "name", Kind: NewName, About: "of the contract"},
		{Name: "clarityCode", Label: "source", Kind: Source, About: "type or paste it, or @FILE"},
		{Name: "clarityVersion", Label: "Clarity version", Kind: Choice, Optional: true, Choices: []string{"", "1", "2", "3", "4"}, About: "4 when not given"},
	}, conditions, common)},
	{"stx_signStructuredMessage", "sign a Clarity value (SIP-018)", slices.Concat([]Field{
		{Name: "message", Label: "message", Kind: Value, About: "a Clarity literal"},
		{Name: "domain", Label: "domain", Kind: Value, About: `{ chain-id: u1, name: "app", version: "1.0.0" }`},
		network,
	}, signing)},
	{"stx_transferSip10Ft", "send a fungible token", slices.Concat([]Field{
		recipient, asset,
		{Name: "amount", Label: "amount", Kind: Amount, Unit: "units", About: "in the smallest unit of the token"},
	}, conditions, common)},
	{"stx_transferSip9Nft", "send a non-fungible token", slices.Concat([]Field{
		recipient, asset,
		{Name: "assetId", Label: "id", Kind: Value, About: "of the token, such as u42"},
	}, conditions, common)},
	{"stx_signTransaction", "sign a prepared transaction", []Field{
		{Name: "transaction", Label: "transaction", Kind: Hex, About: "unsigned, in hexadecimal digits, or @FILE"},
		{Name: "broadcast", Label: "broadcast", Kind: Bool, Optional: true, About: "false when not given"},
		network,
	}},
	{"stx_signTransactions", "sign prepared transactions", []Field{
		{Name: "transactions", Label: "transactions", Kind: List, Word: "transaction", About: "are signed in their order, with one approval", Item: []Field{
			{Label: "transaction", Kind: Hex, About: "unsigned, in hexadecimal digits, or @FILE"},
		}},
		{Name: "broadcast", Label: "broadcast", Kind: Bool, Optional: true, About: "false when not given"},
		network,
	}},
	{"sendTransfer", "send bitcoin", []Field{
		{Name: "recipients", Label: "recipients", Kind: List, Word: "recipient", About: "who gets how much", Item: []Field{
			{Name: "address", Label: "address", Kind: Bitcoin, About: "a Bitcoin address"},
			{Name: "amount", Label: "amount", Kind: Amount, Unit: "satoshis", About: "1 BTC is 100000000 satoshis"},
		}},
		network,
	}},
	{"signPsbt", "sign a PSBT", []Field{
		{Name: "psbt", Label: "PSBT", Kind: PSBT, About: "paste it in base64, or @FILE"},
		{Name: "signInputs", Label: "inputs", Kind: List, Optional: true, Word: "input", About: "to sign; all of the account when none is named", Item: []Field{
			{Name: "index", Label: "index", Kind: Index, About: "from 0"},
			{Name: "address", Label: "address", Kind: Bitcoin, About: "that the input spends from"},
		}},
		{Name: "allowedSighash", Label: "sighash", Kind: List, Optional: true, Word: "sighash", About: "that may be used beside ALL and DEFAULT", Item: []Field{
			{Label: "sighash", Kind: Choice, Choices: []string{"ALL", "NONE", "SINGLE", "ALL_ANYONECANPAY", "NONE_ANYONECANPAY", "SINGLE_ANYONECANPAY", "DEFAULT"}},
		}},
		{Name: "broadcast", Label: "broadcast", Kind: Bool, Optional: true, About: "finalize, so that it could be sent"},
		network,
	}},
	{"signMessage", "sign a text with a Bitcoin key", []Field{plainText, optional(bitcoinBy), protocol, network}},
	{"signMultipleMessages", "sign texts with Bitcoin keys", []Field{
		{Label: "messages", Kind: List, Word: "message", About: "are signed with one approval", Item: []Field{plainText, bitcoinBy, protocol}},
	}},
	{"getAddresses", "ask for the addresses", []Field{network}},
	{"stx_getAddresses", "ask for the addresses, Stacks style", []Field{network}},
	{"stx_getAccounts", "ask for the accounts", []Field{network}},
	{"stx_getNetworks", "ask for the networks", nil},
	{"wallet_connect", "connect, as sats-connect does", []Field{
		optional(purposes("addresses", "all kinds when none is named")), wish,
		{Name: "network", Label: "network", Kind: Choice, Optional: true, Choices: append([]string{""}, bitcoinNetworks...), About: "switches to it"},
	}},
	{"getAccounts", "ask for addresses by kind", []Field{purposes("purposes", "which addresses"), wish}},
	{"wallet_getAccount", "read the connected account", []Field{network}},
	{"wallet_getNetwork", "read the network", []Field{network}},
	{"getBalance", "read the bitcoin balance", []Field{network}},
	{"wallet_changeNetwork", "switch the network", []Field{
		{Name: "name", Label: "network", Kind: Choice, Choices: bitcoinNetworks, About: "the Bitcoin network to switch to"},
	}},
}

// All returns the forms in the order in which they are offered.
func All() []Form { return slices.Clone(forms) }

// Of finds the form of a method.
func Of(method string) (Form, bool) {
	for _, f := range forms {
		if f.Method == method {
			return f, true
		}
	}
	return Form{}, false
}

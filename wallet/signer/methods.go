package signer

import (
	"slices"
	"strconv"

	"chainscope/wallet/facts"
)

// networkParam is the one that nearly every method takes.
var networkParam = Param{
	Name: "network", Kind: KindChain, Optional: true, Choices: []string{"mainnet", "testnet", "devnet", "mocknet", "regtest"},
	About: "the wallet's when not given; a chain, a URL or a network object of stacks.js too",
}

// sighashNames are the signature hashes of Bitcoin.
var sighashNames = []string{"ALL", "NONE", "SINGLE", "ALL_ANYONECANPAY", "NONE_ANYONECANPAY", "SINGLE_ANYONECANPAY", "DEFAULT"}

// bitcoinNetworkNames are the networks as sats-connect names them.
var bitcoinNetworkNames = []string{"Mainnet", "Testnet", "Testnet4", "Signet", "Regtest"}

// What names the account that has to sign.
var (
	signerAddress = Param{
		Name: "address", Kind: KindAddress, Optional: true, Label: "signer", Aliases: []string{"stxAddress"}, About: "an address of the wallet that has to sign",
	}
	signerKey = Param{
		Name: "publicKey", Kind: KindPublicKey, Optional: true, Label: "public key", Aliases: []string{"pubkey"}, About: "of the account that has to sign",
	}
	signerIndex = Param{Name: "account", Kind: KindAccount, Optional: true, Aliases: []string{"accountIndex"}, About: "the number of the account that has to sign"}
)

// commonParams are those of every method that makes a Stacks transaction, and commonAlso
// what it reads beside them.
var (
	commonParams = []Param{
		networkParam,
		{Name: "fee", Kind: KindInteger, Unit: "micro-STX", Optional: true, About: "read from the chain when not given"},
		{Name: "nonce", Kind: KindInteger, Optional: true, About: "read from the chain when not given"},
		{Name: "sponsored", Kind: KindBool, Optional: true, About: "leaves the fee to a sponsor; not broadcast"},
		signerAddress,
	}
	commonAlso = []Param{
		{Name: "broadcast", Kind: KindBool, Optional: true, About: "true when not given"}, signerKey, signerIndex,
	}
)

// Types of post-conditions, by what they have.
var (
	nftCondition       = []string{"nft-postcondition"}
	poxCondition       = []string{"pox-postcondition"}
	tokenCondition     = []string{"ft-postcondition", "nft-postcondition"}
	amountCondition    = []string{"stx-postcondition", "ft-postcondition", "staking-postcondition"}
	allConditions      = []string{"stx-postcondition", "ft-postcondition", "nft-postcondition", "staking-postcondition", "pox-postcondition"}
	amountComparisons  = []string{"eq", "gt", "gte", "lt", "lte"}
	postConditionsList = []Param{
		{
			Name: "postConditionMode", Kind: KindMode, Label: "mode", Optional: true, Choices: []string{"deny", "allow", "originator"},
			About: "deny when not given: nothing moves but what is said",
		},
		{Name: "postConditions", Kind: KindConditions, Label: "post-conditions", Optional: true, Word: "post-condition", About: "what may be moved", Items: []Param{
			{Name: "type", Kind: KindChoice, Choices: allConditions},
			{Name: "address", Label: "who", Kind: KindPrincipal, About: "an address, a contract or origin"},
			{Name: "condition", Label: "sends", Kind: KindChoice, Choices: amountComparisons, When: amountCondition},
			{Name: "condition", Label: "sends", Kind: KindChoice, Choices: []string{"sent", "not-sent", "maybe-sent"}, When: nftCondition},
			{Name: "condition", Label: "stacking", Kind: KindChoice, Choices: []string{"will-not-perform", "may-perform", "will-perform"}, When: poxCondition},
			{Name: "asset", Kind: KindAsset, About: "CONTRACT::TOKEN", When: tokenCondition},
			{Name: "amount", Kind: KindInteger, Unit: "units", About: "micro-STX, or units of the token", When: amountCondition},
			{Name: "assetId", Label: "id", Kind: KindValue, About: "of the token, such as u42", When: nftCondition},
		}},
	}
)

var (
	recipientParam = Param{Name: "recipient", Kind: KindPrincipal, About: "a Stacks address or contract"}
	assetParam     = Param{Name: "asset", Kind: KindAsset, About: "CONTRACT::TOKEN"}
	preparedParam  = Param{
		Name: "transaction", Kind: KindTransaction, Aliases: []string{"txHex"}, About: "unsigned, in hexadecimal digits",
	}
	broadcastParam = Param{Name: "broadcast", Kind: KindBool, Optional: true, About: "false when not given"}
)

// wish holds what a page says about its request for addresses.
var wish = Param{Name: "message", Kind: KindText, Optional: true, About: "what the page says about its wish, at most 80 characters"}

// purposesParam returns a list of the kinds of addresses that sats-connect requests.
func purposesParam(name, about string, optional bool) Param {
	return Param{Name: name, Label: "addresses", Kind: KindList, Optional: optional, Word: "kind of address", About: about, Items: []Param{
		{Label: "kind", Kind: KindPurpose, Choices: []string{purposePayment, purposeOrdinals, purposeStacks}},
	}}
}

// What signs texts with Bitcoin keys.
var (
	textParam     = Param{Name: "message", Kind: KindText, About: "the text to sign"}
	bitcoinSigner = Param{Name: "address", Label: "signer", Kind: KindBitcoin, About: "a Bitcoin address of the wallet"}
	protocolParam = Param{
		Name: "protocol", Kind: KindChoice, Optional: true, Choices: []string{"ECDSA", "BIP322"},
		About: "when not given ECDSA for p2wpkh and BIP322 for p2tr; BIP322 without a signer",
	}
)

func optional(p Param) Param {
	p.Optional = true
	return p
}

// methods are in the order in which they are offered.
var methods = slices.Concat(stacksMethods, bitcoinMethods, accountMethods)

// stacksMethods sign with Stacks keys.
var stacksMethods = []Method{
	{
		Name: "stx_signMessage", Title: "sign a text", parse: parseMessage, callback: true,
		Params: []Param{{Name: "message", Kind: KindMessage, About: "the text to sign"}, networkParam, signerAddress, signerKey},
		Also: []Param{
			{Name: "messageType", Kind: KindChoice, Optional: true, Choices: []string{"utf8", "structured"}, About: "whether message is a text or a Clarity value"},
			{Name: "domain", Kind: KindTuple, Optional: true, About: "of a structured message"},
			signerIndex,
		},
		Example: `{"message":"Hello from the terminal"}`,
	},
	{
		Name: "stx_transferStx", Title: "send STX", parse: parseTransfer, unsigned: true, callback: true,
		Params: append([]Param{
			recipientParam,
			{Name: "amount", Kind: KindAmount, Unit: "micro-STX", About: "1 STX is 1000000 micro-STX"},
			{Name: "memo", Kind: KindMemo, Optional: true, About: "at most 34 bytes"},
		}, commonParams...),
		Also:    slices.Concat(commonAlso, postConditionsList),
		Example: `{"recipient":"$next","amount":"1500000","memo":"rent"}`,
	},
	{
		Name: "stx_callContract", Title: "call a public function", parse: parseCall, unsigned: true, callback: true,
		Params: slices.Concat([]Param{
			{Name: "contract", Kind: KindContract, About: "ADDRESS.NAME"},
			{Name: "functionName", Label: "function", Kind: KindName, About: "a public function of the contract"},
			{
				Name: "functionArgs", Label: "arguments", Kind: KindList, Word: "argument", Optional: true, Aliases: []string{"arguments"}, About: "Clarity values",
				Items: []Param{{Label: "argument", Kind: KindValue, About: "a Clarity literal: u1, \"text\", 'SP…, (some u1), { a: u1 }"}},
			},
		}, postConditionsList, commonParams),
		Also: append([]Param{
			{Name: "contractAddress", Kind: KindText, Optional: true, About: "of contract, once more"},
			{Name: "contractName", Kind: KindText, Optional: true, About: "of contract, once more"},
		}, commonAlso...),
		Example: `{"contract":"$coin","functionName":"transfer","functionArgs":["u2500000","$mine","$next","none"],
			"postConditions":[{"type":"ft-postcondition","address":"origin","condition":"eq","asset":"$coinAsset","amount":"2500000"}]}`,
	},
	{
		Name: "stx_deployContract", Title: "deploy a contract", parse: parseDeploy, unsigned: true, callback: true,
		Params: slices.Concat([]Param{
			{Name: "name", Kind: KindNewName, About: "of the contract"},
			{Name: "clarityCode", Label: "source", Kind: KindSource, About: "the source of the contract"},
			{Name: "clarityVersion", Label: "Clarity version", Kind: KindVersion, Optional: true, Choices: clarityVersions(), About: "the newest that the network takes when not given"},
		}, postConditionsList, commonParams),
		Also: append([]Param{
			{Name: "contractName", Kind: KindText, Optional: true, Repeats: "name", About: "name, once more"},
			{Name: "codeBody", Kind: KindText, Optional: true, Repeats: "clarityCode", About: "clarityCode, once more"},
		}, commonAlso...),
		Example: `{"name":"counter","clarityCode":"$source"}`,
	},
	{
		Name: "stx_signStructuredMessage", Title: "sign a Clarity value (SIP-018)", parse: parseStructured,
		Params: []Param{
			{Name: "message", Kind: KindValue, About: "the value to sign, as a Clarity literal"},
			{Name: "domain", Kind: KindTuple, About: `{ chain-id: u1, name: "app", version: "1.0.0" }`},
			networkParam, signerAddress, signerKey,
		},
		Also:    []Param{signerIndex},
		Example: `{"message":"{ action: \"vote\", proposal: u42, support: true }","domain":"{ chain-id: u$chain, name: \"chainscope\", version: \"1.0.0\" }"}`,
	},
	{
		Name: "stx_transferSip10Ft", Title: "send a fungible token", parse: parseTransferFT, unsigned: true,
		Params: slices.Concat([]Param{
			recipientParam, assetParam, {Name: "amount", Kind: KindAmount, Unit: "units", About: "in the smallest unit of the token"},
		}, postConditionsList, commonParams),
		Also:    commonAlso,
		Example: `{"recipient":"$next","asset":"$coinAsset","amount":"2500000"}`,
	},
	{
		Name: "stx_transferSip9Nft", Title: "send a non-fungible token", parse: parseTransferNFT, unsigned: true,
		Params: slices.Concat([]Param{
			recipientParam, assetParam, {Name: "assetId", Label: "id", Kind: KindValue, About: "of the token, such as u42"},
		}, postConditionsList, commonParams),
		Also:    commonAlso,
		Example: `{"recipient":"$next","asset":"$ticketAsset","assetId":"u$number"}`,
	},
	{
		Name: "stx_signTransaction", Title: "sign a prepared transaction", parse: parseSignTransaction, unsigned: true, callback: true,
		Params: []Param{preparedParam, broadcastParam, networkParam},
		Also: []Param{
			{Name: "attachment", Kind: KindText, Optional: true, About: "is not part of what is signed, and is sent nowhere"}, signerAddress, signerKey, signerIndex,
		},
		Example: `{"transaction":"$transaction0"}`,
	},
	{
		Name: "stx_signTransactions", Title: "sign prepared transactions", parse: parseSignTransactions, unsigned: true,
		Params: []Param{
			{
				Name: "transactions", Kind: KindList, Word: "transaction", About: "are signed in their order, with one approval",
				Items: []Param{{Label: "transaction", Kind: KindTransaction, About: "unsigned, in hexadecimal digits"}},
			},
			broadcastParam, networkParam,
		},
		Also:    []Param{signerAddress, signerKey, signerIndex},
		Example: `{"transactions":["$transaction0","$transaction1"]}`,
	},
}

// bitcoinMethods sign with Bitcoin keys.
var bitcoinMethods = []Method{
	{
		Name: "sendTransfer", Title: "send bitcoin", parse: parseSendTransfer, bitcoin: true,
		Params: []Param{
			{Name: "recipients", Kind: KindList, Word: "recipient", About: "who gets how much", Instead: []string{"address", "amount"}, Items: []Param{
				{Name: "address", Kind: KindBitcoin, About: "a Bitcoin address"},
				{Name: "amount", Kind: KindAmount, Unit: "satoshis", About: "1 BTC is 100000000 satoshis"},
			}},
			networkParam,
		},
		Also: []Param{
			{Name: "address", Kind: KindBitcoin, Optional: true, About: "of the one recipient"},
			{Name: "amount", Kind: KindAmount, Unit: "satoshis", Optional: true, About: "for the one recipient"},
			signerIndex,
		},
		Example: `{"recipients":[{"address":"$next.p2wpkh","amount":"50000"},{"address":"$next.p2tr","amount":"25000"}]}`,
	},
	{
		Name: "signPsbt", Title: "sign a PSBT", parse: parseSignPsbt, bitcoin: true,
		Params: []Param{
			{Name: "psbt", Label: "PSBT", Kind: KindPSBT, Instead: []string{"hex"}, About: "in base64"},
			{
				Name: "signInputs", Label: "inputs", Kind: KindInputs, Optional: true, Word: "input", Most: maxSignInputs, Instead: []string{"signAtIndex"},
				About: "to sign; all of the account when none is named", Items: []Param{
					{Name: "index", Kind: KindIndex, About: "from 0"},
					{Name: "address", Kind: KindBitcoin, Optional: true, About: "that the input spends from"},
				},
			},
			{
				Name: "allowedSighash", Label: "sighash", Kind: KindList, Optional: true, Word: "sighash", Most: 16, About: "that may be used beside ALL and DEFAULT",
				Items: []Param{{Label: "sighash", Kind: KindSighash, Choices: sighashNames}},
			},
			{Name: "broadcast", Kind: KindBool, Optional: true, About: "finalize, so that it could be sent"},
			networkParam,
		},
		Also: []Param{
			{Name: "hex", Kind: KindPSBTHex, Optional: true, About: "the PSBT in hexadecimal digits"},
			{Name: "signAtIndex", Kind: KindIndexes, Optional: true, About: "the index of an input, or an array of them"},
			signerIndex,
		},
		Example: `{"psbt":"$psbt","signInputs":[{"index":0,"address":"$mine.p2wpkh"}]}`,
	},
	{
		Name: "signMessage", Title: "sign a text with a Bitcoin key", parse: parseSignMessage, bitcoin: true,
		Params: []Param{textParam, optional(bitcoinSigner), protocolParam, networkParam},
		Also: []Param{
			{Name: "paymentType", Kind: KindChoice, Optional: true, Choices: []string{"p2wpkh", "p2tr"}, About: "the kind of address that signs"},
			{Name: "type", Kind: KindChoice, Optional: true, Choices: []string{"bip322", "legacy"}, About: "BIP322 or ECDSA"},
			signerIndex,
		},
		Example: `{"message":"Hello from the terminal","address":"$mine.p2wpkh"}`,
	},
	{
		Name: "signMultipleMessages", Title: "sign texts with Bitcoin keys", parseEntries: parseSignMessages, bitcoin: true, Entry: "message",
		Params:  []Param{textParam, bitcoinSigner, protocolParam},
		Example: `[{"message":"Hello from the terminal","address":"$mine.p2wpkh"},{"message":"Hello again","address":"$mine.p2tr","protocol":"BIP322"}]`,
	},
}

// accountMethods connect, and read what the wallet is. The params and results of those
// from wallet_connect on are those of Xverse (@sats-connect/core 0.16).
var accountMethods = []Method{
	{
		Name: "getAddresses", Title: "ask for the addresses", parse: parseAddresses, keyless: true,
		Params: []Param{networkParam}, Also: []Param{purposesParam("purposes", "all kinds when none is named", true), wish},
	},
	{
		Name: "stx_getAddresses", Title: "ask for the addresses, Stacks style", parse: parseAddresses, keyless: true,
		Params: []Param{networkParam}, Also: []Param{wish},
	},
	{Name: "stx_getAccounts", Title: "ask for the accounts", parse: parseAccounts, Params: []Param{networkParam}},
	{Name: "stx_getNetworks", Title: "ask for the networks", parse: parseNetworks, keyless: true, Params: []Param{}},
	{
		Name: "wallet_connect", Title: "connect, as sats-connect does", parse: parseConnect, keyless: true,
		Params: []Param{
			purposesParam("addresses", "all kinds when none is named", true), wish,
			{Name: "network", Kind: KindChain, Optional: true, Choices: bitcoinNetworkNames, About: "switches to it"},
		},
		Example: `{"addresses":["payment","stacks"],"message":"to show your balances"}`,
	},
	{
		Name: "getAccounts", Title: "ask for addresses by kind", parse: parsePurposeAccounts, keyless: true,
		Params: []Param{purposesParam("purposes", "which addresses", false), wish}, Also: []Param{networkParam},
		Example: `{"purposes":["payment","ordinals","stacks"],"message":"to show your balances"}`,
	},
	{Name: "wallet_getAccount", Title: "read the connected account", parse: parseAccount, keyless: true, silent: true, Params: []Param{networkParam}},
	{Name: "wallet_getNetwork", Title: "read the network", parse: parseGetNetwork, keyless: true, silent: true, Params: []Param{networkParam}},
	{Name: "getBalance", Title: "read the bitcoin balance", parse: parseBalance, bitcoin: true, silent: true, Params: []Param{networkParam}},
	{
		Name: "wallet_changeNetwork", Title: "switch the network", parse: parseChangeNetwork, keyless: true,
		Params:  []Param{{Name: "name", Label: "network", Kind: KindChoice, Choices: bitcoinNetworkNames, About: "the Bitcoin network to switch to"}},
		Example: `{"name":"$other"}`,
	},
}

// clarityVersions lists the versions of Clarity that a deploy may name.
func clarityVersions() (all []string) {
	for v := range facts.Current().Clarity {
		all = append(all, strconv.Itoa(int(v)+1))
	}
	return all
}

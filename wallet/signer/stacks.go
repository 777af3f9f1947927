package signer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

func transactionMethods() []Method {
	return []Method{
		{"stx_transferStx", commonParams(
			required("recipient", "string", "a Stacks address or contract"),
			required("amount", "integer", "micro-STX, as a decimal string"),
			optional("memo", "string", "at most 34 bytes of UTF-8"),
		), parseTransfer},
		{"stx_callContract", append(commonParams(
			required("contract", "string", "ADDRESS.NAME"),
			required("functionName", "string", "a public function"),
			optional("functionArgs", "array", "Clarity values in hexadecimal digits or JSON"),
		), postConditionParams...), parseCall},
		{"stx_deployContract", append(commonParams(
			required("name", "string", "of the contract"),
			required("clarityCode", "string", "the source"),
			optional("clarityVersion", "string", "1 to 4; 4 when absent"),
		), postConditionParams...), parseDeploy},
		{"stx_transferSip10Ft", append(commonParams(
			required("recipient", "string", "a Stacks address or contract"),
			required("asset", "string", "CONTRACT::TOKEN"),
			required("amount", "integer", "units of the token, as a decimal string"),
		), postConditionParams...), parseTransferFT},
		{"stx_transferSip9Nft", append(commonParams(
			required("recipient", "string", "a Stacks address or contract"),
			required("asset", "string", "CONTRACT::TOKEN"),
			required("assetId", "Clarity value", "the id of the token"),
		), postConditionParams...), parseTransferNFT},
		{"stx_signTransaction", []Param{
			required("transaction", "string", "an unsigned transaction in hexadecimal digits"), networkParam,
			optional("broadcast", "boolean", "false when absent"),
		}, parseSignTransaction},
	}
}

func indexed(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

func parseTransfer(o object, env Env) (Call, error) {
	to, err := o.principal("recipient")
	if err != nil {
		return nil, err
	}
	amount, err := o.integer("amount", 1)
	if err != nil {
		return nil, err
	}
	text, err := o.optionalText("memo")
	if err != nil {
		return nil, err
	}
	memo, err := stxtx.NewMemo(text)
	if err != nil {
		return nil, jsonrpc.InvalidParam("memo", "has %d bytes, must have at most %d bytes of UTF-8", len(text), stxtx.MemoBytes)
	}
	id, d, err := begin("stx_transferStx", o, env)
	if err != nil {
		return nil, err
	}
	payload := stxtx.TokenTransfer{Recipient: to, Amount: amount, Memo: memo}
	d.describePayload(payload)
	return newTransaction(o, env, id, d, payload, nil, stxtx.ModeDeny)
}

func (d *Description) describeTransfer(p stxtx.TokenTransfer, w *warnings) {
	d.Transfer = &Transfer{p.Recipient.String(), p.Amount, p.MemoText()}
	w.network("recipient", p.Recipient.Address, d.Network)
	w.hidden("memo", hidden.Find(p.MemoText()))
	if d.Transfer.Recipient == d.Account.Address {
		w.add(WarnSelf, "recipient", "the recipient is the sender")
	}
}

// withConditions reads the post-conditions and builds the transaction.
func withConditions(o object, env Env, id identity, d Description, payload stxtx.Payload, own ...stxtx.PostCondition) (Call, error) {
	conditions, err := o.postConditions()
	if err != nil {
		return nil, err
	}
	if !o.has("postConditions") {
		conditions = own
	}
	mode, err := o.postConditionMode()
	if err != nil {
		return nil, err
	}
	d.describePayload(payload)
	w := warnings(d.Warnings)
	w.conditions(conditions, d.Network)
	d.Warnings = w
	return newTransaction(o, env, id, d, payload, conditions, mode)
}

func (o object) contract(name string) (clarity.Principal, error) {
	text, err := o.text(name)
	if err != nil {
		return clarity.Principal{}, err
	}
	p, err := clarity.ParseContract(text)
	if err != nil {
		return p, jsonrpc.InvalidParam(name, "%v; must be ADDRESS.NAME", err)
	}
	return p, nil
}

func parseCall(o object, env Env) (Call, error) {
	contract, err := o.contract("contract")
	if err != nil {
		return nil, err
	}
	function, err := o.text("functionName")
	if err != nil {
		return nil, err
	}
	if err := clarity.CheckName(function); err != nil {
		return nil, jsonrpc.InvalidParam("functionName", "%v", err)
	}
	items, err := o.list("functionArgs")
	if err != nil {
		return nil, err
	}
	payload := stxtx.ContractCall{Contract: contract, Function: function}
	for i, raw := range items {
		v, err := valueOf(indexed("functionArgs", i), raw)
		if err != nil {
			return nil, err
		}
		payload.Args = append(payload.Args, v)
	}
	id, d, err := begin("stx_callContract", o, env)
	if err != nil {
		return nil, err
	}
	return withConditions(o, env, id, d, payload)
}

func parseDeploy(o object, env Env) (Call, error) {
	name, err := o.text("name")
	if err != nil {
		return nil, err
	}
	if err := clarity.CheckContractName(name); err != nil {
		return nil, jsonrpc.InvalidParam("name", "%v", err)
	}
	code, err := o.text("clarityCode")
	if err != nil {
		return nil, err
	}
	version, err := o.clarityVersion(env)
	if err != nil {
		return nil, err
	}
	id, d, err := begin("stx_deployContract", o, env)
	if err != nil {
		return nil, err
	}
	return withConditions(o, env, id, d, stxtx.SmartContract{ClarityVersion: version, Name: name, Code: code})
}

func (o object) clarityVersion(env Env) (byte, error) {
	if !o.has("clarityVersion") {
		return DefaultClarityVersion, nil
	}
	most := env.MaxClarityVersion
	if most == 0 {
		most = DefaultClarityVersion
	}
	n, err := o.integer("clarityVersion", 1)
	if err != nil || n > uint64(min(most, 255)) {
		return 0, jsonrpc.InvalidParam("clarityVersion", "must be a number or a string from 1 to %d", most)
	}
	return byte(n), nil
}

// NewDeploy describes the contract that a payload makes.
func NewDeploy(contract string, p stxtx.SmartContract) Deploy {
	hash := sha256.Sum256([]byte(p.Code))
	lines := strings.Count(p.Code, "\n")
	if p.Code != "" && !strings.HasSuffix(p.Code, "\n") {
		lines++
	}
	return Deploy{contract, p.ClarityVersion, p.Code, lines, hex.EncodeToString(hash[:])}
}

func (d *Description) describeDeploy(p stxtx.SmartContract, w *warnings) {
	deploy := NewDeploy(d.Account.Address+"."+p.Name, p)
	d.Deploy = &deploy
	w.hidden("clarityCode", hidden.FindText(p.Code))
}

// tokenTransfer reads what both token transfers have.
func tokenTransfer(method string, o object, env Env) (asset stxtx.Asset, to clarity.Principal, id identity, d Description, err error) {
	if to, err = o.principal("recipient"); err != nil {
		return
	}
	text, err := o.text("asset")
	if err != nil {
		return
	}
	if asset, err = stxtx.ParseAsset(text); err != nil {
		err = jsonrpc.InvalidParam("asset", "%v; must be CONTRACT::TOKEN", err)
		return
	}
	if id, d, err = begin(method, o, env); err != nil {
		return
	}
	d.Token = &Token{Asset: asset.String(), Recipient: to.String()}
	w := warnings(d.Warnings)
	w.network("recipient", to.Address, d.Network)
	d.Warnings = w
	return
}

func parseTransferFT(o object, env Env) (Call, error) {
	amount, err := o.integer("amount", 1)
	if err != nil {
		return nil, err
	}
	asset, to, id, d, err := tokenTransfer("stx_transferSip10Ft", o, env)
	if err != nil {
		return nil, err
	}
	d.Token.Amount = &amount
	sender := id.sender()
	payload := stxtx.ContractCall{Contract: asset.Contract, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(amount), sender, to, clarity.None{}}}
	return withConditions(o, env, id, d, payload,
		stxtx.PostCondition{Asset: stxtx.AssetFT, Principal: &sender, Condition: stxtx.SentEqual, Amount: amount, Token: asset})
}

func parseTransferNFT(o object, env Env) (Call, error) {
	token, err := o.value("assetId")
	if err != nil {
		return nil, err
	}
	asset, to, id, d, err := tokenTransfer("stx_transferSip9Nft", o, env)
	if err != nil {
		return nil, err
	}
	d.Token.ID = &stxtx.ExplainValue{Value: token}
	sender := id.sender()
	payload := stxtx.ContractCall{Contract: asset.Contract, Function: "transfer", Args: []clarity.Value{token, sender, to}}
	return withConditions(o, env, id, d, payload,
		stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: &sender, Condition: stxtx.NFTSent, Token: asset, TokenID: token})
}

func parseSignTransaction(o object, env Env) (Call, error) {
	text, err := o.text("transaction")
	if err != nil {
		return nil, err
	}
	if _, err := o.flag("broadcast"); err != nil {
		return nil, err
	}
	tx, err := stxtx.DecodeHex(text)
	if err == nil {
		err = tx.CheckNetwork()
	}
	if err == nil && tx.Auth.Origin.HashMode != stxtx.HashP2PKH {
		err = errors.New("its origin signs in the hash mode " + tx.Auth.Origin.HashMode.String() + ", it must be p2pkh")
	}
	if err != nil {
		return nil, jsonrpc.InvalidParam("transaction", "%v; must be a Stacks transaction in hexadecimal digits", err)
	}
	n, err := o.transactionNetwork(tx, env)
	if err != nil {
		return nil, err
	}
	id, found, err := env.find(n, func(id identity) bool { return id.key.Hash160() == tx.Auth.Origin.Signer })
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "transaction: its sender is not one of the wallet's; must be one of its first %d accounts", searchedAccounts)
	}
	d := Description{Method: "stx_signTransaction", Account: id.Account, Network: n, Warnings: []Warning{}}
	d.describePayload(tx.Payload)
	w := warnings(d.Warnings)
	w.conditions(tx.PostConditions, n)
	d.Warnings = w
	c := &transactionCall{base: d, env: env, signer: id, tx: tx, fee: FromParams, nonce: FromParams}
	return c, c.encode()
}

// transactionNetwork is the network of the transaction, which the params may
// name but not change.
func (o object) transactionNetwork(tx *stxtx.Transaction, env Env) (Network, error) {
	n, err := o.network(env)
	if err != nil {
		return n, err
	}
	if n.Mainnet() == tx.Mainnet() {
		return n, nil
	}
	name := "testnet"
	if tx.Mainnet() {
		name = "mainnet"
	}
	if o.has("network") {
		return n, jsonrpc.InvalidParam("network", "is %s, but the transaction is for %s", n.Name, name)
	}
	if n, known := NetworkNamed(name); known {
		return n, nil
	}
	return n, fmt.Errorf("signer: no network %s", name)
}

package signer

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

func transactionMethods() []Method {
	method := func(name string, parse func(object, Env) (Call, error), also []string, own ...Param) Method {
		return Method{Name: name, Params: own, Also: append(also, transactionNames...), parse: parse}
	}
	conditions := []string{"postConditions", "postConditionMode"}
	return []Method{
		method("stx_transferStx", parseTransfer, conditions, commonParams(
			required("recipient", "string", "a Stacks address or contract"),
			required("amount", "integer", "micro-STX, as a decimal string"),
			optional("memo", "string", "at most 34 bytes of UTF-8"),
		)...),
		method("stx_callContract", parseCall, []string{"arguments"}, append(commonParams(
			required("contract", "string", "ADDRESS.NAME"),
			required("functionName", "string", "a public function"),
			optional("functionArgs", "array", "Clarity values in hexadecimal digits or JSON"),
		), postConditionParams...)...),
		method("stx_deployContract", parseDeploy, nil, append(commonParams(
			required("name", "string", "of the contract"),
			required("clarityCode", "string", "the source"),
			optional("clarityVersion", "string", "1 to 4; 4 when absent"),
		), postConditionParams...)...),
		method("stx_transferSip10Ft", parseTransferFT, nil, append(commonParams(
			required("recipient", "string", "a Stacks address or contract"),
			required("asset", "string", "CONTRACT::TOKEN"),
			required("amount", "integer", "units of the token, as a decimal string"),
		), postConditionParams...)...),
		method("stx_transferSip9Nft", parseTransferNFT, nil, append(commonParams(
			required("recipient", "string", "a Stacks address or contract"),
			required("asset", "string", "CONTRACT::TOKEN"),
			required("assetId", "Clarity value", "the id of the token"),
		), postConditionParams...)...),
		{
			Name: "stx_signTransaction", parse: parseSignTransaction,
			Also: append([]string{"txHex", "attachment", "address"}, signerNames...),
			Params: []Param{
				required("transaction", "string", "a transaction in hexadecimal digits"), networkParam,
				optional("broadcast", "boolean", "false when absent"),
			},
		},
		{
			Name: "stx_signTransactions", parse: parseSignTransactions, Also: append([]string{"address"}, signerNames...),
			Params: []Param{
				required("transactions", "array", "transactions in hexadecimal digits"), networkParam,
				optional("broadcast", "boolean", "false when absent"),
			},
		},
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
	return withConditions(o, env, id, d, payload)
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
	name, err := o.oneOf("functionArgs", "arguments")
	if err != nil {
		return nil, err
	}
	items, err := o.list(name)
	if err != nil {
		return nil, err
	}
	payload := stxtx.ContractCall{Contract: contract, Function: function}
	for i, raw := range items {
		v, err := valueOf(indexed(name, i), raw)
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
	version, err := o.clarityVersion()
	if err != nil {
		return nil, err
	}
	id, d, err := begin("stx_deployContract", o, env)
	if err != nil {
		return nil, err
	}
	return withConditions(o, env, id, d, stxtx.SmartContract{ClarityVersion: version, Name: name, Code: code})
}

func (o object) clarityVersion() (byte, error) {
	if !o.has("clarityVersion") {
		return DefaultClarityVersion, nil
	}
	n, err := o.integer("clarityVersion", 1)
	if err != nil || n > DefaultClarityVersion {
		return 0, jsonrpc.InvalidParam("clarityVersion", "must be a number or a string from 1 to %d", DefaultClarityVersion)
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

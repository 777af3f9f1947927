package api

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"chainscope/mockserver/contracts"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/stxtx"
)

// maxBroadcastBody bounds what is posted, in bytes: the hexadecimal digits of
// the longest transaction, and room for an attachment.
const maxBroadcastBody = 2*stxtx.MaxBytes + 1<<20

// serveBroadcast takes a transaction and answers its id as a JSON string, or the
// node's rejection.
func serveBroadcast(x *Exchange) {
	body, ok := x.Body(maxBroadcastBody)
	if !ok {
		return
	}
	raw, err := postedTransaction(x.R.Header.Get("Content-Type"), body)
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	txid, rejection := x.World.Submit(raw)
	if x.refusedUnread(rejection) {
		return
	}
	if rejection != nil {
		x.notifyRefused(raw, rejection)
		x.Value(http.StatusBadRequest, rejection)
		return
	}
	x.mark(txid)
	x.Value(http.StatusOK, hex.EncodeToString(txid[:]))
}

// inventedHeader names the contract and the function of a call that was taken though nobody
// has said what it does, or the part of an answer that is unknown.
const inventedHeader = "X-Mock-Invented"

// impersonatedHeader names the addresses that sent or sponsored transactions of an answer and
// need not sign.
const impersonatedHeader = "X-Mock-Impersonated"

// mark says who is impersonated in a transaction that was taken, and that the result of its call
// will be invented.
func (x *Exchange) mark(txid [32]byte) {
	all := x.transactions()
	state := all.State
	tx, known := state.Transaction(txid)
	if !known {
		return
	}
	all.note(tx)
	if call, ok := tx.Payload.(stxtx.ContractCall); ok && state.Invents(tx) {
		what := call.Contract.String() + "::" + call.Function
		x.W.Header()[inventedHeader] = []string{what}
		x.World.Invented.Add(what)
		x.Service.Problem(fmt.Errorf("%s::%s: it is not described; (ok true) is invented. Describe it with --contracts", call.Contract, call.Function))
	}
}

// notifyRefused remembers why a transaction was refused. Where nobody has described what it calls,
// a message says how to describe it: the node's own words do not.
func (x *Exchange) notifyRefused(raw []byte, why *ledger.Rejection) {
	refused, call := refusalOf(raw, why)
	x.World.Refusals.Add(refused)
	x.World.Refused.Add(strings.TrimSuffix(strings.TrimSuffix(string(why.Reason)+" "+refused.Contract+"::"+refused.Function, "::"), " "))
	if refused.Contract == "" || why.Reason != ledger.NoSuchContract && why.Reason != ledger.NoSuchPublicFunction {
		return
	}
	help := "describe it with --contracts"
	if why.Reason == ledger.NoSuchContract {
		help += ", or take any call with --any-contract"
	}
	x.Service.Problem(fmt.Errorf("%s::%s: %s; %s", refused.Contract, refused.Function, why.Reason, help))
	if c, _ := contractOf(x.state(), call.Contract); c.source == nil {
		x.remember(contracts.LackingCall(call))
	}
	x.Service.Refused(refused.Contract, refused.Function, string(why.Reason))
}

// refusalOf returns a refusal, with the call if the transaction was one.
func refusalOf(raw []byte, why *ledger.Rejection) (refused world.Refusal, call stxtx.ContractCall) {
	refused.Rejection = why
	if tx, err := stxtx.Decode(raw); err == nil {
		if is, ok := tx.Payload.(stxtx.ContractCall); ok {
			call, refused.Contract, refused.Function = is, is.Contract.String(), is.Function
		}
	}
	return refused, call
}

// postedTransaction finds the bytes of the transaction: the body itself, or the member tx of a
// JSON object. If the content type is neither, a body that begins with a brace is JSON: no
// transaction does.
func postedTransaction(contentType string, body []byte) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = ""
	}
	text := bytes.TrimLeft(body, " \t\r\n")
	isJSON := kind == "application/json"
	if kind != "application/octet-stream" && !isJSON {
		isJSON = len(text) > 0 && text[0] == '{'
	}
	if !isJSON {
		if len(body) == 0 {
			return nil, errors.New(`the body is empty; post the bytes of a signed transaction, or JSON such as {"tx":"80800000…"}`)
		}
		return body, nil
	}
	var posted struct {
		Tx         *string `json:"tx"`
		Attachment *string `json:"attachment"`
	}
	if err := json.Unmarshal(text, &posted); err != nil {
		return nil, fmt.Errorf(`the body must be JSON such as {"tx":"80800000…"}: %w`, err)
	}
	if posted.Tx == nil {
		return nil, errors.New(`the body has no "tx", the hexadecimal digits of a signed transaction`)
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(*posted.Tx, "0x"))
	if err != nil {
		return nil, fmt.Errorf("body/tx must be hexadecimal digits in pairs: %w", err)
	}
	if posted.Attachment != nil {
		// Attachments belong to the old naming system: checked, and of no use.
		if _, err := hex.DecodeString(*posted.Attachment); err != nil {
			return nil, fmt.Errorf("body/attachment must be hexadecimal digits in pairs: %w", err)
		}
	}
	return raw, nil
}

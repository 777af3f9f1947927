package mockserver

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// transactionRoutes report the state of a transaction.
func transactionRoutes() []route {
	return []route{{method: "GET", pattern: "/extended/v1/tx/{txid}", life: transactionLife, handle: serveTransaction}}
}

// serveTransaction finds a transaction that was sent to this process.
func serveTransaction(x *exchange) {
	text := x.param(0)
	id, ok := chain.ParseHash(text)
	if !ok {
		x.invalid(`params/tx_id must match pattern "` + hashPattern + `"`)
		return
	}
	state := x.state()
	tx, known := state.Transaction(id.Bytes())
	if !known {
		x.thrown(http.StatusNotFound, "", "could not find transaction by ID")
		return
	}
	body, err := transactionBody(tx, &state.View)
	if err != nil {
		x.thrown(http.StatusInternalServerError, "", err.Error())
		return
	}
	x.value(http.StatusOK, body)
}

func transactionBody(tx *ledger.Tx, v *chain.View) (*txBody, error) {
	origin := tx.Auth.Origin
	body := &txBody{
		ID: with0x(tx.ID[:]), Nonce: origin.Nonce, Fee: decimal(tx.Fee()), Sender: tx.Principal().String(),
		PostConditionMode: tx.PostConditionMode.String(), PostConditions: []postConditionBody{},
		AnchorMode: tx.AnchorMode.String(), Type: tx.Payload.Type().String(),
	}
	if s := tx.Auth.Sponsor; s != nil {
		body.Sponsored, body.SponsorNonce, body.SponsorAddress = true, &s.Nonce, s.Address(tx.Mainnet()).String()
	}
	for _, p := range tx.PostConditions {
		one, err := postConditionOf(p)
		if err != nil {
			return nil, err
		}
		body.PostConditions = append(body.PostConditions, one)
	}
	if err := body.payload(tx); err != nil {
		return nil, err
	}
	block, found := v.Block(tx.Height)
	if tx.Height == 0 || !found {
		body.Status, body.pendingBody = pendingOf(tx)
		return body, nil
	}
	mined, err := minedOf(tx, &block, v)
	if err != nil {
		return nil, err
	}
	body.Status, body.minedBody = "success", mined
	if tx.Aborted() {
		body.Status = "abort_by_response"
	}
	return body, nil
}

func (body *txBody) payload(tx *ledger.Tx) error {
	switch p := tx.Payload.(type) {
	case stxtx.TokenTransfer:
		body.Transfer = &transferBody{p.Recipient.String(), decimal(p.Amount), with0x(p.Memo[:])}
	case stxtx.SmartContract:
		id := tx.Principal()
		id.Contract = p.Name
		body.Contract = &contractBody{ContractID: id.String(), Source: p.Code}
		if p.ClarityVersion != 0 {
			version := int(p.ClarityVersion)
			body.Contract.ClarityVersion = &version
		}
		body.Type = "smart_contract"
	case stxtx.ContractCall:
		call := &callBody{ContractID: p.Contract.String(), Function: p.Function, Args: []callArgBody{}}
		var signature strings.Builder
		for i, arg := range p.Args {
			encoded, err := clarity.EncodeHex(arg)
			if err != nil {
				return err
			}
			one := callArgBody{"0x" + encoded, clarity.Repr(arg), "arg" + strconv.Itoa(i), clarity.TypeOf(arg)}
			fmt.Fprintf(&signature, " (%s %s)", one.Name, one.Type)
			call.Args = append(call.Args, one)
		}
		// The chain holds no contracts: names of the arguments are made up.
		call.Signature = "(define-public (" + p.Function + signature.String() + "))"
		body.Call = call
	}
	return nil
}

func pendingOf(tx *ledger.Tx) (status string, p *pendingBody) {
	p = &pendingBody{ReceiptTime: tx.ReceivedMS / 1000, ReceiptISO: isoTime(tx.ReceivedMS)}
	if tx.ReplacedBy != nil {
		by := with0x(tx.ReplacedBy[:])
		p.ReplacedBy = &by
		return "dropped_replace_by_fee", p
	}
	return "pending", p
}

func minedOf(tx *ledger.Tx, block *chain.Block, v *chain.View) (*minedBody, error) {
	result, err := clarity.EncodeHex(tx.Result)
	if err != nil {
		return nil, err
	}
	m := &minedBody{
		BlockHash: block.Hash.String(), ParentBlockHash: block.Parent.String(), BlockHeight: block.Height,
		BlockTime: block.TimeMS / 1000, BlockTimeISO: isoTime(block.TimeMS),
		BurnTime: block.BurnTimeMS / 1000, BurnHeight: block.BurnHeight, BurnTimeISO: isoTime(block.BurnTimeMS),
		Canonical: block.Canonical, Index: v.TxIndex(block, tx.ID),
		Result:         cvBody{"0x" + result, clarity.Repr(tx.Result)},
		MicroblockHash: "0x", MicroblockSequence: 1<<31 - 1, MicroblockCanonical: true, Events: []any{},
	}
	if parent, ok := v.Block(block.Height - 1); ok {
		m.ParentBurnTime, m.ParentBurnTimeISO = parent.BurnTimeMS/1000, isoTime(parent.BurnTimeMS)
	}
	switch p := tx.Payload.(type) {
	case stxtx.TokenTransfer:
		e := transferEvent{Type: "stx_asset", TxID: with0x(tx.ID[:])}
		e.Asset.Type, e.Asset.Sender, e.Asset.Recipient, e.Asset.Amount = "transfer", tx.Principal().String(), p.Recipient.String(), decimal(p.Amount)
		m.Events, m.EventCount = append(m.Events, e), 1
	case stxtx.ContractCall, stxtx.SmartContract:
		cost := estimation(p, uint64(tx.Size)).Cost
		m.CostReadCount, m.CostReadLength, m.CostRuntime = int64(cost.ReadCount), int64(cost.ReadLength), int64(cost.Runtime)
		m.CostWriteCount, m.CostWriteLength = int64(cost.WriteCount), int64(cost.WriteLength)
	}
	return m, nil
}

func with0x(b []byte) string { return "0x" + hex.EncodeToString(b) }

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

func isoTime(ms int64) string {
	return time.UnixMilli(ms).UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000Z")
}

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
	return []route{
		{method: "GET", pattern: "/extended/v1/tx/multiple", life: transactionLife, handle: serveTransactions},
		{method: "GET", pattern: "/extended/v1/tx/mempool", life: transactionLife, handle: serveMempool},
		{method: "GET", pattern: "/extended/v1/tx/mempool/stats", life: transactionLife, handle: serveMempoolStats},
		{method: "GET", pattern: "/extended/v1/tx", life: transactionLife, handle: serveMined},
		{method: "GET", pattern: "/extended/v1/tx/{txid}/raw", life: transactionLife, handle: serveRaw},
		{method: "GET", pattern: "/extended/v1/tx/{txid}", life: transactionLife, handle: serveTransaction},
		{method: "GET", pattern: "/extended/v2/mempool/fees", handle: serveMempoolFees},
	}
}

// serveTransaction finds a transaction that was sent to this process. An id
// without 0x is redirected to the one with it.
func serveTransaction(x *exchange) {
	id, ok := x.txID()
	if !ok {
		return
	}
	if !strings.HasPrefix(x.param(0), "0x") {
		x.redirectToPrefixed(x.param(0))
		return
	}
	all, tx, ok := x.transaction(id, "could not find transaction by ID")
	if !ok {
		return
	}
	x.value(http.StatusOK, all.body(tx))
}

// transaction finds one of the transactions; on false it has answered, with 404 and
// the words for a missing one, or with 304.
func (x *exchange) transaction(id chain.Hash, missing string) (*transactions, *ledger.Tx, bool) {
	all := x.transactions()
	if x.ledgerCached(&all.State) {
		return nil, nil, false
	}
	tx, known := all.find(id)
	if !known {
		x.thrown(http.StatusNotFound, "", missing)
	}
	return all, tx, known
}

// txID reads the path parameter; on false it has answered 400.
func (x *exchange) txID() (chain.Hash, bool) {
	id, ok := chain.ParseHash(x.param(0))
	if !ok {
		x.invalid(`params/tx_id must match pattern "` + hashPattern + `"`)
	}
	return id, ok
}

// body is the API's view of a transaction.
func (t *transactions) body(tx *ledger.Tx) *txBody {
	origin := tx.Auth.Origin
	body := &txBody{
		ID: with0x(tx.ID[:]), Nonce: origin.Nonce, Fee: decimal(tx.Fee()), Sender: tx.Principal().String(),
		PostConditionMode: tx.PostConditionMode.String(), PostConditions: []postConditionBody{},
		AnchorMode: tx.AnchorMode.String(), Type: typeName(tx),
	}
	if s := tx.Auth.Sponsor; s != nil {
		body.Sponsored, body.SponsorNonce, body.SponsorAddress = true, &s.Nonce, s.Address(tx.Mainnet()).String()
	}
	for _, p := range tx.PostConditions {
		body.PostConditions = append(body.PostConditions, postConditionOf(p))
	}
	body.payload(tx)
	place, found := t.place(tx)
	if !found {
		body.Status, body.pendingBody = pendingOf(tx)
		return body
	}
	body.Status, body.minedBody = "success", t.minedBody(tx, &place)
	if tx.Aborted() {
		body.Status = "abort_by_response"
	}
	return body
}

// place is where a transaction stands; false for one that waits or was replaced.
func (t *transactions) place(tx *ledger.Tx) (chain.Place, bool) {
	if place, ok := t.View.Place(chain.HashOf(tx.ID)); ok {
		return place, true
	}
	block, ok := t.View.Block(tx.Height) // 0 is no height of a block
	return chain.Place{Block: block, Index: -1, Own: -1}, ok
}

func (body *txBody) payload(tx *ledger.Tx) {
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
	case stxtx.Coinbase:
		body.Coinbase = &coinbaseBody{Data: with0x(p.Data[:])}
		if p.VRFProof != nil {
			proof := with0x(p.VRFProof[:])
			body.Coinbase.Proof = &proof
		}
	case stxtx.TenureChange:
		body.Tenure = &tenureBody{
			with0x(p.TenureConsensusHash[:]), with0x(p.PrevTenureConsensusHash[:]), with0x(p.BurnViewConsensusHash[:]),
			with0x(p.PreviousTenureEnd[:]), p.PreviousTenureBlocks, p.Cause.String(), with0x(p.PublicKeyHash[:]),
		}
	case stxtx.ContractCall:
		call := &callBody{ContractID: p.Contract.String(), Function: p.Function, Args: []callArgBody{}}
		var signature strings.Builder
		for i, arg := range p.Args {
			value := valueBody(arg)
			one := callArgBody{value.Hex, value.Repr, "arg" + strconv.Itoa(i), clarity.TypeOf(arg)}
			fmt.Fprintf(&signature, " (%s %s)", one.Name, one.Type)
			call.Args = append(call.Args, one)
		}
		// The chain holds no contracts: names of the arguments are made up.
		call.Signature = "(define-public (" + p.Function + signature.String() + "))"
		body.Call = call
	}
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

func (t *transactions) minedBody(tx *ledger.Tx, place *chain.Place) *minedBody {
	block, events := &place.Block, t.events(tx)
	m := &minedBody{
		BlockHash: block.Hash.String(), ParentBlockHash: block.Parent.String(), BlockHeight: block.Height,
		BlockTime: block.TimeMS / 1000, BlockTimeISO: isoTime(block.TimeMS),
		BurnTime: block.BurnTimeMS / 1000, BurnHeight: block.BurnHeight, BurnTimeISO: isoTime(block.BurnTimeMS),
		Canonical: block.Canonical, Index: place.Index, Result: *valueBody(tx.Result),
		MicroblockHash: "0x", MicroblockSequence: 1<<31 - 1, MicroblockCanonical: true, Events: events, EventCount: len(events),
	}
	if place.Microblock != (chain.Hash{}) {
		m.MicroblockHash, m.MicroblockSequence = place.Microblock.String(), int64(place.Sequence)
	}
	if parent, ok := t.View.Block(block.Height - 1); ok {
		m.ParentBurnTime, m.ParentBurnTimeISO = parent.BurnTimeMS/1000, isoTime(parent.BurnTimeMS)
	}
	switch p := tx.Payload.(type) {
	case stxtx.ContractCall, stxtx.SmartContract:
		cost := estimation(p, uint64(tx.Size)).Cost
		m.CostReadCount, m.CostReadLength, m.CostRuntime = int64(cost.ReadCount), int64(cost.ReadLength), int64(cost.Runtime)
		m.CostWriteCount, m.CostWriteLength = int64(cost.WriteCount), int64(cost.WriteLength)
	}
	return m
}

func with0x(b []byte) string { return "0x" + hex.EncodeToString(b) }

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

func isoTime(ms int64) string {
	return time.UnixMilli(ms).UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000Z")
}

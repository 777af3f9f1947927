package api

import (
	"net/http"
	"slices"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// txV3 returns a transaction of a list, in the words of v3.
func (t *transactions) txV3(tx *ledger.Tx) object { return t.projectV3(tx, t.body(tx), false, nil) }

// projectV3 returns a transaction in the words of v3: in a list, or by itself with cost, error and
// what is included. The object named like its type comes last but for that.
func (t *transactions) projectV3(tx *ledger.Tx, body *txBody, whole bool, include []string) object {
	var sponsor any // null for none
	if body.Sponsored {
		sponsor = object{{"address", body.SponsorAddress}, {"nonce", *body.SponsorNonce}}
	}
	out := object{
		{"tx_id", body.ID},
		{"sender", object{{"address", body.Sender}, {"nonce", body.Nonce}}},
		{"sponsor", sponsor},
		{"fee_rate", body.Fee}, // micro-STX
	}
	m := body.minedBody
	var parent object
	if place, mined := t.place(tx); mined {
		b := &place.Block
		parent = object{{"hash", b.Parent}, {"index_hash", b.ParentIndex}}
		out = append(append(out, t.placeV3(&place)...), field{"status", body.Status})
	} else {
		out = append(out, field{"receipt_time", body.ReceiptTime}, field{"receipt_block_height", t.View.Tip()}, field{"status", body.Status})
	}
	switch {
	case whole && m == nil:
		out = append(out, field{"replaced_by_tx_id", body.ReplacedBy})
	case whole:
		out = append(out,
			field{"parent_block", parent},
			field{"event_count", m.EventCount},
			field{"execution_cost", facts.Cost(m.txCost)},
			field{"vm_error", m.VMError})
	case m != nil && t.counts:
		out = append(out, field{"event_count", m.EventCount})
	}
	out = append(out, field{"type", body.Type}, field{body.Type, payloadV3(tx, body, whole, include)})
	if slices.Contains(include, "post_conditions") {
		out = append(out, field{"post_conditions", body.PostConditions})
	}
	if slices.Contains(include, "result") && m != nil {
		out = append(out, field{"result", body.Result})
	}
	return out
}

// placeV3 returns where a block has a transaction.
func (t *transactions) placeV3(place *chain.Place) object {
	b := &place.Block
	return object{
		{"block", append(append(object{{"height", b.Height}, {"hash", b.Hash}, {"index_hash", b.Index}}, t.timesV3(b.TimeMS)...),
			field{"tx_index", place.Index})},
		{"bitcoin_block", append(object{{"height", b.BurnHeight}}, t.timesV3(b.BurnTimeMS)...)},
	}
}

// payloadV3 returns the part of a transaction that belongs to its type. Amounts are in
// micro-STX.
func payloadV3(tx *ledger.Tx, body *txBody, whole bool, include []string) object {
	switch p := tx.Payload.(type) {
	case stxtx.TokenTransfer:
		return object{{"recipient", body.Transfer.Recipient}, {"amount", body.Transfer.Amount}, {"memo", memoOf(p.Memo[:])}}
	case stxtx.ContractCall:
		o := object{{"contract_id", body.Call.ContractID}, {"function_name", p.Function}}
		if slices.Contains(include, "function_args") {
			args := []object{}
			for _, a := range *body.Call.Args {
				args = append(args, object{{"hex", a.Hex}, {"repr", a.Repr}})
			}
			o = append(o, field{"function_args", args})
		}
		return o
	case stxtx.Coinbase:
		if !whole {
			return object{{"alt_recipient", body.Coinbase.Recipient}}
		}
		return object{{"payload", body.Coinbase.Data}, {"alt_recipient", body.Coinbase.Recipient}, {"vrf_proof", body.Coinbase.Proof}}
	case stxtx.TenureChange:
		if !whole {
			return object{{"cause", body.Tenure.Cause}}
		}
		return object{
			{"tenure_consensus_hash", body.Tenure.Consensus},
			{"prev_tenure_consensus_hash", body.Tenure.PreviousConsensus},
			{"burn_view_consensus_hash", body.Tenure.BurnConsensus},
			{"previous_tenure_end", body.Tenure.PreviousEnd},
			{"previous_tenure_blocks", body.Tenure.PreviousBlocks},
			{"cause", body.Tenure.Cause},
			{"pubkey_hash", body.Tenure.PublicKeyHash},
		}
	}
	o := object{{"contract_id", body.Contract.ContractID}, {"clarity_version", body.Contract.ClarityVersion}}
	if slices.Contains(include, "source_code") {
		o = append(o, field{"source_code", body.Contract.Source})
	}
	return o
}

func memoOf(memo []byte) *cvBody {
	return &cvBody{Hex: with0x(memo), Repr: strings.TrimRight(string(memo), "\x00")}
}

// noMicroblock is between height and place in the cursor of a transaction: the sequence of
// its microblock, or the greatest number.
const noMicroblock = ":2147483647:"

// serveTransactionsOfBlock lists the transactions of a block, the last first.
func serveTransactionsOfBlock(x *Exchange) {
	w := x.cursorWindow()
	if b, ok := x.requestedBlock(); ok {
		t := x.transactions()
		cursorList(x, t.ofBlock(&b), w, placeOrder, t.placeKey, t.txV3)
	}
}

// includes hold what a transaction has if it is requested.
var includes = []string{"function_args", "source_code", "post_conditions", "result"}

// serveTransactionV3 finds a transaction, with what the query includes. Dropped ones are not
// found.
func serveTransactionV3(x *Exchange) {
	id, include := x.txIDV3(), x.wordsOf("include", includes...)
	t, tx, ok := x.transaction(id, noTransaction)
	if !ok {
		return
	}
	if tx.Dropped != "" {
		x.Thrown(http.StatusNotFound, "", noTransaction)
		return
	}
	x.object(t.projectV3(tx, t.body(tx), true, include))
}

const noTransaction = "Transaction not found"

// txIDV3 reads the id of a transaction. Without 0x the real service fails with a 500; this
// is its sentence.
func (x *Exchange) txIDV3() chain.Hash {
	id := x.txID(0)
	switch bare := !strings.HasPrefix(x.param(0), "0x"); {
	case bare && x.Service.Generation >= apiV3 && !x.answered:
		x.redirectToPrefixed(x.param(0))
	case bare:
		x.Thrown(http.StatusBadRequest, "", "String value for bytea column does not have 0x prefix")
	}
	return id
}

const addressPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}$`

var addressShape = shape(addressPattern)

func serveNoncesV3(x *Exchange) {
	if !addressShape().MatchString(x.param(0)) {
		x.invalid(`params/principal must match pattern "` + addressPattern + `"`)
	}
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	n := t.Nonces(p)
	x.object(object{
		{"next_nonce", n.Next},
		{"last_confirmed_nonce", n.Executed}, // null for none
		{"mempool", object{
			{"last_nonce", n.Mempool}, // null for none
			{"pending_nonces", append([]uint64{}, n.Pending...)},
			{"missing_nonces", append([]uint64{}, n.Missing...)},
		}},
	})
}

// timesV3 leaves out the form that came with 9.6 where an older service is played.
func (t *transactions) timesV3(ms int64) object {
	if t.counts {
		return timesV3(ms)
	}
	return timesV3(ms)[:1]
}

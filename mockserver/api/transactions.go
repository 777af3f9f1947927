package api

import (
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/stxtx"
)

// serveTransaction finds a transaction. An id without 0x is redirected to the one with it.
func serveTransaction(x *Exchange) {
	id, d := x.detailedTx()
	if t, tx, ok := x.transaction(id, "could not find transaction by ID"); ok {
		x.Value(http.StatusOK, d.of(t.body(tx)))
	}
}

func serveRaw(x *Exchange) {
	id, _ := x.detailedTx()
	_, tx, ok := x.transaction(id, "could not find raw transaction by ID")
	if !ok {
		return
	}
	raw, err := tx.Hex()
	if err != nil {
		x.Thrown(http.StatusInternalServerError, "", err.Error())
		return
	}
	x.object(object{{"raw_tx", "0x" + raw}})
}

// serveUnconfirmed answers as a node does, for ids without 0x: what waits in the mempool, and nothing that is
// in a block (stacks-core, gettransaction_unconfirmed.rs).
func serveUnconfirmed(x *Exchange) {
	bare := x.param(0)
	id, whole := chain.ParseHash("0x" + bare)
	if !whole || bare != strings.ToLower(bare) {
		x.UnknownRoute()
		return
	}
	all := x.transactions()
	tx, known := all.find(id)
	status := ""
	if known {
		if _, mined := all.place(tx); !mined {
			status, _ = pendingOf(tx)
		}
	}
	if status != "pending" {
		x.text(http.StatusNotFound, "Transaction "+bare+" not found in mempool or unconfirmed microblock stream")
		return
	}
	raw, err := tx.Hex()
	if err != nil {
		x.text(http.StatusInternalServerError, err.Error())
		return
	}
	x.object(object{{"tx", raw}, {"status", "Mempool"}})
}

// detailedTx reads what is requested of routes of one transaction of v1.
func (x *Exchange) detailedTx() (chain.Hash, detail) {
	id, d := x.txID(0), x.detail()
	if !strings.HasPrefix(x.param(0), "0x") && !x.done() {
		x.redirectToPrefixed(x.param(0))
	}
	return id, d
}

// detail selects how much is returned of a transaction.
type detail struct {
	events      window
	withoutArgs bool
}

// The pages of events, as the real service has them.
const (
	defaultEvents = 20
	maxEvents     = 100
)

// detail reads how much is requested of a transaction.
func (x *Exchange) detail() detail {
	return detail{x.windowNamed("event_limit", "event_offset"), x.queryBool("exclude_function_args")}
}

// of leaves out of a transaction what was not requested.
func (d detail) of(body *txBody) *txBody {
	if body.minedBody != nil {
		body.Events = cut(d.events, body.Events)
	}
	if d.withoutArgs && body.Call != nil {
		body.Call.Args = nil
	}
	return body
}

// transaction finds one of the transactions; on false it has answered, with 404 and
// the words for a missing one, or with what was there before.
func (x *Exchange) transaction(id chain.Hash, missing string) (*transactions, *ledger.Tx, bool) {
	if x.done() {
		return nil, nil, false
	}
	all := x.transactions()
	tx, known := all.find(id)
	if !known {
		x.Thrown(http.StatusNotFound, "", missing)
		return all, tx, false
	}
	if all.note(tx); tx.RanWithoutCost() {
		x.W.Header()[inventedHeader] = []string{"execution_cost"}
	}
	return all, tx, true
}

// txID reads a path parameter.
func (x *Exchange) txID(at int) chain.Hash {
	id, ok := chain.ParseHash(x.param(at))
	if !ok {
		x.invalid(`params/tx_id must match pattern "` + hashPattern + `"`)
	}
	return id
}

// body returns the API's view of a transaction.
func (t *transactions) body(tx *ledger.Tx) *txBody {
	body := t.listed(tx)
	if body.minedBody != nil {
		body.Events = events(tx)
	}
	return body
}

// listed returns a transaction in a list, which counts its events alone.
func (t *transactions) listed(tx *ledger.Tx) *txBody {
	t.note(tx)
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
	t.payload(body, tx)
	place, found := t.place(tx)
	if !found {
		body.Status, body.pendingBody = pendingOf(tx)
		return body
	}
	body.Status, body.placeBody, body.minedBody = endOf(tx), t.placeBody(&place), minedOf(tx, &place)
	return body
}

// endOf returns the API's word for how a transaction ended in its block.
func endOf(tx *ledger.Tx) string {
	switch {
	case tx.Violation != nil:
		return "abort_by_post_condition"
	case tx.Aborted():
		return "abort_by_response"
	}
	return "success"
}

// place returns where a transaction is; false for one that waits or was replaced.
func (t *transactions) place(tx *ledger.Tx) (chain.Place, bool) {
	if place, ok := t.View.Place(chain.HashOf(tx.ID)); ok {
		return place, true
	}
	block, ok := t.View.Block(tx.Height) // 0 is no height of a block
	return chain.Place{Block: block, Index: -1, Own: -1}, ok
}

func (t *transactions) payload(body *txBody, tx *ledger.Tx) {
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
		if p.Recipient != nil {
			to := p.Recipient.String()
			body.Coinbase.Recipient = &to
		}
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
		body.Call = t.call(p)
	}
}

// call returns a call with the names that its contract has. Those of a contract that is unknown
// are made up.
func (t *transactions) call(p stxtx.ContractCall) *callBody {
	args, f := argumentsOf(p), t.function(p)
	for i := range args {
		args[i].Name, args[i].Type = f.args[i].Name, f.args[i].Type
	}
	return &callBody{ContractID: p.Contract.String(), Function: p.Function, Args: &args, Signature: f.signature}
}

// bareCall returns a call without the names of its contract.
func bareCall(p stxtx.ContractCall) *callBody {
	args := argumentsOf(p)
	for i := range args {
		args[i].Type = contracts.Written(contracts.TypeOf(p.Args[i]))
	}
	return &callBody{ContractID: p.Contract.String(), Function: p.Function, Args: &args}
}

// argumentsOf returns the values of a call.
func argumentsOf(p stxtx.ContractCall) []callArgBody {
	args := make([]callArgBody, len(p.Args))
	for i, arg := range p.Args {
		value := valueBody(arg)
		args[i].Hex, args[i].Repr = value.Hex, value.Repr
	}
	return args
}

// called is a function as a call of it shows it: names and types of at least as many arguments
// as the call has.
type called struct {
	args      []callArgBody
	signature string
}

// functionID is a function of a contract.
type functionID struct {
	contract clarity.Principal
	name     string
}

// function finds what is called in the text of its contract.
func (t *transactions) function(p stxtx.ContractCall) *called {
	id := functionID{p.Contract, p.Function}
	if known := t.functions[id]; known != nil {
		return known
	}
	f := abi.Function{Name: p.Function}
	c, _ := contractOf(t.State, p.Contract)
	whole := false // it has all arguments, and so have other calls of it
	if c.source != nil {
		if declared, known := c.source.Function(p.Function); known {
			f.Args = slices.Clone(declared.Args)
			whole = len(f.Args) >= len(p.Args)
		}
	}
	for i := len(f.Args); i < len(p.Args); i++ {
		f.Args = append(f.Args, abi.Field{Name: "arg" + strconv.Itoa(i), Type: contracts.TypeOf(p.Args[i])})
	}
	out := &called{signature: contracts.Signature(&f)}
	for _, a := range f.Args {
		out.args = append(out.args, callArgBody{Name: a.Name, Type: contracts.Written(a.Type)})
	}
	if whole {
		t.functions[id] = out
	}
	return out
}

func pendingOf(tx *ledger.Tx) (status string, p *pendingBody) {
	p = &pendingBody{ReceiptTime: tx.ReceivedMS / 1000, ReceiptISO: isoTime(tx.ReceivedMS)}
	if tx.ReplacedBy != nil {
		by := with0x(tx.ReplacedBy[:])
		p.ReplacedBy = &by
	}
	if tx.Dropped != "" {
		return "dropped_" + string(tx.Dropped), p
	}
	return "pending", p
}

func (t *transactions) placeBody(place *chain.Place) *placeBody {
	block := &place.Block
	if t.placedBlock == block.Hash && t.placed != nil { // many of a list are of one block
		p := *t.placed
		p.Index = place.Index
		return &p
	}
	p := &placeBody{
		BlockHash: block.Hash.String(), BlockHeight: block.Height, BlockTime: block.TimeMS / 1000, BlockTimeISO: isoTime(block.TimeMS),
		BurnTime: block.BurnTimeMS / 1000, BurnHeight: block.BurnHeight, BurnTimeISO: isoTime(block.BurnTimeMS),
		Canonical: block.Canonical, Index: place.Index,
	}
	if parent, ok := t.View.Known(block.Height - 1); ok {
		p.ParentBurnTime, p.ParentBurnTimeISO = parent.BurnTimeMS/1000, isoTime(parent.BurnTimeMS)
	}
	t.placed, t.placedBlock = p, block.Hash
	return p
}

func minedOf(tx *ledger.Tx, place *chain.Place) *minedBody {
	m := &minedBody{
		ParentBlockHash: place.Block.Parent.String(), Result: *valueBody(tx.Result),
		MicroblockHash: "0x", MicroblockSequence: 1<<31 - 1, MicroblockCanonical: true,
		Events: []eventBody{}, EventCount: countEvents(tx),
	}
	if tx.Error != "" {
		m.VMError = &tx.Error
	}
	if place.Microblock != (chain.Hash{}) {
		m.MicroblockHash, m.MicroblockSequence = place.Microblock.String(), int64(place.Sequence)
	}
	switch p := tx.Payload.(type) {
	case stxtx.ContractCall, stxtx.SmartContract:
		m.txCost = txCost(estimation(p, uint64(tx.Size)).Cost)
	}
	if tx.Cost != nil {
		m.txCost = txCost(*tx.Cost)
	}
	return m
}

func with0x(b []byte) string { return "0x" + hex.EncodeToString(b) }

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

func isoTime(ms int64) string {
	return time.UnixMilli(ms).UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000Z")
}

// ofBlock lists the transactions of a block, the last first.
func (t *transactions) ofBlock(b *chain.Block) []*ledger.Tx {
	return t.all(t.View.TxIDs(b))
}

// serveTransactionsOfHash and serveTransactionsOfHeight list the transactions of a block by
// v1, the last first.
func serveTransactionsOfHash(x *Exchange) {
	hash, ok := chain.ParseHash(x.param(0))
	if !ok {
		x.invalid(`params/block_hash must match pattern "` + hashPattern + `"`)
		return
	}
	b, known := x.transactions().View.BlockByHash(hash)
	x.blockTransactions(&b, known, "no block found by hash "+x.param(0))
}

func serveTransactionsOfHeight(x *Exchange) {
	find := blockQuery{height: x.paramInteger(0, "height", atLeast(0))}
	b, known := find.block(&x.transactions().View)
	x.blockTransactions(&b, known, "no block found at height "+x.param(0))
}

func (x *Exchange) blockTransactions(b *chain.Block, known bool, missing string) {
	w := x.window()
	if !known {
		x.Thrown(http.StatusNotFound, "", missing)
	}
	transactionPage(x, w, func(t *transactions) []*ledger.Tx { return t.ofBlock(b) }, (*transactions).listed)
}

// requestedBlock finds the block of a path and sets its validator; on false it has answered.
func (x *Exchange) requestedBlock() (b chain.Block, ok bool) {
	find := x.heightOrHash()
	if find.invalid {
		x.Thrown(http.StatusBadRequest, "", "Invalid block height or hash")
	}
	if x.answered {
		return b, false
	}
	if b, ok = find.block(&x.transactions().View); !ok {
		x.Thrown(http.StatusNotFound, "", "Block not found")
		return b, false
	}
	// The service finds no validator for a block that is requested by its own hash.
	byHash := find.hash != nil && *find.hash != b.Index
	return b, byHash || !x.cached(`"`+b.Index.String()+`:true"`)
}

// serveBlockTransactionsV2 lists the transactions of a block, its first before the others.
func serveBlockTransactionsV2(x *Exchange) {
	w := x.exactWindow()
	if b, ok := x.requestedBlock(); ok {
		t := x.transactions()
		all := t.ofBlock(&b)
		if w.limit == 0 || w.offset >= len(all) { // where the service takes nothing for no block
			x.Thrown(http.StatusNotFound, "", "Block not found")
			return
		}
		slices.Reverse(all)
		x.object(pageOf(w, all, t.listedV2))
	}
}

// listedV2 returns a transaction in a list of v2, which does not look at the interfaces of
// contracts.
func (t *transactions) listedV2(tx *ledger.Tx) *txBody {
	body := t.listed(tx)
	if p, ok := tx.Payload.(stxtx.ContractCall); ok {
		body.Call = bareCall(p)
	}
	return body
}

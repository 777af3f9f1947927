package api

import (
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// traceBody is the tree of the calls of a transaction.
type traceBody struct {
	TxID  string       `json:"tx_id"`
	Trace []tracedCall `json:"trace"` // one root
}

type tracedCall struct {
	Contract   string        `json:"contract"`
	Function   string        `json:"function"`
	Expression string        `json:"expression"` // the call as it is written
	Arguments  []string      `json:"arguments"`
	Result     *string       `json:"result"` // null after a failure at run time
	Error      string        `json:"error,omitempty"`
	Events     []tracedEvent `json:"events"`
	At         *tracedPlace  `json:"at"` // null of the root
	Calls      []tracedCall  `json:"calls"`
}

type tracedPlace struct {
	Contract string `json:"contract"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// tracedEvent is an event of a call. One that was rolled back is not in the chain; of it there is alone what the
// virtual machine prints.
type tracedEvent struct {
	eventBody
	Index      *int   `json:"event_index"` // null for one that was rolled back
	Text       string `json:"text"`        // in words; the addresses of one that was rolled back are cut
	After      int    `json:"after"`       // calls
	RolledBack bool   `json:"rolled_back,omitempty"`
}

// count returns how many calls there are in a tree.
func (c *tracedCall) count() int {
	n := 1
	for i := range c.Calls {
		n += c.Calls[i].count()
	}
	return n
}

// cut leaves out the calls of a tree that are too many.
func (c *tracedCall) cut(left *int) {
	*left--
	for i := range c.Calls {
		if *left <= 0 {
			c.Calls = c.Calls[:i]
			return
		}
		c.Calls[i].cut(left)
	}
}

const noMachine = "no virtual machine runs here, so it is not known what a transaction called; start the mock with --clarity"

// ServeTrace answers what a transaction called.
func ServeTrace(x *Exchange) {
	id, ok := chain.ParseHash(x.param(0))
	if !ok {
		x.Thrown(http.StatusBadRequest, "", "the id of a transaction has 64 hexadecimal digits, with or without 0x")
		return
	}
	if !x.Service.Machine {
		x.Thrown(http.StatusNotImplemented, "", noMachine)
		return
	}
	all := x.transactions()
	tx, known := all.find(id)
	if !known {
		x.Thrown(http.StatusNotFound, "", "there is no such transaction")
		return
	}
	root := all.trace(tx)
	switch _, calls := tx.Payload.(stxtx.ContractCall); {
	case root == nil && calls:
		x.Thrown(http.StatusNotFound, "", "the transaction is in no block, so it has called nothing yet")
		return
	case root == nil:
		x.Thrown(http.StatusNotFound, "", "the transaction calls no contract: what a deploy calls is not kept")
		return
	}
	if tx.Trace == "" && tx.Error == "" {
		x.Thrown(http.StatusNotFound, "", "what the transaction called is more than a mebibyte of text, and is not kept")
		return
	}
	x.Value(http.StatusOK, traceBody{with0x(tx.ID[:]), []tracedCall{*root}})
}

// trace returns the calls of a transaction, nil for none.
func (t *transactions) trace(tx *ledger.Tx) *tracedCall {
	call, calls := tx.Payload.(stxtx.ContractCall)
	if !calls || !tx.Ran() {
		return nil
	}
	root := &engine.Call{Contract: call.Contract.String(), Function: call.Function, Args: []string{}}
	for _, v := range call.Args {
		root.Args = append(root.Args, clarity.Repr(v))
	}
	w := traceWriter{transactions: t, tx: tx, events: events(tx)}
	if tx.RanWithoutCost() { // else its post-conditions may be what Error is about
		w.failed = tx.Error
	}
	engine.ReadTrace(tx.Trace, root, engine.Traced{Event: w.has, Kept: w.kept, Failed: w.failed, Aborted: tx.Violation != nil, Source: func(id string) string {
		p, err := clarity.ParseContract(id)
		if err != nil {
			return ""
		}
		c, _ := contractOf(t.State, p)
		return c.text
	}})
	if root.Ended = !tx.RanWithoutCost(); root.Ended {
		root.Result = clarity.Repr(tx.Result)
	}
	body := w.call(root, "")
	return &body
}

// traceWriter writes calls.
type traceWriter struct {
	*transactions
	tx     *ledger.Tx
	events []eventBody // of the transaction
	failed string
}

func (w *traceWriter) call(c *engine.Call, from string) tracedCall {
	body := tracedCall{Contract: c.Contract, Function: c.Function, Expression: c.Expression, Arguments: c.Args, Events: []tracedEvent{}, Calls: []tracedCall{}}
	if c.Ended {
		body.Result = &c.Result
	} else {
		body.Error = w.failed
	}
	if from != "" {
		body.At = &tracedPlace{from, c.Line, c.Column}
	}
	for _, e := range c.Events {
		if e.RolledBack || e.Number < len(w.events) {
			body.Events = append(body.Events, w.event(e, c.Contract))
		}
	}
	for _, inner := range c.Calls {
		body.Calls = append(body.Calls, w.call(inner, c.Contract))
	}
	return body
}

const printed = "print event: "

// has reports whether the transaction has an event of that number that the machine prints so, and returns its
// contract, "" where that is not known.
func (w *traceWriter) has(number int, text string) (contract string, has bool) {
	if number >= len(w.events) {
		return "", false
	}
	value, prints := strings.CutPrefix(text, printed)
	if log := w.events[number].Log; log != nil {
		if has = prints && log.Value.Repr == engine.Literal(value); has {
			contract = log.ContractID
		}
		return contract, has
	}
	return "", !prints
}

// kept returns the contract of an event, "" where it is not known, and what in the text of a contract causes it.
func (w *traceWriter) kept(number int) (contract, cause string, has bool) {
	if number >= len(w.events) {
		return "", "", false
	}
	e := &w.events[number]
	switch {
	case e.Log != nil:
		return e.Log.ContractID, "print", true
	case e.Asset == nil:
		return "", "stx-lock", true // what locks is no part of a text
	case e.Asset.ID == "":
		return "", "stx-" + e.Asset.Type, true
	}
	contract, _, _ = strings.Cut(e.Asset.ID, "::")
	if e.Asset.Value != nil {
		return contract, "nft-" + e.Asset.Type, true
	}
	return contract, "ft-" + e.Asset.Type, true
}

// event writes an event: as the API has it, or as far as the virtual machine prints it.
func (w *traceWriter) event(e engine.TracedEvent, contract string) tracedEvent {
	if !e.RolledBack {
		return tracedEvent{w.events[e.Number], &e.Number, w.words(e.Number), e.After, false}
	}
	body := tracedEvent{eventBody{Type: "stx_asset", TxID: with0x(w.tx.ID[:])}, nil, e.Text, e.After, true}
	if value, prints := strings.CutPrefix(e.Text, printed); prints {
		value = engine.Literal(value)
		body.Type, body.Text = "smart_contract_log", "print "+value
		body.Log = &logBody{ContractID: contract, Topic: "print"}
		if v, err := clarity.ParseLiteral(value); err == nil {
			body.Log.Value = valueBody(v)
		}
		return body
	}
	m := printedMove().FindStringSubmatch(e.Text)
	if m == nil {
		return body
	}
	what := m[3]
	if amount, is := new(big.Int).SetString(m[2], 10); is {
		move := outcome.Move{Amount: amount}
		if c, err := clarity.ParseContract(contract); err == nil && m[1] == "ft" {
			move.Asset = stxtx.Asset{Contract: c, Name: m[3]}
		}
		what = move.Words(w.unit)
	}
	switch m[1] {
	case "ft":
		body.Type = "fungible_token_asset"
	case "nft":
		body.Type = "non_fungible_token_asset"
	}
	body.Text = strings.ReplaceAll(outcome.Moved(what, m[4], m[5]), "...", "…")
	return body
}

// printedMove matches what the virtual machine prints of something that moved: its kind, how much, the name of the
// token or STX, from whom and to whom.
var printedMove = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(stx|ft|nft) \w+ event: (?:[a-z]+ )?(?:(\d+) )?(\S+?)(?: from (\S+))?(?: to (\S+))?$`)
})

// words says what an event of the chain is.
func (w *traceWriter) words(number int) string {
	e := &w.events[number]
	switch {
	case e.Log != nil:
		return "print " + e.Log.Value.Repr
	case e.Lock != nil:
		amount, _ := new(big.Int).SetString(e.Lock.Amount, 10)
		return fmt.Sprintf("%s of %s is locked until burn block %d", outcome.Move{Amount: amount}.Words(nil), e.Lock.Address, e.Lock.Unlock)
	}
	moved := 0
	for _, before := range w.events[:number] {
		if before.Asset != nil {
			moved++
		}
	}
	return w.tx.Moved[moved].Words(w.unit)
}

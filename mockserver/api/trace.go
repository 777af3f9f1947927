package api

import (
	"net/http"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
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

// tracedEvent is an event of a call. One that was rolled back is not in the chain; of it there is the text
// alone that the virtual machine has.
type tracedEvent struct {
	eventBody
	Index      *int   `json:"event_index"` // null for one that was rolled back
	Text       string `json:"text"`
	After      int    `json:"after"` // calls
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
	if root == nil {
		x.Thrown(http.StatusNotFound, "", "the transaction called nothing that runs in the virtual machine, or is in no block yet")
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
	w := traceWriter{events: events(tx), root: tx.ID}
	if tx.RanWithoutCost() { // else its post-conditions may be what Error is about
		w.failed = tx.Error
	}
	engine.ReadTrace(tx.Trace, root, engine.Traced{Event: w.has, Failed: w.failed, Aborted: tx.Violation != nil, Source: func(id string) string {
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
	events []eventBody // of the transaction
	failed string
	root   [32]byte
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

// event writes an event: as the API has it, or as far as its text says.
func (w *traceWriter) event(e engine.TracedEvent, contract string) tracedEvent {
	if !e.RolledBack {
		body := tracedEvent{w.events[e.Number], &e.Number, e.Text, e.After, false}
		if body.Text == "" && body.Log != nil {
			body.Text = printed + body.Log.Value.Repr
		} else if body.Text == "" {
			body.Text = strings.ReplaceAll(body.Type, "_", " ")
		}
		return body
	}
	body := tracedEvent{eventBody{Type: "stx_asset", TxID: with0x(w.root[:])}, nil, e.Text, e.After, true}
	switch kind, _, _ := strings.Cut(e.Text, " "); kind {
	case "print":
		body.Type = "smart_contract_log"
		body.Log = &logBody{ContractID: contract, Topic: "print"}
		if v, err := clarity.ParseLiteral(engine.Literal(strings.TrimPrefix(e.Text, printed))); err == nil {
			body.Log.Value = valueBody(v)
		}
	case "ft":
		body.Type = "fungible_token_asset"
	case "nft":
		body.Type = "non_fungible_token_asset"
	}
	return body
}

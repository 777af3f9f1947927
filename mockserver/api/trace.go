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

// tracedEvent is an event of a call. Those of a transaction that failed are not in the chain; of
// them there is the text alone that the virtual machine has.
type tracedEvent struct {
	eventBody
	Text  string `json:"text"`
	After int    `json:"after"` // calls
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
	engine.ReadTrace(tx.Trace, root, func(id string) string {
		p, err := clarity.ParseContract(id)
		if err != nil {
			return ""
		}
		c, _ := contractOf(t.State, p)
		return c.text
	}, tx.RanWithoutCost())
	if !tx.RanWithoutCost() {
		root.Result, root.Ended = clarity.Repr(tx.Result), true
	}
	w := traceWriter{events: events(tx), failed: tx.Error, root: tx.ID}
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
		body.Events = append(body.Events, w.event(e, c.Contract))
	}
	for _, inner := range c.Calls {
		body.Calls = append(body.Calls, w.call(inner, c.Contract))
	}
	return body
}

// event writes an event: as the API has it, or as far as its text says.
func (w *traceWriter) event(e engine.TracedEvent, contract string) tracedEvent {
	if e.Number < len(w.events) {
		return tracedEvent{w.events[e.Number], e.Text, e.After}
	}
	body := tracedEvent{eventBody{Index: e.Number, Type: "stx_asset", TxID: with0x(w.root[:])}, e.Text, e.After}
	switch kind, _, _ := strings.Cut(e.Text, " "); kind {
	case "print":
		body.Type = "smart_contract_log"
		body.Log = &logBody{ContractID: contract, Topic: "print"}
		_, text, _ := strings.Cut(e.Text, "print event: ")
		if v, err := clarity.ParseLiteral(engine.Literal(text)); err == nil {
			body.Log.Value = valueBody(v)
		}
	case "ft":
		body.Type = "fungible_token_asset"
	case "nft":
		body.Type = "non_fungible_token_asset"
	}
	return body
}

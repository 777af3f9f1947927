package apiclient

import (
	"context"
	"errors"
	"net/http"
)

// Trace is the tree of the calls of a transaction, as a mock has it whose contracts run.
type Trace struct {
	TxID string `json:"tx_id"`
	Root []Call `json:"trace"` // one
	// Replayed reports whether a transaction of a live chain was run again for it, Same whether result and
	// events were those of the chain; Why says in what they were not.
	Replayed bool   `json:"replayed"`
	Same     bool   `json:"same"`
	Why      string `json:"why"`
}

// Call is a call within a transaction.
type Call struct {
	Contract   string        `json:"contract"`
	Function   string        `json:"function"`
	Expression string        `json:"expression"`
	Arguments  []string      `json:"arguments"`
	Result     string        `json:"result"` // "" where it failed at run time, or is not known
	Error      string        `json:"error"`
	Events     []TracedEvent `json:"events"`
	At         *TracedPlace  `json:"at"` // nil of the root
	Calls      []Call        `json:"calls"`
}

// TracedEvent is an event of a call.
type TracedEvent struct {
	Text       string `json:"text"`
	After      int    `json:"after"`       // so many of the calls
	RolledBack bool   `json:"rolled_back"` // it is not in the chain
}

// TracedPlace is the position of a call in a source.
type TracedPlace struct {
	Contract string `json:"contract"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

const traceOp = "trace a transaction"

// ErrNoTraces reports that an API does not have what transactions called.
var ErrNoTraces = errors.New("this API has no traces: they are of a mock whose contracts run (chainscope mock --clarity)")

// Untraced reports that a server cannot know what a transaction called, however often it is requested.
func (e *Error) Untraced() bool {
	return e.Op == traceOp && (e.Kind == NotFound || e.Status == http.StatusNotFound || e.Status == http.StatusNotImplemented)
}

// Trace reads what a transaction called. Only a mock whose contracts run has that.
func (c *Client) Trace(ctx context.Context, id string) (Answer[Trace], error) {
	id, err := normalHash(id)
	if err != nil {
		return Answer[Trace]{}, invalid(traceOp, err)
	}
	answer, err := get(ctx, c, traceOp, "/mock/v1/transactions/"+id+"/trace", decode[Trace])
	if RouteGone(err) {
		err = &Error{Kind: ServerFault, Status: http.StatusNotFound, Op: traceOp, Err: ErrNoTraces}
	}
	return answer, err
}

// Untraced returns the error of what a transaction called that was not even requested.
func Untraced(why error) error { return &Error{Kind: NotFound, Op: traceOp, Err: why} }

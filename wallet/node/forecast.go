package node

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Forecast describes how a transaction would end, as a mock reports it. Its texts are untrusted.
type Forecast struct {
	// Status is that of the API, such as success or pending; rejected for one that would be
	// refused.
	Status    string
	Sentence  string
	Certainty string // fact, likely, or unknown where the mock invents what a call does
	Fix       string // what would let it through, "" for nothing
	Result    string // a Clarity literal, "" for none
	Moves     []string
	// Conditions are its post-conditions, in their order; the first of very many.
	Conditions []outcome.Finding
	// LeftOut counts the moves and conditions that are not named.
	LeftOut int
	// Exact are the conditions that let through what moves and nothing else, in deny mode;
	// HasExact reports whether there are any such.
	Exact    []stxtx.PostCondition
	HasExact bool
	// Root is the call of the transaction with what it would call, nil where no virtual machine runs; Calls
	// counts those, also what of very many is not in it.
	Root  *Call
	Calls int
}

// Call is a call within a transaction. Values are Clarity literals.
type Call struct {
	Contract, Function string
	Arguments          []string
	Result             string // "" where it failed at run time, or is not known
	Error              string // of one that failed at run time
	Calls              []Call
}

// Lines returns the tree as lines, those within a call further right: the first of very many. They are untrusted.
func (c *Call) Lines(most int) (lines []string) {
	var walk func(c *Call, lead string)
	walk = func(c *Call, lead string) {
		_, name, _ := strings.Cut(c.Contract, ".")
		line := lead + name + "." + c.Function + "(" + strings.Join(c.Arguments, ", ") + ")"
		switch {
		case c.Error != "":
			line += "  failed"
		case c.Result != "":
			line += "  " + c.Result
		}
		lines = append(lines, line)
		for i := range c.Calls {
			if len(lines) == most {
				return
			}
			walk(&c.Calls[i], lead+"  ")
		}
	}
	walk(c, "")
	return lines
}

// Fails reports whether the transaction would not do what it should.
func (f *Forecast) Fails() bool { return f.Status != "success" && f.Status != "pending" }

// Known reports whether the mock knows what the transaction does.
func (f *Forecast) Known() bool { return f.Certainty != "unknown" }

// Forecast requests of a mock how a transaction would end, which may still lack its signatures
// (POST /mock/v1/forecast). It is guarded like [Client.Broadcast].
func (c *Client) Forecast(ctx context.Context, transaction string) (*Forecast, error) {
	const op = "foresee how it ends"
	answer, err := c.postJSON(ctx, op, "/mock/v1/forecast", map[string]string{"tx": transaction})
	if err != nil {
		return nil, err
	}
	var body struct {
		Status, Sentence, Certainty, Fix string
		Result                           struct{ Repr string }
		Moves                            []struct{ Words string }
		Conditions                       []outcome.Finding `json:"post_conditions"`
		LeftOut                          int               `json:"left_out"`
		Calls                            int
		Trace                            []Call
		Exact                            *struct {
			Mode       string
			Conditions []string
		}
	}
	if err := json.Unmarshal(answer, &body); err != nil || body.Status == "" {
		return nil, &Error{Op: op, Status: http.StatusOK, Err: errors.New("the answer is no forecast")}
	}
	f := &Forecast{
		Status: body.Status, Sentence: body.Sentence, Certainty: body.Certainty, Fix: body.Fix, Result: body.Result.Repr,
		Conditions: body.Conditions, LeftOut: body.LeftOut, Calls: body.Calls,
	}
	if len(body.Trace) > 0 {
		f.Root = &body.Trace[0]
	}
	for _, m := range body.Moves {
		f.Moves = append(f.Moves, m.Words)
	}
	if body.Exact == nil || body.Exact.Mode != stxtx.ModeDeny.String() {
		return f, nil
	}
	for _, digits := range body.Exact.Conditions {
		condition, err := stxtx.DecodePostConditionHex(digits)
		if err != nil {
			return nil, &Error{Op: op, Status: http.StatusOK, Err: err}
		}
		f.Exact = append(f.Exact, condition)
	}
	f.HasExact = true
	return f, nil
}

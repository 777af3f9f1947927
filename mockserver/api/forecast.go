package api

import (
	"net/http"

	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// forecastBody describes how a transaction would end. The keys of outcome.Why are those of
// /mock/v1/tx/{txid}/why; its certainty is "unknown" where the mock invents what a call does.
type forecastBody struct {
	Admitted bool `json:"admitted"`
	outcome.Why
	Reason     ledger.Reason `json:"reason,omitempty"` // of a refusal, as a node says it
	ReasonData any           `json:"reason_data,omitempty"`
	Result     *cvBody       `json:"result,omitempty"`
	// Calls counts what would be called, and Trace has it, as far as it is not too much, where it would run.
	Calls      int              `json:"calls,omitempty"`
	Trace      []tracedCall     `json:"trace,omitempty"`
	Moves      []forecastMove   `json:"moves"`
	Conditions []forecastResult `json:"post_conditions"`
	// LeftOut counts what the two lists do not name.
	LeftOut int `json:"left_out,omitempty"`
	// Exact are the conditions that let through what moves and nothing else.
	Exact *exactBody `json:"exact,omitempty"`
}

// forecastMove is something that would be moved, in the form of canned moves.
type forecastMove struct {
	Asset  string `json:"asset"` // STX, or ADDRESS.contract::name
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Amount string `json:"amount,omitempty"` // in the smallest unit
	ID     string `json:"id,omitempty"`     // of a non-fungible token
	Words  string `json:"words"`
}

// forecastResult is a post-condition beside what would be sent.
type forecastResult struct {
	Condition string `json:"condition"`
	Sent      string `json:"sent"`
	Holds     bool   `json:"holds"`
}

type exactBody struct {
	Mode       string   `json:"mode"`
	Conditions []string `json:"conditions"` // hexadecimal digits
}

// maxForecast bounds each list of a forecast.
const maxForecast = 1000

// unknown is the certainty of what the mock invents.
const unknown = "unknown"

// ServeForecast says how a transaction would end if it were sent now, and changes nothing.
func ServeForecast(x *Exchange) {
	posted, ok := x.Body(maxBroadcastBody)
	if !ok {
		return
	}
	raw, err := postedTransaction(x.R.Header.Get("Content-Type"), posted)
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	f := x.World.Forecast(raw)
	if x.refusedUnread(f.Rejection) {
		return
	}
	if f.Tx != nil && f.Tx.Unread != "" {
		x.Thrown(http.StatusServiceUnavailable, "", f.Tx.Unread)
		return
	}
	if f.Rejection != nil {
		refused, _ := refusalOf(raw, f.Rejection)
		body := forecastBody{Why: whyRefused(refused), Reason: refused.Reason, ReasonData: refused.Data, Moves: []forecastMove{}, Conditions: []forecastResult{}}
		body.Sentence = "It would be refused: " + body.Sentence
		x.Value(http.StatusOK, body)
		return
	}
	x.Value(http.StatusOK, x.Service.transactions(f.State).forecast(&f))
}

// forecast writes a forecast of a transaction that would be taken.
func (t *transactions) forecast(f *world.Forecast) *forecastBody {
	tx := f.Tx
	status := "pending"
	if tx.Result != nil {
		status = endOf(tx)
	}
	body := &forecastBody{Admitted: true, Why: outcome.Explain(t.ended(tx, status)), Moves: []forecastMove{}, Conditions: []forecastResult{}}
	switch {
	case body.Failed():
		body.Sentence = "It would fail: " + body.Sentence
	case tx.Result != nil:
		body.Sentence = "It would succeed."
	}
	if tx.Result == nil {
		return body
	}
	body.Result = valueBody(tx.Result)
	if root := t.trace(tx); root != nil {
		left := maxForecast
		body.Calls = root.count() - 1
		root.cut(&left)
		body.Trace = []tracedCall{*root}
	}
	t.certainty(body, f)
	_, failed := tx.Result.(clarity.Err)
	if failed && tx.Violation == nil && tx.Error != "" {
		return body // it failed at run time: no post-condition is looked at
	}
	if failed {
		f.Moves = nil // an error moves nothing, and the conditions are compared with that
	}
	for _, m := range f.Moves[:min(len(f.Moves), maxForecast)] {
		body.Moves = append(body.Moves, moveOf(m, t.unit))
	}
	if _, is := tx.Payload.(stxtx.TokenTransfer); is {
		return body // conditions have no meaning there
	}
	sent := outcome.NewSent(f.Moves)
	conditions := tx.PostConditions[:min(len(tx.PostConditions), maxForecast)]
	for _, one := range outcome.Findings(tx.Principal(), conditions, sent, t.unit) {
		body.Conditions = append(body.Conditions, forecastResult(one))
	}
	body.LeftOut = len(f.Moves) - len(body.Moves) + len(tx.PostConditions) - len(conditions)
	if f.Known != world.Invented && !failed {
		body.Exact = exact(sent)
	}
	return body
}

// certainty returns how sure the forecast of a transaction is.
func (t *transactions) certainty(body *forecastBody, f *world.Forecast) {
	switch f.Known {
	case world.WrittenDown:
		body.Certainty = "likely"
	case world.Invented:
		call, _ := f.Tx.Payload.(stxtx.ContractCall)
		body.Certainty = unknown
		body.Sentence = "The mock cannot know what " + call.Function + " of " + call.Contract.String() + " does, and invents it. There: " + body.Sentence
		if body.Fix == "" {
			body.Fix = "say what it does with --contracts"
		}
	}
}

func moveOf(m outcome.Move, unit outcome.Unit) forecastMove {
	one := forecastMove{Asset: "STX", From: nameOf(m.From), To: nameOf(m.To), Words: m.Words(unit)}
	if m.Asset != (stxtx.Asset{}) {
		one.Asset = m.Asset.String()
	}
	if m.Token != nil {
		one.ID = clarity.Repr(m.Token)
	} else {
		one.Amount = m.Amount.String()
	}
	return one
}

// exact writes the conditions that let through what was sent, nil where none can.
func exact(sent *outcome.Sent) *exactBody {
	conditions, ok := outcome.Exact(sent)
	if !ok || len(conditions) > maxForecast {
		return nil
	}
	body := &exactBody{stxtx.ModeDeny.String(), []string{}}
	for _, c := range conditions {
		text, err := stxtx.PostConditionHex(c)
		if err != nil {
			return nil // a token that does not fit a transaction
		}
		body.Conditions = append(body.Conditions, text)
	}
	return body
}

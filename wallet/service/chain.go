package service

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"chainscope/wallet/node"
	"chainscope/wallet/outcome"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// ErrNoChain says that the wallet has no API for transactions.
var ErrNoChain = errors.New("the wallet has no API to ask")

// Transaction requests what became of a transaction, and remembers the
// answer. It waits for it.
func (s *Service) Transaction(ctx context.Context, txid string) (node.Transaction, error) {
	if s.options.Node == nil {
		return node.Transaction{}, ErrNoChain
	}
	s.mu.Lock()
	request := s.nextRequest()
	s.mu.Unlock()
	tx, err := s.options.Node.Transaction(ctx, txid)
	if err == nil {
		s.learn(request, map[string]node.Transaction{bareID(txid): tx})
	}
	return tx, err
}

// report holds the status that the chain gave a transaction, and the number of the request it answered.
type report struct {
	node.Transaction
	request uint64
}

// nextRequest numbers a request of transactions. The caller must hold s.mu.
func (s *Service) nextRequest() uint64 {
	s.requests++
	return s.requests
}

// followed is the number of transactions in one request.
const followed = 20

// lateness is the time within which a transaction that was sent becomes visible at an API.
const lateness = time.Minute

// Poll reads the calls that other processes have added, and requests what became of the
// newest transactions that no block is known to have, with one request for all. It is
// made to be called every few seconds: it sends no request where none is needed.
func (s *Service) Poll(ctx context.Context) {
	s.ReadAdded()
	var ids []string
	s.mu.Lock()
	for _, c := range s.timeline.sent(followed) {
		id := bareID(c.TxID)
		tx, known := s.transactions[id]
		late := tx.Status == "" && s.options.Now().Sub(c.Time) < lateness
		if !known || late || tx.Status == "pending" || s.outdated[id] {
			ids = append(ids, id)
		}
	}
	due := len(ids) > 0 && s.options.Node != nil && !s.polling
	s.polling = s.polling || due
	request := s.nextRequest()
	s.mu.Unlock()
	if !due {
		return
	}
	found, err := s.options.Node.Transactions(ctx, ids)
	s.mu.Lock()
	s.polling = false
	s.mu.Unlock()
	if changed := s.learn(request, found); err == nil && changed {
		s.messages.put(TransactionsChanged{})
	}
}

// ChainChanged says that blocks from a height on are no longer what they were: what was
// said of the transactions in them is requested again. So are those that no chain knew.
func (s *Service) ChainChanged(from int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, tx := range s.transactions {
		if tx.BlockHeight >= from || tx.Status == "" {
			s.outdated[id] = true
		}
	}
}

// learn stores what the chain says of transactions, by their bare ids, unless a newer request was answered
// before, and reports whether any of it is new. It sends messages of the calls that signed those, and of the
// end of what was waited for.
func (s *Service) learn(request uint64, reported map[string]node.Transaction) bool {
	var news []string
	var ended []TransactionSettled
	s.mu.Lock()
	for id, tx := range reported {
		before, known := s.transactions[id]
		if request <= s.reverted || request < before.request {
			continue
		}
		delete(s.outdated, id)
		if !known || before.Transaction != tx {
			news = append(news, id)
		}
		call, ours := s.timeline.signed(id)
		waited := known && before.Status != tx.Status || !known && !call.Time.Before(s.began)
		if ours && waited && call.Posted() && tx.Settled() {
			ended = append(ended, TransactionSettled{call, tx})
		}
		if len(s.transactions) >= maxCalls {
			clear(s.transactions)
		}
		s.transactions[id] = report{tx, request}
	}
	s.mu.Unlock()
	for _, id := range news {
		if c, ours := s.timeline.signed(id); ours {
			s.notify(c)
		}
	}
	slices.SortFunc(ended, func(a, b TransactionSettled) int { return a.Call.Time.Compare(b.Call.Time) })
	for _, e := range ended {
		s.messages.put(e)
	}
	return len(news) > 0
}

// LastKnown returns what the API last said of a transaction, and reports whether
// it was requested.
func (s *Service) LastKnown(txid string) (node.Transaction, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, known := s.transactions[bareID(txid)]
	return tx.Transaction, known
}

// CallOf returns the call that signed a transaction, and reports whether the
// timeline has one.
func (s *Service) CallOf(txid string) (Call, bool) {
	return s.timeline.signed(bareID(txid))
}

// bareID returns a transaction id in lower case, without 0x.
func bareID(txid string) string { return strings.ToLower(strings.TrimPrefix(txid, "0x")) }

// patience bounds how long a forecast is waited for: a virtual machine may have to start.
const patience = 20 * time.Second

// Forecast requests of the mock how the transaction of a description would end. Where the API is not
// on this machine, or there is no transaction, the error is [ErrNoChain].
func (s *Service) Forecast(ctx context.Context, d signer.Description) (*node.Forecast, error) {
	if s.options.Node == nil || s.options.Node.Local() == nil || d.Transaction == nil {
		return nil, ErrNoChain
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if in := s.overtaken(ctx, d); in != nil {
		return &node.Forecast{Status: outcome.Rejected, Sentence: in.Text, Certainty: "fact"}, nil
	}
	f, err := s.options.Node.Forecast(ctx, d.Transaction.Unsigned)
	if notSent, ok := errors.AsType[*node.NotSentError](err); ok {
		err = errors.New(notSent.Reason)
	}
	return f, err
}

// Foreseen describes how a request would end.
type Foreseen struct {
	signer.Description
	Forecast *node.Forecast
	// Proposed are the exact post-conditions, which Description has; nil where the request has
	// them already, or there are none.
	Proposed *signer.PostConditions
}

// Foresee returns how a request would end, which is neither put to the user nor sent: with exact
// post-conditions where the mock can tell them.
func (s *Service) Foresee(ctx context.Context, method string, params json.RawMessage) (f Foreseen, err error) {
	call, err := signer.Parse(method, params, s.env())
	if err == nil {
		call, err = call.Prepare(ctx)
	}
	if err != nil {
		return f, err
	}
	f.Description = call.Describe()
	f.Forecast, err = s.Forecast(ctx, f.Description)
	if f.Proposed = Exact(f.Description, f.Forecast); err != nil || f.Proposed == nil {
		return f, err
	}
	if call, err = call.Edit(signer.Edit{Conditions: f.Proposed}); err != nil {
		return f, err
	}
	f.Description = call.Describe()
	f.Forecast, err = s.Forecast(ctx, f.Description)
	return f, err
}

// Exact returns the post-conditions that let through what a forecast of a transaction says and
// nothing else; nil where there are none, or the transaction has them already.
func Exact(d signer.Description, f *node.Forecast) *signer.PostConditions {
	t := d.Transaction
	if f == nil || !f.HasExact || t == nil {
		return nil
	}
	same := slices.EqualFunc(f.Exact, t.PostConditions, func(a, b stxtx.PostCondition) bool { return reflect.DeepEqual(a, b) })
	if same && t.PostConditionMode == stxtx.ModeDeny.String() {
		return nil
	}
	return &signer.PostConditions{Mode: stxtx.ModeDeny, List: f.Exact}
}

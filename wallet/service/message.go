package service

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"chainscope/wallet"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// Message is one of the messages of this package.
type Message interface{ walletMessage() }

// ApprovalNeeded asks whether something may be signed or disclosed. It is the
// head of the queue: the next one follows when it is decided or withdrawn.
type ApprovalNeeded struct {
	ID        uint64
	CallID    uint64 // of its call in the timeline, the same in every round
	Requester Requester
	Wallet    provider.Personality
	// Params are those that the wallet received, nil for none.
	Params      json.RawMessage
	Description signer.Description
	// Round counts from 1; every edit makes another round with
	// a new ID and a new description.
	Round   int
	Arrived time.Time // when the request came
}

// Editable reports whether fee and nonce can be changed.
func (a ApprovalNeeded) Editable() bool { return a.Description.Transaction != nil }

// OriginNeeded asks whether the pages of an origin may talk to the wallet.
type OriginNeeded struct {
	ID     uint64
	Origin string
	// Waiting is the number of calls of the origin that wait; many are a flood.
	Waiting int
}

// SelectionNeeded requests a wallet, as the library's modal does.
type SelectionNeeded struct {
	ID        uint64
	Requester Requester
	Rows      []wallet.Row
	// Preset is the id of the row to begin at, "" for the first.
	Preset string
}

// Withdrawn says that a question needs no answer any more.
type Withdrawn struct {
	ID        uint64 // of the question, 0 for a request that had not had its turn
	Requester Requester
	Method    string
	Reason    string // in words
}

// QueueChanged lists the requests that wait, the one being decided first.
type QueueChanged struct{ Waiting []Waiting }

// CallChanged says that a call began or ended; see [Call.Done].
type CallChanged struct{ Call Call }

// TimelineCut says that calls were taken out of the timeline or put back, or that another
// process has added some.
type TimelineCut struct{}

// TransactionsChanged says that the chain said something new of transactions; see
// [Service.LastKnown].
type TransactionsChanged struct{}

// TransactionSettled says that a transaction of a call, which was waited for, is in a block, or
// that no block will take it. What earlier runs have sent and seen is not announced again.
type TransactionSettled struct {
	Call        Call
	Transaction node.Transaction
}

// StateChanged carries the new state.
type StateChanged struct{ State State }

// Notice is a sentence for the user: something went wrong beside the calls.
type Notice struct {
	Text string // may hold untrusted text
	Bad  bool
}

// queueMoved and stateMoved announce QueueChanged and StateChanged, which are
// made when they are read: a queue of thousands is not listed for each change.
type (
	queueMoved struct{}
	stateMoved struct{}
)

func (queueMoved) walletMessage()          {}
func (stateMoved) walletMessage()          {}
func (ApprovalNeeded) walletMessage()      {}
func (OriginNeeded) walletMessage()        {}
func (SelectionNeeded) walletMessage()     {}
func (Withdrawn) walletMessage()           {}
func (QueueChanged) walletMessage()        {}
func (CallChanged) walletMessage()         {}
func (TimelineCut) walletMessage()         {}
func (TransactionsChanged) walletMessage() {}
func (TransactionSettled) walletMessage()  {}
func (StateChanged) walletMessage()        {}
func (Notice) walletMessage()              {}

// Waiting is a request that waits for its answer.
type Waiting struct {
	Requester Requester
	Method    string
	Arrived   time.Time
}

// RequesterKind describes where a request comes from.
type RequesterKind string

// The askers: the wallet pane, a command of the command line, and a web page
// over the bridge.
const (
	FromPane    RequesterKind = "pane"
	FromCommand RequesterKind = "command"
	FromPage    RequesterKind = "page"
)

// Requester is the source of a request.
type Requester struct {
	Kind   RequesterKind `json:"from"`
	Origin string        `json:"origin,omitempty"` // of a page, untrusted text
}

// String names the asker in words; the origin in it is untrusted.
func (a Requester) String() string {
	switch a.Kind {
	case FromPage:
		return a.Origin
	case FromCommand:
		return "the command line"
	}
	return "the explorer"
}

// messages passes messages in order to one reader. It is not bounded: each
// message follows from something that the reader allows.
type messages struct {
	mu     sync.Mutex
	list   []Message
	wake   chan struct{} // holds one token when list may be non-empty
	closed chan struct{}
}

func newMessages() *messages {
	return &messages{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// put adds a message. A queueMoved or stateMoved at the end makes another one
// superfluous.
func (q *messages) put(m Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.list); n > 0 {
		switch m.(type) {
		case queueMoved, stateMoved:
			if q.list[n-1] == m {
				return
			}
		}
	}
	q.list = append(q.list, m)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *messages) next(ctx context.Context) (Message, bool) {
	for {
		q.mu.Lock()
		if len(q.list) > 0 {
			m := q.list[0]
			q.list[0] = nil
			q.list = q.list[1:]
			q.mu.Unlock()
			return m, true
		}
		q.mu.Unlock()
		select {
		case <-q.wake:
		case <-q.closed:
			return nil, false
		case <-ctx.Done():
			return nil, false
		}
	}
}

package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chainscope/wallet"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// CallKind says what kind of call it was.
type CallKind string

// The kinds: a request of the library, one without the library around it
// (requestRaw), its connect and disconnect, and a call of a page.
const (
	KindRequest    CallKind = "request"
	KindRaw        CallKind = "raw"
	KindConnect    CallKind = "connect"
	KindDisconnect CallKind = "disconnect"
	KindPage       CallKind = "page"
)

// Choice is what was decided about a call.
type Choice string

// The choices; none while nobody was asked, as for bad params.
const (
	Approved         Choice = "approved"
	RejectedByPerson Choice = "rejected"
	ApprovedAtOnce   Choice = "approved by the wallet's behaviour"
	RejectedAtOnce   Choice = "rejected by the wallet's behaviour"
	WithdrawnChoice  Choice = "withdrawn"
	OriginRefused    Choice = "refused by the bridge" // its origin, or for lack of room
)

// Call is one line of the timeline. It holds no secrets: gaia keys in results
// are written as "[secret]". Everything of a page in it is untrusted.
type Call struct {
	// ID is counted from 1, and on from what was in the timeline at the start.
	// Two chainscopes at once may give the same.
	ID   uint64    `json:"id"`
	Time time.Time `json:"time"`
	Asker
	Kind   CallKind        `json:"kind"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	// Options are the request options by the library's names.
	Options map[string]json.RawMessage `json:"options,omitempty"`

	// Wallet is the mock wallet that got it, and Received what it got; they are
	// not there when no wallet did.
	Wallet   provider.Personality `json:"wallet,omitempty"`
	Received *Received            `json:"received,omitempty"`
	Account  uint32               `json:"account"`
	Network  string               `json:"network"` // the request's own, else the active one

	Decision Choice `json:"decision,omitempty"`
	Edited   bool   `json:"edited,omitempty"` // fee or nonce were changed

	Result json.RawMessage `json:"result,omitempty"`
	Error  *jsonrpc.Error  `json:"error,omitempty"`
	// Exception is a JavaScript exception that the library lets escape.
	Exception string `json:"exception,omitempty"`

	// TxID is that of a signed Stacks transaction. NotSent says why it was not
	// sent, "" when the mock chain took it.
	TxID    string `json:"txid,omitempty"`
	NotSent string `json:"notSent,omitempty"`

	// Cut names the fields that were too long to be kept on disk.
	Cut      []string      `json:"cut,omitempty"`
	Duration time.Duration `json:"-"` // written as duration_ms
	Done     bool          `json:"-"` // false while it is under way
}

// Received is a request as it reached the wallet.
type Received struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Changed tells whether the wallet received something else than was asked for.
func (c Call) Changed() bool {
	return c.Received != nil && (c.Received.Method != c.Method || !sameJSON(c.Received.Params, c.Params))
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return string(a) == string(b)
	}
	i, _ := json.Marshal(x)
	j, _ := json.Marshal(y)
	return string(i) == string(j)
}

// line is a Call as it is written; decoded by UnmarshalJSON.
type line struct {
	callFields
	Duration float64 `json:"duration_ms"`
}

type callFields Call

// MarshalJSON writes the call as a line of the timeline; its duration in
// milliseconds.
func (c Call) MarshalJSON() ([]byte, error) {
	return json.Marshal(line{callFields(c), float64(c.Duration.Microseconds()) / 1000})
}

// UnmarshalJSON reads a line of the timeline.
func (c *Call) UnmarshalJSON(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	*c = Call(l.callFields)
	c.Duration = time.Duration(l.Duration * float64(time.Millisecond))
	c.Done = true
	return nil
}

// call is a Call under way.
type call struct {
	Call     // guarded by Service.mu
	decided  bool
	bridgeID uint64 // of the bridge's call, 0 for none
	round    int
}

type callKey struct{}

// callOf is the call that a context belongs to, nil for none.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// begin notes a call that starts; bridgeID is its id at the bridge, 0 for none.
func (s *Service) begin(ctx context.Context, c Call, bridgeID uint64) (context.Context, *call) {
	running := &call{Call: c, bridgeID: bridgeID}
	s.mu.Lock()
	s.lastID++
	running.ID, running.Account, running.Network = s.lastID, s.account, s.network
	if running.Time.IsZero() {
		running.Time = s.options.Now()
	}
	if n := networkOf(c.Params); n != "" {
		running.Network = n
	}
	s.calls = append(s.calls, running)
	told := running.Call
	s.mu.Unlock()
	s.messages.put(CallChanged{told})
	s.tellQueue()
	return context.WithValue(ctx, callKey{}, running), running
}

// networkOf reads the param network, "" when it is none.
func networkOf(params json.RawMessage) string {
	var p struct{ Network string }
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	if _, ok := signer.NetworkNamed(p.Network); !ok {
		return ""
	}
	return p.Network
}

// end notes how a call came out.
func (s *Service) end(ctx context.Context, c *call, result json.RawMessage, err error) Call {
	s.mu.Lock()
	if c.Received != nil {
		result = signer.WithoutSecrets(c.Received.Method, result)
	}
	c.Result = signer.WithoutSecrets(c.Method, result)
	c.setError(err)
	c.Duration, c.Done = s.options.Now().Sub(c.Time), true
	withdrawn := ctx.Err() != nil && !c.decided
	if withdrawn {
		c.Decision = WithdrawnChoice
	}
	c.decided = true
	s.calls = slices.DeleteFunc(s.calls, func(other *call) bool { return other == c })
	if s.turn == c {
		s.turn = nil
	}
	told := c.Call
	s.keep(told)
	s.mu.Unlock()
	if withdrawn && c.round == 0 { // else the prompt has said so
		s.messages.put(Withdrawn{Asker: told.Asker, Method: told.Method, Reason: reasonOf(ctx, told.Asker)})
	}
	s.messages.put(CallChanged{told})
	s.tellQueue()
	s.write(told)
	return told
}

func (c *call) setError(err error) {
	if err == nil {
		return
	}
	var e *jsonrpc.Error
	var x *wallet.Exception
	switch {
	case errors.As(err, &e):
		clean := *e
		clean.Cause = nil
		c.Error = &clean
	case errors.As(err, &x):
		c.Exception = x.Error()
	default:
		c.Error = jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
	}
}

// reasonOf says why a request was withdrawn.
func reasonOf(ctx context.Context, asker Asker) string {
	switch cause := context.Cause(ctx); {
	case cause == nil || errors.Is(cause, context.Canceled):
		if asker.Kind == FromPage {
			return "the page has gone"
		}
		return "it was canceled"
	case errors.Is(cause, context.DeadlineExceeded):
		return "its time is over"
	default:
		return cause.Error()
	}
}

// received notes what reached a wallet.
func (s *Service) received(c *call, p provider.Personality, method string, params json.RawMessage) {
	s.mu.Lock()
	c.Wallet, c.Received = p, &Received{method, params}
	s.mu.Unlock()
}

// decide notes what was decided.
func (s *Service) decide(c *call, choice Choice, edited bool) {
	if c == nil {
		return
	}
	s.mu.Lock()
	c.Decision, c.decided = choice, true
	c.Edited = c.Edited || edited
	s.mu.Unlock()
	s.tellQueue()
}

// sent notes what became of a transaction: that of the request that has its
// turn, since one is signed at a time.
func (s *Service) sent(r provider.Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil {
		return
	}
	s.turn.TxID = r.TxID
	if r.Err != nil {
		var not *node.NotSentError
		if errors.As(r.Err, &not) {
			s.turn.NotSent = not.Reason
		} else {
			s.turn.NotSent = fmt.Sprintf("the chain refused it: %v", r.Err)
		}
	}
}

// Queue lists who waits for an answer, the one being decided first.
func (s *Service) Queue() []Waiting {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue()
}

// queue is Queue; s.mu is held.
func (s *Service) queue() []Waiting {
	var list []Waiting
	handed := map[uint64]bool{}
	for _, c := range s.calls {
		handed[c.bridgeID] = true
		if !c.decided && c.Kind != KindDisconnect {
			list = append(list, Waiting{c.Asker, c.Method, c.Time})
		}
	}
	list = append(list, s.bridge.waiting(handed)...)
	slices.SortStableFunc(list, func(a, b Waiting) int { return a.Arrived.Compare(b.Arrived) })
	return list
}

func (s *Service) tellQueue() {
	s.mu.Lock()
	list := s.queue()
	s.mu.Unlock()
	s.messages.put(QueueChanged{list})
}

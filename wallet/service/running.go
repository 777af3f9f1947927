package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"chainscope/wallet"
	"chainscope/wallet/bridge"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// runningCall is a call under way. Service.mu guards it.
type runningCall struct {
	Call
	decided  bool
	bridgeID uint64 // of the bridge's call, 0 for none
	round    int
	shown    *signer.Description // what was last described
	scripted *bool               // what the script decides, nil for nothing
}

type callKey struct{}

type replayKey struct{}

// replayOf returns the call that is made again, nil for none.
func replayOf(ctx context.Context) *Call {
	c, _ := ctx.Value(replayKey{}).(*Call)
	return c
}

// callOf returns the call that a context belongs to, nil for none.
func callOf(ctx context.Context) *runningCall {
	c, _ := ctx.Value(callKey{}).(*runningCall)
	return c
}

// begin notes a call that starts; bridgeID is its id at the bridge, 0 for none.
func (s *Service) begin(ctx context.Context, c Call, bridgeID uint64) (context.Context, *runningCall) {
	running := &runningCall{Call: c, bridgeID: bridgeID}
	running.ID, running.Keys = s.timeline.nextID(), s.Keys().Name()
	s.mu.Lock()
	s.complete(&running.Call)
	if of := replayOf(ctx); of != nil {
		running.Account, running.Network, running.Persona = of.Account, of.Network, of.Persona
	}
	if running.Time.IsZero() {
		running.Time = s.options.Now()
	}
	s.calls = append(s.calls, running)
	begun := running.Call
	s.mu.Unlock()
	s.messages.put(CallChanged{begun})
	s.messages.put(queueMoved{})
	return context.WithValue(ctx, callKey{}, running), running
}

// complete fills in account, network and persona. The caller must hold s.mu.
func (s *Service) complete(c *Call) {
	c.Account, c.Network, c.API = s.active(), s.network, s.options.API
	if s.persona != Rich {
		c.Persona = s.persona
	}
	if n := networkOf(c.Params); n != "" {
		c.Network = n
	}
}

// networkOf reads the param network, "" when it names none.
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
func (s *Service) end(ctx context.Context, c *runningCall, result json.RawMessage, err error) Call {
	s.mu.Lock()
	c.Result = bridge.WithoutSecrets(result)
	c.setError(err)
	c.Duration, c.Done = s.options.Now().Sub(c.Time), true
	withdrawn := ctx.Err() != nil && !c.decided
	if withdrawn {
		c.Decision = WithdrawnChoice
	}
	c.decided = true
	if len(c.Edits) > 0 && c.Fee == "" && c.shown != nil && c.shown.Transaction != nil {
		c.Unsigned = c.shown.Transaction.Unsigned
	}
	s.calls = slices.DeleteFunc(s.calls, func(other *runningCall) bool { return other == c })
	if s.turn == c {
		s.turn = nil
	}
	ended := c.Call
	s.mu.Unlock()
	if withdrawn && c.round == 0 { // otherwise the question was withdrawn already
		s.messages.put(Withdrawn{Requester: ended.Requester, Method: ended.Method, Reason: reasonOf(ctx, ended.Requester)})
	}
	s.messages.put(queueMoved{})
	s.store(ended)
	return ended
}

func (c *runningCall) setError(err error) {
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

// reasonOf returns why a request was withdrawn.
func reasonOf(ctx context.Context, requester Requester) string {
	switch cause := context.Cause(ctx); {
	case cause == nil || errors.Is(cause, context.Canceled):
		if requester.Kind == FromPage {
			return "the page has gone"
		}
		return "it was canceled"
	case errors.Is(cause, context.DeadlineExceeded):
		return "it timed out"
	default:
		return cause.Error()
	}
}

// decide notes what was decided.
func (s *Service) decide(c *runningCall, choice Choice) {
	s.mu.Lock()
	c.Decision, c.decided = choice, true
	s.mu.Unlock()
	s.messages.put(queueMoved{})
}

// sent notes what became of a transaction. It belongs to the request that has
// its turn, since one is signed at a time.
func (s *Service) sent(r provider.Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil {
		return
	}
	s.turn.TxID = r.TxID
	if s.turn.shown != nil && s.turn.shown.Transaction != nil {
		t := s.turn.shown.Transaction
		s.turn.Fee, s.turn.Nonce = strconv.FormatUint(t.Fee, 10), strconv.FormatUint(t.Nonce, 10)
	}
	if r.Err != nil {
		var not *node.NotSentError
		var unanswered *node.UnansweredError
		switch {
		case errors.As(r.Err, &not):
			s.turn.NotSent = not.Reason
		case errors.As(r.Err, &unanswered):
			s.turn.Unanswered = true
		default:
			s.turn.NotSent = fmt.Sprintf("the chain refused it: %v", r.Err)
		}
	}
}

// Queue lists the requests that wait for an answer, the one being decided
// first.
func (s *Service) Queue() []Waiting {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue()
}

// queue returns Queue. The caller must hold s.mu.
func (s *Service) queue() []Waiting {
	var list []Waiting
	delivered := map[uint64]bool{}
	for _, c := range s.calls {
		delivered[c.bridgeID] = true
		if !c.decided && c.Kind != KindDisconnect {
			list = append(list, Waiting{c.Requester, c.Method, c.Time})
		}
	}
	list = append(list, s.bridge.waiting(delivered)...)
	slices.SortStableFunc(list, func(a, b Waiting) int { return a.Arrived.Compare(b.Arrived) })
	return list
}

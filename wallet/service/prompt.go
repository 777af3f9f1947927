package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"chainscope/wallet"
	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// prompts are the questions that wait for the user, each for one answer.
type prompts struct {
	put func(Message)

	mu     sync.Mutex
	last   uint64
	open   map[uint64]chan any
	closed bool
}

// errClosed is the answer to every question once the service is closed.
var errClosed = errors.New("the wallet was closed")

func newPrompts(put func(Message)) *prompts {
	return &prompts{put: put, open: map[uint64]chan any{}}
}

// prompt puts a question and waits for its answer. When the context or the service
// ends first, the question is withdrawn.
func (p *prompts) prompt(ctx context.Context, question func(id uint64) Message, withdrawn Withdrawn) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer := make(chan any, 1)
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.last++
	id := p.last
	p.open[id] = answer
	p.put(question(id))
	p.mu.Unlock()
	withdrawn.ID = id
	select {
	case a := <-answer:
		if err, failed := a.(error); failed {
			withdrawn.Reason = err.Error()
			p.put(withdrawn)
			return nil, err
		}
		return a, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	_, waits := p.open[id]
	delete(p.open, id)
	p.mu.Unlock()
	if !waits { // answered in the same instant; the answer was given in time
		return <-answer, nil
	}
	withdrawn.Reason = reasonOf(ctx, withdrawn.Requester)
	p.put(withdrawn)
	return nil, ctx.Err()
}

// answer answers a question; false when it waits for no answer.
func (p *prompts) answer(id uint64, a any) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.open[id]
	if !ok {
		return false
	}
	delete(p.open, id)
	c <- a
	return true
}

// close withdraws all questions and refuses further ones.
func (p *prompts) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for id, c := range p.open {
		delete(p.open, id)
		c <- errClosed
	}
}

// Decide answers [ApprovalNeeded]. It reports false when that was decided or
// withdrawn before. A decision with an edit leads to the next round.
func (s *Service) Decide(id uint64, d signer.Decision) bool { return s.prompts.answer(id, d) }

// DecideOrigin answers [OriginNeeded]: [bridge.Undecided] refuses this once. It
// reports false when that was answered or withdrawn before.
func (s *Service) DecideOrigin(id uint64, access bridge.Access) bool {
	return s.prompts.answer(id, access)
}

// Choose answers [SelectionNeeded] with the id of a row, "" to dismiss it. It
// reports false when that was answered or withdrawn before.
func (s *Service) Choose(id uint64, walletID string) bool { return s.prompts.answer(id, walletID) }

var errWrongAnswer = errors.New("the question was answered with something else")

// approve decides about one description: by the script, by the wallet's
// behaviour or by the user. It is the approver of the signing engine.
func (s *Service) approve(ctx context.Context, d signer.Description) (signer.Decision, error) {
	c := callOf(ctx)
	if c == nil {
		return signer.Decision{}, errNoCall
	}
	needed, behaviour := s.beginTurn(c, d)
	if of := replayOf(ctx); of != nil && needed.Round == 1 {
		if e := of.edit(); e != (signer.Edit{}) { // the same changes again
			s.noteEdit(c, e)
			return signer.Decision{Edit: e}, nil
		}
	}
	switch {
	case c.scripted != nil:
		s.decide(c, ByScript)
		return signer.Decision{Approved: *c.scripted}, nil
	case behaviour == provider.Approves:
		s.decide(c, ApprovedAtOnce)
		return signer.Decision{Approved: true}, nil
	case behaviour == provider.Rejects:
		s.decide(c, RejectedAtOnce)
		return signer.Decision{}, nil
	}
	a, err := s.prompts.prompt(ctx, func(id uint64) Message { needed.ID = id; return needed }, Withdrawn{Requester: needed.Requester, Method: c.Method})
	if err != nil {
		return signer.Decision{}, err
	}
	decision, ok := a.(signer.Decision)
	switch {
	case !ok:
		return signer.Decision{}, errWrongAnswer
	case decision.Edit != (signer.Edit{}):
		s.noteEdit(c, decision.Edit)
	case decision.Approved:
		s.decide(c, Approved)
	default:
		s.decide(c, RejectedByPerson)
	}
	return decision, nil
}

// noteEdit notes what the user changed.
func (s *Service) noteEdit(c *runningCall, e signer.Edit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, part := range []struct {
		name    string
		changed bool
	}{{editedFee, e.Fee != nil}, {editedNonce, e.Nonce != nil}, {editedConditions, e.Conditions != nil}} {
		if part.changed && !slices.Contains(c.Edits, part.name) {
			c.Edits = append(c.Edits, part.name)
		}
	}
}

// beginTurn notes that a call is being decided, and returns the question about
// it and the behaviour of its wallet.
func (s *Service) beginTurn(c *runningCall, d signer.Description) (ApprovalNeeded, provider.Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = c
	c.round++
	if requested := networkOf(c.Params); requested != "" && d.Network.Name != "" && requested != d.Network.Name {
		d.Warnings = append(slices.Clip(d.Warnings), signer.Warning{
			Kind: signer.WarnNetwork, Path: "network",
			Text: fmt.Sprintf("the request names %s, which %s does not read: this is for %s", requested, c.Wallet, d.Network.Name),
		})
	}
	if d.Network.Name != "" {
		c.Network = d.Network.Name
	}
	c.shown = &d
	needed := ApprovalNeeded{
		CallID: c.ID, Requester: c.Requester, Wallet: c.Wallet, Description: d, Round: c.round, Arrived: c.Time,
	}
	if c.Received != nil {
		needed.Params = c.Received.Params
	}
	return needed, s.behaviour(c.Wallet)
}

// selectWallet returns the library's modal.
func (s *Service) selectWallet(ctx context.Context, rows []wallet.Row) (string, error) {
	needed := SelectionNeeded{Requester: Requester{Kind: s.options.Requester}, Rows: rows, Preset: s.options.Provider.ID()}
	withdrawn := Withdrawn{Requester: needed.Requester}
	if c := callOf(ctx); c != nil {
		withdrawn.Method = c.Method
	}
	a, err := s.prompts.prompt(ctx, func(id uint64) Message { needed.ID = id; return needed }, withdrawn)
	if err != nil {
		return "", wallet.ErrCanceled
	}
	id, _ := a.(string)
	if id == "" {
		return "", wallet.ErrCanceled
	}
	return id, nil
}

package service

import (
	"context"
	"errors"
	"sync"

	"chainscope/wallet"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// OriginChoice is the answer to [OriginAsked].
type OriginChoice int

// The zero value refuses. A refused origin is asked for again next time, a
// blocked one never.
const (
	RefuseOrigin OriginChoice = iota
	AllowOrigin
	BlockOrigin
)

// prompts are the questions that wait for a person, each for one answer.
type prompts struct {
	tell func(Message)

	mu   sync.Mutex
	last uint64
	open map[uint64]chan any
}

func newPrompts(tell func(Message)) *prompts {
	return &prompts{tell: tell, open: map[uint64]chan any{}}
}

// ask tells a question and waits for its answer. When the context ends first,
// the question is taken back.
func (p *prompts) ask(ctx context.Context, question func(id uint64) Message, taken Withdrawn) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer := make(chan any, 1)
	p.mu.Lock()
	p.last++
	id := p.last
	p.open[id] = answer
	p.tell(question(id))
	p.mu.Unlock()
	select {
	case a := <-answer:
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
	taken.ID, taken.Reason = id, reasonOf(ctx, taken.Asker)
	p.tell(taken)
	return nil, ctx.Err()
}

// answer gives the answer of a question; false when it waits for none.
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

// Decide answers [ApprovalAsked]; false when it was decided or withdrawn
// before. A decision with an edit brings the next round.
func (s *Service) Decide(id uint64, d signer.Decision) bool { return s.prompts.answer(id, d) }

// DecideOrigin answers [OriginAsked]; false when it was answered or withdrawn
// before.
func (s *Service) DecideOrigin(id uint64, c OriginChoice) bool { return s.prompts.answer(id, c) }

// Choose answers [SelectAsked] with the id of a row, "" to dismiss it; false
// when it was answered or withdrawn before.
func (s *Service) Choose(id uint64, walletID string) bool { return s.prompts.answer(id, walletID) }

var errWrongAnswer = errors.New("the question was answered with something else")

// approve decides about one description: by the wallet's behaviour or by a
// person.
func (s *Service) approve(ctx context.Context, d signer.Description) (signer.Decision, error) {
	c := callOf(ctx)
	if c == nil {
		return signer.Decision{}, errors.New("nobody asked for this")
	}
	s.mu.Lock()
	s.turn = c
	c.round++
	behaviour := s.manner(c.Wallet).Behaviour
	asked := ApprovalAsked{
		CallID: c.ID, Asker: c.Asker, Wallet: c.Wallet, Description: d, Round: c.round, Arrived: c.Time,
	}
	if c.Received != nil {
		asked.Params = c.Received.Params
	}
	method := c.Method
	s.mu.Unlock()
	switch behaviour {
	case provider.Approves:
		s.decide(c, ApprovedAtOnce, false)
		return signer.Decision{Approved: true}, nil
	case provider.Rejects:
		s.decide(c, RejectedAtOnce, false)
		return signer.Decision{}, nil
	}
	ctx, stop := s.bound(ctx)
	defer stop()
	a, err := s.prompts.ask(ctx, func(id uint64) Message { asked.ID = id; return asked }, Withdrawn{Asker: asked.Asker, Method: method})
	if err != nil {
		return signer.Decision{}, err
	}
	decision, ok := a.(signer.Decision)
	if !ok {
		return signer.Decision{}, errWrongAnswer
	}
	switch edited := decision.Edit != (signer.Edit{}); {
	case edited:
		s.mu.Lock()
		c.Edited = true
		s.mu.Unlock()
	case decision.Approved:
		s.decide(c, Approved, false)
	default:
		s.decide(c, RejectedByPerson, false)
	}
	return decision, nil
}

// selectWallet is the library's modal.
func (s *Service) selectWallet(ctx context.Context, rows []wallet.Row) (string, error) {
	asked := SelectAsked{Asker: Asker{Kind: FromPane}, Rows: rows, Preset: s.options.Provider.ID()}
	taken := Withdrawn{Asker: asked.Asker}
	if c := callOf(ctx); c != nil {
		s.mu.Lock()
		asked.Asker, taken.Asker, taken.Method = c.Asker, c.Asker, c.Method
		s.mu.Unlock()
	}
	ctx, stop := s.bound(ctx)
	defer stop()
	a, err := s.prompts.ask(ctx, func(id uint64) Message { asked.ID = id; return asked }, taken)
	if err != nil {
		return "", wallet.ErrCanceled
	}
	id, _ := a.(string)
	if id == "" {
		return "", wallet.ErrCanceled
	}
	return id, nil
}

// askOrigin asks for an origin.
func (s *Service) askOrigin(ctx context.Context, origin string, waiting int) (OriginChoice, error) {
	ctx, stop := s.bound(ctx)
	defer stop()
	a, err := s.prompts.ask(ctx,
		func(id uint64) Message { return OriginAsked{ID: id, Origin: origin, Waiting: waiting} },
		Withdrawn{Asker: Asker{Kind: FromPage, Origin: origin}})
	if err != nil {
		return RefuseOrigin, err
	}
	c, ok := a.(OriginChoice)
	if !ok {
		return RefuseOrigin, errWrongAnswer
	}
	return c, nil
}

// bound is ctx that also ends with the service.
func (s *Service) bound(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(errors.New("the wallet was closed")) })
	return ctx, func() { stop(); cancel(nil) }
}

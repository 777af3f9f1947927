package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"chainscope/mockserver/fork"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// Heights describes where a block is among burn blocks.
type Heights interface {
	// Tenure returns the burn height of a block, and the first height of the next tenure.
	Tenure(height int64) (burn, next int64)
}

// Session is the virtual machine of one chain. It is at one Point and one height at a time, and
// moves to another when a question needs it. It is safe for concurrent use.
type Session struct {
	engine      *Engine
	heights     Heights
	predeployed []Predeployed // what is there before anything happens

	mu    sync.Mutex
	name  string // in the process; "" before it is opened
	in    *Process
	begun []prepared // what was requested, and is not answered yet
	marks []mark     // where it was: nowhere, then after each point in its order
	place            // where it is
}

// prepared is a step that is no transaction. Its answer is read together with that of the next
// question: waiting for each one would take as long as a short call.
type prepared struct {
	*question
	at int // steps that the session has then
}

// place is a state of a session.
type place struct {
	steps   int               // that the program counts
	height  int64             // of its newest block
	known   map[string]uint64 // balances that it was given, by principal
	outside *ledger.Outside   // what moved tokens outside of it, as far as it was given
}

func (p place) clone() place {
	p.known = maps.Clone(p.known)
	return p
}

// mark is the state of a session after a point: right after it, and just before the next step.
type mark struct {
	point       *Point
	first, last place
}

// NewSession returns a session of a chain, that contracts are deployed in.
func (e *Engine) NewSession(heights Heights, predeployed []Predeployed) *Session {
	return &Session{engine: e, heights: heights, predeployed: predeployed}
}

// opened is the answer of open.
type opened struct {
	Stacks int64 `json:"stacks"`
	Burn   int64 `json:"burn"`
}

// open makes the session in the process, if it is not there.
func (s *Session) open() error {
	p, err := s.engine.running(context.Background())
	if err != nil {
		return err
	}
	if s.in == p && s.name != "" {
		return nil
	}
	s.in, s.name = p, "s"+strconv.FormatInt(s.engine.sessions.Add(1), 10)
	var o opened
	with := map[string]any{"genesis": s.engine.opt.Genesis, "epoch": s.engine.opt.Epoch, "coverage": s.engine.opt.Coverage}
	if on := s.engine.opt.forkPoint(); on != nil {
		with["fork"] = on
	}
	if err := s.request(openTime, "open", with, &o); err != nil {
		s.name = ""
		return err
	}
	if burn, _ := s.heights.Tenure(o.Stacks); burn != o.Burn {
		s.name = ""
		return fmt.Errorf("the Clarity engine begins with block %d in burn block %d, the chain has it in %d", o.Stacks, o.Burn, burn)
	}
	s.place = place{height: o.Stacks, known: map[string]uint64{}}
	s.marks = nil
	s.mark(nil)
	return s.found()
}

// request requests something, and waits for the answers to what was prepared for it, then for its
// own.
func (s *Session) request(limit time.Duration, do string, with map[string]any, into any) error {
	q := s.begin(do, with)
	begun := s.begun
	s.begun = nil
	for _, p := range begun {
		var done struct {
			At int `json:"at"`
		}
		if err := p.wait(s.engine.opt.CallTime, &done); err != nil {
			s.abandon() // what came after it continued without it
			return err
		}
		if done.At != p.at {
			return fmt.Errorf("the Clarity engine has %d steps after %s, and should have %d", done.At, p.do, p.at)
		}
	}
	return q.wait(limit, into)
}

func (s *Session) begin(do string, with map[string]any) *question {
	with["session"] = s.name
	return s.in.begin(do, with)
}

// abandon forgets the session in the process: its state there is unknown.
func (s *Session) abandon() {
	if s.name != "" && s.in.Lost() == nil {
		s.begin("close", map[string]any{})
	}
	s.name, s.begun = "", nil
}

// Close lets go of the session, when what it does is done. s may be nil.
func (s *Session) Close() {
	if s == nil {
		return
	}
	if !s.mu.TryLock() {
		guarded(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.abandon()
		})
		return
	}
	defer s.mu.Unlock()
	s.abandon()
}

// goTo takes the session to a point, at a block no higher than height.
func (s *Session) goTo(to *Point, height int64) error {
	if err := s.open(); err != nil {
		return err
	}
	var missing []*Point
	for p := to; p != nil; p = p.before {
		if p.depth < len(s.marks) && s.marks[p.depth].point == p {
			break
		}
		missing = append(missing, p)
	}
	deployed := to.Depth() - len(missing)
	next := height
	if len(missing) > 0 {
		next = missing[len(missing)-1].height
	}
	if deployed+1 < len(s.marks) || s.height > next {
		if err := s.rollBack(deployed, next); err != nil {
			return err
		}
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := s.repeat(missing[i]); err != nil {
			return err
		}
	}
	return nil
}

// rollBack reverts what was done after a mark, and removes the blocks above a height.
func (s *Session) rollBack(depth int, height int64) error {
	m := &s.marks[depth]
	to := m.last
	if to.height > height {
		to = m.first
	}
	if err := s.request(openTime, "back", map[string]any{"at": to.steps}, nil); err != nil {
		return err
	}
	s.marks = s.marks[:depth+1]
	s.place = to.clone()
	return nil
}

// repeat does what a point did.
func (s *Session) repeat(p *Point) error {
	r, err := s.run(p.step, p.height, &p.balances)
	switch {
	case err != nil:
		return err
	case !r.Kept:
		return fmt.Errorf("%s of %s ends otherwise when it is done again", p.step.do, p.step.Contract)
	}
	s.mark(p)
	return nil
}

func (s *Session) mark(p *Point) {
	here := s.clone()
	s.marks = append(s.marks, mark{p, here, here})
}

// prepare begins a step that is no transaction; the next request waits for its answer.
func (s *Session) prepare(do string, with map[string]any) {
	s.steps++
	s.begun = append(s.begun, prepared{s.begin(do, with), s.steps})
}

// reach makes the blocks up to a height before something happens there. They belong to the newest
// mark: going back to it does not make them again.
func (s *Session) reach(height int64) {
	s.mine(height)
	s.marks[len(s.marks)-1].last = s.clone()
}

// mine makes the blocks up to a height, in batches: the chain may be far ahead.
func (s *Session) mine(height int64) {
	for s.height < height {
		to := min(height, s.height+mostBlocks)
		s.prepare("mine", map[string]any{"blocks": s.blocks(to)})
		s.height = to
	}
}

// blocks returns the blocks up to a height, in pairs of burn blocks and Stacks blocks.
func (s *Session) blocks(height int64) [][2]int64 {
	var blocks [][2]int64
	for at := s.height; at < height; {
		_, next := s.heights.Tenure(at)
		end := min(height, next-1)
		if end > at {
			blocks = append(blocks, [2]int64{0, end - at})
		}
		at = end
		if at < height {
			blocks = append(blocks, [2]int64{1, 0})
			at++
		}
	}
	return blocks
}

// settle gives every account that was read of, or that a step names, its balance in the
// ledger.
func (s *Session) settle(l *ledger.Ledger, named func(func(clarity.Principal))) error {
	if s.engine.opt.Fork != nil {
		if err := s.meet(l, named); err != nil {
			return err
		}
	}
	var mint, burn [][2]string
	balance := func(p clarity.Principal) {
		knows, known := s.known[p.String()]
		if p.Address.Mainnet() != s.engine.opt.mainnet() || !known && s.engine.opt.Fork != nil {
			return
		}
		has := l.Account(p).Balance
		switch amount := strconv.FormatUint(max(has, knows)-min(has, knows), 10); {
		case has > knows:
			mint = append(mint, [2]string{p.String(), amount})
		case has < knows:
			burn = append(burn, [2]string{p.String(), amount})
		default:
			return
		}
		s.known[p.String()] = has
	}
	for text := range s.known {
		if p, err := clarity.ParsePrincipal(text); err == nil {
			balance(p)
		}
	}
	named(balance)
	if len(mint)+len(burn) > 0 {
		s.prepare("balances", map[string]any{"mint": mint, "burn": burn})
	}
	return nil
}

// run runs a step in a block, starting from the balances of a ledger.
func (s *Session) run(do step, height int64, l *ledger.Ledger) (*result, error) {
	if err := s.settleTokens(l); err != nil { // while the block is not begun: a deploy is the first of its block
		return nil, err
	}
	with, err := do.request(s.engine.opt.Epoch)
	if err != nil {
		return nil, err
	}
	s.mention(do)
	s.reach(height)
	if err := s.settle(l, do.principals); err != nil {
		return nil, err
	}
	var r result
	if err := s.request(s.engine.opt.CallTime, do.do, with, &r); err != nil {
		return nil, err
	}
	s.steps = r.At
	s.moved(&r)
	return &r, nil
}

// moved counts the STX that a step moved.
func (s *Session) moved(r *result) {
	if !r.Kept {
		return
	}
	for i := range r.Events {
		e := &r.Events[i]
		amount, err := number(e.Data.Amount)
		if err != nil || e.Data.Asset != "" {
			continue
		}
		switch e.Event {
		case "stx_transfer_event", "stx_burn_event", "stx_mint_event":
			if s.counts(e.Data.Sender) {
				s.known[e.Data.Sender] -= min(s.known[e.Data.Sender], amount.Uint64())
			}
			if s.counts(e.Data.Recipient) {
				s.known[e.Data.Recipient] += amount.Uint64()
			}
		}
	}
}

// counts reports whether the STX of somebody are counted here: of those who were not met on a live chain
// the machine knows them.
func (s *Session) counts(who string) bool {
	_, known := s.known[who]
	return who != "" && (known || s.engine.opt.Fork == nil)
}

// Run runs a transaction in a block, after a point. It returns the point after the transaction:
// going on from there keeps its effect, and going on from any other point takes it back.
func (s *Session) Run(after *Point, l *ledger.Ledger, t *ledger.Tx) (does ledger.Effect, then *Point) {
	do, runs := stepOf(t)
	if !runs {
		return ledger.Effect{}, after
	}
	before := *l
	then = after
	err := s.at(after, t.Height, func() error {
		r, err := s.run(do, t.Height, &before)
		if err != nil {
			return err
		}
		switch {
		case do.do != "deploy":
		case r.Failure == nil:
			r.Result = "0x0703" // (ok true), whatever its last expression answers
		case r.Failure.Error == "":
			r.Failure.Message = r.Failure.placed(do.source)
		}
		if does, err = r.effect(); err != nil || !r.Kept {
			return err
		}
		var made *Contract
		if do.do == "deploy" {
			if made, err = r.deployed(do.Contract); err != nil {
				return err
			}
		}
		then = after.next(t.Height, do, &before, made)
		s.mark(then)
		return nil
	})
	if unread, is := errors.AsType[*fork.UnreadError](err); is {
		return ledger.Effect{Unread: unread}, after
	}
	if err != nil {
		return ledger.Effect{Result: clarity.Err{Value: clarity.None{}}, Error: "mock: " + err.Error()}, after
	}
	return does, then
}

// Warm makes the virtual machine, so that the first call need not wait for it.
func (s *Session) Warm() error { return s.at(nil, 1, func() error { return nil }) }

// soon returns at for who only reads: it stops waiting where others take too long, and what it began continues.
func (s *Session) soon(p *Point, height int64, do func() error) error {
	done := make(chan error, 1)
	guarded(func() { done <- s.at(p, height, do) })
	limit := s.engine.opt.CallTime + readMargin
	began, read := time.Now(), s.engine.readTime()
	for left := limit; left > 0; {
		t := time.NewTimer(left)
		select {
		case err := <-done:
			t.Stop()
			return err
		case <-t.C:
			if err := s.waiting(); err != nil {
				return err
			}
			// It computes between two reads: what it waited for them is not the time that it took.
			left = min(limit, limit-time.Since(began)+max(0, s.engine.readTime()-read))
		}
	}
	return &LostError{Reason: fmt.Sprintf("is busy with something else since %v; try again", limit), Hung: true}
}

// at takes the session to a point and a block, and calls do there. A process that is lost on the
// way is restarted once, unless it hung.
func (s *Session) at(p *Point, height int64, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if source := s.engine.opt.Fork; source != nil {
		height = max(height, source.Tip().Height) // below which nothing happens here
	}
	for again := false; ; again = true {
		err := s.goTo(p, height)
		if err == nil {
			err = do()
		}
		if _, unread := errors.AsType[*fork.UnreadError](err); err == nil || unread && s.name != "" {
			return err // what was not known is thrown away in the process
		}
		s.abandon()
		var lost *LostError
		if again || !errors.As(err, &lost) || lost.Hung {
			return err
		}
	}
}

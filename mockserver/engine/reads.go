package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chainscope/mockserver/fork"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// Reads is the source of what the program reads of a live chain: a *fork.Source.
type Reads interface {
	Read(ctx context.Context, path string) (fork.Answer, error)
}

// readAnswer is the line that answers a read.
type readAnswer struct {
	Read   int64              `json:"read"`
	Status int                `json:"status"`
	Body   string             `json:"body"`
	Unread *map[string]string `json:"unread,omitempty"`
}

// serve reads a path for the program, which sleeps meanwhile.
func (p *Process) serve(n int64, path string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	guarded(func() {
		select {
		case <-p.gone:
			cancel()
		case <-ctx.Done():
		}
	})
	p.mu.Lock()
	p.since = time.Now()
	p.mu.Unlock()
	answer, err := p.reads.Read(ctx, path)
	line := readAnswer{Read: n, Status: answer.Status, Body: string(answer.Body)}
	if err != nil {
		var e *fork.UnreadError
		if !errors.As(err, &e) {
			e = &fork.UnreadError{What: path, Why: err.Error()}
		}
		line.Unread = &map[string]string{"what": e.What, "why": e.Why}
	}
	text, err := json.Marshal(line)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited, p.since = p.waited+time.Since(p.since), time.Time{}
	if err == nil {
		p.post(text)
	}
}

// readTime returns how long the program has waited for what it read.
func (p *Process) readTime() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return p.waited
	}
	return p.waited + time.Since(p.since)
}

// readTime returns how long the process has waited for what it read, 0 without one.
func (e *Engine) readTime() time.Duration {
	e.mu.Lock()
	p := e.process
	e.mu.Unlock()
	if p == nil {
		return 0
	}
	return p.readTime()
}

func (p *Process) isReading() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.since.IsZero()
}

// forkPoint returns the block of a live chain on which sessions are based, as open wants it; nil for none.
func (o *Options) forkPoint() map[string]any {
	if o.Fork == nil {
		return nil
	}
	t := o.Fork.Tip()
	at := o.Genesis
	if at == 0 {
		at = t.Time
	}
	return map[string]any{
		"mainnet": o.mainnet(), "height": t.Height, "burn": t.BurnHeight, "tenure": t.Tenure, "time": at, "tip": t.IndexHash,
		"parent": t.ParentHash, "parent_index": t.ParentIndexHash, "burn_hash": t.BurnHash, "consensus": t.ConsensusHash,
	}
}

// mainnet reports whether contracts run on addresses of mainnet.
func (o *Options) mainnet() bool { return o.Fork != nil && o.Fork.Tip().Network == fork.Mainnet }

// mention names what a step is likely to read of a live chain, for messages: a value of the state is requested by
// a hash.
func (s *Session) mention(do step) {
	source := s.engine.opt.Fork
	if source == nil {
		return
	}
	var who []string
	values := slices.Clone(do.Args)
	do.principals(func(p clarity.Principal) { who, values = append(who, p.String()), append(values, p) })
	if keys, err := encoded(values); err == nil {
		source.Mention(who, keys)
	}
}

// waiting returns why a read has no answer yet: what it is that is being read of a live chain. nil where
// it does not wait for that.
func (s *Session) waiting() error {
	source := s.engine.opt.Fork
	if source == nil {
		return nil
	}
	now := source.Status()
	if now.Reading == "" {
		return nil
	}
	why := "it is being read; try again"
	if now.Waiting > 0 {
		why = fmt.Sprintf("it waits %s; try again", now.Reason)
	}
	return &fork.UnreadError{What: now.Reading, Why: why}
}

// meet reads what principals have on the live chain that the session does not know, but those whose
// balances are as they were there: the machine has them as they are.
func (s *Session) meet(l *ledger.Ledger, named func(func(clarity.Principal))) error {
	var unknown []string
	named(func(p clarity.Principal) {
		_, known := s.known[p.String()]
		if !known && p.Address.Mainnet() == s.engine.opt.mainnet() && !slices.Contains(unknown, p.String()) && l.Account(p).Balance != l.Beginning(p) {
			unknown = append(unknown, p.String())
		}
	})
	if len(unknown) == 0 {
		return nil
	}
	var answer struct {
		Balances []string `json:"balances"`
	}
	if err := s.request(s.engine.opt.CallTime, "holds", map[string]any{"principals": unknown}, &answer); err != nil {
		return err
	}
	for i, text := range answer.Balances[:min(len(answer.Balances), len(unknown))] {
		n, err := number(json.RawMessage(text))
		if err != nil {
			return err
		}
		// The ledger counts what is locked, which the machine does not. It was read for the ledger before.
		a, err := s.engine.opt.Fork.Account(context.Background(), unknown[i])
		if err != nil {
			return err
		}
		s.known[unknown[i]] = n.Uint64() + a.Locked
	}
	return nil
}

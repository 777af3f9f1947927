package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"chainscope/mockserver/fork"
)

// Time limits of one question.
const (
	callTime = 10 * time.Second
	// statusTime is for what nobody waits for long.
	statusTime = 250 * time.Millisecond
	// openTime is for a session: the virtual machine is made for the first one.
	openTime = 2 * time.Minute
	// readMargin is the time that a read may wait for others beyond what it may take itself.
	readMargin = 2 * time.Second
)

// mostBlocks limits how many blocks are made by one question.
const mostBlocks = 100_000

// Options of an Engine.
type Options struct {
	// Command starts the program.
	Command []string
	// Genesis is the time of the burn block before the first Stacks block, in Unix seconds; on a fork the
	// time that its block is to have for contracts, 0 for that of the live chain.
	Genesis int64
	// Epoch is the one in which contracts run, such as "3.3".
	Epoch string
	// Fork is the live chain from a block of which sessions continue, nil for none: they have its state and
	// begin at that block, with nothing else.
	Fork *fork.Source
	// Report is given messages for the user, such as that the process was restarted; nil drops
	// them.
	Report func(message string)
	// Coverage notes what is reached in contracts, for WriteCoverage. It takes time.
	Coverage bool
	// CallTime bounds how long one call may take, 0 for 10 s.
	CallTime time.Duration
}

// Engine runs contracts in a process that it starts on first use, and again when it is lost. It
// is safe for concurrent use.
type Engine struct {
	opt      Options
	sessions atomic.Int64 // made so far: no two have one name

	starting sync.Mutex // held while the process is started

	reading sync.Mutex        // held while one of builtin is read
	builtin map[string]string // texts of contracts that the virtual machine has, by id

	mu      sync.Mutex // never held for long
	process *Process
	closed  bool
	starts  int
	status  Status
}

// New returns an engine whose process is not started yet.
func New(o Options) *Engine {
	if o.CallTime == 0 {
		o.CallTime = callTime
	}
	if o.Report == nil {
		o.Report = func(string) {}
	}
	return &Engine{opt: o, builtin: map[string]string{}}
}

// Warm starts the process, so that the first call need not wait for it.
func (e *Engine) Warm(ctx context.Context) error {
	_, err := e.running(ctx)
	return err
}

// running returns the process, started if it is not there.
func (e *Engine) running(ctx context.Context) (*Process, error) {
	e.starting.Lock()
	defer e.starting.Unlock()
	e.mu.Lock()
	p, closed := e.process, e.closed
	e.mu.Unlock()
	if closed {
		return nil, errEnded
	}
	if p != nil {
		lost := p.Lost()
		if lost == nil {
			return p, nil
		}
		e.opt.Report(fmt.Sprintf("%v; it is started again, and all that happened is done again", lost))
	}
	p, err := e.opt.start(ctx)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		guarded(p.Close)
		return nil, errEnded
	}
	e.process = p
	e.starts++
	return p, nil
}

// start starts the process, with what it may read.
func (o *Options) start(ctx context.Context) (*Process, error) {
	if o.Fork == nil {
		return Start(ctx, o.Command, nil)
	}
	p, err := Start(ctx, o.Command, o.Fork)
	if err == nil && !p.forks {
		p.Close()
		err = fmt.Errorf("%s (%s) cannot continue a live chain; install the chainscope-clarity of this release", o.Command[0], p.vm)
	}
	return p, err
}

var errEnded = &LostError{Reason: "was ended", Hung: true} // so that nobody starts it again

// Status says how much the program holds.
type Status struct {
	Sessions int   `json:"sessions"`
	Awake    int   `json:"awake"`  // sessions with a virtual machine of their own
	Memory   int64 `json:"memory"` // bytes
}

// Status returns how much the program holds: the last known numbers if it is too busy to answer.
func (e *Engine) Status() Status {
	e.mu.Lock()
	p, last := e.process, e.status
	e.mu.Unlock()
	if p == nil || p.Lost() != nil {
		return last
	}
	var now Status
	select {
	case r := <-p.begin("status", map[string]any{}).answered:
		if json.Unmarshal(r.OK, &now) != nil || min(now.Sessions, now.Awake, int(now.Memory)) < 0 {
			return last
		}
	case <-time.After(statusTime):
		return last
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status = now
	return now
}

// VM returns what the program says of itself, "" before it was started.
func (e *Engine) VM() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.process == nil {
		return ""
	}
	return e.process.vm
}

// Close ends the process. The engine cannot be used any more. e may be nil.
func (e *Engine) Close() {
	if e == nil {
		return
	}
	e.mu.Lock()
	p := e.process
	e.process, e.closed = nil, true
	e.mu.Unlock()
	if p != nil {
		p.Close()
	}
}

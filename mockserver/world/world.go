// Package world is everything that a mock server holds and can revert: one
// chain with its clock and history, the mempool, a ledger for each network,
// canned contracts, faults, and tokens in progress.
//
// A World is a place where things change; what it holds at one instant is a
// State, which never changes. A request takes one State and answers everything
// through it. What the parts of a state are made of is shared between states, so
// that a snapshot is a pointer, and going back is putting it in place again.
//
//	chain.History   what was sent to the chain and replaced on demand
//	ledger.Ledger   accounts, mempool and mined transactions, by network
//	contracts.Book  canned answers
//
// Worlds holds many worlds beside each other, which all begin as the first did. A
// Journal writes what is done to a world to a file, and can repeat it.
//
// The package must not import anything of HTTP.
package world

import (
	"sync"
	"sync/atomic"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/crowd"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/history"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/names"
	"chainscope/mockserver/staking"
	"chainscope/mockserver/tokens"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// Options hold what all worlds of a server share.
type Options struct {
	Chain     *chain.Chain
	Clock     chain.Clock // at first
	Contracts contracts.Book
	Past      *history.History // what known accounts did before; nil for nothing
	// Catalogue has the token contracts that can be called, nil for none.
	Catalogue *tokens.Catalogue
	Names     *names.Registry // nil for none
	// AnyContract lets every contract be called that is unknown.
	AnyContract bool
	// Engine runs contracts, nil for none. The chain is a young one then.
	Engine *engine.Engine
	// Fork is the live chain that the chain continues, nil for none. It needs an Engine, and there
	// is no Past, Catalogue or Names then.
	Fork   *Fork
	Faults fault.Options
	// Automine mines a block as soon as a transaction waits for one.
	Automine bool
	// Impersonated holds whose signatures are not checked at first: addresses, or Everyone.
	Impersonated []string
	Epoch        facts.Epoch      // that the network is in; the zero value takes every deploy
	Now          func() time.Time // the wall clock
}

// World is safe for concurrent use.
type World struct {
	name   string
	shared *Options
	begin  *content

	vm *engine.Session // nil where no contracts run

	Faults   *fault.Engine
	Tokens   *tokens.Progress
	Requests Requests
	Lacks    Lacks
	Refusals Refusals
	// Invented counts the calls whose answers are invented, Refused the transactions that
	// were refused.
	Invented, Refused Tally

	// changing is held from the beginning of a change to its end, and mu is not held meanwhile
	// while contracts run: what they take has no bearing on who only reads. Whoever holds
	// both locked changing first.
	changing sync.Mutex
	// A state is made before or after a change, never in the middle of one: no state shows a
	// block to which a change adds something.
	mu        sync.RWMutex
	now       *content
	until     int64         // while contracts run, the latest instant that is shown; 0 for any
	settling  *settling     // of blocks that came with time, nil for none
	wall      atomic.Int64  // newest wall time seen, ms
	revisions uint64        // that were given out
	snapshots []snapshot    // oldest first
	undone    []undone      // what was undone since the last change, oldest first
	journal   *Journal      // nil for none
	replayed  int64         // wall time of the entry that is done again, 0 for none
	changed   chan struct{} // closed and replaced when something is done
	retries   atomic.Bool   // blocks are mined for what could not be read
}

// content holds what a World holds; it never changes.
type content struct {
	clock     chain.Clock
	history   chain.History
	ledgers   [2]ledger.Ledger
	contracts contracts.Book
	catalogue *tokens.Catalogue
	names     *names.Registry
	sources   *contracts.Sources
	// anyContract lets every contract be called.
	anyContract bool
	strangers   *strangers
	// staked holds the stakes of strangers, nil where nobody can stake.
	staked *staking.Staking
	// hasVM says that contracts run, on a network.
	hasVM  bool
	vmOn   int
	forked *Fork // nil for none
	// ran holds what the virtual machine has run.
	ran *engine.Point
	// impersonated holds whose signatures are not checked.
	impersonated impersonated
	// due is the lowest height that is not settled in the ledgers.
	due int64
	// revision changes with every change that somebody requested.
	revision uint64
}

// Networks, as indices of the ledgers.
const (
	mainnet = iota
	testnet
)

// networkOf returns the ledger of a principal.
func networkOf(p clarity.Principal) int {
	if p.Address.Testnet() {
		return testnet
	}
	return mainnet
}

// New returns a world to which nothing was done.
func New(shared *Options) *World {
	w := newWorld("", shared, beginning(shared))
	w.Requests.total = new(atomic.Int64)
	return w
}

// beginning returns what a world holds to which nothing was done.
func beginning(shared *Options) *content {
	begin := &content{clock: shared.Clock, history: chain.NewHistory(), contracts: shared.Contracts, catalogue: shared.Catalogue, names: shared.Names, sources: &contracts.Sources{}, anyContract: shared.AnyContract, hasVM: shared.Engine != nil, vmOn: testnet, forked: shared.Fork, impersonated: impersonated{}.with(shared.Impersonated)}
	if shared.Fork != nil {
		begin.vmOn = shared.Fork.network()
	}
	if shared.Past != nil {
		begin.staked = shared.Past.Staked
	}
	for i := range begin.ledgers {
		begin.ledgers[i] = ledger.New()
		if shared.Engine != nil && i == begin.vmOn {
			begin.ledgers[i].NoteOutside()
		}
		if shared.Past != nil {
			shared.Past.Prepare(&begin.ledgers[i], i == mainnet)
		}
		if shared.Catalogue != nil {
			shared.Catalogue.Begin(&begin.ledgers[i], i == mainnet)
		}
		if f := shared.Fork; f != nil && i == begin.vmOn {
			begin.ledgers[i].SetOrigin(f.origin)
			begin.ledgers[i].SetStakes(forkLocks{runningLocks{shared.Chain}, f})
		} else if shared.Engine != nil && i == testnet {
			begin.ledgers[i].SetStakes(runningLocks{shared.Chain})
		} else if begin.staked != nil {
			begin.ledgers[i].SetStakes(begin.staked.ForLedger(i == testnet))
		}
		shared.Names.Begin(&begin.ledgers[i], i == mainnet, history.Accounts(i == mainnet))
	}
	begin.strangers = newStrangers(shared, begin)
	begin.findDue()
	return begin
}

func newWorld(name string, shared *Options, begin *content) *World {
	w := &World{changed: make(chan struct{}), name: name, shared: shared, begin: begin, now: begin, Faults: fault.New(shared.Faults), Tokens: tokens.NewProgress(shared.Now)}
	if shared.Engine != nil {
		w.vm = shared.Engine.NewSession(shared.Chain, shared.predeployed())
	}
	return w
}

// Name returns the name of the world, "" for that of the server itself.
func (w *World) Name() string { return w.name }

// Changed returns a channel that is closed when something is done to the world or
// Ring is called. The passing of time does not close it.
func (w *World) Changed() <-chan struct{} {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.changed
}

// Ring notifies who waits for Changed that something else of the world has changed.
func (w *World) Ring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ring()
}

// ring is Ring for a caller who holds w.mu.
func (w *World) ring() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// State holds what a world holds at one instant. It never changes.
type State struct {
	View chain.View
	*content

	past *history.History
	vm   *engine.Session
}

// State returns what the world holds now.
func (w *World) State() State {
	c, instant := w.seen()
	if w.shared.Chain.Tip(instant) < c.due {
		return w.stateAt(c, instant)
	}
	w.settleDue()
	if c, instant = w.seen(); w.shared.Chain.Tip(instant) >= c.due {
		instant = w.shared.Chain.Before(c.due) // a block is shown when all is done that it has
	}
	return w.stateAt(c, instant)
}

func (w *World) stateAt(c *content, instant int64) State {
	rate := chain.RateHealthy
	if w.Faults.Scenario() == fault.Reorg {
		rate = chain.RateReorg
	}
	v, shown := w.shared.Chain.View(instant, rate, c.history), *c
	for i := range shown.ledgers {
		shown.ledgers[i].SetHeight(v.Tip())
	}
	return State{v, &shown, w.shared.Past, w.vm}
}

// wallMS reads the wall clock; a step back does not take blocks back.
func (w *World) wallMS() int64 {
	if w.replayed != 0 {
		return w.replayed
	}
	now := w.shared.Now().UnixMilli()
	for {
		seen := w.wall.Load()
		if now <= seen {
			return seen
		}
		if w.wall.CompareAndSwap(seen, now) {
			return now
		}
	}
}

// settled returns the content with the blocks up to an instant in the ledgers. The caller must have
// called lock. Nobody else can change anything meanwhile, but where contracts run all can read.
func (w *World) settled(c *content, instant int64) *content {
	tip := w.shared.Chain.Tip(instant)
	if tip < c.due {
		return c
	}
	if w.vm != nil {
		w.until = instant
		w.mu.Unlock()
		defer w.mu.Lock()
	}
	next := *c
	for next.due <= tip {
		w.settle(&next, next.due, w.outcomes(&next))
	}
	return &next
}

// settle puts what waits for the block of a height into it, the dearest first.
func (w *World) settle(c *content, height int64, does ledger.Outcome) {
	main := c.ledgers[mainnet].Settle(height, does)
	test := c.ledgers[testnet].Settle(height, does)
	ids := make([]chain.Hash, 0, len(main)+len(test))
	for len(main)+len(test) > 0 {
		from := &main
		if len(main) == 0 || len(test) > 0 && test[0].Fee() > main[0].Fee() {
			from = &test
		}
		ids = append(ids, chain.HashOf((*from)[0].ID))
		*from = (*from)[1:]
	}
	c.history = c.history.Add(height, ids...)
	c.findDue()
}

func (c *content) findDue() {
	c.due = c.nextDue()
}

func (c *content) nextDue() int64 {
	return min(c.ledgers[mainnet].NextHeight(), c.ledgers[testnet].NextHeight())
}

// Staked returns all stakes, those made through the mock included.
func (s State) Staked() staking.Now { return s.StakedAt(s.View.Tip()) }

// StakedAt returns the stakes of a block, with those that were made through the mock until now.
func (s State) StakedAt(height int64) staking.Now {
	return s.staked.At(min(height, s.View.Tip()), &s.ledgers[mainnet], &s.ledgers[testnet])
}

// Account reads an account of the principal's network.
func (s State) Account(p clarity.Principal) ledger.Account {
	return s.ledgers[networkOf(p)].Account(p)
}

// Nonces reads the nonces of a principal.
func (s State) Nonces(p clarity.Principal) ledger.Nonces {
	return s.ledgers[networkOf(p)].Nonces(p)
}

// Transaction finds a transaction that was sent to this world, that a known account had before,
// or one of the chain itself. It is pending
// while its Height is 0 or above the tip and nothing replaced it.
func (s State) Transaction(id [32]byte) (*ledger.Tx, bool) {
	if t, ok := s.sent(id); ok {
		return t, true
	}
	return s.stranger(chain.HashOf(id))
}

// sent finds a transaction that was sent to this world, or that a known account had before.
func (s State) sent(id [32]byte) (*ledger.Tx, bool) {
	if t, ok := s.ledgers[mainnet].Lookup(id); ok {
		return t, true
	}
	if t, ok := s.ledgers[testnet].Lookup(id); ok || s.past == nil {
		return t, ok
	}
	return s.past.Lookup(id, s.View.Tip())
}

// Ledger returns the ledger of the principal's network, to list transactions.
// It must not be changed.
func (s State) Ledger(p clarity.Principal) *ledger.Ledger { return &s.ledgers[networkOf(p)] }

// Revision changes with every change that somebody requested, and goes back with
// Revert. Blocks that come with time do not count.
func (s State) Revision() uint64 { return s.revision }

// Frozen reports whether the clock is stopped.
func (s State) Frozen() bool { return s.clock.Frozen }

// Contracts returns the canned answers.
func (s State) Contracts() contracts.Book { return s.contracts }

// Read reads the text of a contract. Who gets it must not change it.
func (s State) Read(id clarity.Principal, text string, version byte) *contracts.Source {
	return s.sources.Read(id, text, version)
}

// Token returns a token contract of the catalogue.
func (s State) Token(id clarity.Principal) (tokens.Token, bool) {
	return s.catalogue.Token(id)
}

// Builtin is a contract that the mock plays by itself, over what a ledger has.
type Builtin interface {
	Source() string
	// Read and Call report false for a function that the contract does not have.
	Read(l *ledger.Ledger, function string, args []clarity.Value) (clarity.Value, bool)
	Call(l *ledger.Ledger, caller clarity.Principal, function string, args []clarity.Value) (ledger.Effect, bool)
}

// Builtin returns a contract that is built in: a token of the catalogue, the trait of a standard,
// the registry of names, one that strangers call, or one with which they stake.
func (s State) Builtin(id clarity.Principal) (Builtin, bool) { return s.builtin(id) }

func (c *content) builtin(id clarity.Principal) (Builtin, bool) {
	if c.forked != nil {
		return nil, false // they run
	}
	if token, ok := c.catalogue.Token(id); ok {
		return token, true
	}
	if trait, ok := tokens.StandardTrait(id); ok {
		return trait, true
	}
	if played, ok := crowd.Find(id); ok {
		return played, true
	}
	if played, ok := c.staked.Played(id); ok {
		return played, true
	}
	return c.names.Contract(id)
}

package world

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/history"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/staking"
	"chainscope/mockserver/tokens"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// outcomes returns what transactions do to a content: what the virtual machine says of those
// that run in it, and what c.effect says of all others.
func (w *World) outcomes(c *content) ledger.Outcome {
	return func(l *ledger.Ledger, t *ledger.Tx) ledger.Effect {
		if w.vm == nil || !c.runs(t) {
			return c.effect(l, t)
		}
		return w.run(c, l, t)
	}
}

// run lets a transaction run.
func (w *World) run(c *content, l *ledger.Ledger, t *ledger.Tx) ledger.Effect {
	does, then := w.vm.Run(c.ran, l, t)
	does.Ran = true
	if does.Unread == nil {
		does.Unread = w.shared.Fork.readMoves(&does)
	}
	if does.Unread != nil {
		return ledger.Effect{Unread: does.Unread}
	}
	if err := w.recordStakes(c.staked, l, t, &does, then); err != nil {
		return ledger.Effect{Result: clarity.Err{Value: clarity.None{}}, Error: "mock: " + err.Error(), Ran: true}
	}
	c.names.Ran(&does)
	does.Error += c.remedy(does.Error)
	does.Kept = func() { c.ran = then }
	return does
}

// recordStakes lets a transaction that ran leave in the ledger what pox-5 keeps since then.
func (w *World) recordStakes(s *staking.Staking, l *ledger.Ledger, t *ledger.Tx, does *ledger.Effect, then *engine.Point) (err error) {
	if !s.Runs() || does.Error != "" { // a call that failed has changed nothing, and may have any arguments
		return nil
	}
	pox := staking.Contract(true)
	does.Sets, err = staking.Kept(l, t, does.Locks, engine.CallsOf(t, does.Trace, pox), func(name string, key clarity.Value) (clarity.Value, error) {
		return w.vm.MapEntry(engine.State{Point: then, Height: t.Height, Balances: l}, pox, name, key)
	})
	return err
}

const onMainnet = "; it is on mainnet, and contracts run on testnet: "

// remedy returns what to do where a deploy fails because of a contract that does not run.
func (c *content) remedy(failure string) string {
	_, text, ok := strings.Cut(failure, "use of unresolved contract '")
	text, _, _ = strings.Cut(text, "'")
	id, err := clarity.ParseContract(text)
	if !ok || err != nil || c.forked != nil {
		return ""
	}
	there, known := tokens.OnTestnet(id)
	if _, registry := c.names.Contract(id); registry && id.Address.Mainnet() {
		there, known = facts.BNS2(true), true
	}
	switch {
	case known:
		return onMainnet + "there it is " + there
	case id.Address.Mainnet():
		return onMainnet + "deploy it there, or make it a requirement of a --project. The mock's own tokens there are rehearsal-token and rehearsal-pass of ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK"
	}
	return ""
}

// runs reports whether a transaction is for the virtual machine.
func (c *content) runs(t *ledger.Tx) bool {
	if t.Mainnet() != (c.vmOn == mainnet) {
		return false
	}
	switch p := t.Payload.(type) {
	case stxtx.SmartContract:
		return true
	case stxtx.ContractCall:
		if c.stacks(p.Contract) {
			return true
		}
		if _, running := c.ran.Contract(p.Contract); running {
			return true
		}
		_, canned, _ := c.contracts.Call(callerOf(t, p))
		return !canned && (c.forked != nil || c.deployed(p.Contract))
	}
	return false
}

// predeployed lists the contracts that are in a virtual machine before anything happens.
func (o *Options) predeployed() (all []engine.Predeployed) {
	if o.Catalogue == nil {
		return nil
	}
	for id, source := range o.Catalogue.Predeployed() {
		all = append(all, engine.Predeployed{ID: id, Source: source})
	}
	if o.Names != nil {
		id, source := o.Names.Predeployed(history.Accounts(false))
		all = append(all, engine.Predeployed{ID: id, Source: source})
	}
	return all
}

// Known returns the text of a contract that needs no cache of a project, as it is already or is
// the trait of a standard.
func (w *World) Known(id clarity.Principal) (engine.Requirement, bool) {
	if r, ok := w.vm.Predeployed(id); ok {
		return r, true
	}
	trait, ok := tokens.StandardTrait(id)
	return engine.Requirement{Source: trait.Source()}, ok
}

// deployed reports whether a contract is one of those and has functions.
func (c *content) deployed(id clarity.Principal) bool {
	_, token := c.catalogue.Token(id)
	_, registry := c.names.Contract(id)
	return (token || registry) && c.hasVM && id.Address.Testnet()
}

// refuseToRun refuses what could run only half right, "" for nothing.
func (w *World) refuseToRun(c *content, t *ledger.Tx) (ledger.Reason, any) {
	if call, calls := t.Payload.(stxtx.ContractCall); calls && c.stacks(call.Contract) {
		text, err := w.vm.Builtin(call.Contract.String())
		if err != nil {
			return ledger.NoSuchContract, nil
		}
		f, declared := c.sources.Read(call.Contract, text, 0).Function(call.Function)
		return admitFunction(f, declared, call)
	} else if calls && c.ofNetwork(call.Contract) {
		return ledger.ServerFailureOther, ledger.Message{Message: "the network's own contracts answer reads alone here: nothing that " + call.Contract.Contract + " does changes the mock chain"}
	}
	if _, deploys := t.Payload.(stxtx.SmartContract); w.vm == nil || !deploys || !t.Mainnet() || c.forked != nil {
		return "", nil
	}
	return ledger.ServerFailureOther, ledger.Message{Message: "contracts run on testnet addresses alone: with --clarity, deploy from an ST address"}
}

// checkTokens returns why an account cannot have an amount of a token, where contracts run: what runs
// has to have it too.
func (c *content) checkTokens(p clarity.Principal, asset stxtx.Asset, n *big.Int) error {
	if !c.hasVM || networkOf(p) != c.vmOn || c.deployed(asset.Contract) {
		return nil
	}
	running, ok := c.ran.Contract(asset.Contract)
	switch more := new(big.Int).Sub(n, c.ledgers[c.vmOn].Balance(p, asset)); {
	case !ok && c.forked != nil:
		return fmt.Errorf("tokens: %s is a token of the live chain, or of no contract; impersonate a holder and transfer it", asset)
	case !ok && c.contracts.Has(asset.Contract, ""):
		return nil
	case !ok:
		return fmt.Errorf("tokens: %s: no such contract runs on testnet; deploy it first", asset)
	case !slices.ContainsFunc(running.Interface.FungibleTokens, func(t abi.Token) bool { return t.Name == asset.Name }):
		return fmt.Errorf("tokens: %s: the contract has no fungible token of that name", asset)
	case more.Sign() < 0:
		return fmt.Errorf("tokens: %s: the contract runs, so that its tokens can be given and not taken; call a function of it that burns them", asset)
	case !more.IsUint64():
		return fmt.Errorf("tokens: %s: at most %d can be given at once of a contract that runs", asset, uint64(math.MaxUint64))
	}
	return nil
}

// checkSTX returns why an account cannot have a balance, where contracts run: the virtual machine lets
// nobody but a contract itself send what it has.
func (c *content) checkSTX(p clarity.Principal, balance *uint64) error {
	if !c.hasVM || networkOf(p) != c.vmOn || p.Contract == "" || balance == nil {
		return nil
	}
	if has := c.ledgers[c.vmOn].Account(p).Balance; *balance < has {
		return fmt.Errorf("balance: a contract can be given STX and none can be taken, where contracts run; give at least %d micro-STX, or call a function of it that sends them", has)
	}
	return nil
}

// nextHeight returns the height of the block that takes what is sent while the tip is at a
// height. Where contracts run, the first block of a burn block takes nothing: the virtual
// machine makes it together with the burn block.
func (w *World) nextHeight(tip int64) int64 {
	if w.vm != nil && w.shared.Chain.BeginsTenure(tip+1) {
		return tip + 2
	}
	return tip + 1
}

// blocksToMine returns how many blocks are mined where a number is requested: one more if what
// waits for the next block would otherwise be left out for the first of a burn block.
func (w *World) blocksToMine(c *content, tip, blocks int64) int64 {
	if w.nextHeight(tip+blocks-1) != tip+blocks+1 {
		return blocks
	}
	if next := *c; next.nextDue() != tip+blocks+1 {
		return blocks
	}
	return blocks + 1
}

// Running is a contract that runs, in a state.
type Running struct {
	Interface abi.Interface

	id    clarity.Principal
	vm    *engine.Session
	state engine.State
}

// Running finds a contract that runs. It reports false for all others.
func (s State) Running(id clarity.Principal) (*Running, bool) {
	if s.vm == nil {
		return nil, false
	}
	r := &Running{id: id, vm: s.vm, state: engine.State{Point: s.ran, Height: s.View.Tip(), Balances: &s.ledgers[s.vmOn]}}
	if c, ok := s.ran.Contract(id); ok {
		r.Interface = c.Interface
		return r, true
	}
	text, live := s.forked.Live(id)
	if live {
		r.Interface = s.sources.Read(id, text, 0).Interface
	}
	return r, live
}

// Boot finds a contract that every chain begins with, where contracts run: it answers reads. On a fork it
// finds those of the live chain.
func (s State) Boot(id clarity.Principal) (text string, r *Running, ok bool) {
	if text, live := s.forked.Live(id); live {
		r, ok := s.Running(id)
		return text, r, ok
	}
	if s.vm == nil || !s.ofNetwork(id) {
		return "", nil, false
	}
	text, err := s.vm.Builtin(id.String())
	if err != nil {
		return "", nil, false
	}
	return text, &Running{id: id, vm: s.vm, state: engine.State{Point: s.ran, Height: s.View.Tip(), Balances: &s.ledgers[s.vmOn]}}, true
}

// ofNetwork reports whether a contract of testnet belongs to the network itself, and is neither
// played by the mock nor described.
func (c *content) ofNetwork(id clarity.Principal) bool {
	_, played := c.builtin(id)
	return c.hasVM && c.forked == nil && !played && id.Contract != "" && id.Address.String() == facts.Boot(true) && !c.contracts.Has(id, "")
}

// stacks reports whether a contract of the network runs by which STX are locked.
func (c *content) stacks(id clarity.Principal) bool {
	return strings.HasPrefix(id.Contract, "pox-") && c.ofNetwork(id)
}

// runningLocks returns what is locked of accounts by contracts that run on a chain.
type runningLocks struct{ *chain.Chain }

// Of returns nothing: nobody staked before.
func (runningLocks) Of([20]byte, int64) ([]*ledger.Tx, uint64, bool) { return nil, 0, false }

// Locked returns what is locked at a height, in micro-STX.
func (r runningLocks) Locked(l *ledger.Ledger, hash160 [20]byte, contract string, height int64) uint64 {
	lock, _, ok := l.LockOf(clarity.Principal{Address: c32.Address{Hash160: hash160}, Contract: contract}, height)
	if burn, _ := r.Tenure(height); !ok || lock.Unlock <= burn {
		return 0
	}
	return lock.Amount
}

// Read runs a function without changing anything. The failure is why it has no answer.
func (r *Running) Read(f *abi.Function, args []clarity.Value, sender clarity.Principal) (clarity.Value, *engine.Failure, error) {
	return r.vm.Read(r.state, stxtx.ContractCall{Contract: r.id, Function: f.Name, Args: args}, sender, f.Access == abi.Public)
}

// Variable reads a variable; nil if there is none.
func (r *Running) Variable(name string) (clarity.Value, error) {
	return r.vm.Variable(r.state, r.id, name)
}

// MapEntry reads an entry of a map, as an optional.
func (r *Running) MapEntry(name string, key clarity.Value) (clarity.Value, error) {
	v, err := r.vm.MapEntry(r.state, r.id, name, key)
	if v == nil {
		v = clarity.None{}
	}
	return v, err
}

// Runs holds what the virtual machine did in a world.
type Runs struct {
	Contracts int `json:"contracts"`
	// Last holds what ran last and succeeded, "" for nothing, and Runtime what it cost.
	Last    string `json:"last"`
	Runtime uint64 `json:"runtime"`
	// Failed holds what failed last, with the error; "" for nothing.
	Failed string `json:"failed"`
	engine.Status
}

// runs reports what ran, nil where no contract runs.
func (s State) runs() *Runs {
	out := &Runs{Contracts: s.ran.Count()}
	if out.Contracts == 0 {
		return nil
	}
	for _, t := range newestFirst(slices.Collect(s.ledgers[s.vmOn].Mined())) {
		switch {
		case out.Failed == "" && t.Error != "":
			out.Failed = callOf(t) + ": " + t.Error
		case out.Last == "" && t.Error == "" && t.Cost != nil:
			out.Last, out.Runtime = callOf(t), t.Cost.Runtime
		}
	}
	return out
}

package world

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"time"

	"chainscope/mockserver/contracts"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// maxDepth bounds a reorganization, in blocks.
const maxDepth = 100

// maxBalance bounds the balance that an account can be given, in micro-STX: ten
// billion STX, several times the real supply.
const maxBalance = 10_000_000_000_000_000

// Tip is the newest block.
type Tip struct {
	Height     int64 `json:"height"`
	BurnHeight int64 `json:"burn_height"`
}

// Tip returns the newest block of the state.
func (s State) Tip() Tip { return Tip{s.View.Tip(), s.View.TipBurnHeight()} }

// moment is the time when a change happens.
type moment struct {
	wall, instant int64 // Unix milliseconds
	tip           int64
}

// change lets f change a settled copy of what the world holds, and puts the copy in place unless
// f fails. The journal notes do and with first: what it cannot record is not done.
func (w *World) change(do Command, with any, f func(c *content, at moment) error) (State, error) {
	return w.changeThen(do, with, f, func() {})
}

// changeThen is change. It calls made when the copy is in place, before the contracts run whose
// blocks came with the change.
func (w *World) changeThen(do Command, with any, f func(c *content, at moment) error, made func()) (State, error) {
	w.lock()
	defer w.unlock()
	if err := w.journal.makeSpace(); err != nil {
		return State{}, err
	}
	at := w.moment()
	w.now = w.settled(w.now, at.instant)
	next := *w.now
	if err := f(&next, at); err != nil {
		return State{}, err
	}
	if err := w.journal.note(next.clock, at.instant, do, with); err != nil {
		return State{}, err
	}
	next.findDue()
	w.revisions++
	next.revision = w.revisions
	w.undone = nil
	w.now = &next
	made()
	w.now = w.settled(w.now, next.clock.Instant(at.wall))
	if do == Broadcast {
		w.retryUnread()
	}
	w.ring()
	return w.stateAt(w.now, w.now.clock.Instant(at.wall)), nil
}

func (w *World) moment() moment {
	wall := w.wallMS()
	instant := w.now.clock.Instant(wall)
	return moment{wall, instant, w.shared.Chain.Tip(instant)}
}

// Submit takes a transaction as a node does, and returns its id or the node's
// rejection. What is run for longer than a while continues after that.
func (w *World) Submit(raw []byte) ([32]byte, *ledger.Rejection) {
	c, _ := w.seen()
	as := c.impersonated.has
	if w.vm == nil {
		return w.submit(raw, w.shared.Automine, as, func([32]byte) {})
	}
	type answer struct {
		id        [32]byte
		rejection *ledger.Rejection
		panicked  any
	}
	taken, done := make(chan [32]byte, 1), make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			a.panicked = recover()
			done <- a
		}()
		a.id, a.rejection = w.submit(raw, w.shared.Automine, as, func(id [32]byte) { taken <- id })
	}()
	var id [32]byte
	var late <-chan time.Time
	for {
		select {
		case a := <-done:
			if a.panicked != nil {
				panic(a.panicked) // of the caller, who handles it
			}
			return a.id, a.rejection
		case id = <-taken:
			late = time.After(answerTime)
		case <-late:
			return id, nil
		}
	}
}

// submit mines a block, if automine is set, where the transaction waits for one. Some addresses need
// not have signed. It calls taken when the transaction is in the mempool or in a block, before it
// runs.
func (w *World) submit(raw []byte, automine bool, as ledger.Impersonated, taken func(id [32]byte)) ([32]byte, *ledger.Rejection) {
	t, rejection := ledger.Decode(raw, as)
	if rejection != nil {
		return [32]byte{}, rejection
	}
	if err := w.shared.Fork.readFor(context.Background(), t); err != nil {
		return [32]byte{}, ledger.Unknown(t.ID, err)
	}
	done := broadcastBody{Tx: hex.EncodeToString(raw)}
	for _, a := range t.Impersonated {
		done.Impersonated = append(done.Impersonated, a.String())
	}
	_, err := w.changeThen(Broadcast, &done, func(c *content, at moment) error {
		var added bool
		if added, rejection = w.accept(c, t, at.instant, at.tip); rejection != nil {
			return rejection
		}
		if done.Mined = automine && added; done.Mined {
			return w.mine(c, at, 1)
		}
		return nil
	}, func() { taken(t.ID) })
	if rejection == nil && err != nil {
		rejection = ledger.Refuse(t.ID, err)
	}
	return t.ID, rejection
}

// accept puts a transaction into the mempool. It reports whether the next block carries
// something for it.
func (w *World) accept(c *content, t *ledger.Tx, instant, tip int64) (bool, *ledger.Rejection) {
	network := mainnet
	if !t.Mainnet() {
		network = testnet
	}
	if deploy, is := t.Payload.(stxtx.SmartContract); is && w.shared.Epoch.Name != "" && deploy.ClarityVersion > w.shared.Epoch.Clarity {
		return false, ledger.NewRejection(t.ID, ledger.SignatureValidation, ledger.Message{
			Message: fmt.Sprintf("Clarity %d can not be used in epoch %s, which takes 1 to %d", deploy.ClarityVersion, w.shared.Epoch.Name, w.shared.Epoch.Clarity),
		})
	}
	if complaint := w.shared.Fork.otherNetwork(t); complaint != "" {
		return false, ledger.NewRejection(t.ID, ledger.SignatureValidation, ledger.Message{Message: complaint})
	}
	if reason, data := w.refuseToRun(c, t); reason != "" {
		return false, ledger.NewRejection(t.ID, reason, data)
	}
	if deploy, is := t.Payload.(stxtx.SmartContract); is {
		id := t.Principal()
		id.Contract = deploy.Name
		if _, there := w.shared.Fork.Live(id); there {
			return false, ledger.AlreadyExists(t.ID, id)
		}
	}
	return c.ledgers[network].Submit(t, instant, w.nextHeight(tip), c.admit)
}

// Mine advances the clock by a number of blocks.
func (w *World) Mine(blocks int64) (State, error) {
	return w.change(Mine, mineBody{&blocks}, func(c *content, at moment) error { return w.mine(c, at, blocks) })
}

func (w *World) mine(c *content, at moment, blocks int64) error {
	then, err := w.shared.Chain.Mined(at.instant, w.blocksToMine(c, at.tip, blocks))
	if err == nil {
		c.clock = c.clock.Moved(then, at.wall)
	}
	return err
}

// Advance advances the clock.
func (w *World) Advance(d time.Duration) (State, error) {
	if d < 0 {
		return State{}, fmt.Errorf("%s is negative; a clock is advanced by 0 or more, such as 3h", d)
	}
	return w.change(MoveClock, clockBody{Advance: new(d.String())}, func(c *content, at moment) error {
		return w.moveTo(c, at, time.UnixMilli(at.instant).Add(d))
	})
}

// SetClock sets the clock. If that goes back, the transactions of blocks that are gone wait for
// the next one.
func (w *World) SetClock(to time.Time) (State, error) {
	return w.change(MoveClock, clockBody{Set: new(to.UTC().Format(time.RFC3339Nano))}, func(c *content, at moment) error {
		return w.moveTo(c, at, to)
	})
}

// FreezeClock stops the clock where it is, or lets it run on from there.
func (w *World) FreezeClock(frozen bool) (State, error) {
	return w.change(MoveClock, clockBody{Freeze: &frozen}, func(c *content, at moment) error {
		c.clock = c.clock.Freeze(frozen, at.wall)
		return nil
	})
}

func (w *World) moveTo(c *content, at moment, to time.Time) error {
	if err := w.shared.Chain.CheckInstant(to); err != nil {
		return err
	}
	instant := to.UnixMilli()
	if tip := w.shared.Chain.Tip(instant); tip < at.tip {
		c.rewind(tip+1, w.nextHeight(tip), false)
	}
	c.clock = c.clock.Moved(instant, at.wall)
	return nil
}

// Reorg replaces the newest blocks by others. Their transactions wait in the
// mempool for the next block.
func (w *World) Reorg(depth int64) (State, error) {
	return w.change(Reorg, reorgBody{&depth}, func(c *content, at moment) error {
		if most := min(maxDepth, at.tip-w.shared.Chain.FirstHeight()); depth < 1 || depth > most {
			return &BodyError{"depth", fmt.Sprintf("must be an integer from 1 to %d", most)}
		}
		c.rewind(at.tip-depth+1, w.nextHeight(at.tip), true)
		return nil
	})
}

// rewind reverts what happened from a height on and puts the transactions
// into the block at another height.
func (c *content) rewind(from, next int64, reorg bool) {
	c.history = c.history.Rewind(from)
	if reorg {
		c.history = c.history.Reorg(from)
	}
	for i := range c.ledgers {
		c.ledgers[i].Rewind(from, next)
	}
	c.ran = c.ran.Before(from)
}

// SetAccount gives an account another balance or nonce, nil to leave it, and other amounts
// of fungible tokens: decimal numbers in their smallest units, by asset.
func (w *World) SetAccount(p clarity.Principal, balance, nonce *uint64, tokens map[string]digits) (State, error) {
	if balance == nil && nonce == nil && len(tokens) == 0 {
		return State{}, errors.New(`nothing to set; give "balance" in micro-STX, "nonce" or "tokens"`)
	}
	if balance != nil && *balance > maxBalance {
		return State{}, fmt.Errorf("balance must be at most %d micro-STX", uint64(maxBalance))
	}
	amounts := map[stxtx.Asset]*big.Int{}
	for id, text := range tokens {
		asset, err := stxtx.ParseAsset(id)
		if err != nil {
			return State{}, fmt.Errorf("tokens: %q is no asset: %w", id, err)
		}
		n, ok := new(big.Int).SetString(string(text), 10)
		if !ok || n.Sign() < 0 || n.BitLen() > 128 {
			return State{}, fmt.Errorf("tokens: %s: %q is no amount from 0 to 2^128-1", id, text)
		}
		amounts[asset] = n
	}
	if err := w.shared.Fork.ReadAccounts(context.Background(), p); err != nil {
		return State{}, err
	}
	return w.change(SetAccount, accountBody{new(p.String()), (*amount)(balance), (*amount)(nonce), tokens}, func(c *content, _ moment) error {
		l := &c.ledgers[networkOf(p)]
		for asset := range amounts {
			if err := c.fungible(l, asset); err != nil {
				return err
			}
		}
		if err := c.checkSTX(p, balance); err != nil {
			return err
		}
		for asset, n := range amounts {
			if err := c.checkTokens(p, asset, n); err != nil {
				return err
			}
			l.SetTokens(p, asset, n)
		}
		if balance == nil && nonce == nil {
			return nil
		}
		return l.SetAccount(p, balance, nonce)
	})
}

// Drop takes a transaction out of the mempool, for the reason that an API gives. What
// comes after it waits for its nonce then.
func (w *World) Drop(id [32]byte, why ledger.Drop) (State, error) {
	return w.change(Mempool, mempoolBody{Drop: new(hex.EncodeToString(id[:])), Reason: why}, func(c *content, _ moment) error {
		for i := range c.ledgers {
			if c.ledgers[i].Drop(id, why) {
				return nil
			}
		}
		return fmt.Errorf("no transaction %x waits in the mempool", id)
	})
}

// Hold keeps blocks from carrying transactions, or lets the next one carry all that wait. A
// world that mines by itself then mines that block.
func (w *World) Hold(held bool) (State, error) { return w.hold(held, w.shared.Automine) }

// hold mines a block with automine, where something waits for one.
func (w *World) hold(held, automine bool) (State, error) {
	done := mempoolBody{Hold: &held}
	return w.change(Mempool, &done, func(c *content, at moment) error {
		added := false
		for i := range c.ledgers {
			if held {
				c.ledgers[i].Hold()
			} else if c.ledgers[i].Release(at.tip + 1) {
				added = true
			}
		}
		if done.Mined = automine && added; done.Mined {
			return w.mine(c, at, 1)
		}
		return nil
	})
}

// OnHold reports whether blocks carry no transactions.
func (s State) OnHold() bool { return s.ledgers[mainnet].OnHold() }

// AddContract adds canned answers.
func (w *World) AddContract(e contracts.Entry) (State, error) {
	return w.change(AddAnswers, e, func(c *content, _ moment) (err error) {
		c.contracts, err = c.contracts.Add(e)
		return err
	})
}

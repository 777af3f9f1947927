package world

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/internal/plainjson"
	"chainscope/wallet/clarity"
)

// Keep does again what a state file says and writes from then on to it what is done
// to the world, beginning with the header if the file is new. Nothing else may use w
// yet.
func (w *World) Keep(file *StateFile, header Header) error {
	if !file.New {
		header = file.Header
	}
	j, err := newJournal(file.path, header)
	if err != nil {
		return err
	}
	for i, e := range file.Entries {
		if err := w.replay(e, j); err != nil {
			return fmt.Errorf("line %d: %s: %w", i+2, e.Do, err)
		}
		if i+1 == j.begin {
			w.begin, w.snapshots = w.now, nil
		}
	}
	w.journal = j
	w.wall.Store(0)
	w.catchUp(file.Entries)
	if file.New || file.torn {
		return j.write(j.lines)
	}
	j.whole, j.size = true, len(j.header)
	for _, line := range j.lines {
		j.size += len(line)
	}
	return nil
}

// catchUp keeps a running clock from falling behind what was done: the wall clock of
// this machine may be behind that of another.
func (w *World) catchUp(done []Entry) {
	if len(done) == 0 || w.now.clock.Frozen {
		return
	}
	last, wall := done[len(done)-1].At.UnixMilli(), w.wallMS()
	if w.now.clock.Instant(wall) < last {
		next := *w.now
		next.clock = next.clock.Moved(last, wall)
		w.now = &next
	}
}

// replay does one thing again, at the instant at which it was done.
func (w *World) replay(e Entry, j *Journal) error {
	if c := w.now.clock; !c.Frozen {
		w.wall.Store(0)
		w.replayed = e.At.UnixMilli() - c.Ahead
		defer func() { w.replayed = 0 }()
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.lines = append(j.lines, append(line, '\n'))
	do, known := actions[e.Do]
	if !known {
		return errors.New("what to do is unknown; it is one of broadcast, mine, clock, reorg, accounts, contracts, mempool and snapshot")
	}
	if err := do(w, e.With); err != nil {
		return err
	}
	if e.Do == doSnapshot {
		w.snapshots[len(w.snapshots)-1].mark = len(j.lines)
	}
	if e.Ahead == "" {
		return nil
	}
	ahead, err := time.ParseDuration(e.Ahead)
	if err != nil {
		return err
	}
	next := *w.now
	next.clock = chain.Clock{Ahead: ahead.Milliseconds()}
	w.now = &next
	return nil
}

// actions do again what an entry of each kind says.
var actions = map[string]func(*World, json.RawMessage) error{
	doBroadcast: action(func(w *World, b broadcastBody) error {
		raw, err := hex.DecodeString(b.Tx)
		if err != nil {
			return err
		}
		if _, rejection := w.submit(raw, b.Mined, func() {}); rejection != nil {
			return rejection
		}
		return nil
	}),
	doMine: action(func(w *World, b mineBody) error {
		_, err := w.Mine(b.Blocks)
		return err
	}),
	doClock: action((*World).doClock),
	doReorg: action(func(w *World, b reorgBody) error {
		_, err := w.Reorg(b.Depth)
		return err
	}),
	doAccounts: action(func(w *World, b accountBody) error {
		principal, err := clarity.ParsePrincipal(b.Address)
		if err == nil {
			_, err = w.SetAccount(principal, b.Balance, b.Nonce, b.Tokens)
		}
		return err
	}),
	doContracts: func(w *World, with json.RawMessage) error {
		entry, err := contracts.ParseJSON(with)
		if err == nil {
			_, err = w.AddContract(entry)
		}
		return err
	},
	doMempool: action((*World).doMempool),
	doSnapshot: action(func(w *World, b nameBody) error {
		_, _, err := w.Snapshot(b.Name)
		return err
	}),
}

// action reads what an entry says before it is done.
func action[B any](do func(*World, B) error) func(*World, json.RawMessage) error {
	return func(w *World, with json.RawMessage) error {
		var b B
		if err := plainjson.Decode(with, &b); err != nil {
			return err
		}
		return do(w, b)
	}
}

func (w *World) doMempool(b mempoolBody) error {
	if b.Hold != nil {
		_, err := w.hold(*b.Hold, b.Mined)
		return err
	}
	id, ok := chain.ParseHash(b.Drop)
	if !ok {
		return fmt.Errorf("drop: %q is no id of 64 hexadecimal digits", b.Drop)
	}
	_, err := w.Drop(id.Bytes(), b.Reason)
	return err
}

func (w *World) doClock(b clockBody) (err error) {
	switch {
	case b.Freeze != nil:
		_, err = w.FreezeClock(*b.Freeze)
	case b.Set != "":
		var to time.Time
		if to, err = time.Parse(time.RFC3339Nano, b.Set); err == nil {
			_, err = w.SetClock(to)
		}
	case b.Advance != "":
		var d time.Duration
		if d, err = time.ParseDuration(b.Advance); err == nil {
			_, err = w.Advance(d)
		}
	}
	return err
}

package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chainscope/mockserver/chain"
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
	if clock := w.now.clock; !clock.Frozen {
		w.wall.Store(0)
		w.replayed = e.At.UnixMilli() - clock.Ahead
		defer func() { w.replayed = 0 }()
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.lines = append(j.lines, append(line, '\n'))
	c, known := commands[e.Do]
	if !known {
		return errors.New("what to do is unknown; it is one of broadcast, mine, clock, reorg, accounts, contracts, mempool, impersonations and snapshot")
	}
	if _, err := c.do(w, e.With, true); err != nil {
		return err
	}
	if e.Do == Snapshot {
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

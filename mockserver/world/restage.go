package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Restage stages a project that has changed in place of the one before, and does again what
// was done since. It returns what no longer applies or ends otherwise, a line each. If the
// project cannot be staged, nothing changes.
func (w *World) Restage(p *engine.Project) (changed []string, err error) {
	w.changing.Lock() // readers see what was staged before meanwhile
	defer w.changing.Unlock()
	if w.journal == nil {
		return nil, errors.New("nothing was staged")
	}
	fresh := newWorld(w.name, w.shared, beginning(w.shared))
	fresh.vm = w.vm
	if err := fresh.Stage(p, func(int, int, string) {}); err != nil {
		return nil, err
	}
	j := &Journal{path: w.journal.path, header: w.journal.header, begin: w.journal.begin}
	for i, line := range w.journal.lines {
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		done := len(j.lines)
		if err := fresh.replay(e, j); err != nil {
			j.lines = j.lines[:done]
			changed = append(changed, fmt.Sprintf("%s of %s does not apply any more: %v", e.Do, e.At.Format("15:04:05"), err))
		}
		if i+1 == w.journal.begin {
			j.begin = len(j.lines)
			fresh.begin, fresh.snapshots = fresh.now, nil
		}
	}
	if err := j.write(j.lines); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer func() {
		w.until = 0
		w.mu.Unlock()
	}()
	before := w.stateAt(w.now, w.now.clock.Instant(w.wallMS()))
	w.begin, w.now, w.snapshots, w.undone, w.journal = fresh.begin, fresh.now, fresh.snapshots, nil, j
	next := *w.settled(w.now, w.now.clock.Instant(w.wallMS()))
	w.revisions++
	next.revision = w.revisions
	w.now = &next
	w.ring()
	return append(changed, otherwise(before, w.stateAt(w.now, w.now.clock.Instant(w.wallMS())))...), nil
}

// otherwise lists the transactions of blocks that end in another way than before.
func otherwise(before, now State) (lines []string) {
	for _, was := range slices.Backward(before.AllMined()) { // the oldest first
		is, known := now.Transaction(was.ID)
		if !known || is.Result == nil || was.Result == nil || endOf(is) == endOf(was) {
			continue // the first were staged, and what was not taken is reported already
		}
		lines = append(lines, fmt.Sprintf("%s (%x) answered %s, and answers %s", callOf(was), was.ID, endOf(was), endOf(is)))
	}
	return lines
}

// endOf returns how a transaction ended, in words.
func endOf(t *ledger.Tx) string {
	words := clarity.Repr(t.Result)
	if t.Error != "" {
		words += ", " + t.Error
	}
	return words
}

// callOf returns what a transaction does, in words.
func callOf(t *ledger.Tx) string {
	switch p := t.Payload.(type) {
	case stxtx.SmartContract:
		return "the deploy of " + p.Name
	case stxtx.ContractCall:
		return p.Function + " of " + p.Contract.Contract
	}
	return "the transfer"
}

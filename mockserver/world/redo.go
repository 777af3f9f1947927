package world

import "errors"

// maxUndone bounds how often Redo can go forward again.
const maxUndone = 100

// undone holds what was there before a Revert.
type undone struct {
	snapshot            // its mark is where lines were in the journal
	all      []snapshot // that there were
	lines    [][]byte
}

// ErrNothingUndone says that there is nothing to go forward to.
var ErrNothingUndone = errors.New("nothing was undone since the last change, so there is nothing to redo")

// Redo goes forward again to where the last Revert went back from, to its later
// snapshots too. A change or a snapshot in between makes that impossible.
func (w *World) Redo() (State, error) {
	w.lock()
	defer w.unlock()
	last := len(w.undone) - 1
	if last < 0 {
		return State{}, ErrNothingUndone
	}
	u := w.undone[last]
	if err := w.putBack(u.snapshot, u.lines); err != nil {
		return State{}, err
	}
	w.undone, w.snapshots = w.undone[:last:last], u.all
	return w.stateAt(w.now, u.at.instant), nil
}

// Mark is a snapshot, as it is listed.
type Mark struct {
	Name string `json:"name"`
	Tip  Tip    `json:"tip"`
}

// Course is the position of a world among its snapshots.
type Course struct {
	Snapshots []Mark `json:"snapshots"` // oldest first
	// At is the snapshot since which nothing was done, "" for none.
	At     string `json:"at"`
	Undone int    `json:"undone"` // how often Redo can go forward
	// Runs is of contracts that run; nil where none was deployed.
	Runs *Runs `json:"runs,omitempty"`
}

// Course returns where the world is among its snapshots.
func (w *World) Course() Course {
	c := w.course()
	if c.Runs != nil {
		c.Runs.Status = w.shared.Engine.Status()
	}
	return c
}

func (w *World) course() Course {
	w.mu.RLock()
	defer w.mu.RUnlock()
	c := Course{Snapshots: make([]Mark, len(w.snapshots)), Undone: len(w.undone)}
	for i, s := range w.snapshots {
		c.Snapshots[i] = Mark{s.name, w.stateAt(s.content, s.at.instant).Tip()}
		if s.content.revision == w.now.revision {
			c.At = s.name
		}
	}
	c.Runs = w.stateAt(w.now, w.now.clock.Instant(w.wallMS())).runs()
	return c
}

package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/mockserver/fault"
	"chainscope/mockserver/tokens"
)

// maxSnapshots bounds the snapshots of a world.
const maxSnapshots = 1_000

// maxNameLength bounds the name of a snapshot and of a world, in bytes.
const maxNameLength = 64

// snapshot holds what to put back in place.
type snapshot struct {
	name    string
	content *content
	at      moment
	faults  fault.State
	tokens  tokens.Requested
	mark    int // length of the journal
}

// UnknownError says that there is no snapshot of a name.
type UnknownError struct {
	Name  string
	Known []string // oldest first
}

func (e *UnknownError) Error() string {
	switch {
	case e.Name == "" && len(e.Known) == 0:
		return "no snapshot was taken, so there is nothing to go back to"
	case len(e.Known) == 0:
		return fmt.Sprintf("no snapshot %q; none was taken", e.Name)
	}
	return fmt.Sprintf("no snapshot %q; there are %s", e.Name, strings.Join(e.Known, ", "))
}

// checkSnapshotName returns an error that says what a name may be.
func checkSnapshotName(name string) error {
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return &BodyError{"name", "must be visible ASCII"}
		}
	}
	if len(name) > maxNameLength || strings.TrimSpace(name) != name {
		return &BodyError{"name", fmt.Sprintf("must have at most %d characters, and no space at its ends", maxNameLength)}
	}
	return nil
}

// Snapshot remembers what the world holds under a name, "" for the next number.
// An older snapshot of that name is forgotten.
func (w *World) Snapshot(name string) (string, State, error) {
	if err := checkSnapshotName(name); err != nil {
		return "", State{}, err
	}
	w.lock()
	defer w.unlock()
	if err := w.journal.makeSpace(); err != nil {
		return "", State{}, err
	}
	at := w.moment()
	w.now = w.settled(w.now, at.instant)
	for n := len(w.snapshots) + 1; name == ""; n++ {
		if text := strconv.Itoa(n); w.find(text) < 0 {
			name = text
		}
	}
	others := w.snapshots
	if i := w.find(name); i >= 0 {
		others = append(others[:i:i], others[i+1:]...)
	}
	if len(others) >= maxSnapshots {
		return "", State{}, fmt.Errorf("there are %d snapshots already; revert to one, or reset", maxSnapshots)
	}
	if err := w.journal.note(w.now.clock, at.instant, Snapshot, nameBody{name}); err != nil {
		return "", State{}, err
	}
	w.snapshots = append(others, snapshot{name, w.now, at, w.Faults.State(), w.Tokens.Requested(), w.journal.length()})
	w.undone = nil
	return name, w.stateAt(w.now, at.instant), nil
}

// Snapshots lists the names of the snapshots, oldest first.
func (w *World) Snapshots() []string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.names()
}

func (w *World) names() []string {
	names := make([]string, len(w.snapshots))
	for i, s := range w.snapshots {
		names[i] = s.name
	}
	return names
}

func (w *World) find(name string) int {
	return slices.IndexFunc(w.snapshots, func(s snapshot) bool { return s.name == name })
}

// Revert puts back what the world held when a snapshot was taken: chain,
// mempool, ledgers, clock, contracts, faults and tokens in progress. Snapshots
// taken later are forgotten. An unknown name is an *UnknownError.
func (w *World) Revert(to string) (State, error) {
	w.lock()
	defer w.unlock()
	i := w.find(to)
	if i < 0 {
		return State{}, &UnknownError{to, w.names()}
	}
	return w.revert(i)
}

// RevertLast returns Revert to the last snapshot, and returns its name. It is an
// *UnknownError if none was taken.
func (w *World) RevertLast() (string, State, error) {
	w.lock()
	defer w.unlock()
	i := len(w.snapshots) - 1
	if i < 0 {
		return "", State{}, &UnknownError{}
	}
	name := w.snapshots[i].name
	state, err := w.revert(i)
	return name, state, err
}

// revert goes back to a snapshot by its index. The caller must have called lock.
func (w *World) revert(i int) (State, error) {
	s := w.snapshots[i]
	present := snapshot{"", w.now, w.moment(), w.Faults.State(), w.Tokens.Requested(), s.mark}
	gone := undone{present, w.snapshots, w.journal.after(s.mark)}
	if err := w.putBack(s, nil); err != nil {
		return State{}, err
	}
	w.undone = append(w.undone[max(0, len(w.undone)-maxUndone+1):], gone)
	w.snapshots = w.snapshots[: i+1 : i+1]
	return w.stateAt(w.now, s.at.instant), nil
}

// putBack puts what was held at another time in place of what is held now, and lines
// in place of what the journal has since. If the journal cannot be written, nothing
// changes. The caller must have called lock.
func (w *World) putBack(s snapshot, lines [][]byte) error {
	wall := w.wallMS()
	back := *s.content
	back.clock = back.clock.Moved(s.at.instant, wall) // it shows then what it showed
	if err := w.journal.replace(s.mark, lines, back.clock, s.at.instant); err != nil {
		return err
	}
	w.now = &back
	w.ring()
	ago := time.Duration(wall-s.at.wall) * time.Millisecond
	w.Faults.Restore(s.faults, ago)
	w.Tokens.Restore(s.tokens, ago)
	return nil
}

// Reset forgets everything that was done to the world, its snapshots too; the
// clock goes back to the wall clock, or to where it was at first. Scenario and
// tokens in progress stay.
func (w *World) Reset() (State, error) {
	w.lock()
	defer w.unlock()
	wall := w.shared.Now().UnixMilli()
	instant := w.begin.clock.Instant(wall)
	if err := w.journal.replace(0, nil, w.begin.clock, instant); err != nil {
		return State{}, err
	}
	defer w.ring()
	w.wall.Store(wall)
	w.snapshots, w.undone = nil, nil
	w.now = w.settled(w.begin, instant)
	return w.stateAt(w.now, instant), nil
}

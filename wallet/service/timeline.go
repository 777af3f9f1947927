package service

import (
	"encoding/json"
	"slices"
	"sync"
)

// Bounds of the timeline.
const (
	maxCalls    = 1000    // calls in memory
	maxField    = 1 << 20 // bytes of one field on disk
	maxLog      = 8 << 20 // bytes of the log on disk
	shortenEach = 32      // lines after which the size of the log is checked
)

// timeline holds the finished calls: those of this process and, once loaded,
// those of earlier ones and of other processes.
type timeline struct {
	store Store  // nil for none: what came is then in memory alone
	api   string // whose calls it has, "" for all

	mu       sync.Mutex
	calls    []Call          // newest last
	byTxID   map[string]Call // those that signed a transaction, by its bare id
	lastID   uint64
	appended int
	// own are the keys of the calls that were kept by this process, the newest
	// last; forgotten is how many before them are not remembered any more.
	own       []string
	forgotten uint64
}

// cut is a line of the log that takes calls back which are before it.
type cut struct {
	Forgotten []string `json:"forgotten"` // their keys
}

// nextID returns the id of a new call.
func (t *timeline) nextID() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lastID++
	return t.lastID
}

// add puts a finished call into memory.
func (t *timeline) add(c Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, c)
	t.index(c)
	t.own = append(t.own, c.Key())
	if n := len(t.own) - maxCalls; n > 0 {
		t.own, t.forgotten = slices.Delete(t.own, 0, n), t.forgotten+uint64(n)
	}
	if n := len(t.calls) - maxCalls; n > 0 {
		for _, old := range t.calls[:n] {
			if id := bareID(old.TxID); t.byTxID[id].Key() == old.Key() {
				delete(t.byTxID, id)
			}
		}
		t.calls = slices.Delete(t.calls, 0, n)
	}
}

// count returns how many calls this process has kept.
func (t *timeline) count() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.forgotten + uint64(len(t.own))
}

// owns reports whether this process has kept a call.
func (t *timeline) owns(c Call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Contains(t.own, c.Key())
}

// forgetAfter takes back the calls that this process has kept since there were
// so many, in memory and in the log, and returns those that were in memory.
func (t *timeline) forgetAfter(count uint64) ([]Call, error) {
	t.mu.Lock()
	store := 0
	if count > t.forgotten {
		store = int(min(count-t.forgotten, uint64(len(t.own))))
	}
	keys := slices.Clone(t.own[store:])
	t.own = t.own[:store]
	gone := t.drop(keys)
	t.mu.Unlock()
	if len(keys) == 0 || t.store == nil {
		return gone, nil
	}
	return gone, t.store.Append(timelineLog, cut{keys})
}

// drop takes calls out of memory and returns them. The caller must hold t.mu.
func (t *timeline) drop(keys []string) (dropped []Call) {
	gone := make(map[string]bool, len(keys))
	for _, k := range keys {
		gone[k] = true
	}
	kept := t.calls[:0:0]
	for _, c := range t.calls {
		if gone[c.Key()] {
			dropped = append(dropped, c)
		} else {
			kept = append(kept, c)
		}
	}
	t.calls, t.byTxID = kept, nil
	for _, c := range t.calls {
		t.index(c)
	}
	return dropped
}

// index lets a call be found by the transaction that it signed. The caller must
// hold t.mu.
func (t *timeline) index(c Call) {
	if c.TxID == "" {
		return
	}
	if t.byTxID == nil {
		t.byTxID = map[string]Call{}
	}
	t.byTxID[bareID(c.TxID)] = c
}

// signed returns the newest call that signed a transaction.
func (t *timeline) signed(bareID string) (Call, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, there := t.byTxID[bareID]
	return c, there
}

// sent returns the newest calls whose transactions were sent.
func (t *timeline) sent(most int) (calls []Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range slices.Backward(t.calls) {
		if c.Posted() && len(calls) < most {
			calls = append(calls, c)
		}
	}
	return calls
}

// all returns the calls, the oldest first.
func (t *timeline) all() []Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.calls)
}

// refusedInARow counts the newest calls that were refused like this one.
func (t *timeline) refusedInARow(like Call) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, c := range slices.Backward(t.calls) {
		if n == maxRefusals || c.Decision != OriginRefused || c.Origin != like.Origin || c.Error == nil || c.Error.Code != like.Error.Code {
			break
		}
		n++
	}
	return n
}

// write appends a finished call to the log. Fields that are too long are left
// out and named in Cut.
func (t *timeline) write(c Call) error {
	if t.store == nil {
		return nil
	}
	for _, f := range []struct {
		name  string
		value *json.RawMessage
	}{{"params", &c.Params}, {"result", &c.Result}} {
		if len(*f.value) > maxField {
			*f.value, c.Cut = nil, append(c.Cut, f.name)
		}
	}
	if c.Received != nil {
		switch {
		case len(c.Received.Params) > maxField:
			c.Received, c.Cut = &Received{Method: c.Received.Method}, append(c.Cut, "received")
		case !c.Changed():
			c.Received = nil // it is what was requested
		}
	}
	if err := t.store.Append(timelineLog, c); err != nil {
		return err
	}
	t.mu.Lock()
	t.appended++
	check := t.appended%shortenEach == 1
	t.mu.Unlock()
	if !check {
		return nil
	}
	return t.store.Shorten(timelineLog, maxLog)
}

// load reads the calls on disk in place of those in memory.
func (t *timeline) load() error {
	if t.store == nil {
		return nil
	}
	lines, err := t.store.Last(timelineLog, maxCalls)
	if err != nil {
		return err
	}
	var calls []Call
	for _, l := range lines {
		var removal cut
		if json.Unmarshal(l, &removal) == nil && len(removal.Forgotten) > 0 {
			calls = slices.DeleteFunc(calls, func(c Call) bool { return slices.Contains(removal.Forgotten, c.Key()) })
			continue
		}
		var c Call
		if json.Unmarshal(l, &c) != nil {
			continue // of another version
		}
		if c.Received == nil && c.Wallet != "" && !slices.Contains(c.Cut, "received") {
			c.Received = &Received{c.Method, c.Params}
		}
		calls = append(calls, c)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range calls {
		t.lastID = max(t.lastID, c.ID) // so that no call of this run takes the id of one on screen
	}
	t.calls = slices.DeleteFunc(calls, func(c Call) bool { return t.api != "" && c.API != "" && c.API != t.api })
	t.drop(nil)
	return nil
}

// Timeline returns the calls, the newest first. Those under way come before the
// finished ones.
func (s *Service) Timeline() []Call {
	calls := s.timeline.all()
	s.mu.Lock()
	for _, c := range s.calls {
		calls = append(calls, c.Call)
	}
	s.mu.Unlock()
	slices.Reverse(calls)
	return calls
}

// store puts a finished call into the timeline and announces it.
func (s *Service) store(c Call) {
	s.mu.Lock()
	s.undone = nil
	s.mu.Unlock()
	s.timeline.add(c)
	s.messages.put(CallChanged{c})
	s.notify(c)
	if err := s.timeline.write(c); err != nil {
		s.messages.put(Notice{Text: "the timeline was not stored: " + err.Error(), Bad: true})
	}
}

// notify reports a call of this process.
func (s *Service) notify(c Call) {
	if s.options.OnCall != nil && s.timeline.owns(c) {
		s.options.OnCall(c, s.AccountOf(c))
	}
}

// ReadAdded reads the timeline again if it is another on disk than when it was read last, and the
// connection, which other processes change with a call.
func (s *Service) ReadAdded() {
	if s.timeline.store == nil {
		return
	}
	version := s.timeline.store.Version(timelineLog)
	s.mu.Lock()
	same := version == s.added
	s.mu.Unlock()
	if !same {
		s.loadTimeline()
		s.messages.put(TimelineCut{})
		s.ReadConnection()
		s.messages.put(stateMoved{})
	}
}

// loadTimeline reads the calls of earlier runs, and of other chainscopes.
func (s *Service) loadTimeline() {
	if s.timeline.store != nil {
		version := s.timeline.store.Version(timelineLog)
		s.mu.Lock()
		s.added = version
		s.mu.Unlock()
	}
	if err := s.timeline.load(); err != nil {
		s.messages.put(Notice{Text: "the timeline cannot be read: " + err.Error(), Bad: true})
	}
}

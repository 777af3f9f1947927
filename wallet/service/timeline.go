package service

import (
	"encoding/json"
	"slices"
)

// What is kept of the timeline.
const (
	maxCalls    = 1000    // calls in memory
	maxField    = 1 << 20 // bytes of one field on disk
	maxLog      = 8 << 20 // bytes of the log on disk
	shortenEach = 32      // lines after which the log is looked at
)

// Timeline returns the calls, the newest first.
func (s *Service) Timeline() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := slices.Clone(s.timeline)
	for _, c := range s.calls {
		calls = append(calls, c.Call)
	}
	slices.Reverse(calls)
	return calls
}

// keep puts a finished call into memory; s.mu is held.
func (s *Service) keep(c Call) {
	s.timeline = append(s.timeline, c)
	if n := len(s.timeline) - maxCalls; n > 0 {
		s.timeline = slices.Delete(s.timeline, 0, n)
	}
}

// write puts a finished call on disk. What is too long is left out by name.
func (s *Service) write(c Call) {
	if s.options.Store == nil {
		return
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
			c.Received = nil // it is what was asked for
		}
	}
	err := s.options.Store.Append(TimelineLog, c)
	s.mu.Lock()
	s.appended++
	look := s.appended%shortenEach == 1
	s.mu.Unlock()
	if err == nil && look {
		err = s.options.Store.Shorten(TimelineLog, maxLog)
	}
	if err != nil {
		s.messages.put(Notice{Text: "the timeline was not kept: " + err.Error(), Bad: true})
	}
}

// loadTimeline reads the calls of earlier runs, and of other chainscopes.
func (s *Service) loadTimeline() {
	if s.options.Store == nil {
		return
	}
	lines, err := s.options.Store.Last(TimelineLog, maxCalls)
	if err != nil {
		s.messages.put(Notice{Text: "the timeline cannot be read: " + err.Error(), Bad: true})
		return
	}
	var calls []Call
	for _, l := range lines {
		var c Call
		if json.Unmarshal(l, &c) != nil {
			continue // of another version
		}
		if c.Received == nil && c.Wallet != "" && !slices.Contains(c.Cut, "received") {
			c.Received = &Received{c.Method, c.Params}
		}
		calls = append(calls, c)
	}
	s.mu.Lock()
	s.timeline = calls
	for _, c := range calls {
		s.lastID = max(s.lastID, c.ID) // so that no call of this run takes the id of one on screen
	}
	s.mu.Unlock()
}

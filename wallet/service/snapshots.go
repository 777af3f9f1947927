package service

import (
	"errors"
	"maps"
	"slices"

	"chainscope/wallet/provider"
)

// maxSnapshots bounds the snapshots that are remembered, as the mock bounds its own.
const maxSnapshots = 1000

// snapshot holds what the wallet held when a snapshot of its chain was taken. Nonces are
// not in it: they are requested of the chain, which has gone back itself.
type snapshot struct {
	name       string
	connection map[string]string // what the connection library had stored
	mocks      map[provider.Personality]provider.Permission
	pages      map[string]provider.Permission // by origin
	calls      uint64                         // how many were kept by then
}

// undone holds what Revert went back from.
type undone struct {
	snapshot
	later []snapshot // all that were remembered
	calls []Call     // that were taken out of the timeline
}

// Snapshot remembers what was connected and what was called, under the name of
// a snapshot of the mock chain that was taken.
func (s *Service) Snapshot(name string) {
	m, err := s.present(name)
	if err != nil {
		return // reported to the user when it was read first
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.undone = nil
	s.snapshots = slices.DeleteFunc(s.snapshots, func(old snapshot) bool { return old.name == name })
	s.snapshots = append(s.snapshots[max(0, len(s.snapshots)-maxSnapshots+1):], m)
}

// present returns what the wallet holds now.
func (s *Service) present(name string) (snapshot, error) {
	connection, err := s.connection.All()
	m := snapshot{name: name, connection: connection, mocks: map[provider.Personality]provider.Permission{}, calls: s.timeline.count()}
	for p, mock := range s.mocks {
		m.mocks[p] = mock.Permission()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bridge != nil {
		m.pages = map[string]provider.Permission{}
		s.bridge.wallets.each(func(origin string, page *provider.Mock) { m.pages[origin] = page.Permission() })
	}
	return m, err
}

// Revert goes back to a snapshot of the mock chain, which has gone back itself:
// connections and timeline are again what they were, and later snapshots are
// forgotten. It does nothing for a snapshot that it has no record of.
func (s *Service) Revert(to string) {
	present, err := s.present("")
	if err != nil {
		return // reported to the user when it was read first
	}
	s.mu.Lock()
	i := slices.IndexFunc(s.snapshots, func(m snapshot) bool { return m.name == to })
	if i < 0 {
		s.mu.Unlock()
		return
	}
	m, later := s.snapshots[i], s.snapshots
	s.snapshots = s.snapshots[: i+1 : i+1]
	s.mu.Unlock()
	gone, err := s.timeline.forgetAfter(m.calls)
	s.mu.Lock()
	s.undone = append(s.undone[max(0, len(s.undone)-maxSnapshots+1):], undone{present, later, gone})
	s.mu.Unlock()
	s.putBack(m, err)
}

// Redo goes forward to where the last Revert went back from, as the mock chain
// has done itself. It does nothing when something was called or remembered since.
func (s *Service) Redo() {
	s.mu.Lock()
	last := len(s.undone) - 1
	if last < 0 {
		s.mu.Unlock()
		return
	}
	u := s.undone[last]
	s.undone, s.snapshots = s.undone[:last], u.later
	s.mu.Unlock()
	var failed error
	for _, c := range u.calls {
		s.timeline.add(c)
		failed = errors.Join(failed, s.timeline.write(c))
	}
	s.putBack(u.snapshot, failed)
}

// putBack gives the wallet the connections of a snapshot, and says what has failed.
func (s *Service) putBack(m snapshot, failed error) {
	s.mu.Lock()
	clear(s.transactions)
	s.reverted = s.requests
	if s.bridge != nil {
		s.bridge.wallets.each(func(origin string, page *provider.Mock) { page.SetPermission(m.pages[origin]) })
	}
	s.mu.Unlock()
	for p, mock := range s.mocks {
		mock.SetPermission(m.mocks[p])
	}
	err := s.connection.update(func(all map[string]string) {
		clear(all)
		maps.Copy(all, m.connection)
	})
	if err := errors.Join(failed, err); err != nil {
		s.messages.put(Notice{Text: "the wallet went back only in part: " + err.Error(), Bad: true})
	}
	s.ReadConnection()
	s.messages.put(TimelineCut{})
	s.messages.put(stateMoved{})
}

// ForgetSnapshots forgets all snapshots, as the mock chain does when it is reset.
func (s *Service) ForgetSnapshots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshots, s.undone = nil, nil
}

package service

import (
	"maps"
	"slices"

	"chainscope/wallet/bridge"
)

// Origin is an origin of web pages that was decided about.
type Origin struct {
	Origin  string // untrusted text
	Blocked bool   // otherwise it is allowed
}

// origins remembers decisions, on disk when there is a store. It is the
// [bridge.Origins] of every bridge.
type origins struct{ kept *Strings }

// Access returns what was decided about an origin.
func (o origins) Access(origin string) (bridge.Access, error) {
	value, there, err := o.kept.Get(origin)
	switch {
	case err != nil || !there:
		return bridge.Undecided, err
	case value == string(bridge.Allowed):
		return bridge.Allowed, nil
	}
	return bridge.Blocked, nil // what is not understood is not allowed
}

// SetAccess stores a decision; [bridge.Undecided] forgets the origin.
func (o origins) SetAccess(origin string, access bridge.Access) error {
	if access == bridge.Undecided {
		return o.kept.Remove(origin)
	}
	return o.kept.Set(origin, string(access))
}

// Origins lists the origins that were decided about, by name. It reads the
// disk.
func (s *Service) Origins() ([]Origin, error) {
	all, err := s.origins.kept.All()
	if err != nil {
		return nil, err
	}
	var list []Origin
	for _, o := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Origin{o, all[o] != string(bridge.Allowed)})
	}
	return list, nil
}

// SetOrigin allows, blocks or, with [bridge.Undecided], forgets an origin. It
// writes to the disk. What waits of a blocked origin is withdrawn.
func (s *Service) SetOrigin(origin string, access bridge.Access) error {
	if b := s.currentBridge(); b != nil && access == bridge.Blocked {
		return b.server.Block(origin)
	}
	return s.origins.SetAccess(origin, access)
}

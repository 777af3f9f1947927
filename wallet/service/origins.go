package service

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Origin is an origin of web pages that a person has decided about.
type Origin struct {
	Origin  string // untrusted text
	Blocked bool   // else it is allowed
}

// What is written about an origin.
const (
	allowedOrigin = "allowed"
	blockedOrigin = "blocked"
)

// origins remembers what was decided, on disk when there is a store.
type origins struct{ kept keptStrings }

// keptStrings is a [state.Strings], or one in memory.
type keptStrings interface {
	All() (map[string]string, error)
	Set(key, value string) error
	Remove(key string) error
}

func newOrigins(store Store) origins {
	if store == nil {
		return origins{&memory{}}
	}
	return origins{NewStrings(store, OriginsDocument)}
}

// Origins lists what was decided, by name. It reads the disk.
func (s *Service) Origins() ([]Origin, error) {
	all, err := s.origins.kept.All()
	if err != nil {
		return nil, err
	}
	var list []Origin
	for _, o := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Origin{o, all[o] != allowedOrigin})
	}
	return list, nil
}

// SetOrigin allows, blocks or, with [RefuseOrigin], forgets an origin. It
// writes to the disk. What waits of a blocked origin is withdrawn.
func (s *Service) SetOrigin(origin string, c OriginChoice) error {
	switch c {
	case AllowOrigin:
		return s.origins.kept.Set(origin, allowedOrigin)
	case BlockOrigin:
		return s.block(origin)
	case RefuseOrigin:
		return s.origins.kept.Remove(origin)
	}
	return fmt.Errorf("there is no choice %d about an origin", c)
}

// memory keeps strings as long as the process.
type memory struct {
	mu  sync.Mutex
	all map[string]string
}

func (m *memory) All() (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.all), nil
}

func (m *memory) Set(key, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[string]string{}
	}
	m.all[key] = value
	return nil
}

func (m *memory) Remove(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, key)
	return nil
}

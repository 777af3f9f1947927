package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"sync"
)

// Store keeps documents and logs across runs, each under a name. Writes are
// atomic, and safe with other processes at the same store.
type Store interface {
	// Get reads a document into a value that json.Unmarshal takes, and reports
	// whether there was one. What cannot be decoded is set aside.
	Get(name string, into any) (bool, error)
	// Update replaces a document under a lock; old is nil when there is none.
	Update(name string, change func(old json.RawMessage) (any, error)) error
	// Append adds a line to a log.
	Append(log string, value any) error
	// Shorten drops the oldest lines of a log that is longer than limit bytes.
	Shorten(log string, limit int64) error
	// Last returns up to n of the newest lines of a log, the oldest first.
	Last(log string, n int) ([]json.RawMessage, error)
	// Version is another text whenever a log has changed.
	Version(log string) string
}

// Strings keeps strings by key in one document of a store. It is the
// [wallet.Storage] of the connection library.
type Strings struct {
	store    Store // nil for none: the strings end with the process
	document string

	mu     sync.Mutex
	memory map[string]string // without a store
}

// Get returns the value of a key and reports whether there is one.
func (s *Strings) Get(key string) (value string, there bool, err error) {
	all, err := s.All()
	value, there = all[key]
	return value, there, err
}

// Set stores a value; it is on disk once Set returns.
func (s *Strings) Set(key, value string) error {
	return s.update(func(all map[string]string) { all[key] = value })
}

// Remove forgets a key; it is no error when the key is not there.
func (s *Strings) Remove(key string) error {
	return s.update(func(all map[string]string) { delete(all, key) })
}

// All returns every key with its value.
func (s *Strings) All() (map[string]string, error) {
	all := map[string]string{}
	if s.store == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		maps.Copy(all, s.memory)
		return all, nil
	}
	_, err := s.store.Get(s.document, &all)
	return all, err
}

func (s *Strings) update(change func(all map[string]string)) error {
	if s.store == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.memory == nil {
			s.memory = map[string]string{}
		}
		change(s.memory)
		return nil
	}
	// Get sets aside a document that holds something else, so that it is not
	// overwritten.
	if _, err := s.All(); err != nil {
		return err
	}
	return s.store.Update(s.document, func(old json.RawMessage) (any, error) {
		all := map[string]string{}
		if old != nil {
			if err := json.Unmarshal(old, &all); err != nil {
				return nil, fmt.Errorf("%s holds something other than strings: %w", s.document, err)
			}
		}
		if all == nil { // the document was null
			all = map[string]string{}
		}
		change(all)
		return all, nil
	})
}

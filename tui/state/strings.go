package state

import "maps"

// Strings keeps strings by key in one document, as a browser's localStorage
// does. It is what the wallet's connection library asks for.
type Strings struct {
	store *Store
	name  string
}

// Strings returns the keyed strings kept in a document.
func (s *Store) Strings(name string) *Strings { return &Strings{s, name} }

// Get returns the value of a key and whether there is one.
func (m *Strings) Get(key string) (value string, there bool, err error) {
	all, err := m.All()
	value, there = all[key]
	return value, there, err
}

// Set stores a value; it is on disk once Set returns.
func (m *Strings) Set(key, value string) error {
	return Update(m.store, m.name, func(all *map[string]string) error {
		if *all == nil {
			*all = map[string]string{}
		}
		(*all)[key] = value
		return nil
	})
}

// Remove forgets a key; one that is not there is no error.
func (m *Strings) Remove(key string) error {
	return Update(m.store, m.name, func(all *map[string]string) error {
		kept := map[string]string{}
		maps.Copy(kept, *all)
		delete(kept, key)
		*all = kept
		return nil
	})
}

// All returns every key with its value.
func (m *Strings) All() (map[string]string, error) {
	all := map[string]string{}
	_, err := m.store.Get(m.name, &all)
	return all, err
}

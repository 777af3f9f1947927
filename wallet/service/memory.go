package service

import (
	"encoding/json"
	"sync"
)

// memoryStore is [Documents] that end with the process. The zero value is empty.
type memoryStore struct {
	mu        sync.Mutex
	documents map[string]json.RawMessage
}

// Get reads a document.
func (m *memoryStore) Get(name string, into any) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	raw, there := m.documents[name]
	if !there {
		return false, nil
	}
	return true, json.Unmarshal(raw, into)
}

// Update replaces a document.
func (m *memoryStore) Update(name string, change func(old json.RawMessage) (any, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, err := change(m.documents[name])
	if err != nil {
		return err
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if m.documents == nil {
		m.documents = map[string]json.RawMessage{}
	}
	m.documents[name] = raw
	return nil
}

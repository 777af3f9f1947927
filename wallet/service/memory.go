package service

import (
	"encoding/json"
	"sync"
)

// memoryLines bounds the lines of a log in memory.
const memoryLines = 2 * maxCalls

// memoryStore is a [Store] that ends with the process. The zero value is empty.
type memoryStore struct {
	mu        sync.Mutex
	documents map[string]json.RawMessage
	logs      map[string][]json.RawMessage
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

// Append adds a line to a log.
func (m *memoryStore) Append(log string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.logs == nil {
		m.logs = map[string][]json.RawMessage{}
	}
	lines := append(m.logs[log], raw)
	m.logs[log] = lines[max(0, len(lines)-memoryLines):]
	return nil
}

// Shorten does nothing: a log in memory is bounded as it is.
func (m *memoryStore) Shorten(string, int64) error { return nil }

// Last returns up to n of the newest lines of a log, the oldest first.
func (m *memoryStore) Last(log string, n int) ([]json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	lines := m.logs[log]
	return lines[max(0, len(lines)-n):], nil
}

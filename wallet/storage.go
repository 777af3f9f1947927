package wallet

import "sync"

// Keys that the library writes to its [Storage].
const (
	keyAddresses = "@stacks/connect"    // the connection record, see [Record]
	keySelected  = "STX_PROVIDER"       // the id of the remembered wallet, plain text
	keySession   = "blockstack-session" // the empty session of version 7 that Disconnect leaves behind
)

// emptySession is the session of version 7 with no user signed in.
const emptySession = `{}`

// Storage keeps strings by key across runs, as a browser's localStorage does.
// Implementations are safe for concurrent use.
type Storage interface {
	// Get returns the value of a key and whether there is one.
	Get(key string) (value string, there bool, err error)
	// Set stores a value, durably once it returns.
	Set(key, value string) error
	// Remove forgets a key; a key that is not there is no error.
	Remove(key string) error
}

// MemoryStorage is a [Storage] that ends with the process. The zero value is
// empty and ready.
type MemoryStorage struct {
	mu     sync.Mutex
	values map[string]string
}

// Get returns the value of a key.
func (m *MemoryStorage) Get(key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, there := m.values[key]
	return v, there, nil
}

// Set stores a value.
func (m *MemoryStorage) Set(key, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string]string{}
	}
	m.values[key] = value
	return nil
}

// Remove forgets a key.
func (m *MemoryStorage) Remove(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
	return nil
}

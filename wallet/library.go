package wallet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"chainscope/wallet/provider"
)

// Library is one page's connection library. It is safe for concurrent use.
type Library struct{ config Config }

// Config holds what a [Library] works with.
type Config struct {
	Storage  Storage   // nil keeps everything in memory
	Registry *Registry // nil is an empty one
	// Selector picks a wallet. Without one, a request that would
	// need it resolves to nothing, as the library does outside a browser.
	Selector Selector
	Now      func() time.Time // nil is the real clock; dates the record
	// Warn takes what the library would write to the console: storage that
	// could not be read or written. Nil drops it.
	Warn func(message string, err error)
}

// New returns a library.
func New(c Config) *Library {
	if c.Storage == nil {
		c.Storage = &MemoryStorage{}
	}
	if c.Registry == nil {
		c.Registry = &Registry{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Warn == nil {
		c.Warn = func(string, error) {}
	}
	return &Library{c}
}

// Registry returns the wallets of the page.
func (l *Library) Registry() *Registry { return l.config.Registry }

// Connect makes the user select a wallet and requests its addresses
// (getAddresses). The selector opens whatever the options say about it, and
// with that the option Provider is ignored. Network is passed on as the
// method's param when it is not empty.
//
// The answer is the whole result of the method, public keys included.
func (l *Library) Connect(ctx context.Context, o Options, network string) (json.RawMessage, error) {
	o.ForceWalletSelect = new(true)
	var params any
	if network != "" {
		params = map[string]any{"network": network}
	}
	return l.Request(ctx, o, "getAddresses", params)
}

// Disconnect forgets the remembered wallet and the addresses. A wallet that is a
// [provider.Disconnecter] is called first.
func (l *Library) Disconnect() error {
	if d, ok := l.SelectedProvider().(provider.Disconnecter); ok {
		d.Disconnect()
	}
	return errors.Join(
		l.config.Storage.Remove(keySelected),
		l.config.Storage.Remove(keyAddresses),
		l.config.Storage.Set(keySession, emptySession),
	)
}

// IsConnected reports whether an address is stored. It sends no request.
func (l *Library) IsConnected() bool { return l.LocalStorage().Connected() }

// LocalStorage returns the stored record, nil when there is none or it cannot
// be read.
func (l *Library) LocalStorage() *Record {
	stored, there, err := l.config.Storage.Get(keyAddresses)
	if err == nil && (!there || stored == "") {
		return nil
	}
	var record *Record
	if err == nil {
		record, err = parseRecord(stored)
	}
	if err != nil {
		l.config.Warn("Failed to get data from localStorage:", err)
		return nil
	}
	return record
}

// ClearLocalStorage forgets the addresses and nothing else.
func (l *Library) ClearLocalStorage() {
	if err := l.config.Storage.Remove(keyAddresses); err != nil {
		l.config.Warn("Failed to clear localStorage:", err)
	}
}

// SelectedProviderID returns the id of the remembered wallet, "" for none.
func (l *Library) SelectedProviderID() string {
	id, _, err := l.config.Storage.Get(keySelected)
	if err != nil {
		l.config.Warn("Failed to get the selected provider:", err)
		return ""
	}
	return id
}

// SetSelectedProviderID remembers a wallet.
func (l *Library) SetSelectedProviderID(id string) error {
	return l.config.Storage.Set(keySelected, id)
}

// ClearSelectedProviderID forgets the remembered wallet.
func (l *Library) ClearSelectedProviderID() error { return l.config.Storage.Remove(keySelected) }

// IsProviderSelected reports whether a wallet is remembered, whether or not it is
// still there.
func (l *Library) IsProviderSelected() bool { return l.SelectedProviderID() != "" }

// SelectedProvider returns the remembered wallet, nil when there is none or it
// is gone.
func (l *Library) SelectedProvider() provider.Provider {
	id := l.SelectedProviderID()
	if id == "" {
		return nil
	}
	return l.config.Registry.Lookup(id)
}

// store merges the addresses of a result into the record. The error is an
// exception that the library lets escape; a storage that fails is only a
// warning.
func (l *Library) store(addresses any) error {
	var current *object
	stored, there, err := l.config.Storage.Get(keyAddresses)
	if err == nil && there && stored != "" {
		current, err = decodeRecord(stored)
	}
	if err != nil {
		l.config.Warn("Failed to get data from localStorage:", err)
		current = nil
	}
	merged, exception, failure := mergeRecord(current, addresses, l.config.Now())
	if exception != nil {
		return exception
	}
	if failure == nil {
		var text json.RawMessage
		if text, failure = write(merged); failure == nil {
			failure = l.config.Storage.Set(keyAddresses, hex.EncodeToString(text))
		}
	}
	if failure != nil {
		l.config.Warn("Failed to store data in localStorage:", failure)
	}
	return nil
}

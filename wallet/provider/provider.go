package provider

import (
	"context"
	"encoding/json"
)

// Provider is a wallet as the connection library sees it: an object with one
// function, request(method, params).
//
// Params is nil for a call without params. The answer is the text of the
// JSON-RPC envelope the wallet resolves with, nil when it resolves with nothing.
// An error is what the wallet rejects with: a [*Rejection] rejects with any
// value, a [*chainscope/wallet/jsonrpc.Error] with an error that has a code, and
// any other error with a plain one.
type Provider interface {
	Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// Disconnecter is a provider that wants to know when the page disconnects.
type Disconnecter interface {
	Disconnect()
}

// Rejection is a rejection with a value that is not an error: an envelope (as
// Leather does), a string, nothing.
type Rejection struct {
	Value json.RawMessage // nil is JavaScript's undefined
}

// Error returns what was rejected with.
func (r *Rejection) Error() string {
	if r.Value == nil {
		return "the provider rejected with undefined"
	}
	return "the provider rejected with " + string(r.Value)
}

// Traits are the marks by which the connection library recognizes wallets. A
// provider without them is a plain wallet.
type Traits struct {
	IsLeather bool // the object has a true isLeather
	IsFordefi bool // the object has a true isFordefi
	// XverseFunctions: the object has both signMultipleTransactions and
	// createRepeatInscriptions.
	XverseFunctions bool
}

// Marked is a provider with traits.
type Marked interface {
	Traits() Traits
}

// Kind is a kind of wallet that the connection library treats alike.
type Kind string

// The kinds of wallets.
const (
	Plain   Kind = "plain"
	Leather Kind = "leather"
	Xverse  Kind = "xverse" // Xverse, and Fordefi which is treated as if it were
)

// KindOf returns the kind of a provider as the library does: Fordefi first, then
// Xverse by its functions, then Leather.
func KindOf(p Provider) Kind {
	marked, ok := p.(Marked)
	if !ok {
		return Plain
	}
	switch t := marked.Traits(); {
	case t.IsFordefi, t.XverseFunctions && !t.IsLeather:
		return Xverse
	case t.IsLeather:
		return Leather
	}
	return Plain
}

// Descriptor is a wallet as it registers itself (WBIP-004).
type Descriptor struct {
	ID                string   `json:"id"` // a dotted path, as in XverseProviders.BitcoinProvider
	Name              string   `json:"name"`
	Icon              string   `json:"icon,omitempty"` // a data URL
	WebURL            string   `json:"webUrl,omitempty"`
	ChromeWebStoreURL string   `json:"chromeWebStoreUrl,omitempty"`
	MozillaAddOnsURL  string   `json:"mozillaAddOnsUrl,omitempty"`
	GooglePlayURL     string   `json:"googlePlayStoreUrl,omitempty"`
	IOSAppStoreURL    string   `json:"iOSAppStoreUrl,omitempty"`
	Methods           []string `json:"methods,omitempty"`
}

// InstallURL returns where the selector sends a user whose browser is not known to
// it: a browser store, else the wallet's page, else a phone's store.
func (d Descriptor) InstallURL() string {
	for _, url := range []string{d.ChromeWebStoreURL, d.MozillaAddOnsURL, d.WebURL, d.IOSAppStoreURL, d.GooglePlayURL} {
		if url != "" {
			return url
		}
	}
	return ""
}

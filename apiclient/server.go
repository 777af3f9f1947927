package apiclient

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode"
)

// Service is a part of an API that a server may be without.
type Service string

// The services that differ by their paths.
const (
	TokenMetadata Service = "token metadata"
	NameRegistry  Service = "names"
	NodeCalls     Service = "node"
)

// The names of the two networks.
const (
	Mainnet = "mainnet"
	Testnet = "testnet"
)

// serviceOf returns the service that a URL belongs to, "" for the API itself.
func serviceOf(address string) Service {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return ""
	case strings.Contains(u.Path, "/metadata/"):
		return TokenMetadata
	case strings.Contains(u.Path, "/v1/namespaces"), strings.Contains(u.Path, "/v1/names"):
		return NameRegistry
	case strings.Contains(u.Path, "/v2/") && !strings.Contains(u.Path, "/extended/"):
		return NodeCalls
	}
	return ""
}

// About describes a server, as far as it is known.
type About struct {
	// Network is Mainnet, Testnet, or "" where it is not known. A network of developers has the
	// addresses of testnet and counts as such.
	Network string
	// Guessed says that the server does not say its network: Network is that of the addresses
	// which it shows.
	Guessed bool
	// Stale says that another server may be there since it said so.
	Stale bool
	// Mock says that it is a mock, which takes the addresses of both networks.
	Mock bool
	// Services are those that answered (true), or that the server does not serve (false).
	Services map[Service]bool
}

// Foreign reports whether the addresses of a network mean nothing to the server. Where its
// network is unknown, none are foreign.
func (a About) Foreign(network string) bool {
	return !a.Mock && !a.Guessed && a.Network != "" && a.Network != network
}

// Lacks reports whether the server is known not to serve a service.
func (a About) Lacks(s Service) bool {
	has, known := a.Services[s]
	return known && !has
}

// about is the part of a client that learns what its server is.
type about struct {
	mu        sync.Mutex
	network   string // that the user or the server named
	requested bool   // the network was requested, and no answer names one
	unnamed   bool   // nor will another: the server answered without one, or refused
	shown     string // the network of the first address that an answer shows
	stale     bool   // another server may be there since
	mock      bool
	services  map[Service]bool
}

// About returns what is known of the server. It sends no request.
func (c *Client) About() About {
	c.about.mu.Lock()
	defer c.about.mu.Unlock()
	a := About{Network: c.about.network, Mock: c.about.mock, Stale: c.about.stale, Services: map[Service]bool{}}
	if a.Network == "" && c.about.requested {
		a.Network, a.Guessed = c.about.shown, c.about.shown != ""
	}
	for s, has := range c.about.services {
		a.Services[s] = has
	}
	return a
}

// Server describes the server. It requests the network unless that is known; a server that
// does not name one, or refuses, gets no further request for it.
func (c *Client) Server(ctx context.Context) (About, error) {
	c.about.mu.Lock()
	known := !c.about.stale && (c.about.network != "" || c.about.unnamed)
	c.about.mu.Unlock()
	if known {
		return c.About(), nil
	}
	type info struct {
		NetworkID *int64 `json:"network_id"`
		Version   string `json:"server_version"`
	}
	a, err := get(ctx, c, "network", "/v2/info", decode[info])
	kind := KindOf(err)
	if failure, is := errors.AsType[*Error](err); is && failure.Status > 0 && failure.Status < http.StatusInternalServerError && kind != RateLimited {
		err = nil
	}
	c.about.mu.Lock()
	if err == nil && c.about.stale {
		c.about.mock, c.about.services, c.about.shown, c.about.stale = false, nil, "", false
	}
	if err == nil {
		c.about.network, c.about.unnamed = networkOf(a.Value.NetworkID), true
	}
	c.about.requested = c.about.requested || kind != RateLimited && kind != Canceled
	// A proxy may drop the headers of a mock.
	c.about.mock = c.about.mock || strings.HasSuffix(a.Value.Version, "(chainscope mock)")
	c.about.mu.Unlock()
	return c.About(), err
}

// ServerMayDiffer has the next question about the server requested again: it was away, and another
// may be at its address. What the user named stays.
func (c *Client) ServerMayDiffer() {
	c.about.mu.Lock()
	c.about.stale = c.opt.Network == ""
	c.about.mu.Unlock()
}

// networkOf names the network of the number that a node gives it, "" for none.
func networkOf(id *int64) string {
	const testnets = 1 << 31 // the bit that every other network has
	switch {
	case id == nil:
		return ""
	case *id == 1:
		return Mainnet
	case *id&testnets != 0:
		return Testnet
	}
	return ""
}

// answered learns from an answer, which may be a failure.
func (a *about) answered(address string, h http.Header, body []byte, failure *Error) {
	gone := failure != nil && RouteGone(failure)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mock = a.mock || h.Get("X-Mock-Scenario") != ""
	if s := serviceOf(address); s != "" && (failure == nil || gone || failure.Kind == NotFound || failure.Kind == InvalidInput) {
		if a.services == nil {
			a.services = map[Service]bool{}
		}
		a.services[s] = !gone
	}
	if failure == nil && a.network == "" && a.shown == "" {
		a.shown = networkShown(address, body)
	}
}

// networkShown returns the network of the first address that is a value in an answer and that
// the request did not name, "" for none.
func networkShown(address string, body []byte) string {
	const shortest, longest = 28, 41 // letters of an address
	other := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsUpper(r) && !unicode.IsDigit(r) }
	for at := 0; ; {
		i := bytes.Index(body[at:], []byte(`"S`))
		if i < 0 {
			return ""
		}
		at += i + 1
		length := bytes.IndexFunc(body[at:], other)
		if length < shortest || length > longest || at > 1 && body[at-2] == '\\' || strings.Contains(address, string(body[at:at+length])) {
			continue
		}
		switch body[at+1] {
		case 'P', 'M':
			return Mainnet
		case 'T', 'N':
			return Testnet
		}
	}
}

package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
)

// NotSentError reports why nothing was sent. The transaction is signed and valid;
// the caller offers it raw.
type NotSentError struct {
	Reason string
	Err    error // the failure behind it, if any
}

// Error returns the reason.
func (e *NotSentError) Error() string { return "nothing was sent: " + e.Reason }

// Unwrap returns the failure behind it.
func (e *NotSentError) Unwrap() error { return e.Err }

// guard is the transport of one exchange with a mock: it reaches loopback
// addresses only, always the one that it reached first, by no proxy.
type guard struct {
	client *http.Client
	base   *http.Transport
	dial   func(context.Context, string, string) (net.Conn, error)

	mu      sync.Mutex
	reached string
}

func (c *Client) guard() *guard {
	g := &guard{dial: c.opt.Dial}
	g.base = &http.Transport{
		Proxy:             nil,
		DialContext:       g.dialLoopback,
		DisableKeepAlives: false,
		MaxConnsPerHost:   1,
	}
	var transport http.RoundTripper = g.base
	if c.opt.Wrap != nil {
		transport = c.opt.Wrap(transport)
	}
	g.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return g
}

// notLoopback is the failure of a connection that ends elsewhere.
type notLoopback struct{ address string }

func (e *notLoopback) Error() string {
	return fmt.Sprintf("the address %s is not on this machine", e.address)
}

func (g *guard) dialLoopback(ctx context.Context, network, address string) (net.Conn, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reached != "" {
		address = g.reached
	}
	conn, err := g.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	remote := conn.RemoteAddr()
	if !isLoopback(remote) || g.reached != "" && remote.String() != g.reached {
		conn.Close()
		return nil, &notLoopback{remote.String()}
	}
	g.reached = remote.String()
	return conn, nil
}

// checkMock requests the server's catalogue and reports whether it is a mock of
// its own: not one that is before a live API, not one that replays.
func (c *Client) checkMock(ctx context.Context, g *guard) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url("/mock/v1/catalog"), nil)
	if err != nil {
		return &NotSentError{Reason: "the API's URL cannot be used", Err: err}
	}
	response, err := g.client.Do(request)
	if err != nil {
		return c.unreached(err)
	}
	defer response.Body.Close()
	body, err := readBody(response)
	if err != nil {
		return &NotSentError{Reason: "the catalogue of the API cannot be read", Err: err}
	}
	if response.StatusCode != http.StatusOK {
		return &NotSentError{Reason: fmt.Sprintf("%s is not a mock API, it answers %d for the catalogue of one", c.base.Host, response.StatusCode)}
	}
	if reason := catalogue(body, response.Header); reason != "" {
		return &NotSentError{Reason: fmt.Sprintf("%s %s", c.base.Host, reason)}
	}
	return nil
}

// Unreachable is in the reason of a [NotSentError] whose server is not there.
const Unreachable = "cannot be reached"

// unreached returns why no request reached the server.
func (c *Client) unreached(err error) error {
	words := noAnswer(err)
	if elsewhere, is := errors.AsType[*notLoopback](err); is {
		words = "is not a mock API on this machine: " + elsewhere.Error()
	}
	return &NotSentError{Reason: c.base.Host + " " + words, Err: err}
}

// noAnswer says of a server why an exchange with it failed.
func noAnswer(err error) string {
	failed, _ := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return Unreachable + ": connection refused"
	case failed != nil && failed.Op == "dial":
		return Unreachable
	case errors.Is(err, context.DeadlineExceeded):
		return "took too long to answer"
	}
	return "did not answer"
}

// catalogue reads the answer of GET /mock/v1/catalog and returns what is
// against the server, "" for a mock of its own.
func catalogue(body []byte, header http.Header) string {
	const none = "is not a mock API, what it answers is not the catalogue of one"
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return none
	}
	for _, key := range []string{"upstream", "replay"} {
		switch string(members[key]) {
		case "", "null", "false", `""`:
		default:
			return fmt.Sprintf("is a mock with %s, which takes no transactions", key)
		}
	}
	var c struct {
		Seed       string
		Tip        *struct{ Height *int64 }
		FT         *[]json.RawMessage
		NFT        *[]json.RawMessage
		Namespaces *[]json.RawMessage
		Heights    *[]json.RawMessage
	}
	if json.Unmarshal(body, &c) != nil || c.Tip == nil || c.Tip.Height == nil ||
		c.FT == nil || c.NFT == nil || c.Namespaces == nil || c.Heights == nil {
		return none
	}
	if _, err := strconv.ParseUint(c.Seed, 10, 64); err != nil {
		return none
	}
	if header.Get("X-Mock-Seed") != c.Seed {
		return "is not a mock API of its own: its header X-Mock-Seed does not name the seed of its catalogue"
	}
	return ""
}

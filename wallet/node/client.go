package node

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// maxBody bounds the answers that are read, in bytes.
const maxBody = 4 << 20

// Options hold what a [Client] works with.
type Options struct {
	// BaseURL is the origin of the API, without a path: http://127.0.0.1:3999.
	BaseURL string
	// Transport carries what is read; nil is http.DefaultTransport.
	Transport http.RoundTripper
	// Wrap lays the caller's header rules and log over the transport that
	// carries what is posted. It must hand every request to base; what it sends
	// elsewhere is not guarded. Nil adds nothing.
	Wrap func(base http.RoundTripper) http.RoundTripper
	// Dial makes the connections of what is posted; nil is a net.Dialer. The
	// address that it reached is checked whatever it does.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client sends requests to one API.
type Client struct {
	base *url.URL
	opt  Options
	read *http.Client
	gone sync.Map // pattern of a route to the error that it is gone with
}

// New returns a client, or an error that says what is wrong with the URL.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the API's URL cannot be read: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("the API's URL must begin with http:// or https:// and name a host, is %q", base.Redacted())
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("the API's URL must have no query and no fragment")
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	return &Client{base: base, opt: o, read: &http.Client{Transport: o.Transport, CheckRedirect: sameOrigin(base)}}, nil
}

// sameOrigin follows redirects to the origin of the request and no other.
func sameOrigin(base *url.URL) func(*http.Request, []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != base.Scheme || r.URL.Host != base.Host {
			return fmt.Errorf("redirected to another host, %s", r.URL.Host)
		}
		if len(via) >= 5 {
			return errors.New("redirected too often")
		}
		return nil
	}
}

// Local returns the URL of the API if its name is one of this machine, else nil.
func (c *Client) Local() *url.URL {
	if c.base.Hostname() != "localhost" && !net.ParseIP(c.base.Hostname()).IsLoopback() {
		return nil
	}
	local := *c.base
	return &local
}

// Error is an answer of a node that cannot be used.
type Error struct {
	Op     string // what was requested
	Status int    // 0 when there was no answer
	Detail string // the server's text, untrusted; "" when it gave none
	Err    error
}

// Error returns what was requested and what came back.
func (e *Error) Error() string {
	switch {
	case e.Err != nil:
		if _, exchange := errors.AsType[*url.Error](e.Err); exchange && !errors.Is(e.Err, context.Canceled) {
			return e.Op + ": the server " + noAnswer(e.Err)
		}
		return e.Op + ": " + e.Err.Error()
	case e.Detail != "":
		return fmt.Sprintf("%s: the server answered %d: %s", e.Op, e.Status, e.Detail)
	}
	return fmt.Sprintf("%s: the server answered %d", e.Op, e.Status)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// BaseURL returns the origin of the API, without a path.
func (c *Client) BaseURL() string { return c.base.String() }

// NextNonce requests the nonce of an account's next transaction, those in the
// mempool counted where the API can report it (GET /extended/v1/address/…/nonces, or
// /extended/v3/principals/…/nonces), else without them (GET /v2/accounts).
func (c *Client) NextNonce(ctx context.Context, principal string) (uint64, error) {
	const op = "read the nonce"
	var body struct {
		Next   *uint64 `json:"possible_next_nonce"`
		NextV3 *uint64 `json:"next_nonce"`
	}
	escaped := url.PathEscape(principal)
	err := c.getFirst(ctx, op, &body,
		route{"v1 nonces", "/extended/v1/address/" + escaped + "/nonces"},
		route{"v3 nonces", "/extended/v3/principals/" + escaped + "/nonces"})
	if next := cmp.Or(body.Next, body.NextV3); err == nil && next != nil {
		return *next, nil
	}
	var answered *Error
	if unknown := errors.As(err, &answered) && answered.Status >= 400 && answered.Status < 500; err != nil && !unknown {
		return 0, err
	}
	var account struct{ Nonce *uint64 }
	if err := c.get(ctx, op, "/v2/accounts/"+escaped+"?proof=0", &account); err != nil {
		return 0, err
	}
	if account.Nonce == nil {
		return 0, &Error{Op: op, Err: errors.New("the answer has no nonce")}
	}
	return *account.Nonce, nil
}

// TransferFeeRate requests the fee of a byte in micro-STX
// (GET /v2/fees/transfer).
func (c *Client) TransferFeeRate(ctx context.Context) (uint64, error) {
	const op = "read the fee rate"
	var rate json.Number
	if err := c.get(ctx, op, "/v2/fees/transfer", &rate); err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(rate.String(), 10, 64)
	if err != nil {
		return 0, &Error{Op: op, Err: errors.New("the answer is no whole number")}
	}
	return n, nil
}

// Epoch requests the epoch that the network is in, such as Epoch40 (GET /v2/pox).
func (c *Client) Epoch(ctx context.Context) (string, error) {
	var body struct {
		Epoch string `json:"current_epoch"`
	}
	err := c.get(ctx, "read the epoch", "/v2/pox", &body)
	return body.Epoch, err
}

// get reads one JSON answer.
func (c *Client) get(ctx context.Context, op, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url(path), nil)
	if err != nil {
		return &Error{Op: op, Err: err}
	}
	request.Header.Set("Accept", "application/json")
	response, err := c.read.Do(request)
	if err != nil {
		return &Error{Op: op, Err: err}
	}
	defer response.Body.Close()
	body, err := readBody(response)
	if err != nil {
		return &Error{Op: op, Status: response.StatusCode, Err: err}
	}
	if response.StatusCode != http.StatusOK {
		return &Error{Op: op, Status: response.StatusCode, Detail: detail(body)}
	}
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &Error{Op: op, Status: response.StatusCode, Err: fmt.Errorf("the answer is not JSON but %q", response.Header.Get("Content-Type"))}
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &Error{Op: op, Status: response.StatusCode, Err: fmt.Errorf("the answer cannot be read: %w", err)}
	}
	return nil
}

func (c *Client) url(path string) string { return strings.TrimRight(c.base.String(), "/") + path }

func readBody(r *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("the answer is longer than %d bytes", maxBody)
	}
	return body, nil
}

// detail returns the text in which a server explains itself.
func detail(body []byte) string {
	var object struct{ Message, Error, Reason string }
	if json.Unmarshal(body, &object) == nil {
		if text := cmp.Or(object.Message, object.Reason, object.Error); text != "" {
			return text
		}
	}
	return string(bytes.TrimSpace(body[:min(len(body), 200)]))
}

// isLoopback reports whether a connection ends on this machine.
func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return false
	}
	ip, ok := netip.AddrFromSlice(tcp.IP)
	return ok && ip.Unmap().IsLoopback()
}

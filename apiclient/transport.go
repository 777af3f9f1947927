package apiclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrForeignRedirect is the cause of a call that a server tried to send on to
// another origin.
var ErrForeignRedirect = errors.New("redirect to another host refused")

// TransportOptions say what a Transport adds to a plain one.
type TransportOptions struct {
	// BaseURL's origin is the only one that gets Header and to which redirects
	// may lead. When it is "", there are no headers and a redirect has to stay
	// where it began.
	BaseURL string
	Header  http.Header
	// Base makes the connections; nil is one of the Transport's own.
	Base http.RoundTripper
	// Log receives the exchanges; nil is none.
	Log *ExchangeLog
	Now func() time.Time
}

// Transport is an http.RoundTripper that sends the user's headers to one
// origin only, refuses redirects to others and logs what went over the wire.
type Transport struct {
	origin  string
	home    url.URL // what has the origin in its usual spelling
	header  http.Header
	secrets secrets
	base    http.RoundTripper
	log     *ExchangeLog
	now     func() time.Time
	own     *http.Transport
}

// NewTransport makes a Transport. It fails on a base URL that is none.
func NewTransport(o TransportOptions) (*Transport, error) {
	t := &Transport{
		header: o.Header.Clone(), secrets: secretsOf(o.Header),
		base: o.Base, log: o.Log, now: o.Now,
	}
	if o.BaseURL != "" {
		u, err := parseBase(o.BaseURL)
		if err != nil {
			return nil, err
		}
		t.origin, t.home = origin(u), url.URL{Scheme: u.Scheme, Host: u.Host}
	}
	if t.now == nil {
		t.now = time.Now
	}
	if t.base == nil {
		t.own = newHTTPTransport()
		t.base = t.own
	}
	return t, nil
}

// newHTTPTransport is net/http's own with enough idle connections for all
// workers of AllNames.
func newHTTPTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 16
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	return t
}

// CloseIdleConnections closes those of the transport's own base.
func (t *Transport) CloseIdleConnections() {
	if t.own != nil {
		t.own.CloseIdleConnections()
	}
}

// parseBase reads a base URL; what it says of a wrong one shows no password.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, errors.New("the base URL cannot be read; it is such as https://api.hiro.so")
	case u.User != nil:
		return nil, errors.New("the base URL holds a user; send it as the header Authorization")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("the base URL %q is not http:// or https:// and a host", short(s))
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, errors.New("the base URL has a query or fragment; it is scheme, host and at most a path")
	}
	return u, nil
}

// origin is scheme, host and port in one spelling.
func origin(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// RoundTrip sends req.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.checkRedirect(req); err != nil {
		closeBody(req)
		return nil, err
	}
	call := callOf(req.Context())
	if call == nil {
		call = newCallRecord(t.log, t.now, t.secrets, "", req.Method, req.URL.String())
		call.alone = true
		call.attempt(0)
	}
	req = t.prepare(req, call)
	try := call.try(req)
	resp, err := t.base.RoundTrip(req)
	try.answered(resp, err)
	if !call.alone {
		return resp, err
	}
	if err != nil {
		call.end(err)
		return nil, err
	}
	resp.Body = &loggedBody{ReadCloser: resp.Body, call: call, try: try}
	return resp, nil
}

func (t *Transport) checkRedirect(req *http.Request) error {
	if req.Response == nil {
		return nil
	}
	home := t.origin
	if home == "" && req.Response.Request != nil {
		home = origin(req.Response.Request.URL)
	}
	if to := origin(req.URL); to != home {
		return fmt.Errorf("%w: from %s to %s", ErrForeignRedirect, home, to)
	}
	return nil
}

// atHome tells whether a URL has the transport's origin.
func (t *Transport) atHome(u *url.URL) bool {
	if t.origin == "" {
		return false
	}
	return u.Scheme == t.home.Scheme && u.Host == t.home.Host || origin(u) == t.origin
}

// prepare copies req with the user's headers, if they are for its origin, and
// with what measures the phases.
func (t *Transport) prepare(req *http.Request, call *callRecord) *http.Request {
	out := req.WithContext(call.traced(req.Context()))
	if len(t.header) > 0 && t.atHome(req.URL) {
		out.Header = req.Header.Clone()
		for name, values := range t.header {
			out.Header[http.CanonicalHeaderKey(name)] = values
		}
		if host := t.header.Get("Host"); host != "" {
			out.Host = host
			out.Header.Del("Host")
		}
	}
	if call.alone {
		out.Body = call.requestBody(out.Body)
	}
	return out
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// loggedBody keeps the start of a body that somebody else reads.
type loggedBody struct {
	io.ReadCloser
	call *callRecord
	try  *tryRecord
}

func (b *loggedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.call.responsePart(p[:n])
	if err != nil {
		b.try.done(nil)
		if err == io.EOF {
			b.call.end(nil)
		} else {
			b.call.end(err)
		}
	}
	return n, err
}

func (b *loggedBody) Close() error {
	err := b.ReadCloser.Close()
	b.try.done(nil)
	b.call.end(nil)
	return err
}

type callKey struct{}

// callOf is the record of the call that a request belongs to, nil when the
// request is its own.
func callOf(ctx context.Context) *callRecord {
	r, _ := ctx.Value(callKey{}).(*callRecord)
	return r
}

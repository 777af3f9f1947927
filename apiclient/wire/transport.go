package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxRedirects limits how many redirects one request may follow.
const maxRedirects = 10

var ErrRedirects = errors.New("the server redirects more than 10 times")

// RedirectError is the cause of a call that a server tried to send to another
// origin.
type RedirectError struct{ from, to *url.URL }

func (e *RedirectError) Error() string {
	if e.Upgrade() {
		return fmt.Sprintf("the server requires https; use https://%s", e.to.Host)
	}
	return fmt.Sprintf("the server redirects to another host, which is refused: from %s to %s", origin(e.from), origin(e.to))
}

// Upgrade reports whether the redirect leads from http to https of the same host.
func (e *RedirectError) Upgrade() bool {
	return e.from.Scheme == "http" && e.to.Scheme == "https" && strings.EqualFold(e.from.Hostname(), e.to.Hostname())
}

// ProxyError is the answer of a proxy in place of the server.
type ProxyError struct {
	Proxy  string // its host, with a space before it; "" where that is unknown
	Status int
}

func (e *ProxyError) Error() string {
	if e.Status == http.StatusProxyAuthRequired {
		return "the proxy" + e.Proxy + " requires a password (status 407); HTTPS_PROXY and HTTP_PROXY may have one, as in http://USER:PASSWORD@HOST"
	}
	return "the proxy" + e.Proxy + " refused the connection: status " + strconv.Itoa(e.Status)
}

// throughProxy returns an error if a proxy does not let a connection through.
func throughProxy(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &ProxyError{" " + proxy.Host, answer.StatusCode}
}

// TransportOptions configure a Transport.
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
	// Gate holds back the requests to the origin of BaseURL; nil is none.
	Gate *Gate
	Now  func() time.Time
}

// Transport is an http.RoundTripper that sends the user's headers to one origin
// only, refuses redirects to others, holds requests back while that origin
// refuses them, and logs what goes over the wire.
type Transport struct {
	origin  string
	home    url.URL // the origin in its usual spelling
	header  http.Header
	secrets Secrets
	base    http.RoundTripper
	log     *ExchangeLog
	gate    *Gate
	now     func() time.Time
	own     *http.Transport
}

// NewTransport returns a Transport. It fails on a base URL that is none and on headers
// that cannot be sent.
func NewTransport(o TransportOptions) (*Transport, error) {
	t := &Transport{
		header: o.Header.Clone(), secrets: secretsOf(o.Header),
		base: o.Base, log: o.Log, gate: o.Gate, now: o.Now,
	}
	if err := checkHeader(o.Header); err != nil {
		return nil, err
	}
	if o.BaseURL != "" {
		u, err := ParseBase(o.BaseURL)
		if err != nil {
			return nil, err
		}
		t.origin, t.home = origin(u), url.URL{Scheme: u.Scheme, Host: u.Host}
		if o.Gate != nil && OnNetwork(u) {
			o.Gate.guess(guessedLimit)
		}
	}
	if t.now == nil {
		t.now = time.Now
	}
	if t.log == nil {
		t.log = NewExchangeLog(LogOptions{Capacity: 1, BodyLimit: 1, BodyTotal: 1}) // which nobody reads
	}
	if t.base == nil {
		t.own = newHTTPTransport()
		t.base = t.own
	}
	return t, nil
}

// newHTTPTransport returns net/http's transport with enough idle connections for
// all workers of AllNames.
func newHTTPTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.OnProxyConnectResponse = throughProxy
	t.MaxIdleConnsPerHost = 16
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	return t
}

// CloseIdleConnections closes the idle connections of the transport's own base.
func (t *Transport) CloseIdleConnections() {
	if t.own != nil {
		t.own.CloseIdleConnections()
	}
}

// ParseBase parses a base URL. Its errors show no password.
func ParseBase(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, errors.New("invalid base URL (want one such as https://api.hiro.so)")
	case u.User != nil:
		return nil, errors.New("the base URL must not hold a user; send the header Authorization")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("invalid base URL %q (want http:// or https:// and a host)", Short(s))
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, errors.New("the base URL must not have a query or fragment")
	}
	return u, nil
}

// origin returns scheme, host and port in one spelling.
func origin(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// RoundTrip sends req.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	atHome, reached := t.atHome(req.URL), false
	resp, err := (*http.Response)(nil), t.checkRedirect(req)
	if err == nil {
		resp, err = t.passing(req, func() (*http.Response, error) {
			reached = true
			return t.send(req, atHome)
		})
	}
	if !reached && req.Body != nil {
		_ = req.Body.Close()
	}
	return resp, err
}

// passing sends a request when its gate lets it pass: only the origin has one.
func (t *Transport) passing(req *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
	if t.gate == nil || !t.atHome(req.URL) {
		return send()
	}
	return t.gate.through(req.Context(), send)
}

// Limited returns a RoundTripper that sends requests to the transport's origin through its
// gate, and all others at once. It adds none of the user's headers.
func (t *Transport) Limited(next http.RoundTripper) http.RoundTripper { return &limited{t, next} }

// Host returns the host and port of the transport's origin.
func (t *Transport) Host() string { return t.home.Host }

// Secrets returns the secret values of the user's headers.
func (t *Transport) Secrets() Secrets { return t.secrets }

// Base returns what makes the connections.
func (t *Transport) Base() http.RoundTripper { return t.base }

type limited struct {
	t    *Transport
	next http.RoundTripper
}

func (l *limited) RoundTrip(req *http.Request) (*http.Response, error) {
	return l.t.passing(req, func() (*http.Response, error) { return l.next.RoundTrip(req) })
}

// send sends a request that nothing keeps back any more, with the user's headers if it
// goes to their origin. A request of another package is a call of its own.
func (t *Transport) send(req *http.Request, atHome bool) (*http.Response, error) {
	record, part := req.Context().Value(recordKey{}).(*Record)
	if !part {
		record = t.Record("", req.Method, req.URL.String())
		record.Attempt()
	}
	ctx, try := record.startTry(req.Context(), !part)
	out := req.WithContext(ctx)
	if len(t.header) > 0 && atHome {
		out.Header = req.Header.Clone()
		for name, values := range t.header {
			out.Header[http.CanonicalHeaderKey(name)] = values
		}
		if host := t.header.Get("Host"); host != "" {
			out.Host = host
			out.Header.Del("Host")
		}
	}
	try.sends(out)
	resp, err := t.base.RoundTrip(out)
	try.answered(resp, err)
	return resp, err
}

// CheckRedirects is the redirect policy of a Client: it bounds the number of
// redirects and keeps them at the origin.
func (t *Transport) CheckRedirects(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return ErrRedirects
	}
	return t.checkRedirect(req)
}

// checkRedirect refuses a redirect to another origin. RoundTrip checks it too,
// for clients with a redirect policy of their own.
func (t *Transport) checkRedirect(req *http.Request) error {
	if req.Response == nil {
		return nil
	}
	from := &t.home
	if t.origin == "" {
		if req.Response.Request == nil {
			return nil
		}
		from = req.Response.Request.URL
	}
	if origin(req.URL) != origin(from) {
		return &RedirectError{from, req.URL}
	}
	return nil
}

// atHome reports whether a URL has the transport's origin.
func (t *Transport) atHome(u *url.URL) bool {
	if t.origin == "" {
		return false
	}
	return u.Scheme == t.home.Scheme && u.Host == t.home.Host || origin(u) == t.origin
}

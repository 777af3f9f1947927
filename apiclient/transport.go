package apiclient

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxRedirects is how many redirects one request may follow.
const maxRedirects = 10

var errRedirects = errors.New("the server redirects more than 10 times")

// redirectError is the cause of a call that a server tried to send to another
// origin.
type redirectError struct{ from, to *url.URL }

func (e *redirectError) Error() string {
	if e.upgrade() {
		return fmt.Sprintf("the server requires https; use https://%s", e.to.Host)
	}
	return fmt.Sprintf("the server redirects to another host, which is refused: from %s to %s", origin(e.from), origin(e.to))
}

// upgrade reports whether the redirect leads from http to https of the same host.
func (e *redirectError) upgrade() bool {
	return e.from.Scheme == "http" && e.to.Scheme == "https" && strings.EqualFold(e.from.Hostname(), e.to.Hostname())
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
	secrets secrets
	base    http.RoundTripper
	log     *ExchangeLog
	gate    *Gate
	now     func() time.Time
	own     *http.Transport
}

// NewTransport returns a Transport. It fails on a base URL that is none.
func NewTransport(o TransportOptions) (*Transport, error) {
	t := &Transport{
		header: o.Header.Clone(), secrets: secretsOf(o.Header),
		base: o.Base, log: o.Log, gate: o.Gate, now: o.Now,
	}
	if o.BaseURL != "" {
		u, err := parseBase(o.BaseURL)
		if err != nil {
			return nil, err
		}
		t.origin, t.home = origin(u), url.URL{Scheme: u.Scheme, Host: u.Host}
		if o.Gate != nil && onNetwork(u) {
			o.Gate.guess(guessedLimit)
		}
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

// newHTTPTransport returns net/http's transport with enough idle connections for
// all workers of AllNames.
func newHTTPTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
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

// parseBase parses a base URL. Its errors show no password.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, errors.New("invalid base URL (want one such as https://api.hiro.so)")
	case u.User != nil:
		return nil, errors.New("the base URL must not hold a user; send the header Authorization")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("invalid base URL %q (want http:// or https:// and a host)", short(s))
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
	if err := t.checkRedirect(req); err != nil {
		closeBody(req)
		return nil, err
	}
	atHome := t.atHome(req.URL)
	if atHome && t.gate != nil {
		if err := t.gate.wait(req.Context()); err != nil {
			closeBody(req)
			return nil, err
		}
	}
	record, single := t.recordOf(req)
	out, try := t.prepare(req, record, atHome, single)
	resp, err := t.base.RoundTrip(out)
	try.answered(resp, err)
	if err != nil {
		if atHome && t.gate != nil {
			t.gate.left()
		}
		if single {
			record.end(err)
		}
		return nil, err
	}
	if atHome && t.gate != nil {
		t.gate.note(resp)
	}
	resp.Body = &loggedBody{ReadCloser: resp.Body, record: record, try: try, single: single}
	return resp, nil
}

// recordOf returns the record of the call that req belongs to. A request of
// another package is a call of its own: single.
func (t *Transport) recordOf(req *http.Request) (r *callRecord, single bool) {
	if k := callOf(req.Context()); k != nil {
		return k.record, false
	}
	r = newCallRecord(t.log, t.now, t.secrets, "", req.Method, req.URL.String())
	r.attempt()
	return r, true
}

// checkRedirects is the redirect policy of a Client: it bounds the number of
// redirects and keeps them at the origin.
func (t *Transport) checkRedirects(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errRedirects
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
		return &redirectError{from, req.URL}
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

// prepare copies req, adds the user's headers if they are for its origin, and
// starts the try that measures it.
func (t *Transport) prepare(req *http.Request, record *callRecord, atHome, single bool) (*http.Request, *tryRecord) {
	ctx, try := record.startTry(req.Context())
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
	if single {
		out.Body = record.requestBody(out.Body)
	}
	try.sent(out)
	return out, try
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// loggedBody records a body while it is read.
type loggedBody struct {
	io.ReadCloser
	record *callRecord
	try    *tryRecord
	// single ends the record with the body.
	single bool
}

func (b *loggedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.record.responsePart(p[:n])
	if err != nil {
		b.done(err)
	}
	return n, err
}

func (b *loggedBody) Close() error {
	err := b.ReadCloser.Close()
	b.done(nil)
	return err
}

func (b *loggedBody) done(err error) {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	b.try.done(err)
	if b.single {
		b.record.end(err)
	}
}

package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"
)

// Client reads one server. It is safe for concurrent use. What it returns may
// be shared with its cache and with other callers and must not be changed.
type Client struct {
	opt       Options
	base      string
	rest      *resty.Client
	transport *Transport
	secrets   secrets
	cache     *cache
	flights   flightGroup
	firstPage firstPage
}

// Answer is a decoded value with the body it came from.
type Answer[T any] struct {
	Value T
	// Raw is the body exactly as the server sent it.
	Raw json.RawMessage
	// ExchangeID finds the call in the exchange log.
	ExchangeID uint64
	// FetchedAt is when the server gave or confirmed the value.
	FetchedAt time.Time
	// Cached tells that the server confirmed a value which was held.
	Cached bool
}

// Page chooses rows of a list of blocks.
type Page struct {
	// Limit is 0 to MaxLimit; nil leaves it to the server, which takes 20.
	Limit  *int
	Offset int
}

// New makes a Client. It fails on a base URL that is none and on headers that
// cannot be sent.
func New(o Options) (*Client, error) {
	o = o.withDefaults()
	u, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, invalid("", err)
	}
	if err := checkHeader(o.Header); err != nil {
		return nil, invalid("", err)
	}
	t, err := NewTransport(TransportOptions{
		BaseURL: o.BaseURL, Header: o.Header, Base: o.Transport, Log: o.Log, Now: o.Now,
	})
	if err != nil {
		return nil, invalid("", err)
	}
	c := &Client{
		opt: o, base: strings.TrimRight(u.String(), "/"), transport: t,
		secrets: t.secrets, cache: newCache(o.CacheBytes),
	}
	c.rest = resty.New().
		SetTransport(t).
		SetLogger(quiet{}).
		SetCookieJar(nil).
		SetRedirectPolicy(resty.RedirectPolicyFunc(redirects)).
		SetHeader("Accept", "application/json").
		SetHeader("User-Agent", "chainscope")
	return c, nil
}

// Close cancels what is under way, waits for it and closes idle connections.
func (c *Client) Close() {
	c.flights.close()
	c.transport.CloseIdleConnections()
}

// BaseURL is the server's address without a slash at its end.
func (c *Client) BaseURL() string { return c.base }

// Log is where the client's exchanges go.
func (c *Client) Log() *ExchangeLog { return c.opt.Log }

// maxRedirects is how many answers may send one request on.
const maxRedirects = 10

var errRedirects = errors.New("redirected more than 10 times")

// redirects bounds their number; where they lead is the Transport's matter.
func redirects(_ *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errRedirects
	}
	return nil
}

// quiet keeps resty from writing to the terminal.
type quiet struct{}

func (quiet) Errorf(format string, _ ...any) { slog.Debug("resty", "error", format) }
func (quiet) Warnf(format string, _ ...any)  { slog.Debug("resty", "warning", format) }
func (quiet) Debugf(string, ...any)          {}

// request is one call before it is sent.
type request[T any] struct {
	op     string
	path   string
	decode decoder[T]
	// store keeps the answer for revalidation.
	store bool
}

// fetch answers a request: one whose answer is stored together with an identical
// one that is under way, if there is one.
func fetch[T any](ctx context.Context, c *Client, q request[T]) (Answer[T], error) {
	url := c.base + q.path
	var answer Answer[T]
	var err error
	if q.store {
		var got any
		got, err = c.flights.do(ctx, url, func(ctx context.Context) (any, error) {
			return send(ctx, c, q, url)
		})
		if err == nil {
			answer = got.(Answer[T])
		}
	} else {
		err = c.flights.runUnshared(ctx, func(ctx context.Context) error {
			var fault error
			answer, fault = send(ctx, c, q, url)
			return fault
		})
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			err = &Error{Kind: KindOf(err), Op: q.op, Method: http.MethodGet, URL: url, Err: err}
		}
		return Answer[T]{}, err
	}
	return answer, nil
}

// send makes the call with its retries and decodes what comes.
func send[T any](ctx context.Context, c *Client, q request[T], url string) (Answer[T], error) {
	ctx, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	held, known := lookup[T](c.cache, url)
	call := newCallRecord(c.opt.Log, c.opt.Now, c.secrets, q.op, http.MethodGet, url)
	a := &attempts{c: c, op: q.op, url: url, call: call, etag: held.etag}
	got, fault := a.run(call.in(ctx))
	if fault != nil {
		call.end(fault)
		return Answer[T]{}, fault
	}
	answer := Answer[T]{ExchangeID: call.ex.ID, FetchedAt: c.opt.Now()}
	if got.status == http.StatusNotModified && known {
		call.ex.NotModified = true
		call.end(nil)
		answer.Value, answer.Raw, answer.Cached = held.value, held.raw, true
		return answer, nil
	}
	value, fault := decodeAnswer(a, got, q.decode)
	if fault != nil {
		call.end(fault)
		return Answer[T]{}, fault
	}
	call.end(nil)
	answer.Value, answer.Raw = value, got.body
	if etag := got.header.Get("ETag"); q.store && etag != "" {
		store(c.cache, url, cachedAnswer[T]{etag: etag, value: value, raw: got.body})
	}
	return answer, nil
}

// got is the answer to one attempt.
type got struct {
	status int
	header http.Header
	body   []byte
	// bodyErr is why the body was not read to its end.
	bodyErr error
}

// once sends one request and reads its body up to the limit.
func (c *Client) once(ctx context.Context, url, etag string) (got, error) {
	req := c.rest.R().SetContext(ctx).SetDoNotParseResponse(true)
	if etag != "" {
		req.SetHeader("If-None-Match", etag)
	}
	resp, err := req.Get(url)
	if err != nil {
		// With too many redirects the last answer comes with the error.
		if resp != nil && resp.RawResponse != nil && resp.RawResponse.Body != nil {
			_ = resp.RawResponse.Body.Close()
		}
		return got{}, err
	}
	g := got{status: resp.StatusCode(), header: resp.Header()}
	body := resp.RawBody()
	defer body.Close()
	g.body, g.bodyErr = readBody(body, resp.RawResponse.ContentLength, c.opt.MaxBody)
	return g, nil
}

// errTooLarge is the cause of a refused body.
var errTooLarge = errors.New("the body is larger than the limit")

// readBody reads a body of at most limit bytes in one piece of memory when its
// length is told.
func readBody(r io.Reader, length, limit int64) ([]byte, error) {
	if length > limit {
		return nil, errTooLarge
	}
	size := 4 << 10
	if length >= 0 {
		size = int(length) + 1
	}
	buf := make([]byte, 0, size)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}

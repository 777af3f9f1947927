package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-resty/resty/v2"

	"chainscope/apiclient/wire"
)

// Client reads one server. It is safe for concurrent use. What it returns may
// be shared with its cache and with other callers and must not be changed.
type Client struct {
	opt       Options
	base      string
	rest      *resty.Client
	transport *wire.Transport
	secrets   wire.Secrets
	cache     *wire.Cache
	flights   flightGroup
	fromZero  atomic.Pointer[bool] // whether the server counts pages of names from 0, nil before it is known
	routes    routes
	clock     chainClock
	about     about
	cursorsV2 cursors
	cursorsV3 cursors
}

// Answer is a decoded value with the body it came from.
type Answer[T any] struct {
	Value T
	// Raw is the body exactly as the server sent it.
	Raw json.RawMessage
	// ExchangeID finds the call in the exchange log.
	ExchangeID uint64
	// FetchedAt is the time when the server gave or confirmed the value.
	FetchedAt time.Time
	// Cached reports whether the server confirmed a cached value.
	Cached bool
	// Generation is that of the route which answered, 0 where there is only one. The
	// routes of v3 have other names than REST in Raw; Value has what is known of it.
	Generation int
}

// Page selects rows of a list of blocks.
type Page struct {
	// Limit is at most 30, or NoRows; 0 leaves it to the server, which takes 20.
	Limit  int
	Offset int
}

// NoRows is the Limit of a page that has only the total.
const NoRows = -1

// New returns a Client. It fails on a base URL that is none and on headers that
// cannot be sent.
func New(o Options) (*Client, error) {
	o = o.withDefaults()
	u, err := wire.ParseBase(o.BaseURL)
	if err != nil {
		return nil, invalid("", err)
	}
	t, err := wire.NewTransport(wire.TransportOptions{
		BaseURL: o.BaseURL, Header: o.Header, Base: o.Transport, Log: o.Log, Gate: o.Gate, Now: o.Now,
	})
	if err != nil {
		return nil, invalid("", err)
	}
	return &Client{
		opt: o, base: strings.TrimRight(u.String(), "/"), transport: t, rest: newResty(o, t),
		secrets: t.Secrets(), cache: wire.NewCache(o.CacheBytes), about: about{network: o.Network, mock: o.Mock},
	}, nil
}

// newResty returns the HTTP client with its retries, waits, redirects and limits.
func newResty(o Options, t *wire.Transport) *resty.Client {
	// Not resty.New: its cookie jar would load the list of public suffixes.
	return resty.NewWithClient(&http.Client{Transport: t}).
		SetLogger(quiet{}).
		SetRedirectPolicy(resty.RedirectPolicyFunc(t.CheckRedirects)).
		SetResponseBodyLimit(int(o.MaxBody)).
		SetRetryCount(o.MaxAttempts-1).
		SetRetryWaitTime(o.Backoff).
		// resty cuts Retry-After to this; no step of the backoff comes near it.
		SetRetryMaxWaitTime(wire.MaxRetryAfter).
		SetRetryAfter(waitBeforeRetry).
		AddRetryCondition(shouldRetry).
		OnBeforeRequest(startAttempt).
		SetHeader("Accept", "application/json").
		SetHeader("User-Agent", "chainscope")
}

// Close cancels the calls in flight, waits for their end and closes idle
// connections.
func (c *Client) Close() {
	c.flights.close()
	c.transport.CloseIdleConnections()
}

// BaseURL returns the server's address without a slash at its end.
func (c *Client) BaseURL() string { return c.base }

// Log returns the log of the client's exchanges.
func (c *Client) Log() *wire.ExchangeLog { return c.opt.Log }

// Gate returns the gate that every request of the client passes.
func (c *Client) Gate() *wire.Gate { return c.opt.Gate }

// Limited returns a RoundTripper that counts requests to the client's server against its
// limit, such as those for pictures that it serves, and sends all others at once. It adds
// none of the user's headers.
func (c *Client) Limited(next http.RoundTripper) http.RoundTripper { return c.transport.Limited(next) }

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
	// body holds what is posted, nil for what is got. Only questions are posted: they change
	// nothing.
	body []byte
}

// get answers a request whose answer is stored.
func get[T any](ctx context.Context, c *Client, op, path string, decode decoder[T]) (Answer[T], error) {
	return fetch(ctx, c, request[T]{op: op, path: path, store: true, decode: decode})
}

// fetch answers a request. Only this step depends on the type of the value: the others are
// there once for all types. A request whose answer is stored shares the call with an
// identical one in flight, but the user does not join a call that waits for its turn in
// the background.
func fetch[T any](ctx context.Context, c *Client, q request[T]) (Answer[T], error) {
	u := untyped{op: q.op, url: c.base + q.path, body: q.body, decode: func(body []byte) (any, error) { return q.decode(body) }}
	flight := ""
	if q.store {
		u.key = fmt.Sprintf("%s %T", u.url, *new(T))
		flight = fmt.Sprint(u.key, " ", wire.PriorityOf(ctx))
	}
	a, err := c.flights.do(ctx, flight, func(ctx context.Context) (Answer[any], error) { return c.send(ctx, u) })
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			err = &Error{Kind: KindOf(err), Op: q.op, Method: methodOf(q.body), URL: u.url, Err: err}
		}
		return Answer[T]{}, err
	}
	return Answer[T]{Value: a.Value.(T), Raw: a.Raw, ExchangeID: a.ExchangeID, FetchedAt: a.FetchedAt, Cached: a.Cached}, nil
}

// untyped is a request whose answer has any type.
type untyped struct {
	op, url string
	// key holds what its answer is stored under, "" when it is not.
	key    string
	body   []byte
	decode decoder[any]
}

// send makes the call with its retries and decodes the answer.
func (c *Client) send(ctx context.Context, q untyped) (answer Answer[any], err error) {
	ctx, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	cached, known := c.cache.Lookup(q.key)
	k := &call{
		client: c, op: q.op, url: q.url, body: q.body, etag: cached.ETag, attempts: attemptsOf(ctx, c.opt.MaxAttempts),
		record: c.transport.Record(q.op, methodOf(q.body), q.url),
	}
	defer func() { k.record.End(fullText(err)) }()
	defer recovered(&err)
	resp, failure := k.run(ctx)
	if resp != nil {
		c.routes.answered(resp.Header())
		c.clock.answered(resp.Header())
		c.about.answered(q.url, resp.Header(), resp.Body(), failure)
	}
	if failure != nil {
		return Answer[any]{}, failure
	}
	answer = Answer[any]{ExchangeID: k.record.ID(), FetchedAt: c.opt.Now()}
	if resp.StatusCode() == http.StatusNotModified && known {
		k.record.NotModified()
		answer.Value, answer.Raw, answer.Cached = cached.Value, cached.Raw, true
		return answer, nil
	}
	value, failure := decodeAnswer(k, resp, q.decode)
	if failure != nil {
		return Answer[any]{}, failure
	}
	value = markImpersonated(value, resp.Header())
	answer.Value, answer.Raw = value, resp.Body()
	if etag := resp.Header().Get("ETag"); q.key != "" && etag != "" {
		c.cache.Store(q.key, wire.CachedAnswer{ETag: etag, Value: value, Raw: answer.Raw})
	}
	return answer, nil
}

// panicError is a panic of a call, as an error of that call.
type panicError struct {
	cause any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.cause) }

// recovered makes a panic an error. It must be deferred directly. In a goroutine of
// its own a panic would end the program without restoring the terminal.
func recovered(err *error) {
	if cause := recover(); cause != nil {
		*err = &panicError{cause, debug.Stack()}
	}
}

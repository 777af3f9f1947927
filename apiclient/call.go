package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-resty/resty/v2"

	"chainscope/apiclient/wire"
)

// call is one question with its retries, which resty makes. Only a GET is retried. Its hooks find the call
// in the request's context.
type call struct {
	client  *Client
	op, url string
	etag    string
	body    []byte // nil for a GET
	record  *wire.Record
	// attempt counts from 1, up to attempts.
	attempt, attempts int
	// last is the reason why the attempt before failed.
	last *Error
}

type callKey struct{}

// fewAttempts is the number of attempts that a call of WithFewAttempts has at most.
const fewAttempts = 3

type fewAttemptsKey struct{}

// WithFewAttempts marks the calls of a context as those of a caller that shows a failure and requests
// again: it prefers an early answer of the server to a long wait for a better one.
func WithFewAttempts(ctx context.Context) context.Context {
	return context.WithValue(ctx, fewAttemptsKey{}, true)
}

// attemptsOf returns how many attempts a call may make: most, or a few if its caller wants no more.
func attemptsOf(ctx context.Context, most int) int {
	if brief, _ := ctx.Value(fewAttemptsKey{}).(bool); brief {
		return min(fewAttempts, most)
	}
	return most
}

// callOf returns the call that a request belongs to, nil when it is not one of a
// Client.
func callOf(ctx context.Context) *call {
	k, _ := ctx.Value(callKey{}).(*call)
	return k
}

// errNoTime ends the retries of a call in which no further attempt fits.
var errNoTime = errors.New("no time is left for another attempt")

// run sends the request until it is answered, a failure is final, or the bounds
// of attempts and time are reached.
func (k *call) run(ctx context.Context) (*resty.Response, *Error) {
	req := k.client.rest.R().SetContext(wire.WithRecord(context.WithValue(ctx, callKey{}, k), k.record))
	if k.etag != "" {
		req.SetHeader("If-None-Match", k.etag)
	}
	if k.body != nil {
		req.SetHeader("Content-Type", "application/json").SetBody(k.body)
	}
	resp, err := req.Execute(methodOf(k.body), k.url)
	if errors.Is(err, errNoTime) && ctx.Err() == nil {
		return resp, k.last
	}
	failure, _ := k.classify(ctx, resp, err)
	return resp, failure
}

// startAttempt counts an attempt that is about to be sent.
func startAttempt(_ *resty.Client, req *resty.Request) error {
	k := callOf(req.Context())
	k.attempt++
	k.record.Attempt()
	if k.attempt == 1 {
		k.notifyAttempt(1)
	}
	return nil
}

// notifyAttempt calls OnAttempt with the attempt of this number.
func (k *call) notifyAttempt(number int) {
	o := k.client.opt
	if o.OnAttempt == nil {
		return
	}
	a := Attempt{Op: k.op, URL: k.url, Number: number, Of: k.attempts}
	if k.last != nil {
		a.Cause = k.last
	}
	o.OnAttempt(a)
}

// shouldRetry reports whether another attempt may help. It replaces resty's own
// condition, which retries any error and no status.
func shouldRetry(resp *resty.Response, err error) bool {
	if resp == nil || resp.Request.Method != http.MethodGet && resp.Request.Method != http.MethodHead {
		return false
	}
	k := callOf(resp.Request.Context())
	failure, again := k.classify(resp.Request.Context(), resp, err)
	if failure == nil {
		return false
	}
	k.last = failure
	again = again && k.attempt < k.attempts
	if again {
		k.notifyAttempt(k.attempt + 1)
	}
	return again
}

// waitBeforeRetry returns what the server requested, 0 for resty's backoff with
// jitter, or errNoTime when the call's time ends before.
func waitBeforeRetry(_ *resty.Client, resp *resty.Response) (time.Duration, error) {
	ctx := resp.Request.Context()
	k := callOf(ctx)
	least := k.last.RetryAfter
	if least == 0 {
		least = leastBackoff(k.client.opt.Backoff, k.attempt)
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= least {
		return 0, errNoTime
	}
	return k.last.RetryAfter, nil
}

// leastBackoff returns the shortest wait that resty takes after an attempt: half
// of the step, which doubles with each attempt, but never less than the first.
func leastBackoff(first time.Duration, attempt int) time.Duration {
	return max(first, first<<min(attempt-1, 20)/2)
}

// classify returns the error of an attempt, nil if its answer can be decoded, and
// reports whether a retry may help. It is not resty's SetError, which keeps no
// unknown keys of an error body and takes only JSON: pages of gateways are none.
func (k *call) classify(ctx context.Context, resp *resty.Response, err error) (failure *Error, again bool) {
	switch {
	case err != nil && ctx.Err() != nil:
		return k.contextError(ctx), false
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		most := k.client.opt.MaxBody
		return k.describe(&Error{Kind: Decode, BodyOffset: most, Err: plain("it is larger than "+byteSize(most), ErrTooLarge)}, resp), false
	case err != nil:
		e, again := failureOf(err, k.client.transport.Host(), k.client.secrets)
		if e.Kind == RateLimited && k.last != nil && k.last.Kind == RateLimited {
			last := *k.last // what the server said is worth more than that nothing was sent
			last.RetryAfter = e.RetryAfter
			return &last, false
		}
		return k.describe(e, nil), again
	}
	switch status := resp.StatusCode(); {
	case status == http.StatusProxyAuthRequired:
		return k.describe(&Error{Kind: Offline, Err: &wire.ProxyError{Status: status}}, resp), false
	case status >= http.StatusBadRequest:
		e := k.describe(&Error{}, resp)
		readErrorBody(k.client.secrets.ScrubBytes(resp.Body()), e)
		switch e.Kind = kindOfAnswer(status, e.ServerError); {
		case RouteGone(e):
			e.Kind = Gone
		case e.Kind == NotFound && !e.reportsMissing():
			e.Kind = ServerFault
		}
		e.RetryAfter = wire.RetryAfter(resp.Header().Get("Retry-After"), k.client.opt.Now())
		return e, retryable[status]
	case status == http.StatusNotModified && k.etag != "", status >= 200 && status <= 299:
		return nil, false
	default:
		return k.describe(&Error{Kind: ServerFault, Err: fmt.Errorf("unexpected status %d", status)}, resp), false
	}
}

// retryable are the statuses after which a retry may help.
var retryable = map[int]bool{
	http.StatusTooManyRequests: true, http.StatusBadGateway: true, http.StatusServiceUnavailable: true, http.StatusGatewayTimeout: true,
}

// describe adds to an error what is known of the call and its response, which may be nil.
func (k *call) describe(e *Error, resp *resty.Response) *Error {
	const most = 4 << 10
	e.Op, e.Method, e.URL = k.op, methodOf(k.body), k.client.secrets.Scrub(k.url)
	e.Attempts, e.ExchangeID = k.attempt, k.record.ID()
	if resp != nil {
		body := k.client.secrets.ScrubBytes(resp.Body())
		e.Status, e.Body = resp.StatusCode(), slices.Clone(body[:min(len(body), most)])
	}
	return e
}

// contextError returns the error of a call whose time has run out or that was
// canceled. What the server answered before says more than that it was too late.
func (k *call) contextError(ctx context.Context) *Error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return k.describe(&Error{Kind: Canceled, Err: context.Canceled}, nil)
	}
	if k.last != nil && k.last.Kind != Timeout {
		e := *k.last
		e.Attempts, e.late = k.attempt, true
		return &e
	}
	return k.describe(&Error{Kind: Timeout, Err: plain(fmt.Sprintf("no answer within %s", k.client.opt.Timeout), context.DeadlineExceeded)}, nil)
}

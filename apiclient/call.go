package apiclient

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"
)

// call is one GET with its retries, which resty makes. Its hooks find the call
// in the request's context.
type call struct {
	client  *Client
	op, url string
	etag    string
	record  *callRecord
	// attempt counts from 1.
	attempt int
	// last is why the attempt before failed.
	last *Error
}

type callKey struct{}

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
	req := k.client.rest.R().SetContext(context.WithValue(ctx, callKey{}, k))
	if k.etag != "" {
		req.SetHeader("If-None-Match", k.etag)
	}
	resp, err := req.Get(k.url)
	var failure *Error
	switch {
	case err == nil:
		failure, _ = k.classify(resp, nil)
	case ctx.Err() != nil:
		failure = k.contextError(ctx)
	case errors.Is(err, errNoTime):
		failure = k.last
	default:
		failure, _ = k.classify(resp, err)
	}
	return resp, failure
}

// startAttempt counts an attempt that is about to be sent.
func startAttempt(_ *resty.Client, req *resty.Request) error {
	k := callOf(req.Context())
	k.attempt++
	k.record.attempt()
	if k.attempt == 1 {
		k.notifyAttempt(1)
	}
	return nil
}

// notifyAttempt tells OnAttempt of the attempt of this number.
func (k *call) notifyAttempt(number int) {
	o := k.client.opt
	if o.OnAttempt == nil {
		return
	}
	a := Attempt{Op: k.op, URL: k.url, Number: number, Of: o.MaxAttempts}
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
	failure, again := k.classify(resp, err)
	if failure == nil {
		return false
	}
	k.last = failure
	if again && k.attempt < k.client.opt.MaxAttempts {
		k.notifyAttempt(k.attempt + 1)
	}
	return again
}

// waitBeforeRetry returns what the server asked for, 0 for resty's backoff with
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

// maxRetryAfter is the longest wait that a server may ask for.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the header Retry-After (RFC 9110, section 10.2.3): seconds or
// an HTTP date. It returns 0 when it is neither or past.
func retryAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil && n > 0 {
		return time.Duration(math.Min(n, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(s); err == nil && at.After(now) {
		return min(at.Sub(now), maxRetryAfter)
	}
	return 0
}

// contextError returns the error of a call whose time has run out or that was
// canceled. What the server answered before says more than that it was too late.
func (k *call) contextError(ctx context.Context) *Error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e := k.newError(Canceled, nil)
		e.Err = context.Canceled
		return e
	}
	if k.last != nil && k.last.Kind != Timeout {
		e := *k.last
		e.Attempts, e.late = k.attempt, true
		return &e
	}
	e := k.newError(Timeout, nil)
	e.Err = plain(fmt.Sprintf("no answer within %s", k.client.opt.Timeout), context.DeadlineExceeded)
	return e
}

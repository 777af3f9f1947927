package apiclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chainscope/apiclient/internal/jsoncursor"
)

// attempts is one call: a GET and its retries.
type attempts struct {
	c       *Client
	op, url string
	etag    string
	call    *callRecord
	count   int
}

// run sends until an answer may be decoded, a failure is final, or the bounds
// of count and time are reached.
func (a *attempts) run(ctx context.Context) (got, *Error) {
	deadline := a.c.opt.Now().Add(a.c.opt.Timeout)
	var wait time.Duration
	var cause *Error
	for a.count = 1; ; a.count++ {
		a.tell(0, cause)
		a.call.attempt(wait)
		g, err := a.c.once(ctx, a.url, a.etag)
		a.call.bodyRead(g.body, g.bodyErr)
		fault, again := a.judge(ctx, g, err)
		if fault == nil {
			return g, nil
		}
		if !again || a.count >= a.c.opt.MaxAttempts {
			return got{}, fault
		}
		wait = a.wait(fault)
		if a.c.opt.Now().Add(wait).After(deadline) {
			return got{}, fault
		}
		cause = fault
		a.count++
		a.tell(wait, cause)
		a.count--
		if err := a.c.opt.Sleep(ctx, wait); err != nil {
			return got{}, a.ended(ctx, err)
		}
	}
}

func (a *attempts) tell(wait time.Duration, cause *Error) {
	if a.c.opt.OnAttempt == nil {
		return
	}
	t := Attempt{Op: a.op, URL: a.url, Number: a.count, Of: a.c.opt.MaxAttempts, Wait: wait}
	if cause != nil {
		t.Cause = cause
	}
	a.c.opt.OnAttempt(t)
}

// wait is what the server asked for, else a random part of an exponential
// step.
func (a *attempts) wait(e *Error) time.Duration {
	if e.RetryAfter > 0 {
		return e.RetryAfter
	}
	return fullJitter(a.c.opt.Backoff, a.c.opt.MaxBackoff, a.count, a.c.opt.Random())
}

// fullJitter is random, in [0, 1), of base doubled for each attempt after the
// first, at most ceiling.
func fullJitter(base, ceiling time.Duration, attempt int, random float64) time.Duration {
	step := float64(base) * math.Pow(2, float64(attempt-1))
	return time.Duration(random * math.Min(step, float64(ceiling)))
}

// judge tells what is wrong with an answer, nil when it may be decoded, and
// whether another attempt may mend it.
func (a *attempts) judge(ctx context.Context, g got, err error) (fault *Error, again bool) {
	if err != nil {
		return a.network(ctx, err)
	}
	if g.status >= 400 {
		return a.refusal(g), retryable(g.status)
	}
	if g.bodyErr != nil {
		return a.brokenBody(ctx, g)
	}
	switch {
	case g.status == http.StatusNotModified && a.etag != "":
		return nil, false
	case g.status < 200 || g.status > 299:
		e := a.fault(ServerFault, g)
		e.Err = fmt.Errorf("unexpected status %d", g.status)
		return e, false
	}
	return nil, false
}

func retryable(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// fault makes an Error with what is known of the call and its answer.
func (a *attempts) fault(k Kind, g got) *Error {
	const most = 4 << 10
	e := &Error{
		Kind: k, Op: a.op, Method: http.MethodGet, URL: a.c.secrets.scrub(a.url),
		Status: g.status, Attempts: a.count, ExchangeID: a.call.ex.ID,
	}
	body := a.c.secrets.scrubBytes(g.body)
	e.Body = append([]byte(nil), body[:min(len(body), most)]...)
	return e
}

// ended is the error of a call whose time or whose callers are gone.
func (a *attempts) ended(ctx context.Context, err error) *Error {
	e := a.fault(Canceled, got{})
	e.Err = context.Canceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind = Timeout
		e.Err = fmt.Errorf("no answer within %s: %w", a.c.opt.Timeout, context.DeadlineExceeded)
	} else if ctx.Err() == nil {
		e.Err = err
	}
	return e
}

// network classes an error that came in place of an answer.
func (a *attempts) network(ctx context.Context, err error) (*Error, bool) {
	if ctx.Err() != nil {
		return a.ended(ctx, err), false
	}
	e := a.fault(Offline, got{})
	e.Err = scrubbed(a.c.secrets, err)
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var noTLS tls.RecordHeaderError
	switch {
	case errors.Is(err, ErrForeignRedirect), errors.Is(err, errRedirects):
		e.Kind = ServerFault
		return e, false
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &noTLS):
		return e, false
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Kind = Timeout
	}
	return e, true
}

// scrubbed is err with its secrets masked; err itself when there are none.
func scrubbed(s secrets, err error) error {
	text := err.Error()
	if clean := s.scrub(text); clean != text {
		return errors.New(clean)
	}
	return err
}

// brokenBody classes a body that could not be read to its end: cut short or
// too large it is the answer that is wrong, else the network.
func (a *attempts) brokenBody(ctx context.Context, g got) (*Error, bool) {
	e := a.fault(Decode, g)
	e.BodyOffset = int64(len(g.body))
	e.Err = scrubbed(a.c.secrets, g.bodyErr)
	switch {
	case errors.Is(g.bodyErr, errTooLarge):
		e.BodyOffset = a.c.opt.MaxBody
		e.Err = fmt.Errorf("%w of %d bytes", errTooLarge, a.c.opt.MaxBody)
	case errors.Is(g.bodyErr, io.ErrUnexpectedEOF):
		c := jsoncursor.New(string(g.body))
		c.Skip()
		var where *jsoncursor.Error
		if errors.As(c.Err(), &where) {
			e.FieldPath, e.BodyOffset = where.Path, int64(where.Offset)
		}
		e.Err = fmt.Errorf("the body was cut short: %w", io.ErrUnexpectedEOF)
	case ctx.Err() != nil:
		return a.ended(ctx, g.bodyErr), false
	default:
		return a.readFault(e, g.bodyErr)
	}
	return e, false
}

// readFault tells a connection that broke from a body that cannot be
// decompressed.
func (a *attempts) readFault(e *Error, err error) (*Error, bool) {
	var broken *net.OpError
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Kind = Timeout
	case errors.As(err, &broken), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		e.Kind = Offline
	default:
		return e, false
	}
	return e, true
}

// refusal reads an error answer.
func (a *attempts) refusal(g got) *Error {
	e := a.fault(ServerFault, g)
	readErrorBody(string(a.c.secrets.scrubBytes(g.body)), e)
	e.Kind = kindOfAnswer(g.status, e.ServerError)
	e.RetryAfter = retryAfter(g.header.Get("Retry-After"), a.c.opt.Now())
	return e
}

// readErrorBody fills in what an error body says. A body that is none says
// nothing: error pages of gateways are not JSON.
func readErrorBody(body string, e *Error) {
	c := jsoncursor.New(body)
	if !c.Here('{') || !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		var text *string
		switch key {
		case "error":
			text = &e.ServerError
		case "message":
			text = &e.ServerMessage
		case "code":
			text = &e.Code
		}
		switch {
		case text != nil && c.Here('"'):
			*text = c.String()
		case text != nil && !c.Here('{') && !c.Here('['):
			if raw := c.Skip(); raw != "null" {
				*text = raw
			}
		default:
			collectUnknown(c, &e.Extra, key)
		}
	}
}

// retryAfter reads seconds or an HTTP date; 0 when it is neither or past.
func retryAfter(s string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil && n > 0 {
		return time.Duration(math.Min(n, most.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(s); err == nil && at.After(now) {
		return min(at.Sub(now), most)
	}
	return 0
}

// decodeAnswer checks an answer's type and decodes it.
func decodeAnswer[T any](a *attempts, g got, decode decoder[T]) (T, *Error) {
	var zero T
	if err := jsonType(g.header.Get("Content-Type")); err != nil {
		e := a.fault(Decode, g)
		e.Err = err
		return zero, e
	}
	value, err := decode(string(g.body))
	if err == nil {
		return value, nil
	}
	e := a.fault(Decode, g)
	e.Err = err
	var where *jsoncursor.Error
	if errors.As(err, &where) {
		e.FieldPath, e.BodyOffset = where.Path, int64(where.Offset)
		e.Err = scrubbed(a.c.secrets, errors.New(where.Reason))
		if where.Offset >= len(g.body) {
			e.Err = fmt.Errorf("%w: %s", io.ErrUnexpectedEOF, where.Reason)
		}
	}
	return zero, e
}

// jsonType refuses content types that are not JSON; none at all passes.
func jsonType(s string) error {
	switch s {
	case "", "application/json", "application/json; charset=utf-8":
		return nil // as it mostly is
	}
	t, _, err := mime.ParseMediaType(s)
	if t == "application/json" || strings.HasSuffix(t, "+json") {
		return nil
	}
	if err != nil && t == "" {
		t = s
	}
	return fmt.Errorf("content type %q, want application/json", short(t))
}

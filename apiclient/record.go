package apiclient

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// callRecord collects what is logged of one call. It measures each request by
// httptrace, not by resty's trace, which knows only the last of an attempt's
// redirects and nothing of requests that other packages send.
type callRecord struct {
	log     *ExchangeLog
	now     func() time.Time
	secrets secrets

	mu      sync.Mutex
	ex      Exchange
	tries   []*tryRecord
	reqBody strings.Builder
	body    strings.Builder
	ended   bool
}

// tryRecord measures one request.
type tryRecord struct {
	call *callRecord
	try  Try

	dns, connect, tls time.Time
}

func newCallRecord(log *ExchangeLog, now func() time.Time, s secrets, op, method, url string) *callRecord {
	r := &callRecord{log: log, now: now, secrets: s}
	r.ex = Exchange{Op: op, Method: method, URL: s.scrub(url), Started: now()}
	if log != nil {
		r.ex.ID = log.begin(r.ex)
	}
	return r
}

// attempt counts an attempt.
func (r *callRecord) attempt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ex.Attempts++
}

// startTry adds a request to the record and returns the context that measures its
// phases.
func (r *callRecord) startTry(ctx context.Context) (context.Context, *tryRecord) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &tryRecord{call: r, try: Try{Started: r.now()}}
	r.tries = append(r.tries, t)
	stamp := func(at *time.Time) {
		r.mu.Lock()
		*at = r.now()
		r.mu.Unlock()
	}
	since := func(at *time.Time, d *time.Duration) {
		r.mu.Lock()
		if !at.IsZero() {
			*d = r.now().Sub(*at)
		}
		r.mu.Unlock()
	}
	timings := &t.try.Timings
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart:             func(httptrace.DNSStartInfo) { stamp(&t.dns) },
		DNSDone:              func(httptrace.DNSDoneInfo) { since(&t.dns, &timings.DNS) },
		ConnectStart:         func(string, string) { stamp(&t.connect) },
		ConnectDone:          func(string, string, error) { since(&t.connect, &timings.Connect) },
		TLSHandshakeStart:    func() { stamp(&t.tls) },
		TLSHandshakeDone:     func(tls.ConnectionState, error) { since(&t.tls, &timings.TLS) },
		GotFirstResponseByte: func() { since(&t.try.Started, &timings.FirstByte) },
		GotConn: func(i httptrace.GotConnInfo) {
			r.mu.Lock()
			timings.Reused = i.Reused
			r.mu.Unlock()
		},
	})
	return ctx, t
}

// sent records the request as it goes out.
func (t *tryRecord) sent(req *http.Request) {
	r := t.call
	r.mu.Lock()
	defer r.mu.Unlock()
	t.try.URL = r.secrets.scrub(req.URL.String())
	r.ex.RequestHeader = maskHeader(req.Header, r.secrets)
}

// answered records the head of a response, or why none came.
func (t *tryRecord) answered(resp *http.Response, err error) {
	if err != nil {
		t.done(err)
		return
	}
	r := t.call
	r.mu.Lock()
	defer r.mu.Unlock()
	t.try.Status = resp.StatusCode
	t.try.Timings.Total = r.now().Sub(t.try.Started)
	r.ex.Status = resp.StatusCode
	r.ex.ResponseHeader = maskHeader(resp.Header, r.secrets)
	r.ex.ResponseSize = 0 // of the try before
	r.body.Reset()
	if r.log != nil && resp.ContentLength > 0 {
		r.body.Grow(int(min(resp.ContentLength, int64(r.log.opt.BodyLimit)+1)))
	}
}

// done records the end of a try's body, and its error if it was cut short.
func (t *tryRecord) done(err error) {
	r := t.call
	r.mu.Lock()
	defer r.mu.Unlock()
	t.try.Timings.Total = r.now().Sub(t.try.Started)
	if err != nil {
		t.try.Err = r.secrets.scrub(err.Error())
	}
}

// responsePart records a piece of a response's body.
func (r *callRecord) responsePart(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ex.ResponseSize += int64(len(p))
	r.keep(&r.body, p)
}

// keep adds a piece of a body to what the log gets of it.
func (r *callRecord) keep(body *strings.Builder, p []byte) {
	if r.log == nil {
		return
	}
	// One byte above the limit is kept, so that the log sees that it has to cut.
	if room := r.log.opt.BodyLimit + 1 - body.Len(); room < len(p) {
		p = p[:max(room, 0)]
	}
	body.Write(p)
}

// text returns a body as a string: the one that was recorded, if it is the same, so
// that what is decoded of it and the log hold one copy.
func (r *callRecord) text(body []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if recorded := r.body.String(); recorded == string(body) {
		return recorded
	}
	return string(body)
}

// requestBody returns a body that is recorded while it is sent.
func (r *callRecord) requestBody(body io.ReadCloser) io.ReadCloser {
	if body == nil || body == http.NoBody || r.log == nil {
		return body
	}
	return &sentBody{ReadCloser: body, call: r}
}

type sentBody struct {
	io.ReadCloser
	call *callRecord
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.call.mu.Lock()
	b.call.ex.RequestSize += int64(n)
	b.call.keep(&b.call.reqBody, p[:n])
	b.call.mu.Unlock()
	return n, err
}

// end hands the exchange to the log. Only the first call counts.
func (r *callRecord) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.log == nil {
		r.ended = true
		return
	}
	r.ended = true
	e := r.ex
	e.Duration = r.now().Sub(e.Started)
	e.Tries = make([]Try, len(r.tries))
	for i, t := range r.tries {
		e.Tries[i] = t.try
	}
	e.RequestBody = r.secrets.scrub(r.reqBody.String())
	e.ResponseBody = r.secrets.scrub(r.body.String())
	if err != nil {
		e.Err = r.secrets.scrub(fullText(err))
	}
	r.log.end(e)
}

// fullText returns the words of an error and, where they are ours, what Go or a
// library said of it.
func fullText(err error) string {
	text := err.Error()
	var ours *plainError
	var broken *panicError
	switch {
	case errors.As(err, &ours):
		text += ": " + ours.cause.Error()
	case errors.As(err, &broken):
		text += "\n" + string(broken.stack)
	}
	return text
}

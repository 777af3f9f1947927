package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"
)

// Record collects what is logged of one call. It measures each request by
// httptrace, not by resty's trace, which knows only the last of an attempt's
// redirects and nothing of requests that other packages send.
type Record struct {
	log     *ExchangeLog
	now     func() time.Time
	secrets Secrets

	mu             sync.Mutex
	ex             Exchange
	sent, received strings.Builder
	ended          bool
}

// Record begins the record of a call.
func (t *Transport) Record(op, method, url string) *Record {
	r := &Record{log: t.log, now: t.now, secrets: t.secrets}
	r.ex = Exchange{Op: op, Method: method, URL: r.secrets.Scrub(url), Started: r.now()}
	r.ex.ID = r.log.begin(r.ex)
	return r
}

type recordKey struct{}

// WithRecord marks the requests of a context as parts of a call that is recorded.
func WithRecord(ctx context.Context, r *Record) context.Context {
	return context.WithValue(ctx, recordKey{}, r)
}

// ID returns the number of the exchange.
func (r *Record) ID() uint64 { return r.ex.ID }

// NotModified notes that the server confirmed the cached answer.
func (r *Record) NotModified() { r.ex.NotModified = true }

// Attempt counts an attempt.
func (r *Record) Attempt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ex.Attempts++
}

// End hands the exchange to the log with the reason why the call failed, "" if it did
// not. Only the first call counts.
func (r *Record) End(failure string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.ended = true
	e := r.ex
	e.Duration = r.now().Sub(e.Started)
	e.Tries = slices.Clone(e.Tries)
	e.RequestBody = r.secrets.Scrub(r.sent.String())
	e.ResponseBody = r.secrets.Scrub(r.received.String())
	e.Err = r.secrets.Scrub(failure)
	r.log.end(e)
}

// keep adds a piece of a body to what the log gets of it. One byte above the limit is
// kept, so that the log sees that it has to cut.
func (r *Record) keep(body *strings.Builder, size *int64, p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*size += int64(len(p))
	body.Write(p[:min(len(p), max(r.log.opt.BodyLimit+1-body.Len(), 0))])
}

// try is one request of a call; it records what it carries as it reads it.
type try struct {
	io.ReadCloser // the body of the response
	record        *Record
	n             int // of the exchange's tries
	// single ends the record with the body: the request is a call of its own.
	single bool
}

// set changes what is known of the try.
func (t *try) set(change func(*Try)) {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	change(&t.record.ex.Tries[t.n])
}

// startTry adds a request to the record and returns the context that measures its
// phases.
func (r *Record) startTry(ctx context.Context, single bool) (context.Context, *try) {
	r.mu.Lock()
	t := &try{record: r, n: len(r.ex.Tries), single: single}
	r.ex.Tries = append(r.ex.Tries, Try{Started: r.now()})
	r.mu.Unlock()
	var dns, connect, handshake time.Time
	begins := func(at *time.Time) { t.set(func(*Try) { *at = r.now() }) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart:             func(httptrace.DNSStartInfo) { begins(&dns) },
		DNSDone:              func(httptrace.DNSDoneInfo) { t.set(func(x *Try) { x.Timings.DNS = r.now().Sub(dns) }) },
		ConnectStart:         func(string, string) { begins(&connect) },
		ConnectDone:          func(string, string, error) { t.set(func(x *Try) { x.Timings.Connect = r.now().Sub(connect) }) },
		TLSHandshakeStart:    func() { begins(&handshake) },
		TLSHandshakeDone:     func(tls.ConnectionState, error) { t.set(func(x *Try) { x.Timings.TLS = r.now().Sub(handshake) }) },
		GotFirstResponseByte: func() { t.set(func(x *Try) { x.Timings.FirstByte = r.now().Sub(x.Started) }) },
		GotConn:              func(i httptrace.GotConnInfo) { t.set(func(x *Try) { x.Timings.Reused = i.Reused }) },
	}), t
}

// sends records the request as it goes out.
func (t *try) sends(req *http.Request) {
	t.set(func(x *Try) {
		x.URL = t.record.secrets.Scrub(req.URL.String())
		t.record.ex.RequestHeader = maskHeader(req.Header, t.record.secrets)
		t.record.ex.RequestSize = 0 // of the try before
		t.record.sent.Reset()
	})
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = &sentBody{req.Body, t.record}
	}
}

// sentBody records the body of a request while it is sent.
type sentBody struct {
	io.ReadCloser
	record *Record
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.record.keep(&b.record.sent, &b.record.ex.RequestSize, p[:n])
	return n, err
}

// answered records the head of a response, or why none came, and has the body recorded
// while it is read.
func (t *try) answered(resp *http.Response, err error) {
	if err != nil {
		t.done(err)
		return
	}
	t.set(func(x *Try) {
		r := t.record
		x.Status, x.Timings.Total = resp.StatusCode, r.now().Sub(x.Started)
		r.ex.Status, r.ex.ResponseHeader = resp.StatusCode, maskHeader(resp.Header, r.secrets)
		r.ex.ResponseSize = 0 // of the try before
		r.received.Reset()
	})
	t.ReadCloser, resp.Body = resp.Body, t
}

func (t *try) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.record.keep(&t.record.received, &t.record.ex.ResponseSize, p[:n])
	if err != nil {
		t.done(err)
	}
	return n, err
}

func (t *try) Close() error {
	err := t.ReadCloser.Close()
	t.done(nil)
	return err
}

// done records the end of the request, and its error if it was cut Short.
func (t *try) done(err error) {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	failure := ""
	if err != nil {
		failure = t.record.secrets.Scrub(err.Error())
	}
	t.set(func(x *Try) {
		x.Timings.Total = t.record.now().Sub(x.Started)
		x.Err = failure
	})
	if t.single {
		t.record.End(failure)
	}
}

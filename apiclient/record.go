package apiclient

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// callRecord gathers what is logged of one call.
type callRecord struct {
	log     *ExchangeLog
	now     func() time.Time
	secrets secrets
	// alone tells that the call is one RoundTrip of another package.
	alone bool

	mu      sync.Mutex
	ex      Exchange
	tries   []*tryRecord
	wait    time.Duration
	reqBody []byte
	body    []byte
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

func (r *callRecord) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, callKey{}, r)
}

// attempt counts an attempt that begins after a wait.
func (r *callRecord) attempt(wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ex.Attempts++
	r.wait = wait
}

// try begins a request.
func (r *callRecord) try(req *http.Request) *tryRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tries[len(r.tries)-1]
	t.try.URL = r.secrets.scrub(req.URL.String())
	r.ex.RequestHeader = maskHeader(req.Header, r.secrets)
	return t
}

// traced makes a new tryRecord whose phases ctx measures.
func (r *callRecord) traced(ctx context.Context) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &tryRecord{call: r, try: Try{Started: r.now(), Wait: r.wait}}
	r.wait = 0
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
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
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
}

// answered notes the head of an answer or why none came.
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
}

// done notes that the body ended.
func (t *tryRecord) done(err error) {
	r := t.call
	r.mu.Lock()
	defer r.mu.Unlock()
	t.try.Timings.Total = r.now().Sub(t.try.Started)
	if err != nil {
		t.try.Err = r.secrets.scrub(err.Error())
	}
}

// bodyRead notes the body of the last try.
func (r *callRecord) bodyRead(body []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.body = body
	r.ex.ResponseSize = int64(len(body))
	if n := len(r.tries); n > 0 {
		t := r.tries[n-1]
		t.try.Timings.Total = r.now().Sub(t.try.Started)
		if err != nil {
			t.try.Err = r.secrets.scrub(err.Error())
		}
	}
}

// responsePart notes a piece of a body that another package reads.
func (r *callRecord) responsePart(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ex.ResponseSize += int64(len(p))
	r.body = r.append(r.body, p)
}

func (r *callRecord) append(to, p []byte) []byte {
	if r.log == nil {
		return nil
	}
	// One byte above the limit is kept, so that the log sees that it has to cut.
	if room := r.log.opt.BodyLimit + 1 - len(to); room < len(p) {
		p = p[:max(room, 0)]
	}
	return append(to, p...)
}

// requestBody keeps the start of a body while it is sent.
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
	b.call.reqBody = b.call.append(b.call.reqBody, p[:n])
	b.call.mu.Unlock()
	return n, err
}

// end hands the exchange to the log, once.
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
	e.RequestBody = r.secrets.scrubBytes(r.reqBody)
	e.ResponseBody = r.secrets.scrubBytes(r.body)
	if err != nil {
		e.Err = r.secrets.scrub(err.Error())
	}
	r.log.end(e)
}

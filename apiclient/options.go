package apiclient

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// What an Options field that is zero stands for.
const (
	DefaultTimeout      = 10 * time.Second
	DefaultMaxBody      = 8 << 20
	DefaultCacheBytes   = 16 << 20
	DefaultNamesWorkers = 8
	DefaultMaxAttempts  = 4
	DefaultBackoff      = 250 * time.Millisecond
	DefaultMaxBackoff   = 5 * time.Second
)

// Options say how a Client speaks to one server.
type Options struct {
	// BaseURL is the server's address, http or https, without query, fragment
	// or user. A path in it goes before every endpoint's path.
	BaseURL string
	// Header is sent to the origin of BaseURL and to nobody else.
	Header http.Header
	// Timeout bounds one call with all its retries.
	Timeout time.Duration
	// Transport makes the connections; nil is a transport of the client's own.
	Transport http.RoundTripper
	// Log receives every exchange; nil is a log of the client's own.
	Log *ExchangeLog
	// Now and Sleep are the clock of retries and stamps; nil is the real one.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Random gives the jitter, in [0, 1); nil is math/rand.
	Random func() float64
	// MaxBody is the size in bytes above which an answer is refused.
	MaxBody int64
	// CacheBytes bounds the cache; negative switches it off.
	CacheBytes int64
	// NamesWorkers bounds the pages of AllNames in flight.
	NamesWorkers int
	// MaxAttempts is the first try and its retries together.
	MaxAttempts int
	// Backoff and MaxBackoff are the exponential wait's first step and ceiling.
	Backoff, MaxBackoff time.Duration
	// OnAttempt, when set, is told of each attempt that begins, and of the wait
	// before it. It is called from the call's own goroutine and must not block.
	OnAttempt func(Attempt)
}

// Attempt tells that a try of a call begins or, with Wait above 0, that it
// will begin after that wait.
type Attempt struct {
	// Op names the endpoint, such as "blocks".
	Op  string
	URL string
	// Number counts from 1; Of is how many there may be.
	Number, Of int
	// Wait is the time until the attempt is sent; 0 when it is sent now.
	Wait time.Duration
	// Cause is why the attempt before failed; nil for the first.
	Cause error
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	if o.NamesWorkers <= 0 {
		o.NamesWorkers = DefaultNamesWorkers
	}
	if o.MaxAttempts <= 0 {
		o.MaxAttempts = DefaultMaxAttempts
	}
	if o.Backoff <= 0 {
		o.Backoff = DefaultBackoff
	}
	if o.MaxBackoff <= 0 {
		o.MaxBackoff = DefaultMaxBackoff
	}
	if o.Log == nil {
		o.Log = NewExchangeLog(LogOptions{})
	}
	return o
}

// sleep waits for d or until ctx ends, and says which by its error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

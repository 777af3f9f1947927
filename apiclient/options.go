package apiclient

import (
	"cmp"
	"net/http"
	"time"

	"chainscope/apiclient/wire"
)

// Defaults of the Options.
const (
	defaultTimeout      = 10 * time.Second
	defaultMaxBody      = 8 << 20
	defaultCacheBytes   = 16 << 20
	defaultNamesWorkers = 8
	defaultMaxAttempts  = 6
)

// backoffShare is the part of a call's time that the first wait before a retry
// takes. Waits double, so that five of them spread over 40 to 80 percent of it.
const backoffShare = 40

// Options configure a Client. Zero fields mean the defaults.
type Options struct {
	// BaseURL is the server's address, http or https, without query, fragment
	// or user. A path in it goes before every endpoint's path.
	BaseURL string
	// Header is sent to the origin of BaseURL only.
	Header http.Header
	// Timeout bounds one call with all its retries: 10 s.
	Timeout time.Duration
	// Transport makes the connections; nil is a transport of the client's own.
	Transport http.RoundTripper
	// Network is that of the server, Mainnet or Testnet, where the user has named it; "" has the
	// client request it when it matters.
	Network string
	// Mock says that the server is known to be a mock, which takes addresses of both networks; one
	// that is not known is recognized by its answers.
	Mock bool
	// Log receives every exchange; nil is a log of the client's own.
	Log *wire.ExchangeLog
	// Gate holds requests back while the server refuses them; nil is a gate of
	// the client's own. Clients of one origin should share one.
	Gate *wire.Gate
	// Now stamps answers and exchanges; nil is time.Now.
	Now func() time.Time
	// MaxBody is the size in bytes above which an answer is refused: 8 MiB.
	MaxBody int64
	// CacheBytes bounds the cache: 16 MiB; negative switches it off.
	CacheBytes int64
	// NamesWorkers bounds the pages of AllNames in flight: 8, and one while the server is
	// known or taken to allow 100 requests a minute or fewer.
	NamesWorkers int
	// MaxAttempts is the first attempt and its retries together: 6.
	MaxAttempts int
	// Backoff is the first wait before a retry; each further wait is up to twice
	// as long. It is a fortieth of Timeout.
	Backoff time.Duration
	// OnAttempt, when set, is called when a call is sent and, before the wait, for
	// each retry. It runs in the call's goroutine and must not block.
	OnAttempt func(Attempt)
}

// Attempt is one attempt of a call: the first, or a retry that has been decided.
type Attempt struct {
	// Op names the endpoint, such as "blocks".
	Op  string
	URL string
	// Number counts from 1; Of is how many there may be.
	Number, Of int
	// Cause is the reason why the attempt before failed; nil for the first.
	Cause error
}

func (o Options) withDefaults() Options {
	o.Timeout = positive(o.Timeout, defaultTimeout)
	o.MaxBody = positive(o.MaxBody, defaultMaxBody)
	o.CacheBytes = cmp.Or(o.CacheBytes, defaultCacheBytes)
	o.NamesWorkers = positive(o.NamesWorkers, defaultNamesWorkers)
	o.MaxAttempts = positive(o.MaxAttempts, defaultMaxAttempts)
	o.Backoff = positive(o.Backoff, o.Timeout/backoffShare)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = wire.NewExchangeLog(wire.LogOptions{})
	}
	if o.Gate == nil {
		o.Gate = wire.NewGate(o.Now)
	}
	return o
}

// positive returns n, or the default where it is not above 0.
func positive[T int | int64 | time.Duration](n, otherwise T) T {
	if n <= 0 {
		return otherwise
	}
	return n
}

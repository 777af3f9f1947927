package bridge

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"chainscope/wallet/jsonrpc"
)

// CallRecord is a call and its answer, as OnCall receives it and as `--calls`
// writes it, one JSON object for each call. No secret is in it: the only answer
// that holds one is the gaia key of an account, which is masked.
type CallRecord struct {
	ID     uint64          `json:"-"`    // of the [Call]
	Time   time.Time       `json:"time"` // when it came
	Origin string          `json:"origin"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	Shown  json.RawMessage `json:"shown,omitempty"`
	Answer CallAnswer      `json:"answer"`
	Account
	Duration float64 `json:"duration_ms"`
	// Refused says that the bridge answered by itself: the call never reached
	// the Handler.
	Refused bool `json:"-"`
	// Rule is the number of the rule that answered it, 0 for none; Unexpected is
	// set when a script had none.
	Rule       int         `json:"-"`
	Unexpected *Unexpected `json:"-"`
}

// Account holds what the wallet says of a call: who answered it, for which account and network, with
// which fee and nonce; its transaction; and its state.
type Account struct {
	By     string `json:"by,omitempty"`
	TxID   string `json:"txid,omitempty"`
	Status string `json:"status,omitempty"`
	// Called has what a transaction called that failed, a line a call.
	Called string `json:"called,omitempty"`
}

// CallAnswer holds what the page received: a result, or else an error.
type CallAnswer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *jsonrpc.Error  `json:"error,omitempty"`
}

// NumberedCall is a call as the control routes list it.
type NumberedCall struct {
	N          uint64          `json:"n"` // counted from 1 in the order of the answers
	Time       time.Time       `json:"time"`
	Origin     string          `json:"origin"`
	Method     string          `json:"method"`
	Params     json.RawMessage `json:"params"`
	Shown      json.RawMessage `json:"shown"`
	Answer     CallAnswer      `json:"answer"`
	Rule       *int            `json:"rule"` // null when none answered it
	Unexpected bool            `json:"unexpected"`
	account    Account
}

// record hands an answered call to OnCall and to the control routes.
func (s *Server) record(call Call, answer Answer, refused bool) {
	if s.options.OnCall == nil && s.options.Control == nil {
		return
	}
	r := CallRecord{
		ID: call.ID, Time: call.Arrived.UTC(), Origin: call.Origin, Method: call.Method, Params: call.Params,
		Shown: answer.Shown, Answer: CallAnswer{WithoutSecrets(answer.Result), answer.Error}, Account: answer.Account,
		Duration: float64(s.options.Now().Sub(call.Arrived).Microseconds()) / 1000, Refused: refused,
		Rule: answer.Rule, Unexpected: answer.Unexpected,
	}
	if c := s.options.Control; c != nil {
		n := s.log.add(r)
		if r.Unexpected != nil {
			c.Script.numberUnexpected(call.ID, n)
		}
	}
	if s.options.OnCall != nil {
		s.options.OnCall(r)
	}
	s.changed()
}

// Bounds of what the control routes can list.
const (
	maxLogged      = 10_000   // calls
	maxLoggedBytes = 64 << 20 // of their params, what was shown, and results
)

// callLog keeps the newest calls for the control routes.
type callLog struct {
	mu    sync.Mutex
	calls []NumberedCall
	bytes int // of all calls
	last  uint64
	more  chan struct{} // closed when a call comes
}

func newCallLog() *callLog { return &callLog{more: make(chan struct{})} }

// add keeps a call and returns its number.
func (l *callLog) add(r CallRecord) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	c := NumberedCall{
		N: l.last, Time: r.Time, Origin: r.Origin, Method: r.Method, Params: orNull(r.Params), Shown: orNull(r.Shown),
		Answer: r.Answer, account: r.Account, Unexpected: r.Unexpected != nil,
	}
	if r.Rule > 0 {
		c.Rule = &r.Rule
	}
	l.calls = append(l.calls, c)
	l.bytes += c.size()
	drop := 0
	for len(l.calls)-drop > maxLogged || l.bytes > maxLoggedBytes && drop < len(l.calls)-1 {
		l.bytes -= l.calls[drop].size()
		drop++
	}
	l.calls = slices.Delete(l.calls, 0, drop)
	close(l.more)
	l.more = make(chan struct{})
	return l.last
}

// size returns how many bytes of JSON a call holds.
func (c *NumberedCall) size() int { return len(c.Params) + len(c.Shown) + len(c.Answer.Result) }

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// after returns the calls with numbers above n and the number of the last one.
// When there are none it waits for one.
func (l *callLog) after(ctx context.Context, n uint64, wait time.Duration) ([]NumberedCall, uint64) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		l.mu.Lock()
		i, _ := slices.BinarySearchFunc(l.calls, n, func(c NumberedCall, n uint64) int {
			if c.N <= n {
				return -1
			}
			return 1
		})
		calls, last, more := slices.Clone(l.calls[i:]), l.last, l.more
		l.mu.Unlock()
		if len(calls) > 0 {
			return calls, last
		}
		select {
		case <-more:
		case <-ctx.Done():
			return []NumberedCall{}, last
		}
	}
}

// reset forgets all calls; numbers count from 1 again.
func (l *callLog) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls, l.bytes, l.last = nil, 0, 0
}

// WithoutSecrets returns a result as it may be logged or kept: the app keys in it are masked,
// however deep they are.
func WithoutSecrets(result json.RawMessage) json.RawMessage {
	var value any
	if json.Unmarshal(result, &value) != nil || !mask(value) {
		return result
	}
	masked, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return masked
}

func mask(value any) (found bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if key == "gaiaAppKey" {
				v[key] = "[secret]"
				found = true
			} else if mask(inner) {
				found = true
			}
		}
	case []any:
		for _, inner := range v {
			if mask(inner) {
				found = true
			}
		}
	}
	return found
}

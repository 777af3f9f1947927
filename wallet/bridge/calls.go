package bridge

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"chainscope/wallet/jsonrpc"
)

// callLog writes each call as one JSON line. A page never sends a secret, and
// no answer but the gaia key of an account holds one, which is left out.
type callLog struct {
	mu  sync.Mutex
	out io.Writer
}

// CallLine is one line of `--calls`.
type CallLine struct {
	Time     time.Time       `json:"time"` // when it came
	Origin   string          `json:"origin"`
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params,omitempty"`
	Shown    json.RawMessage `json:"shown,omitempty"`
	Answer   CallAnswer      `json:"answer"`
	Duration float64         `json:"duration_ms"`
}

// CallAnswer is what the page got: a result, or else an error.
type CallAnswer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *jsonrpc.Error  `json:"error,omitempty"`
}

func newCallLog(out io.Writer) *callLog { return &callLog{out: out} }

func (l *callLog) write(call Call, answer Answer, now time.Time) {
	if l.out == nil {
		return
	}
	line, err := json.Marshal(CallLine{
		Time: call.Arrived.UTC(), Origin: call.Origin, Method: call.Method, Params: call.Params,
		Shown: answer.Shown, Answer: CallAnswer{withoutSecrets(answer.Result), answer.Error},
		Duration: float64(now.Sub(call.Arrived).Microseconds()) / 1000,
	})
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// A full disk must not stop the wallet.
	_, _ = l.out.Write(append(line, '\n'))
}

// withoutSecrets masks the app keys in a result, however deep they stand.
func withoutSecrets(result json.RawMessage) json.RawMessage {
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

package bridge

import (
	"encoding/json"
	"time"

	"chainscope/wallet/jsonrpc"
)

// CallRecord is a call and its answer, as OnCall receives it and as `--calls`
// writes it, one JSON object for each call. No secret is in it: the only answer
// that holds one is the gaia key of an account, which is masked.
type CallRecord struct {
	ID       uint64          `json:"-"`    // of the [Call]
	Time     time.Time       `json:"time"` // when it came
	Origin   string          `json:"origin"`
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params,omitempty"`
	Shown    json.RawMessage `json:"shown,omitempty"`
	Answer   CallAnswer      `json:"answer"`
	Duration float64         `json:"duration_ms"`
	// Refused says that the bridge answered by itself: the call never reached
	// the Handler.
	Refused bool `json:"-"`
}

// CallAnswer is what the page received: a result, or else an error.
type CallAnswer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *jsonrpc.Error  `json:"error,omitempty"`
}

// record hands an answered call to OnCall.
func (s *Server) record(call Call, answer Answer, refused bool) {
	if s.options.OnCall == nil {
		return
	}
	s.options.OnCall(CallRecord{
		ID: call.ID, Time: call.Arrived.UTC(), Origin: call.Origin, Method: call.Method, Params: call.Params,
		Shown: answer.Shown, Answer: CallAnswer{withoutSecrets(answer.Result), answer.Error},
		Duration: float64(s.options.Now().Sub(call.Arrived).Microseconds()) / 1000, Refused: refused,
	})
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

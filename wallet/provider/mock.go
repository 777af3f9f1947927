package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"chainscope/wallet/jsonrpc"
)

// Personality is the kind of wallet that a mock wallet plays.
type Personality string

// The personalities.
const (
	PlayChainscope Personality = "chainscope" // a plain wallet that follows SIP-030
	PlayLeather    Personality = "leather"
	PlayXverse     Personality = "xverse"
)

// Personalities returns all of them, in the order in which they are offered.
func Personalities() []Personality { return []Personality{PlayChainscope, PlayLeather, PlayXverse} }

// ParsePersonality reads a name.
func ParsePersonality(name string) (Personality, error) {
	names := make([]string, 0, len(Personalities()))
	for _, p := range Personalities() {
		if string(p) == name {
			return p, nil
		}
		names = append(names, string(p))
	}
	return "", fmt.Errorf("unknown wallet %q: must be one of %s", name, strings.Join(names, ", "))
}

// Ids under which the mock wallets stand in the registry. Leather and Xverse
// take their models' ids, where pages look for them.
const (
	ChainscopeID = "ChainscopeProvider"
	LeatherID    = "LeatherProvider"
	XverseID     = "XverseProviders.BitcoinProvider"
)

// ID is the personality's id in the registry of wallets.
func (p Personality) ID() string {
	switch p {
	case PlayLeather:
		return LeatherID
	case PlayXverse:
		return XverseID
	}
	return ChainscopeID
}

// Mock is a mock wallet: an engine behind a personality. It is safe for
// concurrent use.
type Mock struct {
	// OnRequest sees every request as it arrives; nil for nothing. It must be set
	// before the first request.
	OnRequest func(ctx context.Context, p Personality, method string, params json.RawMessage)

	personality Personality
	engine      Engine
	calls       atomic.Uint64

	mu      sync.Mutex
	granted bool // xverse: wallet_connect was approved
}

// NewMock returns a mock wallet.
func NewMock(p Personality, e Engine) *Mock { return &Mock{personality: p, engine: e} }

// Personality returns which wallet it plays.
func (m *Mock) Personality() Personality { return m.personality }

// Traits are the marks of the model.
func (m *Mock) Traits() Traits {
	switch m.personality {
	case PlayLeather:
		return Traits{IsLeather: true}
	case PlayXverse:
		return Traits{XverseFunctions: true}
	}
	return Traits{}
}

// Grant gives the page what an approved wallet_connect gives, as a wallet that
// remembers its pages does when it starts.
func (m *Mock) Grant() { m.grant(true) }

// Disconnect withdraws what the page was granted.
func (m *Mock) Disconnect() { m.grant(false) }

func (m *Mock) grant(granted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.granted = granted
}

func (m *Mock) isGranted() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.granted
}

// Request answers a call as the model would: chainscope and xverse resolve with
// an envelope whatever happens, leather rejects with one when it fails.
func (m *Mock) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if m.OnRequest != nil {
		m.OnRequest(ctx, m.personality, method, params)
	}
	id, _ := json.Marshal(fmt.Sprintf("%s-%d", m.personality, m.calls.Add(1)))
	if string(params) == "null" {
		params = nil
	}
	var result json.RawMessage
	var err error
	switch m.personality {
	case PlayLeather:
		result, err = m.leather(ctx, method, params)
	case PlayXverse:
		result, err = m.xverse(ctx, method, params)
	default:
		result, err = m.engine.Call(ctx, method, params)
	}
	if err == nil {
		return json.Marshal(jsonrpc.Response{ID: id, Result: result})
	}
	response := jsonrpc.Fail(id, err)
	if m.personality == PlayLeather {
		response.Error = leatherError(response.Error, err)
	}
	text, encodeErr := json.Marshal(response)
	if encodeErr != nil {
		return nil, encodeErr
	}
	if m.personality == PlayLeather {
		return nil, &Rejection{Value: text}
	}
	return text, nil
}

// members reads params as an object.
func members(params json.RawMessage) (map[string]json.RawMessage, error) {
	var o map[string]json.RawMessage
	if params == nil {
		return map[string]json.RawMessage{}, nil
	}
	if err := json.Unmarshal(params, &o); err != nil || o == nil {
		return nil, jsonrpc.InvalidParam("params", "must be an object")
	}
	return o, nil
}

// absent reports whether a member is missing; null counts as missing.
func absent(raw json.RawMessage) bool { return raw == nil || string(raw) == "null" }

// first is the first byte of a JSON value: " for a string, [ for an array.
func first(raw json.RawMessage) byte {
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}

func object(v map[string]json.RawMessage) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the params cannot be written again")
	}
	return raw, nil
}

package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/signer"
)

// Mock is a mock wallet: an engine behind a personality. It is safe for
// concurrent use; its exported fields must be set before the first request, and may be
// nil.
type Mock struct {
	Origin string // of the page that the wallet answers; permissions name it
	// OnRequest sees every request as it arrives.
	OnRequest func(ctx context.Context, p Personality, method string, params json.RawMessage)
	// OnIgnored gets the params of a request that the wallet drops, as its model does:
	// also of requests that no description is made of.
	OnIgnored func(ctx context.Context, method string, params []string)
	// OnEvent takes the events of the wallet for its page: after a change of the network
	// that the page requested, and when the page has renounced its permissions.
	OnEvent func(Event)
	// OnSwitch carries out a change of the network that the page requested. Without it the
	// change is for the page alone.
	OnSwitch func(network string) error

	personality Personality
	model       *Model
	engine      Engine
	calls       atomic.Uint64

	mu   sync.Mutex
	page Permission
}

// Event is a message that a wallet sends to a page without a request.
type Event struct {
	Name    string // accountChange, networkChange or disconnect
	Payload json.RawMessage
}

// NewMock returns a mock wallet.
func NewMock(p Personality, e Engine) *Mock {
	return &Mock{personality: p, model: p.Model(), engine: e}
}

// Traits returns the marks of the model.
func (m *Mock) Traits() Traits { return m.model.Traits }

func (m *Mock) emit(name string, payload any) {
	if text, err := json.Marshal(payload); err == nil && m.OnEvent != nil {
		m.OnEvent(Event{name, text})
	}
}

// Grant gives the page what an approved wallet_connect gives, as a wallet that
// remembers its pages does when it starts.
func (m *Mock) Grant() { m.grant("") }

// grant connects the page to an account.
func (m *Mock) grant(account string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.page.granted, m.page.account = true, account
}

// Disconnect withdraws what the page was granted.
func (m *Mock) Disconnect() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.page.granted, m.page.account = false, ""
}

// Permission holds what the page of a wallet was granted. The zero value is nothing.
type Permission struct {
	granted bool   // it was connected
	account string // the id of the account that was granted; "" is whichever comes first
	network string // that it has switched to; "" is the wallet's
}

// Permission returns what the page is granted now.
func (m *Mock) Permission() Permission {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.page
}

// SetPermission grants the page what it was granted at another time. The page is
// not notified: no event is emitted.
func (m *Mock) SetPermission(p Permission) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.page = p
}

// permitted reports whether the page may read the account. The right is for one
// account: after a switch it has to connect again.
func (m *Mock) permitted(ctx context.Context) error {
	denied := jsonrpc.NewError(jsonrpc.MethodAccessDenied, "Access denied: call wallet_connect first")
	page := m.Permission()
	if !page.granted {
		return denied
	}
	var params json.RawMessage // none for the wallet's network
	if page.network != "" {
		params, _ = marshal(map[string]string{"network": page.network}) // a string always encodes
	}
	result, err := m.engine.Call(ctx, "wallet_getAccount", params)
	if err != nil {
		return err
	}
	var current struct{ ID string }
	if err := json.Unmarshal(result, &current); err != nil {
		return jsonrpc.NewError(jsonrpc.InternalError, "the account cannot be read")
	}
	switch page.account {
	case "":
		m.grant(current.ID)
	case current.ID:
	default:
		return denied
	}
	return nil
}

// Request answers a call as the model would: chainscope and xverse resolve with
// an envelope whatever happens, leather rejects with one when it fails.
func (m *Mock) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if m.OnRequest != nil {
		m.OnRequest(ctx, m.personality, method, params)
	}
	id, _ := json.Marshal(fmt.Sprintf("%s-%d", m.personality, m.calls.Add(1)))
	model := m.model
	result, err := m.answer(ctx, model, method, params)
	if err == nil {
		return json.Marshal(jsonrpc.Response{ID: id, Result: result})
	}
	response := jsonrpc.Fail(id, err)
	if model.Rejects {
		response.Error = leatherError(response.Error, err)
	}
	text, encodeErr := json.Marshal(response)
	if encodeErr != nil {
		return nil, encodeErr
	}
	if model.Rejects {
		return nil, &Rejection{Value: text}
	}
	return text, nil
}

// answer runs a method by the model's table.
func (m *Mock) answer(ctx context.Context, model *Model, method string, params json.RawMessage) (json.RawMessage, error) {
	if f, legacy := legacyFunction(method); legacy {
		return nil, jsonrpc.NewError(jsonrpc.MethodNotFound, "%s", f.Message())
	}
	row, known := model.methods[method]
	if !known {
		return nil, jsonrpc.NewError(jsonrpc.MethodNotFound, model.Unsupported, clarity.Brief(method, 80))
	}
	if row.permission {
		if err := m.permitted(ctx); err != nil {
			return nil, err
		}
	}
	c := newCall(row, method, params)
	signed, known := signer.Lookup(c.as)
	if model.NeedsParams && params == nil && known && signed.Needs() {
		return nil, jsonrpc.NewError(jsonrpc.InvalidRequest, "params: are missing")
	}
	if !row.array {
		if err := c.prepare(model); err != nil {
			return nil, err
		}
		if slices.Sort(c.ignored); m.OnIgnored != nil && len(c.ignored) > 0 {
			m.OnIgnored(ctx, method, slices.Clone(c.ignored))
		}
		if row.own != nil {
			return row.own(m, c)
		}
		if network := m.OwnNetwork(); network != "" && c.values["network"] == nil && signed.Accepts("network") {
			c.set("network", network)
		}
	}
	params, err := c.encode()
	if err != nil {
		return nil, err
	}
	result, err := m.engine.Call(c.notes(ctx), c.as, params)
	if err != nil {
		return nil, err
	}
	if row.members != "" {
		o, err := resultOf(result)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(o, func(name string, _ json.RawMessage) bool { return !slices.Contains(strings.Fields(row.members), name) })
		return marshal(o)
	}
	if row.answer == nil {
		return result, nil
	}
	return row.answer(m, c, result)
}

// OwnNetwork returns the network that the page has switched to, "" when it
// follows the wallet.
func (m *Mock) OwnNetwork() string { return m.Permission().network }

// FollowNetwork lets the page follow the network of the wallet again.
func (m *Mock) FollowNetwork() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.page.network = ""
}

// switchTo changes the network.
func (m *Mock) switchTo(network string) error {
	if m.OnSwitch != nil {
		return m.OnSwitch(network)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.page.network = network
	return nil
}

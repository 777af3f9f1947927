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

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/signer"
)

// Mock is a mock wallet: an engine behind a personality. It is safe for
// concurrent use.
type Mock struct {
	// OnRequest sees every request as it arrives; nil for nothing. It must be set
	// before the first request.
	OnRequest func(ctx context.Context, p Personality, method string, params json.RawMessage)

	personality Personality
	model       *Model
	engine      Engine
	calls       atomic.Uint64

	mu      sync.Mutex
	page    Permission
	origin  string
	change  func(network string) error
	events  func(Event)
	dropped func(ctx context.Context, method string, params []string)
}

// Event is a message that a wallet sends to a page without being asked.
type Event struct {
	Name    string // accountChange, networkChange or disconnect
	Payload json.RawMessage
}

// NewMock returns a mock wallet.
func NewMock(p Personality, e Engine) *Mock {
	return &Mock{personality: p, model: p.Model(), engine: e}
}

// Personality returns which wallet it plays.
func (m *Mock) Personality() Personality { return m.personality }

// Traits are the marks of the model.
func (m *Mock) Traits() Traits { return m.model.Traits }

// SetOrigin sets the origin of the page that the wallet answers; permissions
// name it.
func (m *Mock) SetOrigin(origin string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.origin = origin
}

// OnEvent sets what is called when the wallet has an event for its page: after
// a change of the network that the page asked for, and when the page has given
// up its permissions.
func (m *Mock) OnEvent(events func(Event)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events = events
}

// OnSwitch sets what carries out a change of the network that the page asked
// for. Without it the change is for the page alone.
func (m *Mock) OnSwitch(change func(network string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.change = change
}

// OnIgnored sets what is called when the wallet drops params of a request, as
// its model does: also of requests that no description is made of.
func (m *Mock) OnIgnored(dropped func(ctx context.Context, method string, params []string)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dropped = dropped
}

// tellIgnored reports the params that a call drops.
func (m *Mock) tellIgnored(ctx context.Context, c *call) {
	m.mu.Lock()
	dropped := m.dropped
	m.mu.Unlock()
	if dropped != nil && len(c.ignored) > 0 {
		slices.Sort(c.ignored)
		dropped(ctx, c.method, slices.Clone(c.ignored))
	}
}

func (m *Mock) emit(name string, payload any) {
	m.mu.Lock()
	events := m.events
	m.mu.Unlock()
	if events == nil {
		return
	}
	if text, err := json.Marshal(payload); err == nil {
		events(Event{name, text})
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

// Permission is what the page of a wallet was granted. The zero value is nothing.
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
// not told: no event is emitted.
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
	result, err := m.engine.Call(ctx, "wallet_getAccount", networkParams(page.network))
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
		return nil, jsonrpc.NewError(jsonrpc.MethodNotFound, model.Unsupported, brief(method))
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
		m.tellIgnored(ctx, c)
		if row.own != nil {
			return row.own(m, c)
		}
		if network := m.OwnNetwork(); network != "" && c.values["network"] == nil && signed.Takes("network") {
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
	if row.keeps != "" {
		o, err := resultOf(result)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(o, func(name string, _ json.RawMessage) bool { return !slices.Contains(strings.Fields(row.keeps), name) })
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
	m.mu.Lock()
	change := m.change
	if change == nil {
		m.page.network = network
	}
	m.mu.Unlock()
	if change == nil {
		return nil
	}
	return change(network)
}

// networkParams are the params of a call on a network, none for the wallet's.
func networkParams(network string) json.RawMessage {
	if network == "" {
		return nil
	}
	text, err := json.Marshal(map[string]string{"network": network})
	if err != nil {
		return nil // cannot happen: it is one string
	}
	return text
}

package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
)

// DefaultBridgeAddr is where the bridge listens unless it is told otherwise.
const DefaultBridgeAddr = "127.0.0.1:3998"

// BridgeOptions are those of a bridge that is switched on at run time.
type BridgeOptions struct {
	Addr        string               // host and port on loopback; "" is DefaultBridgeAddr
	As          provider.Personality // the wallet that pages see; "" is chainscope
	AllowOrigin []string             // origins that need no asking
}

// BridgeState tells of the bridge.
type BridgeState struct {
	Running bool
	URL     string // http://127.0.0.1:3998
	As      provider.Personality
	Failed  string // why it ended by itself, "" when it did not
}

// bridging is the bridge that runs.
type bridging struct {
	server *bridge.Server
	url    string
	as     provider.Personality
	failed string
	// wallets are those that pages talk to, by origin; guarded by Service.mu.
	wallets map[string]*watched
	// handed are the calls that reached a wallet and whose end the bridge has
	// not told yet; guarded by Service.mu.
	handed map[handedKey]int
}

// handedKey knows a call of the bridge by what it writes down of it.
type handedKey struct {
	at             int64 // nanoseconds
	origin, method string
}

// ErrBridgeRuns says that the bridge is on already.
var ErrBridgeRuns = errors.New("the bridge is on already")

// StartBridge lets web pages call the wallet. It listens before it returns.
func (s *Service) StartBridge(o BridgeOptions) error {
	if o.Addr == "" {
		o.Addr = DefaultBridgeAddr
	}
	if o.As == "" {
		o.As = provider.PlayChainscope
	}
	if err := loopback(o.Addr); err != nil {
		return err
	}
	if s.bridgeRuns() {
		return ErrBridgeRuns
	}
	b := &bridging{as: o.As, wallets: map[string]*watched{}, handed: map[handedKey]int{}}
	var err error
	b.server, err = bridge.New(bridge.Options{
		Handler: func(ctx context.Context, call bridge.Call) bridge.Answer { return s.answerPage(ctx, b, call) },
		Origins: s.origins, Attended: true, AllowOrigin: o.AllowOrigin,
		AskOrigin: func(ctx context.Context, origin string) (bridge.OriginDecision, error) {
			return s.askPageOrigin(ctx, b, origin)
		},
		As: bridge.Personality(o.As), OnQueue: s.tellQueue, Calls: refusals{s, b}, Now: s.options.Now,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("the bridge cannot listen on %s: %w", o.Addr, err)
	}
	b.url = "http://" + listener.Addr().String()
	s.mu.Lock()
	if s.bridge != nil && s.bridge.failed == "" || s.ctx.Err() != nil {
		s.mu.Unlock()
		_ = listener.Close()
		return ErrBridgeRuns
	}
	s.bridge = b
	s.ended.Add(1)
	s.mu.Unlock()
	go s.serve(b, listener)
	s.tellState()
	return nil
}

// serve runs a bridge until it is stopped or fails.
func (s *Service) serve(b *bridging, l net.Listener) {
	defer s.ended.Done()
	if err := b.server.Serve(l); err != nil {
		s.mu.Lock()
		b.failed = err.Error()
		s.mu.Unlock()
		s.messages.put(Notice{Text: "the bridge has ended: " + err.Error(), Bad: true})
		s.tellState()
	}
}

// StopBridge ends the bridge: what waits of pages is withdrawn. Stopping none
// is nothing.
func (s *Service) StopBridge() {
	s.mu.Lock()
	b := s.bridge
	s.bridge = nil
	s.mu.Unlock()
	if b == nil {
		return
	}
	_ = b.server.Close() // its connections are gone either way
	s.tellQueue()
	s.tellState()
}

func (s *Service) bridgeRuns() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bridge != nil && s.bridge.failed == ""
}

// bridgeState tells of the bridge; s.mu is held.
func (s *Service) bridgeState() BridgeState {
	b := s.bridge
	if b == nil {
		return BridgeState{}
	}
	return BridgeState{Running: b.failed == "", URL: b.url, As: b.as, Failed: b.failed}
}

// loopback checks that an address can be reached from this machine only.
func loopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is no address: want host and port, as in %s", addr, DefaultBridgeAddr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not on this machine: the bridge listens on loopback only, as in %s", host, DefaultBridgeAddr)
	}
	return nil
}

// answerPage runs the call of a page.
func (s *Service) answerPage(ctx context.Context, b *bridging, call bridge.Call) bridge.Answer {
	s.mu.Lock()
	b.handed[handedKey{call.Arrived.UnixNano(), call.Origin, call.Method}]++
	s.mu.Unlock()
	ctx, c := s.begin(ctx, Call{
		Time: call.Arrived, Asker: Asker{FromPage, call.Origin}, Kind: KindPage, Method: call.Method, Params: call.Params,
	}, call.ID)
	result, rpcErr := answerOf(s.pageWallet(b, call.Origin).Request(ctx, call.Method, call.Params))
	var err error
	if rpcErr != nil {
		err = rpcErr
	}
	s.end(ctx, c, result, err)
	return bridge.Answer{Result: result, Error: rpcErr}
}

// maxPageWallets bounds for how many origins a wallet of their own is kept.
const maxPageWallets = 256

// pageWallet is the mock wallet of an origin: what one page was granted is not
// granted to the next.
func (s *Service) pageWallet(b *bridging, origin string) *watched {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := b.wallets[origin]
	if !ok {
		if len(b.wallets) >= maxPageWallets {
			clear(b.wallets)
		}
		w = &watched{service: s, Mock: provider.NewMock(b.as, s.engine(b.as))}
		b.wallets[origin] = w
	}
	return w
}

// askPageOrigin asks for an origin that nobody has decided about.
func (s *Service) askPageOrigin(ctx context.Context, b *bridging, origin string) (bridge.OriginDecision, error) {
	waiting := 0
	for _, c := range b.server.Waiting() {
		if c.Origin == origin {
			waiting++
		}
	}
	c, err := s.askOrigin(ctx, origin, waiting)
	switch c {
	case AllowOrigin:
		return bridge.AllowOrigin, err
	case BlockOrigin:
		return bridge.BlockOrigin, err
	}
	return bridge.RefuseOrigin, err
}

// block blocks an origin, and withdraws what waits of it.
func (s *Service) block(origin string) error {
	s.mu.Lock()
	b := s.bridge
	s.mu.Unlock()
	if b == nil {
		return s.origins.kept.Set(origin, blockedOrigin)
	}
	return b.server.Block(origin)
}

// publish tells pages of another account or network.
func (s *Service) publish() {
	s.mu.Lock()
	b, st := s.bridge, s.snapshot()
	s.mu.Unlock()
	if b == nil {
		return
	}
	account, _ := json.Marshal(map[string]any{"accounts": []map[string]string{{"address": st.Address}}})
	network, _ := json.Marshal(map[string]string{"network": st.Network})
	b.server.Publish(bridge.AccountChange, account)
	b.server.Publish(bridge.NetworkChange, network)
}

// waiting lists the calls that the bridge has not handed over yet.
func (b *bridging) waiting(handed map[uint64]bool) []Waiting {
	if b == nil {
		return nil
	}
	var list []Waiting
	for _, c := range b.server.Waiting() {
		if !handed[c.ID] {
			list = append(list, Waiting{Asker{FromPage, c.Origin}, c.Method, c.Arrived})
		}
	}
	return list
}

// Access is what an origin may do.
func (o origins) Access(origin string) (bridge.Access, error) {
	all, err := o.kept.All()
	if err != nil {
		return bridge.Unknown, err
	}
	switch all[origin] {
	case "":
		return bridge.Unknown, nil
	case allowedOrigin:
		return bridge.Allowed, nil
	}
	return bridge.Blocked, nil // what is not understood is not allowed
}

// SetAccess remembers what an origin may do.
func (o origins) SetAccess(origin string, access bridge.Access) error {
	switch access {
	case bridge.Allowed:
		return o.kept.Set(origin, allowedOrigin)
	case bridge.Blocked:
		return o.kept.Set(origin, blockedOrigin)
	}
	return o.kept.Remove(origin)
}

// refusals puts the calls that the bridge refused itself into the timeline:
// those of origins that were refused or blocked, and those for which there was
// no room in the queue. It is what the bridge writes all calls to.
type refusals struct {
	service *Service
	bridge  *bridging
}

// maxRefusals is how many refusals of one kind and origin in a row are kept, so
// that a page that floods does not push everything else out.
const maxRefusals = 10

// Write takes the line of one call.
func (r refusals) Write(text []byte) (int, error) {
	var l bridge.CallLine
	if err := json.Unmarshal(text, &l); err != nil {
		return 0, err
	}
	s := r.service
	key := handedKey{l.Time.UnixNano(), l.Origin, l.Method}
	s.mu.Lock()
	reached := r.bridge.handed[key] > 0
	if r.bridge.handed[key]--; r.bridge.handed[key] <= 0 {
		delete(r.bridge.handed, key)
	}
	if reached || l.Answer.Error == nil || s.refusedInARow(l) >= maxRefusals {
		s.mu.Unlock()
		return len(text), nil
	}
	s.lastID++
	c := Call{
		ID: s.lastID, Time: l.Time, Asker: Asker{FromPage, l.Origin}, Kind: KindPage, Method: l.Method, Params: l.Params,
		Account: s.account, Network: s.network, Decision: OriginRefused, Error: l.Answer.Error,
		Duration: time.Duration(l.Duration * float64(time.Millisecond)), Done: true,
	}
	if n := networkOf(c.Params); n != "" {
		c.Network = n
	}
	s.keep(c)
	s.mu.Unlock()
	s.messages.put(CallChanged{c})
	s.write(c)
	return len(text), nil
}

// refusedInARow counts the newest calls that were refused like this one; s.mu
// is held.
func (s *Service) refusedInARow(l bridge.CallLine) int {
	n := 0
	for i := len(s.timeline) - 1; i >= 0 && n < maxRefusals; i-- {
		c := s.timeline[i]
		if c.Decision != OriginRefused || c.Origin != l.Origin || c.Error == nil || c.Error.Code != l.Answer.Error.Code {
			break
		}
		n++
	}
	return n
}

package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"
	"time"

	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
)

// DefaultBridgeAddr is the address on which the bridge listens by default.
const DefaultBridgeAddr = "127.0.0.1:3998"

// BridgeOptions are those of a bridge that is turned on at run time.
type BridgeOptions struct {
	Addr string // host and port on loopback; "" is DefaultBridgeAddr
	// Listener is listened on instead of Addr; the bridge closes it.
	Listener    net.Listener
	As          provider.Personality // the wallet that pages see; "" is chainscope
	AllowOrigin []string             // origins that need no asking
	Proxy       *url.URL             // a dapp under development that is served in our place
	// Script answers instead of the user; calls that it has no rule for are
	// unexpected. Without it, rules may still come by the control routes.
	Script *bridge.Script
	// Unattended says that nobody can be asked about an origin: those on loopback
	// may call, as far as the keys are the public test ones, and AllowOrigin.
	Unattended bool
	OnCall     func(bridge.CallRecord) // receives every call once it is answered
	Mock       *url.URL                // the mock whose control is reached through the bridge's; nil for none
	OnChange   func()                  // rules or calls of an unattended bridge have changed
	// Isolation keeps requests of pages on this machine. Without an API or hosts everything goes
	// where the page sends it; without OnEscape what leaves becomes a Notice.
	Isolation bridge.Isolation
	// Isolated is short for an Isolation towards the wallet's node, if that is on this machine, and the
	// hosts of all public APIs.
	Isolated bool
}

// BridgeState is the state of the bridge.
type BridgeState struct {
	Running bool
	URL     string // http://127.0.0.1:3998
	As      provider.Personality
	Failed  string // why it ended by itself, "" when it did not
}

// runningBridge is a bridge that was turned on.
type runningBridge struct {
	service *Service
	options BridgeOptions
	server  *bridge.Server
	wallets *pageWallets
	script  *bridge.Script // of an unattended bridge
	url     string
	failed  string        // guarded by Service.mu
	done    chan struct{} // closed when it has ended
}

// ErrBridgeRuns says that the bridge is on already.
var ErrBridgeRuns = errors.New("the bridge is on already")

// StartBridge lets web pages call the wallet. It listens before it returns.
func (s *Service) StartBridge(o BridgeOptions) error {
	o.As = cmp.Or(o.As, provider.PlayChainscope)
	if s.bridgeRuns() {
		return ErrBridgeRuns
	}
	if n := s.options.Node; o.Isolated && n != nil {
		o.Isolation.API, o.Isolation.Hosts = n.Local(), bridge.PublicAPIHosts()
	}
	b := &runningBridge{service: s, options: o, done: make(chan struct{})}
	b.wallets = newPageWallets(b.newPageWallet)
	if b.script = o.Script; b.script == nil {
		b.script = &bridge.Script{}
	}
	if err := b.listen(); err != nil {
		if l := b.options.Listener; l != nil {
			_ = l.Close()
		}
		return err
	}
	s.mu.Lock()
	if s.bridge != nil && s.bridge.failed == "" || s.closed {
		s.mu.Unlock()
		_ = b.options.Listener.Close()
		return ErrBridgeRuns
	}
	s.bridge = b
	s.ended.Add(1)
	s.mu.Unlock()
	s.options.Go(b.serve)
	s.messages.put(stateMoved{})
	return nil
}

// listen makes the server and its listener.
func (b *runningBridge) listen() (err error) {
	s, o := b.service, &b.options
	nameEvery := false
	if ring := s.Keys().Ring; ring != nil {
		nameEvery = !ring.PublicTest()
	}
	var control *bridge.Control
	if o.Unattended {
		control = &bridge.Control{
			Script: b.script, SetAccount: s.SetAccount, SetNetwork: s.SetNetwork, Reset: b.wallets.forgetAll,
			State: b.controlState, Mock: o.Mock, Snapshots: s, Changed: o.OnChange,
		}
	}
	b.server, err = bridge.New(bridge.Options{
		Control: control,
		Handler: b.answer, Origins: s.origins, Attended: !o.Unattended, AllowOrigin: o.AllowOrigin, AskOrigin: b.askOrigin,
		NameEveryOrigin: nameEvery, Page: pageOf(o.As), Proxy: o.Proxy, OnCall: b.record,
		OnQueue: func() { s.messages.put(queueMoved{}) }, Now: s.options.Now, Isolation: b.isolation(),
	})
	if err != nil {
		return err
	}
	if o.Listener == nil {
		o.Addr = cmp.Or(o.Addr, DefaultBridgeAddr)
		if err := loopback(o.Addr); err != nil {
			return err
		}
		o.Listener, err = net.Listen("tcp", o.Addr)
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("%s is in use by another program: use another port, or port 0 for a free one", o.Addr)
		}
		if err != nil {
			return fmt.Errorf("the bridge cannot listen on %s: %w", o.Addr, err)
		}
	}
	if o.Proxy != nil && bridge.PointsAt(o.Proxy, o.Listener.Addr()) {
		return fmt.Errorf("--proxy %s is the bridge itself: give the address of the dapp's own server", o.Proxy)
	}
	b.url = "http://" + o.Listener.Addr().String()
	return nil
}

// controlState returns what a test runner learns of the wallet.
func (b *runningBridge) controlState() bridge.ControlState {
	st := b.service.State()
	if st.Address == "" { // not derived yet
		b.service.derive()
		st = b.service.State()
	}
	state := bridge.ControlState{Wallet: string(b.options.As), Account: st.Account, Network: st.Network, Address: st.Address}
	if n := b.service.options.Node; n != nil {
		state.API = n.BaseURL()
	}
	return state
}

// isolation returns where requests of pages go that are for a public API.
func (b *runningBridge) isolation() *bridge.Isolation {
	h := b.options.Isolation
	if h.API == nil || len(h.Hosts) == 0 {
		return nil
	}
	if h.OnEscape == nil {
		h.OnEscape = func(l bridge.Escape) { b.service.messages.put(Notice{Text: l.String()}) }
	}
	return &h
}

// serve runs a bridge until it is stopped or fails.
func (b *runningBridge) serve() {
	s := b.service
	defer s.ended.Done()
	defer close(b.done)
	if err := b.server.Serve(b.options.Listener); err != nil {
		s.mu.Lock()
		b.failed = err.Error()
		s.mu.Unlock()
		s.messages.put(Notice{Text: "the bridge has ended: " + err.Error(), Bad: true})
		s.messages.put(stateMoved{})
	}
}

// BridgeReport returns how an unattended bridge was used so far, and what the chain says of what it
// signed.
func (s *Service) BridgeReport() (report bridge.Report) {
	if b := s.currentBridge(); b != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.Poll(ctx)
		report = b.server.Report()
	}
	for i := range report.Calls {
		if c, ours := s.CallOf(report.Calls[i].TxID); ours {
			report.Calls[i].Account = s.AccountOf(c)
		}
	}
	return report
}

// currentBridge returns the bridge that was turned on, nil for none.
func (s *Service) currentBridge() *runningBridge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bridge
}

// WaitBridge waits until ctx or the bridge ends. The error says why the bridge
// ended by itself.
func (s *Service) WaitBridge(ctx context.Context) error {
	b := s.currentBridge()
	if b == nil {
		return nil
	}
	select {
	case <-ctx.Done():
	case <-b.done:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.failed != "" {
		return errors.New(b.failed)
	}
	return nil
}

// StopBridge turns the bridge off; what pages have waiting is withdrawn. It does
// nothing when the bridge is off.
func (s *Service) StopBridge() {
	s.mu.Lock()
	b := s.bridge
	s.bridge = nil
	s.mu.Unlock()
	if b == nil {
		return
	}
	_ = b.server.Close() // its connections are gone either way
	s.messages.put(queueMoved{})
	s.messages.put(stateMoved{})
}

func (s *Service) bridgeRuns() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bridgeState().Running
}

// bridgeState returns the state of the bridge. The caller must hold s.mu.
func (s *Service) bridgeState() BridgeState {
	b := s.bridge
	if b == nil {
		return BridgeState{}
	}
	return BridgeState{Running: b.failed == "", URL: b.url, As: b.options.As, Failed: b.failed}
}

// loopback checks that an address can be reached from this machine only.
func loopback(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("invalid address %q: want host and port, such as %s", addr, DefaultBridgeAddr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not on this machine: the bridge listens on loopback only, such as %s", host, DefaultBridgeAddr)
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 0 {
		return fmt.Errorf("%q is not a port: use 0 to 65535", port)
	}
	return nil
}

// askOrigin asks the user about an origin that is undecided.
func (b *runningBridge) askOrigin(ctx context.Context, origin string) (bridge.Access, error) {
	waiting := 0
	for _, c := range b.server.Waiting() {
		if c.Origin == origin {
			waiting++
		}
	}
	a, err := b.service.prompts.prompt(ctx,
		func(id uint64) Message { return OriginNeeded{ID: id, Origin: origin, Waiting: waiting} },
		Withdrawn{Requester: Requester{Kind: FromPage, Origin: origin}})
	if err != nil {
		return bridge.Undecided, err
	}
	access, ok := a.(bridge.Access)
	if !ok {
		return bridge.Undecided, errWrongAnswer
	}
	return access, nil
}

// waiting lists the calls that the bridge has not passed yet.
func (b *runningBridge) waiting(delivered map[uint64]bool) []Waiting {
	if b == nil {
		return nil
	}
	var list []Waiting
	for _, c := range b.server.Waiting() {
		if !delivered[c.ID] {
			list = append(list, Waiting{Requester{FromPage, c.Origin}, c.Method, c.Arrived})
		}
	}
	return list
}

// maxRefusals limits how many refusals of one kind and origin in a row are kept, so
// that a page that floods does not push everything else out of the timeline.
const maxRefusals = 10

// record takes every call once it is answered. Those that the bridge refused by
// itself go into the timeline here; the others are there already.
func (b *runningBridge) record(r bridge.CallRecord) {
	s := b.service
	if b.options.OnCall != nil {
		b.options.OnCall(r)
	}
	if !r.Refused || r.Answer.Error == nil {
		return
	}
	c := Call{
		Time: r.Time, Requester: Requester{FromPage, r.Origin}, Kind: KindPage, Method: r.Method, Params: r.Params,
		Decision: OriginRefused, Error: r.Answer.Error, Duration: time.Duration(r.Duration * float64(time.Millisecond)), Done: true,
	}
	if s.timeline.refusedInARow(c) >= maxRefusals {
		return
	}
	s.mu.Lock()
	s.complete(&c)
	s.mu.Unlock()
	c.ID = s.timeline.nextID()
	s.store(c)
}

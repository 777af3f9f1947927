package service

import (
	"context"
	"sync"
	"time"

	"chainscope/wallet"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// Names of what is kept in the state folder.
const (
	StorageDocument = "connection" // what the library stores: record, remembered wallet
	OriginsDocument = "origins"    // origins that were allowed or blocked
	TimelineLog     = "timeline"   // a line for each call
)

// Options of a [Service]. All may be zero.
type Options struct {
	// Store keeps record, origins and timeline; nil keeps them in memory.
	Store Store
	// Node takes what was signed when it is a mock on this machine; nil sends
	// nothing. Nonces is told what it accepted.
	Node   *node.Client
	Nonces *node.Nonces
	// Source knows nonces and fees; nil asks nobody.
	Source signer.Source

	// Account counts from 0; Network is mainnet when it is "".
	Account uint32
	Network string
	// Provider is the wallet at which the selector begins, "" for the first.
	Provider provider.Personality
	// Keys are the keys to begin with; the zero value is the public test
	// mnemonic.
	Keys Keys

	Now   func() time.Time                                 // nil is the real clock
	Sleep func(ctx context.Context, d time.Duration) error // nil sleeps by it
}

// Service is the wallet of one explorer. It is safe for concurrent use.
type Service struct {
	options  Options
	library  *wallet.Library
	signing  *provider.Signing
	mocks    map[provider.Personality]*watched
	messages *messages
	prompts  *prompts
	origins  origins
	local    *signer.LocalNonces

	ctx    context.Context // ends with the service
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu       sync.Mutex
	account  uint32
	network  string
	keys     Keys
	manners  map[provider.Personality]provider.Manner
	state    State
	calls    []*call // under way, in the order in which they came
	turn     *call   // whose transaction is being signed
	timeline []Call  // newest last
	appended int
	lastID   uint64
	bridge   *bridging
}

// New returns a service. The error says what is wrong with the options. Call
// [Service.Refresh] to read what is on disk, and Close in the end.
func New(o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Network == "" {
		o.Network = "mainnet"
	}
	if o.Keys.Ring == nil && o.Keys.Keystore == nil {
		o.Keys = TestKeys()
	}
	if o.Provider == "" {
		o.Provider = provider.PlayChainscope
	}
	if err := checkNetwork(o.Network); err != nil {
		return nil, err
	}
	s := &Service{
		options: o, messages: newMessages(), local: &signer.LocalNonces{},
		account: o.Account, network: o.Network, keys: o.Keys,
		manners: map[provider.Personality]provider.Manner{},
		mocks:   map[provider.Personality]*watched{},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.prompts = newPrompts(s.messages.put)
	s.origins = newOrigins(o.Store)
	s.connect()
	return s, nil
}

// connect puts the wallets behind the library.
func (s *Service) connect() {
	s.signing = provider.NewSigning(provider.SigningOptions{
		Env: s.env, Approver: signer.ApproverFunc(s.approve), Report: s.sent, Node: s.options.Node, Nonces: s.options.Nonces,
	})
	registry := &wallet.Registry{}
	for _, p := range provider.Personalities() {
		m := &watched{service: s, Mock: provider.NewMock(p, s.engine(p))}
		s.mocks[p] = m
		registry.SetObject(p.ID(), m)
	}
	registry.RegisterWBIP(provider.Descriptor{ID: provider.ChainscopeID, Name: "chainscope (terminal)"})
	config := wallet.Config{
		Registry: registry, Selector: wallet.SelectorFunc(s.selectWallet), Now: s.options.Now,
		Warn: func(message string, err error) { s.messages.put(Notice{Text: message + " " + err.Error(), Bad: true}) },
	}
	if s.options.Store != nil {
		config.Storage = NewStrings(s.options.Store, StorageDocument)
	}
	s.library = wallet.New(config)
}

// Next waits for the next message; false when the service or ctx has ended.
func (s *Service) Next(ctx context.Context) (Message, bool) { return s.messages.next(ctx) }

// Library is the connection library; its calls bypass the timeline.
func (s *Service) Library() *wallet.Library { return s.library }

// Close ends everything: what waits is withdrawn, the bridge is stopped. It
// waits until the bridge has ended.
func (s *Service) Close() {
	s.StopBridge()
	s.mu.Lock()
	closing := s.ctx.Err() == nil
	s.cancel()
	s.mu.Unlock()
	s.ended.Wait()
	if closing {
		close(s.messages.closed)
	}
}

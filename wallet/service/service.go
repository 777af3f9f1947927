package service

import (
	"cmp"
	"context"
	"sync"
	"time"

	"chainscope/wallet"
	"chainscope/wallet/bridge"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// Names of documents and logs in the [Store].
const (
	connectionDocument = "connection" // what the library stores: record, remembered wallet
	originsDocument    = "origins"    // origins that were allowed or blocked
	timelineLog        = "timeline"   // one line for each call
)

// Options of a [Service]. All may be zero.
type Options struct {
	// Store keeps record, origins and timeline; nil keeps them in memory.
	Store Store
	// Node takes what was signed when it is a mock on this machine; nil sends
	// nothing. Nonces learns what it accepted.
	Node   *node.Client
	Nonces *node.Nonces
	// API names the API of Node: calls of another are not among those of the timeline. "" takes all.
	API string
	// Source returns nonces and fees; nil is none.
	Source signer.Source

	// Requester is the source of the requests of this process; "" is [FromPane].
	Requester RequesterKind
	// Account counts from 0; Network is mainnet when it is "".
	Account uint32
	Network string
	// Provider is the wallet that the selector starts at, "" for the first.
	Provider provider.Personality
	// Behaviour is that of every mock wallet to begin with; "" asks.
	Behaviour provider.Behaviour
	// Persona is the simulated user; "" is [Rich].
	Persona Persona
	// Keys are the keys to begin with; the zero value is the public test
	// mnemonic.
	Keys Keys

	// OnCall hears every call of this process once it has ended, and once more whenever the chain says
	// something new of its transaction; nil for nobody.
	OnCall func(Call, bridge.Account)

	Now   func() time.Time                                 // nil is the real clock
	Sleep func(ctx context.Context, d time.Duration) error // nil sleeps by it
	// Go starts a goroutine. Whoever owns a terminal gives one that restores it
	// after a panic; nil is the statement.
	Go func(func())
}

// Service is the wallet of one process. It is safe for concurrent use.
type Service struct {
	options  Options
	library  *wallet.Library
	signing  *provider.Signing
	mocks    map[provider.Personality]*provider.Mock
	messages *messages
	prompts  *prompts
	// connection holds what the library has stored.
	connection *Strings
	origins    origins
	timeline   *timeline
	local      *signer.LocalNonces
	ended      sync.WaitGroup // counts bridges that run

	began time.Time

	mu         sync.Mutex
	closed     bool
	account    uint32
	network    string
	keys       Keys
	persona    Persona
	behaviours map[provider.Personality]provider.Behaviour
	state      State
	calls      []*runningCall // in the order in which they came
	turn       *runningCall   // the one whose transaction is being signed
	bridge     *runningBridge
	snapshots  []snapshot // oldest first
	undone     []undone   // oldest first
	// transactions are the last answers about transactions, by bare id.
	transactions map[string]report
	requests     uint64          // numbers the requests of transactions
	reverted     uint64          // the last of them that saw another state
	outdated     map[string]bool // of them, those whose block may be gone
	polling      bool            // their status is being requested
	added        string          // what the timeline on disk was when it was read last
}

// New returns a service. The error says what is wrong with the options. Call
// [Service.Refresh] to read what is on disk, and Close in the end.
func New(o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Go == nil {
		o.Go = func(f func()) { go f() }
	}
	o.Requester, o.Network = cmp.Or(o.Requester, FromPane), cmp.Or(o.Network, "mainnet")
	if o.Keys.locked() && o.Keys.Keystore == nil {
		o.Keys = TestKeys()
	}
	o.Provider, o.Behaviour = cmp.Or(o.Provider, provider.PlayChainscope), cmp.Or(o.Behaviour, provider.Asks)
	if err := checkNetwork(o.Network); err != nil {
		return nil, err
	}
	s := &Service{
		options: o, began: o.Now(), messages: newMessages(), local: &signer.LocalNonces{}, timeline: &timeline{store: o.Store, api: o.API},
		account: o.Account, network: o.Network, keys: o.Keys, persona: cmp.Or(o.Persona, Rich),
		behaviours: map[provider.Personality]provider.Behaviour{},
		mocks:      map[provider.Personality]*provider.Mock{}, transactions: map[string]report{}, outdated: map[string]bool{},
	}
	s.prompts = newPrompts(s.messages.put)
	s.connection = &Strings{store: o.Store, document: connectionDocument}
	s.origins = origins{&Strings{store: o.Store, document: originsDocument}}
	s.connect()
	return s, nil
}

// connect puts the wallets behind the library.
func (s *Service) connect() {
	s.signing = provider.NewSigning(provider.SigningOptions{
		Env: s.envOf, Approver: s.approve, Report: s.sent, Node: s.options.Node, Nonces: s.options.Nonces,
	})
	registry := &wallet.Registry{}
	for _, p := range provider.Personalities() {
		s.mocks[p] = s.newMock(p)
		s.mocks[p].OnSwitch = s.SetNetwork
		registry.SetObject(p.ID(), s.mocks[p])
	}
	registry.RegisterWBIP(provider.Descriptor{ID: provider.ChainscopeID, Name: "chainscope (terminal)"})
	s.library = wallet.New(wallet.Config{
		Storage: s.connection, Registry: registry,
		Selector: wallet.SelectorFunc(s.selectWallet), Now: s.options.Now,
		Warn: func(message string, err error) { s.messages.put(Notice{Text: message + " " + err.Error(), Bad: true}) },
	})
}

// Next waits for the next message. It reports false once the service or ctx has
// ended.
func (s *Service) Next(ctx context.Context) (Message, bool) {
	m, ok := s.messages.next(ctx)
	switch m.(type) {
	case queueMoved:
		return QueueChanged{s.Queue()}, true
	case stateMoved:
		return StateChanged{s.State()}, true
	}
	return m, ok
}

// Library returns the connection library, for what it has stored. Requests made
// through it do not reach a wallet.
func (s *Service) Library() *wallet.Library { return s.library }

// Close ends everything: what waits is withdrawn, the bridge is stopped. It
// returns once the bridge has ended.
func (s *Service) Close() {
	s.StopBridge()
	s.mu.Lock()
	closing := !s.closed
	s.closed = true
	s.mu.Unlock()
	s.prompts.close()
	s.ended.Wait()
	if closing {
		close(s.messages.closed)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

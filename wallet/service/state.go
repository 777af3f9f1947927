package service

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"chainscope/wallet"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// State is the state of the wallet. It is a value: it does not change.
type State struct {
	// Connected reports whether the library has stored an address.
	Connected bool
	Record    *wallet.Record // what it stored, nil for nothing
	// Remembered is the id of the remembered wallet, "" for none.
	Remembered string
	// Loaded reports whether the above was read from disk yet.
	Loaded bool

	Account uint32
	Network string // mainnet, testnet, devnet, mocknet or regtest
	// Address is the Stacks address of the account, "" while keys are locked.
	Address string

	Persona Persona

	KeySource   KeySource
	KeyPath     string
	Locked      bool   // a keystore that is not unlocked
	PublicTest  bool   // the keys are public: anyone can spend
	Fingerprint string // of the master key, "" while locked

	Wallets []WalletState // in the order in which they are offered
	Bridge  BridgeState
	Waiting int // requests that wait for an answer
}

// WalletState is one of the mock wallets.
type WalletState struct {
	Personality provider.Personality
	ID          string
	Behaviour   provider.Behaviour
}

// State returns the state as it was last read.
func (s *Service) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current()
}

// current completes the state. The caller must hold s.mu.
func (s *Service) current() State {
	st := s.state
	st.Account, st.Network = s.account, s.network
	st.KeySource, st.KeyPath, st.Locked = s.keys.Source, s.keys.Path, s.keys.locked()
	st.Persona = s.persona
	st.PublicTest = s.keys.Ring != nil && s.keys.Ring.PublicTest()
	st.Wallets = nil
	for _, p := range provider.Personalities() {
		st.Wallets = append(st.Wallets, WalletState{p, p.ID(), s.behaviour(p)})
	}
	st.Bridge = s.bridgeState()
	st.Waiting = len(s.queue())
	return st
}

// derive finds what depends on keys, account and network. A ring takes some
// milliseconds when it is first asked, so s.mu is not held meanwhile.
func (s *Service) derive() {
	env := s.env()
	n, _ := signer.NetworkNamed(env.Network)
	address, _ := env.StacksAddress(n) // "" without keys
	fingerprint := address
	if env.Keys != nil {
		fingerprint = env.Keys.Fingerprint()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if env.Keys == s.keys.Ring && env.Account == s.active() && env.Network == s.network {
		s.state.Address, s.state.Fingerprint = address, fingerprint
	}
}

// Refresh reads record, remembered wallet and timeline from disk, and finds the
// address of the account.
func (s *Service) Refresh() {
	s.derive()
	s.ReadConnection()
	s.loadTimeline()
	s.messages.put(stateMoved{})
}

// ReadConnection reads what the library has stored. A wallet that is connected
// grants what it granted in the run before.
func (s *Service) ReadConnection() {
	record, remembered := s.library.LocalStorage(), s.library.SelectedProviderID()
	connected := s.library.IsConnected()
	for p, m := range s.mocks {
		if p.ID() == remembered && connected {
			m.Grant() // as it was in the run before
		}
	}
	s.mu.Lock()
	s.state.Record, s.state.Remembered, s.state.Connected, s.state.Loaded = record, remembered, connected, true
	s.mu.Unlock()
}

// connectionMoved reports whether what the library has stored is not what was read last.
func (s *Service) connectionMoved() bool {
	record, remembered := s.library.LocalStorage(), s.library.SelectedProviderID()
	s.mu.Lock()
	defer s.mu.Unlock()
	read := s.state.Record
	same := (record == nil) == (read == nil) && (record == nil || bytes.Equal(record.Raw, read.Raw))
	return s.state.Loaded && !(same && remembered == s.state.Remembered)
}

// SetAccount changes the active account. Requests that came before keep the
// account that they came for.
func (s *Service) SetAccount(account uint32) error {
	if account > keys.MaxAccount {
		return fmt.Errorf("account %d: the last one is %d", account, uint32(keys.MaxAccount))
	}
	if s.change(func() bool { before := s.account; s.account = account; return before != account }) {
		s.announceAccount()
	}
	return s.Fund(context.Background())
}

// change sets something that the address depends on, and reports what set reports. It
// is called with s.mu held.
func (s *Service) change(set func() bool) bool {
	s.mu.Lock()
	changed := set()
	s.state.Address, s.state.Fingerprint = "", ""
	s.mu.Unlock()
	s.derive()
	s.messages.put(stateMoved{})
	return changed
}

// SetNetwork changes the network of requests that name none.
func (s *Service) SetNetwork(name string) error {
	if err := checkNetwork(name); err != nil {
		return err
	}
	if s.change(func() bool { before := s.network; s.network = name; return before != name }) {
		s.announceNetwork()
	}
	return nil
}

// SetBehaviour lays a behaviour over a mock wallet, from the next request on.
func (s *Service) SetBehaviour(p provider.Personality, b provider.Behaviour) {
	s.mu.Lock()
	s.behaviours[p] = b
	s.mu.Unlock()
	s.messages.put(stateMoved{})
}

// behaviour returns that of a wallet. The caller must hold s.mu.
func (s *Service) behaviour(p provider.Personality) provider.Behaviour {
	return cmp.Or(s.behaviours[p], s.options.Behaviour)
}

// envOf returns what a request is read in: a replay has the account and the network of its call.
func (s *Service) envOf(ctx context.Context) signer.Env {
	env := s.env()
	if of := replayOf(ctx); of != nil {
		env.Account, env.Network, env.Persona = of.Account, of.Network, s.Keys().PersonaOf(of.Persona)
	}
	return env
}

// env returns what requests are read in.
func (s *Service) env() signer.Env {
	s.mu.Lock()
	defer s.mu.Unlock()
	env := signer.Env{Keys: s.keys.Ring, Account: s.active(), Network: s.network, Source: s.options.Source, Local: s.local, Persona: s.keys.PersonaOf(s.persona)}
	if s.options.Node != nil {
		env.APIURL = s.options.Node.BaseURL()
	}
	return env
}

package service

import (
	"fmt"

	"chainscope/wallet"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// State is what the wallet stands at. It is a value: it does not change.
type State struct {
	// Connected tells whether the library has stored an address.
	Connected bool
	Record    *wallet.Record // what it stored, nil for nothing
	// Remembered is the id of the remembered wallet, "" for none.
	Remembered string
	// Loaded tells whether the above was read from disk yet.
	Loaded bool

	Account uint32
	Network string // mainnet, testnet, devnet, mocknet or regtest
	// Address is the Stacks address of the account, "" while keys are locked.
	Address string

	KeySource   KeySource
	KeyPath     string
	Locked      bool   // a keystore that is not unlocked
	PublicTest  bool   // keys that everybody has
	Fingerprint string // of the master key, "" while locked

	Wallets []WalletState // in the order in which they are offered
	Bridge  BridgeState
	Waiting int // requests that wait for an answer
}

// Mainnet tells whether the active network is the main network.
func (s State) Mainnet() bool { return s.Network == "mainnet" }

// WalletState is one of the mock wallets.
type WalletState struct {
	Personality provider.Personality
	ID          string
	provider.Manner
}

// State returns the state as it was last read.
func (s *Service) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot()
}

// snapshot completes the state; s.mu is held.
func (s *Service) snapshot() State {
	st := s.state
	st.Account, st.Network = s.account, s.network
	st.KeySource, st.KeyPath, st.Locked = s.keys.Source, s.keys.Path, s.keys.Ring == nil
	st.PublicTest = s.keys.Ring != nil && s.keys.Ring.PublicTest()
	st.Wallets = nil
	for _, p := range provider.Personalities() {
		st.Wallets = append(st.Wallets, WalletState{p, p.ID(), s.manner(p)})
	}
	st.Bridge = s.bridgeState()
	st.Waiting = len(s.queue())
	return st
}

// derive finds what depends on keys, account and network. The first time that a
// ring is asked it takes some milliseconds, so nobody is kept waiting meanwhile.
func (s *Service) derive() {
	s.mu.Lock()
	ring, account, network := s.keys.Ring, s.account, s.network
	s.mu.Unlock()
	address, fingerprint := "", ""
	if ring != nil {
		address, fingerprint = stacksAddress(ring, account, network), ring.Fingerprint()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ring == s.keys.Ring && account == s.account && network == s.network {
		s.state.Address, s.state.Fingerprint = address, fingerprint
	}
}

// forget drops what derive found, as what it depends on has changed; s.mu is
// held.
func (s *Service) forget() { s.state.Address, s.state.Fingerprint = "", "" }

func stacksAddress(ring *keys.Ring, account uint32, network string) string {
	n, _ := signer.NetworkNamed(network)
	entries, err := signer.Addresses(ring, account, n)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.Symbol == "STX" {
			return e.Address
		}
	}
	return ""
}

func (s *Service) tellState() {
	s.mu.Lock()
	st := s.snapshot()
	s.mu.Unlock()
	s.messages.put(StateChanged{st})
}

// Refresh reads record, remembered wallet and timeline from disk, and finds the
// address of the account.
func (s *Service) Refresh() {
	s.derive()
	s.readConnection()
	s.loadTimeline()
	s.tellState()
}

// readConnection reads what the library has stored.
func (s *Service) readConnection() {
	record, remembered := s.library.LocalStorage(), s.library.SelectedProviderID()
	connected := s.library.IsConnected()
	if m := s.remembered(remembered); m != nil && connected {
		m.Grant() // as it was in the run before
	}
	s.mu.Lock()
	s.state.Record, s.state.Remembered, s.state.Connected, s.state.Loaded = record, remembered, connected, true
	s.mu.Unlock()
}

// remembered is the mock wallet of an id, nil for none.
func (s *Service) remembered(id string) *watched {
	for p, m := range s.mocks {
		if p.ID() == id {
			return m
		}
	}
	return nil
}

// SetAccount changes the active account. Requests that came before keep the
// account that they came for.
func (s *Service) SetAccount(account uint32) error {
	if account > keys.MaxAccount {
		return fmt.Errorf("account %d: the last one is %d", account, uint32(keys.MaxAccount))
	}
	s.mu.Lock()
	s.account = account
	s.forget()
	s.mu.Unlock()
	s.derive()
	s.tellState()
	s.publish()
	return nil
}

// SetNetwork changes the network of requests that name none.
func (s *Service) SetNetwork(name string) error {
	if err := checkNetwork(name); err != nil {
		return err
	}
	s.mu.Lock()
	s.network = name
	s.forget()
	s.mu.Unlock()
	s.derive()
	s.tellState()
	s.publish()
	return nil
}

// SetManner lays a behaviour over a mock wallet, from the next request on.
func (s *Service) SetManner(p provider.Personality, m provider.Manner) {
	s.mu.Lock()
	s.manners[p] = m
	s.mu.Unlock()
	s.tellState()
}

// manner is that of a wallet; s.mu is held.
func (s *Service) manner(p provider.Personality) provider.Manner {
	m := s.manners[p]
	if m.Behaviour == "" {
		m.Behaviour = provider.Asks
	}
	m.Sleep = s.options.Sleep
	return m
}

// env is what requests are read in.
func (s *Service) env() signer.Env {
	s.mu.Lock()
	defer s.mu.Unlock()
	return signer.Env{Keys: s.keys.Ring, Account: s.account, Network: s.network, Source: s.options.Source, Local: s.local}
}

package world

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Fork holds what is known of the live chain that worlds continue: of its accounts and contracts only
// what was read. A world computes with what is there and reads nothing while it is locked, so who wants
// something of it reads first what it needs. It is safe for concurrent use, and all worlds share it.
type Fork struct {
	*fork.Source

	mu       sync.RWMutex
	accounts map[string]fork.Account // by hash160 and contract
	sources  map[string]*string      // of contracts, by id; nil for one that is not there
}

// NewFork returns the live chain that a source reads.
func NewFork(s *fork.Source) *Fork {
	return &Fork{Source: s, accounts: map[string]fork.Account{}, sources: map[string]*string{}}
}

// network returns the ledger of its network.
func (f *Fork) network() int {
	if f.Tip().Network == fork.Mainnet {
		return mainnet
	}
	return testnet
}

// Testnet reports whether it is a test network.
func (f *Fork) Testnet() bool { return f.network() == testnet }

func accountKey(hash160 [20]byte, contract string) string { return string(hash160[:]) + contract }

// ReadAccounts reads what accounts and contracts have, as far as it is not known. It fails with a
// *fork.UnreadError.
func (f *Fork) ReadAccounts(ctx context.Context, all ...clarity.Principal) error {
	if f == nil {
		return nil
	}
	all = slices.DeleteFunc(slices.Clone(all), func(p clarity.Principal) bool {
		_, known := f.account(accountKey(p.Address.Hash160, p.Contract))
		return known || p.Address.Testnet() != f.Testnet()
	})
	for _, p := range all {
		f.StartAccount(p.String())
	}
	for _, p := range all {
		key := accountKey(p.Address.Hash160, p.Contract)
		a, err := f.Account(ctx, p.String())
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.accounts[key] = a
		f.mu.Unlock()
	}
	return nil
}

// readOf reads the accounts of a project.
func (f *Fork) readOf(accounts []engine.Account) error {
	var all []clarity.Principal
	for _, a := range accounts {
		all = append(all, a.Principal)
	}
	return f.ReadAccounts(context.Background(), all...)
}

func (f *Fork) account(key string) (fork.Account, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	a, known := f.accounts[key]
	return a, known
}

// origin is the ledger.Origin of the accounts that were read.
func (f *Fork) origin(hash160 [20]byte, contract string) (balance, nonce uint64) {
	a, _ := f.account(accountKey(hash160, contract))
	return a.Balance + a.Locked, a.Nonce
}

// ReadContract reads the text of a contract, as far as it is not known. It fails with a *fork.UnreadError;
// one that is not there is no failure.
func (f *Fork) ReadContract(ctx context.Context, id clarity.Principal) error {
	if _, known := f.source(id); known || id.Contract == "" || id.Address.Testnet() != f.Testnet() {
		return nil
	}
	path := fmt.Sprintf("/v2/clarity/metadata/%s/%s/vm-metadata::9::contract-src?tip=%s", id.Address, id.Contract, strings.TrimPrefix(f.Tip().IndexHash, "0x"))
	answer, err := f.Read(ctx, path)
	if err != nil {
		return err
	}
	var text *string
	if answer.Status != http.StatusNotFound {
		var body struct {
			Data string `json:"data"`
		}
		if err := json.Unmarshal(answer.Body, &body); err != nil {
			return &fork.UnreadError{What: "the source of " + id.String(), Why: err.Error()}
		}
		text = &body.Data
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sources[id.String()] = text
	return nil
}

// source returns the text of a contract, nil where it is not there; known is false where it was not read.
func (f *Fork) source(id clarity.Principal) (text *string, known bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	text, known = f.sources[id.String()]
	return text, known
}

// Live returns the text of a contract of the live chain, if it was read and is there.
func (f *Fork) Live(id clarity.Principal) (text string, ok bool) {
	if f == nil {
		return "", false
	}
	if found, _ := f.source(id); found != nil {
		return *found, true
	}
	return "", false
}

// readFor reads what a node looks at before it takes a transaction.
func (f *Fork) readFor(ctx context.Context, t *ledger.Tx) error {
	if f == nil {
		return nil
	}
	all := []clarity.Principal{t.Principal()}
	if s := t.Auth.Sponsor; s != nil {
		all = append(all, clarity.Principal{Address: s.Address(t.Mainnet())})
	}
	switch p := t.Payload.(type) {
	case stxtx.TokenTransfer:
		all = append(all, p.Recipient)
	case stxtx.ContractCall:
		if err := f.ReadContract(ctx, p.Contract); err != nil {
			return err
		}
	case stxtx.SmartContract:
		id := t.Principal()
		id.Contract = p.Name
		if err := f.ReadContract(ctx, id); err != nil {
			return err
		}
	}
	return f.ReadAccounts(ctx, all...)
}

// readMoves reads the accounts between which STX were moved.
func (f *Fork) readMoves(does *ledger.Effect) error {
	if f == nil {
		return nil
	}
	var all []clarity.Principal
	for _, m := range does.Moves {
		for _, p := range []*clarity.Principal{m.From, m.To} {
			if p != nil && m.Asset == (stxtx.Asset{}) {
				all = append(all, *p)
			}
		}
	}
	for _, l := range does.Locks {
		all = append(all, l.Of)
	}
	return f.ReadAccounts(context.Background(), all...)
}

// unread reports whether something waits that could not be read when it was its turn.
func (c *content) unread() bool {
	return slices.ContainsFunc(State{content: c}.Mempool(), func(t *ledger.Tx) bool { return t.Unread != "" })
}

// How long after a failure a block is mined for what could not be read.
const (
	retryFirst = 2 * time.Second
	retryMost  = time.Minute
)

// retryUnread mines a block from time to time as long as something waits that could not be read, where
// blocks come with transactions alone: it continues by itself when it can. The caller must have called lock.
func (w *World) retryUnread() {
	f := w.shared.Fork
	if !w.shared.Automine || f == nil || f.Offline() || !w.now.unread() || !w.retries.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer func() { _ = recover() }() // the next transaction mines the block
		defer w.retries.Store(false)
		for wait := retryFirst; ; wait = min(2*wait, retryMost) {
			select {
			case <-time.After(wait):
			case <-f.Done():
				return
			}
			if !w.State().unread() {
				return
			}
			if _, err := w.Mine(1); err != nil {
				return
			}
		}
	}()
}

// forkLocks returns what is locked of accounts on a fork: by contracts that run there, else on the live
// chain.
type forkLocks struct {
	runningLocks
	fork *Fork
}

// Locked returns what is locked at a height, in micro-STX.
func (f forkLocks) Locked(l *ledger.Ledger, hash160 [20]byte, contract string, height int64) uint64 {
	if locked := f.runningLocks.Locked(l, hash160, contract, height); locked > 0 {
		return locked
	}
	a, _ := f.fork.account(accountKey(hash160, contract))
	if burn, _ := f.Tenure(height); a.Unlock <= burn {
		return 0
	}
	return a.Locked
}

// otherNetwork refuses a transaction of the network that a fork is not of, "" for nothing.
func (f *Fork) otherNetwork(t *ledger.Tx) string {
	if f == nil || t.Mainnet() != f.Testnet() {
		return ""
	}
	return fmt.Sprintf("the transaction is of another network: this chain is a fork of %s at height %d", f.Tip().Network, f.Tip().Height)
}

package world

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/mockserver/chain"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// wallClock is a wall clock that a test moves.
type wallClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *wallClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *wallClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newOptions(t testing.TB, change ...func(*Options)) (*Options, *wallClock) {
	t.Helper()
	c, err := chain.New(chain.Params{Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	clock := &wallClock{at: start}
	o := &Options{Chain: c, Now: clock.now}
	for _, f := range change {
		f(o)
	}
	return o, clock
}

func newTestWorld(t testing.TB, change ...func(*Options)) (*World, *wallClock) {
	t.Helper()
	o, clock := newOptions(t, change...)
	return New(o), clock
}

func frozen(o *Options) { o.Clock = chain.Clock{Frozen: true, At: start.UnixMilli()} }

type signer struct{ key *secp256k1.PrivateKey }

func signerOf(name string) signer {
	seed := sha256.Sum256([]byte(name))
	return signer{secp256k1.PrivKeyFromBytes(seed[:])}
}

func (s signer) hash160() [20]byte { return stxtx.Hash160(s.key.PubKey().SerializeCompressed()) }

func (s signer) principal(mainnet bool) clarity.Principal {
	c := stxtx.SpendingCondition{Signer: s.hash160()}
	return clarity.Principal{Address: c.Address(mainnet)}
}

func (s signer) signed(t testing.TB, mainnet bool, nonce uint64, payload stxtx.Payload) []byte {
	t.Helper()
	tx := &stxtx.Transaction{
		Version: stxtx.VersionTestnet, ChainID: stxtx.ChainIDTestnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: payload,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: s.hash160(), Nonce: nonce, Fee: 300}},
	}
	if mainnet {
		tx.Version, tx.ChainID = stxtx.VersionMainnet, stxtx.ChainIDMainnet
	}
	err := tx.SignOrigin(func(hash [32]byte) (out stxtx.Signature) {
		compact := ecdsa.SignCompact(s.key, hash[:], true)
		out[0] = compact[0] - 31
		copy(out[1:], compact[1:])
		return out
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := tx.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func (s signer) pays(t testing.TB, nonce, amount uint64, to signer) []byte {
	t.Helper()
	return s.signed(t, true, nonce, stxtx.TokenTransfer{Recipient: to.principal(true), Amount: amount})
}

func mustSubmit(t testing.TB, w *World, raw []byte) [32]byte {
	t.Helper()
	id, rejection := w.Submit(raw)
	if rejection != nil {
		t.Fatalf("%v %+v", rejection, rejection.Data)
	}
	return id
}

func must(t testing.TB) func(State, error) State {
	return func(s State, err error) State {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// shown returns everything that a state shows.
func shown(s State) string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%+v", s.View.Blocks(s.View.All().Page(30, 0)))
	for _, name := range []string{"alice", "bob", "carol"} {
		for _, mainnet := range []bool{true, false} {
			p := signerOf(name).principal(mainnet)
			n := s.Nonces(p)
			fmt.Fprintf(&out, "\n%s %+v next %d missing %v pending %v", p, s.Account(p), n.Next, n.Missing, n.Pending)
			for t := range s.Ledger(p).Mined() {
				fmt.Fprintf(&out, "\nmined %x at %d", t.ID, t.Height)
			}
			for t := range s.Ledger(p).Mempool() {
				fmt.Fprintf(&out, "\nwaits %x for %d", t.ID, t.Height)
			}
		}
	}
	fmt.Fprintf(&out, "\nclock %d frozen %v, %d answers", s.View.NowMS(), s.Frozen(), s.Contracts().Len())
	return out.String()
}

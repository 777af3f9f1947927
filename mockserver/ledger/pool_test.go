package ledger

import (
	"fmt"
	"slices"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// sends signs a transfer of 1 micro-STX to carol with a fee.
func (s signer) sends(t testing.TB, nonce, fee uint64) []byte {
	t.Helper()
	return s.signed(t, nonce, fee, stxtx.TokenTransfer{Recipient: signerOf("carol").principal(), Amount: 1})
}

func (n *node) mustBe(t *testing.T, id [32]byte, why Drop, height int64) {
	t.Helper()
	if tx, known := n.Lookup(id); !known || tx.Dropped != why || tx.Height != height {
		t.Errorf("%x is known %v: %+v; want %q in block %d", id[:4], known, tx, why, height)
	}
}

func TestAHigherFeeTakesThePlaceOfATransaction(t *testing.T) {
	alice := signerOf("alice")
	n := newNode()
	first := n.mustSend(t, alice.sends(t, 0, 300))
	second := n.mustSend(t, alice.sends(t, 1, 300))
	for _, fee := range []uint64{299, 300} {
		other := alice.signed(t, 0, fee, stxtx.TokenTransfer{Recipient: signerOf("bob").principal(), Amount: 2})
		if _, rejection := n.send(other); rejection == nil || rejection.Reason != ConflictingNonceInMempool {
			t.Errorf("a fee of %d in place of 300: %+v", fee, rejection)
		}
	}
	dearer := n.mustSend(t, alice.sends(t, 0, 301))
	n.mustBe(t, first, ReplaceByFee, 0)
	if tx, _ := n.Lookup(first); tx.ReplacedBy == nil || *tx.ReplacedBy != dearer {
		t.Errorf("replaced by %x", tx.ReplacedBy)
	}
	dearest := n.mustSend(t, alice.sends(t, 0, 302))
	n.mine()
	if got := n.txs[1]; !slices.Equal(got, [][32]byte{dearest, second}) {
		t.Errorf("the block has %x", got)
	}
	n.mustBe(t, dearer, ReplaceByFee, 0)
	if n.pool.Len() != 0 || n.received.Len() != 0 || n.pending.Len() != 0 || n.poolBytes != 0 {
		t.Errorf("something waits: %d, %d, %d", n.pool.Len(), n.received.Len(), n.pending.Len())
	}
}

func TestAGapWaitsAndItsFillingLetsAllGoInOneBlock(t *testing.T) {
	alice := signerOf("alice")
	n := newNode()
	var ids [5][32]byte
	for _, nonce := range []uint64{4, 1, 2, 3} {
		ids[nonce] = n.mustSend(t, alice.sends(t, nonce, 300+nonce))
	}
	n.mine()
	n.mine()
	if len(n.txs[1])+len(n.txs[2]) != 0 {
		t.Fatalf("mined with a gap: %x", n.txs)
	}
	ids[0] = n.mustSend(t, alice.sends(t, 0, 300))
	n.mine()
	if got := n.txs[3]; !slices.Equal(got, ids[:]) {
		t.Errorf("the block has %x, want %x", got, ids)
	}
}

func TestABlockCarriesTheDearestFirst(t *testing.T) {
	alice, bob, dan := signerOf("alice"), signerOf("bob"), signerOf("dan")
	n := newNode()
	cheap := n.mustSend(t, alice.sends(t, 0, 200))
	behind := n.mustSend(t, alice.sends(t, 1, 900)) // only after the cheap one
	middle := n.mustSend(t, bob.sends(t, 0, 500))
	same := n.mustSend(t, dan.sends(t, 0, 500)) // came later
	last := n.mustSend(t, bob.sends(t, 1, 100+100))
	n.mine()
	if got, want := n.txs[1], [][32]byte{middle, same, cheap, behind, last}; !slices.Equal(got, want) {
		t.Errorf("the block has %x, want %x", got, want)
	}
	var listed [][32]byte
	for tx := range n.Mined() {
		listed = append(listed, tx.ID)
	}
	if slices.Reverse(listed); !slices.Equal(listed, n.txs[1]) {
		t.Errorf("listed as %x", listed)
	}
}

func TestWhatNoBlockTookIsDroppedAfter256Blocks(t *testing.T) {
	alice := signerOf("alice")
	n := newNode()
	n.mine()
	waits := n.mustSend(t, alice.sends(t, 1, 300))
	n.mine()
	later := n.mustSend(t, alice.sends(t, 2, 300))
	if got := n.NextHeight(); got != 257 {
		t.Errorf("something happens next in block %d", got)
	}
	for n.tip < 256 {
		n.mine()
	}
	n.mustBe(t, waits, "", 0)
	n.mine()
	n.mustBe(t, waits, StaleGarbageCollect, 0)
	n.mustBe(t, later, "", 0)
	n.mine()
	n.mustBe(t, later, StaleGarbageCollect, 0)
	if got := n.Nonces(alice.principal()); got.Next != 0 || got.Mempool != nil {
		t.Errorf("%+v", got)
	}
	// It can be sent again.
	n.mustSend(t, alice.sends(t, 0, 300))
	if again := n.mustSend(t, alice.sends(t, 1, 300)); again != waits {
		t.Error("the same transaction has another id")
	}
	n.mine()
	n.mustBe(t, waits, "", n.tip)
	if n.dropped.Len() != 1 || n.forgotten.Len() != 1 {
		t.Errorf("%d and %d are said to be dropped", n.dropped.Len(), n.forgotten.Len())
	}
}

func TestDroppingOneLetsWhatComesAfterItWait(t *testing.T) {
	alice, bob := signerOf("alice"), signerOf("bob")
	n := newNode()
	first := n.mustSend(t, alice.sends(t, 0, 300))
	second := n.mustSend(t, alice.sends(t, 1, 300))
	third := n.mustSend(t, alice.sends(t, 2, 300))
	other := n.mustSend(t, bob.sends(t, 0, 300))
	if !n.Drop(second, TooExpensive) || n.Drop(second, TooExpensive) || n.Drop([32]byte{1}, Problematic) {
		t.Error("what waits can be dropped, once")
	}
	n.mine()
	n.mustBe(t, first, "", 1)
	n.mustBe(t, second, TooExpensive, 0)
	n.mustBe(t, third, "", 0)
	n.mustBe(t, other, "", 1)
	again := n.mustSend(t, alice.sends(t, 1, 301))
	n.mine()
	n.mustBe(t, again, "", 2)
	n.mustBe(t, third, "", 2)
	if n.Drop(third, TooExpensive) {
		t.Error("dropped out of a block")
	}
}

func TestWhileTheMempoolIsHeldNothingIsMined(t *testing.T) {
	alice, bob := signerOf("alice"), signerOf("bob")
	n := newNode()
	back := n.mustSend(t, alice.sends(t, 0, 300))
	n.mine()
	before := n.mustSend(t, alice.sends(t, 1, 300))
	n.Hold()
	dearer := n.mustSend(t, alice.sends(t, 1, 400))
	during := n.mustSend(t, bob.sends(t, 0, 300))
	gap := n.mustSend(t, bob.sends(t, 2, 300))
	n.mine()
	n.mine()
	if len(n.txs[2])+len(n.txs[3]) != 0 {
		t.Fatalf("mined meanwhile: %x", n.txs)
	}
	n.mustBe(t, before, ReplaceByFee, 0)
	n.reorg(3) // the block that had the first is replaced
	n.mine()
	if len(n.txs[4]) != 0 {
		t.Fatalf("what came back was mined: %x", n.txs)
	}
	if !n.OnHold() || !n.Release(n.tip+1) || n.OnHold() {
		t.Error("nothing is released")
	}
	n.mine()
	if got, want := n.txs[5], [][32]byte{back, dearer, during}; !slices.Equal(got, want) {
		t.Errorf("the block has %x, want %x", got, want)
	}
	n.mustBe(t, gap, "", 0)
	n.Hold()
	if n.Release(n.tip + 1) {
		t.Error("a block carries what has a gap")
	}
}

func TestWhatCannotPayForItselfWaitsForTheNextBlock(t *testing.T) {
	alice, bob := signerOf("alice"), signerOf("bob")
	n := newNode()
	contract := bob.principal()
	contract.Contract = "vault"
	n.outcome = func(l *Ledger, tx *Tx) Effect { // takes everything that the sender has
		from := tx.Principal()
		all := l.Account(from).Balance
		return Effect{Moves: []outcome.Move{{Amount: clarity.NewUInt(all).N, From: &from, To: &contract}}}
	}
	drain := n.mustSend(t, alice.allowing(t, 0, 1_000, stxtx.ContractCall{Contract: contract, Function: "drain"}))
	pays := n.mustSend(t, alice.sends(t, 1, 300))
	after := n.mustSend(t, alice.sends(t, 2, 300))
	n.mine()
	if got := n.txs[1]; !slices.Equal(got, [][32]byte{drain}) {
		t.Fatalf("the block has %x", got)
	}
	if got := n.Account(alice.principal()); got.Balance != 0 || got.Nonce != 1 {
		t.Fatalf("alice has %+v", got)
	}
	n.mustBe(t, pays, "", 2)
	n.mine()
	n.mustSend(t, bob.signed(t, 0, 300, stxtx.TokenTransfer{Recipient: alice.principal(), Amount: 301}))
	n.mine()
	n.mine()
	n.mustBe(t, pays, "", 4) // bob's came in the block before, at the same fee and later
	for n.tip < 300 {
		n.mine()
	}
	n.mustBe(t, after, StaleGarbageCollect, 0)
	if got := n.Account(alice.principal()); got.Balance != 0 || got.Nonce != 2 {
		t.Errorf("alice has %+v", got)
	}
}

// allowing signs a transaction in allow mode.
func (s signer) allowing(t testing.TB, nonce, fee uint64, payload stxtx.Payload) []byte {
	t.Helper()
	return s.signedIn(t, stxtx.ModeAllow, nonce, fee, payload)
}

func BenchmarkBlockOf1000(b *testing.B) {
	raw := make([][]byte, 1_000)
	for i := range raw {
		raw[i] = signerOf(fmt.Sprint(i%50)).sends(b, uint64(i/50), 300+uint64(i*7%100))
	}
	n := newNode()
	for _, one := range raw {
		n.mustSend(b, one)
	}
	b.ReportAllocs()
	for b.Loop() {
		full := n.Ledger
		if got := full.Settle(1, n.outcome); len(got) != len(raw) {
			b.Fatalf("the block carries %d", len(got))
		}
	}
}

package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// node is a ledger with a chain that a test moves on.
type node struct {
	mu sync.Mutex
	Ledger
	tip     int64 // of the blocks that txs has
	txs     map[int64][][32]byte
	outcome Outcome
}

func anyCall(*Ledger, stxtx.ContractCall) (Reason, any) { return "", nil }

func newNode() *node {
	return &node{Ledger: New(), txs: map[int64][][32]byte{}, outcome: func(*Ledger, *Tx) Effect { return Effect{} }}
}

func (n *node) send(raw []byte) ([32]byte, *Rejection) {
	n.mu.Lock()
	defer n.mu.Unlock()
	t, rejection := Decode(raw, nil)
	if rejection != nil {
		return [32]byte{}, rejection
	}
	_, rejection = n.Submit(t, n.tip*1000, n.tip+1, anyCall)
	return t.ID, rejection
}

func (n *node) mine() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tip++
	for _, tx := range n.Settle(n.tip, n.outcome) {
		n.txs[n.tip] = append(n.txs[n.tip], tx.ID)
	}
}

// reorg replaces the newest blocks by empty ones and returns how many transactions wait
// for the block after them.
func (n *node) reorg(depth int64) int {
	from := n.tip - depth + 1
	n.Rewind(from, n.tip+1)
	for height := from; height <= n.tip; height++ {
		delete(n.txs, height)
	}
	return n.scheduled.Len()
}

type signer struct{ key *secp256k1.PrivateKey }

func signerOf(name string) signer {
	seed := sha256.Sum256([]byte(name))
	return signer{secp256k1.PrivKeyFromBytes(seed[:])}
}

func (s signer) principal() clarity.Principal {
	c := stxtx.SpendingCondition{Signer: stxtx.Hash160(s.key.PubKey().SerializeCompressed())}
	return clarity.Principal{Address: c.Address(true)}
}

func (s signer) signed(t testing.TB, nonce, fee uint64, payload stxtx.Payload) []byte {
	t.Helper()
	return s.signedIn(t, stxtx.ModeDeny, nonce, fee, payload)
}

func (s signer) signedIn(t testing.TB, mode stxtx.PostConditionMode, nonce, fee uint64, payload stxtx.Payload) []byte {
	t.Helper()
	tx := &stxtx.Transaction{
		ChainID: stxtx.ChainIDMainnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: mode, Payload: payload,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: s.principal().Address.Hash160, Nonce: nonce, Fee: fee}},
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

func TestTheBytesOfTransactionsThatWaitAreBounded(t *testing.T) {
	l := newNode()
	source := strings.Repeat(";", 2_000_000)
	var refusal *Rejection
	sent := 0
	for ; refusal == nil && sent < 100; sent++ {
		who := signerOf(fmt.Sprint(sent))
		_, refusal = l.send(who.signed(t, 0, 3_000_000, stxtx.SmartContract{Name: "c", Code: source}))
	}
	if refusal == nil || refusal.Reason != ServerFailureOther || !strings.Contains(refusal.Data.(Message).Message, "full") {
		t.Fatalf("after %d transactions of 2 MB: %v", sent, refusal)
	}
	l.mine()
	if _, refusal = l.send(signerOf("late").signed(t, 0, 3_000_000, stxtx.SmartContract{Name: "c", Code: source})); refusal != nil {
		t.Errorf("after a block: %v", refusal)
	}
	l.mine()
	l.Account(signerOf("x").principal())
	if l.minedBytes > maxMinedBytes || l.mined.Len() != l.order.Len() || l.poolBytes != 0 {
		t.Errorf("kept %d bytes of %d mined transactions, %d in the mempool", l.minedBytes, l.mined.Len(), l.poolBytes)
	}
}

func TestTheNumberOfTransactionsThatWaitIsBounded(t *testing.T) {
	l := newNode()
	to := stxtx.TokenTransfer{Recipient: signerOf("bob").principal(), Amount: 1}
	signed, rejection := Decode(signerOf("alice").signed(t, 0, 300, to), nil)
	if rejection != nil {
		t.Fatal(rejection)
	}
	// from sends a transfer of another sender, whose signature was checked elsewhere.
	from := func(sender, nonce int, fee uint64) *Rejection {
		another := *signed.Transaction
		binary.BigEndian.PutUint32(another.Auth.Origin.Signer[:], uint32(sender))
		another.Auth.Origin.Nonce, another.Auth.Origin.Fee = uint64(nonce), fee
		_, refusal := l.Submit(newTx(&another, sha256.Sum256(fmt.Append(nil, sender, nonce, fee)), signed.Size), 0, l.tip+1, anyCall)
		return refusal
	}
	for i := range maxPending {
		if refusal := from(i/20, i%20, 300); refusal != nil {
			t.Fatalf("transaction %d: %v", i+1, refusal)
		}
	}
	refusal := from(maxPending, 0, 300)
	if refusal == nil || refusal.Reason != ServerFailureOther || !strings.Contains(refusal.Data.(Message).Message, "full with 10000 transactions") {
		t.Fatalf("one more than can wait: %v", refusal)
	}
	if refusal := from(0, 0, 600); refusal != nil {
		t.Errorf("in place of one that waits: %v", refusal)
	}
	l.mine()
	if refusal := from(maxPending, 0, 300); refusal != nil {
		t.Errorf("after a block: %v", refusal)
	}
}

func TestManySendersAndBlocksAtOnceLoseNoMicroSTX(t *testing.T) {
	const people, each, fee = 6, 8, 200
	l := newNode()
	var raw [people][each][]byte
	for i := range people {
		for n := range each {
			to := signerOf(fmt.Sprint((i + 1 + n%(people-1)) % people)).principal()
			raw[i][n] = signerOf(fmt.Sprint(i)).signed(t, uint64(n), fee, stxtx.TokenTransfer{Recipient: to, Amount: uint64(1 + n*i)})
		}
	}
	var group sync.WaitGroup
	for i := range people {
		group.Go(func() {
			for n := each - 1; n >= 0; n-- { // the last nonce first: all but one wait
				if id, refusal := l.send(raw[i][n]); refusal != nil {
					t.Errorf("nonce %d of %d: %v", n, i, refusal)
				} else if id == [32]byte{} {
					t.Errorf("nonce %d of %d has no id", n, i)
				}
				l.mine()
			}
		})
	}
	group.Wait()
	l.mine()
	var sum uint64
	for i := range people {
		a := l.Account(signerOf(fmt.Sprint(i)).principal())
		if a.Nonce != each {
			t.Errorf("account %d has nonce %d", i, a.Nonce)
		}
		sum += a.Balance
	}
	if want := people * (startBalance - each*fee); sum != want {
		t.Errorf("all have %d micro-STX, want %d", sum, want)
	}
	carried := 0
	for height, ids := range l.txs {
		if height > l.tip {
			t.Errorf("block %d is beyond the tip", height)
		}
		carried += len(ids)
	}
	if carried != people*each {
		t.Errorf("the blocks carry %d transactions of %d", carried, people*each)
	}
}

func FuzzSubmit(f *testing.F) {
	who := signerOf("a")
	f.Add(who.signed(f, 0, 300, stxtx.TokenTransfer{Recipient: signerOf("b").principal(), Amount: 1}))
	f.Add(who.signed(f, 0, 300, stxtx.SmartContract{Name: "c", Code: "1"}))
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := newNode()
		id, refusal := l.send(raw)
		if refusal != nil {
			if refusal.Reason == "" || refusal.TxID != stxtx.ID(raw) || len(l.txs[1]) != 0 {
				t.Errorf("%+v with %v in blocks", refusal, l.txs)
			}
			return
		}
		if stxtx.ID(raw) != fmt.Sprintf("%x", id) {
			t.Errorf("the id %x is not that of the bytes", id)
		}
		if tx, known := l.Lookup(id); !known || tx.Height == 0 && tx.Auth.Origin.Nonce == 0 && tx.Auth.Sponsor == nil {
			t.Errorf("accepted and then %+v, %v", tx, known)
		}
	})
}

func (s signer) pays(t testing.TB, nonce, amount uint64, to signer) []byte {
	t.Helper()
	return s.signed(t, nonce, 300, stxtx.TokenTransfer{Recipient: to.principal(), Amount: amount})
}

func (n *node) mustSend(t testing.TB, raw []byte) [32]byte {
	t.Helper()
	id, rejection := n.send(raw)
	if rejection != nil {
		t.Fatal(rejection, rejection.Data)
	}
	return id
}

func TestABlockThatIsReplacedGivesItsTransactionsBack(t *testing.T) {
	alice, bob, carol := signerOf("alice"), signerOf("bob"), signerOf("carol")
	n := newNode()
	first := n.mustSend(t, alice.pays(t, 0, 100, bob))
	n.mine()
	second := n.mustSend(t, alice.pays(t, 1, 1000, carol))
	spends := n.mustSend(t, bob.pays(t, 0, startBalance+100-300, carol)) // with what came in the first block
	n.mine()
	third := n.mustSend(t, alice.pays(t, 2, 5, bob))
	before := n.Ledger
	want := map[signer]Account{}
	for _, who := range []signer{alice, bob, carol} {
		want[who] = n.Account(who.principal())
	}

	if returned := n.reorg(2); returned != 4 {
		t.Fatalf("%d of 4 transactions returned", returned)
	}
	for _, who := range []signer{alice, bob, carol} {
		if got := n.Account(who.principal()); got != (Account{Balance: startBalance, Received: startBalance}) {
			t.Errorf("after the reorganisation an account has %+v", got)
		}
	}
	for i, id := range [][32]byte{first, second, spends, third} {
		if tx, known := n.Lookup(id); !known || tx.Height != 3 || tx.Result != nil {
			t.Errorf("transaction %d: %+v, %v", i, tx, known)
		}
	}
	n.mine()
	if got := n.txs[3]; !slices.Equal(got, [][32]byte{first, second, spends, third}) {
		t.Errorf("the next block has %x", got)
	}
	if got := n.Account(bob.principal()); got.Balance != 5 || got.Nonce != 1 || got.Fees != 300 {
		t.Errorf("mined again bob has %+v", got)
	}
	for _, who := range []signer{alice, bob, carol} {
		if got := before.Account(who.principal()); got != want[who] {
			t.Errorf("the ledger that was kept shows %+v, showed %+v", got, want[who])
		}
	}
	if tx, known := before.Lookup(first); !known || tx.Height != 1 {
		t.Errorf("the ledger that was kept has %+v, %v", tx, known)
	}
}

func TestAReturnedTransactionWithoutRoomIsDropped(t *testing.T) {
	alice, bob := signerOf("alice"), signerOf("bob")
	n := newNode()
	first := n.mustSend(t, alice.pays(t, 0, 100, bob))
	second := n.mustSend(t, alice.pays(t, 1, 100, bob))
	n.mine()
	nonce, balance := uint64(7), uint64(0)
	if err := n.SetAccount(alice.principal(), &balance, &nonce); err != nil {
		t.Fatal(err)
	}
	if returned := n.reorg(1); returned != 0 {
		t.Errorf("%d transactions returned", returned)
	}
	for _, id := range [][32]byte{first, second} {
		if tx, known := n.Lookup(id); !known || tx.Dropped != StaleGarbageCollect || tx.ReplacedBy != nil {
			t.Errorf("%+v, %v", tx, known)
		}
	}
	if n.poolBytes != 0 || n.pending.Len() != 0 || n.scheduled.Len() != 0 {
		t.Errorf("%d bytes, %d pending, %d scheduled", n.poolBytes, n.pending.Len(), n.scheduled.Len())
	}
}

func TestSettingAnAccount(t *testing.T) {
	alice, bob := signerOf("alice"), signerOf("bob")
	n := newNode()
	u := func(n uint64) *uint64 { return &n }
	if err := n.SetAccount(bob.principal(), u(42), nil); err != nil {
		t.Fatal(err)
	}
	if got := n.Account(bob.principal()); got != (Account{Balance: 42, Received: 42}) {
		t.Errorf("%+v", got)
	}
	if err := n.SetAccount(bob.principal(), nil, u(9)); err != nil {
		t.Fatal(err)
	}
	if got := n.Account(bob.principal()); got.Nonce != 9 || got.Balance != 42 {
		t.Errorf("%+v", got)
	}
	n.mustSend(t, alice.pays(t, 0, 1000, bob))
	if err := n.SetAccount(alice.principal(), nil, u(1)); err == nil || !strings.Contains(err.Error(), "mine a block") {
		t.Errorf("a nonce under a transaction that waits: %v", err)
	}
	if err := n.SetAccount(alice.principal(), u(1299), nil); err == nil || !strings.Contains(err.Error(), "spend 1300") {
		t.Errorf("a balance under what waits: %v", err)
	}
	if err := n.SetAccount(alice.principal(), u(1300), u(0)); err != nil {
		t.Error(err)
	}
	n.mine()
	if got := n.Account(alice.principal()); got != (Account{Nonce: 1, Sent: 1000, Fees: 300, Received: 1300}) {
		t.Errorf("%+v", got)
	}
	contract := alice.principal()
	contract.Contract = "c"
	if err := n.SetAccount(contract, nil, u(1)); err == nil {
		t.Error("a contract has a nonce")
	}
}

func TestMoreThanTwentyFiveNoncesThatWaitAreTooManyAsANodeSaysIt(t *testing.T) {
	alice, bob := signerOf("alice"), signerOf("bob")
	n := newNode()
	five := uint64(5)
	if err := n.SetAccount(alice.principal(), nil, &five); err != nil {
		t.Fatal(err)
	}
	n.mustSend(t, alice.pays(t, 31, 1, bob))
	_, rejection := n.send(alice.pays(t, 32, 1, bob))
	want := chainingData{"Nonce would exceed chaining limit in mempool", nonceData{31, 32, alice.principal().String(), true}}
	if rejection == nil || rejection.Reason != TooMuchChaining || rejection.Data != want {
		t.Errorf("got %+v", rejection)
	}
	if _, rejection := n.send(alice.pays(t, 1<<64-1, 1, bob)); rejection == nil || rejection.Reason != TooMuchChaining {
		t.Errorf("the highest nonce: %+v", rejection)
	}
	got := n.Nonces(alice.principal())
	if *got.Mempool != 31 || *got.Executed != 4 || got.Next != 32 || len(got.Missing) != 26 || got.Missing[0] != 30 || got.Missing[25] != 5 || len(got.Pending) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestACallThatFailsPaysItsFeeAndADeploymentThatFailsLeavesNoContract(t *testing.T) {
	alice := signerOf("alice")
	n := newNode()
	n.outcome = func(*Ledger, *Tx) Effect { return Effect{Result: clarity.Err{Value: clarity.NewUInt(1)}} }
	id := n.mustSend(t, alice.signed(t, 0, 3_000, stxtx.SmartContract{Name: "c", Code: "(ok 1)"}))
	contract := alice.principal()
	contract.Contract = "c"
	if tx, known := n.Contract(contract); !known || tx.Result != nil {
		t.Errorf("before the block: %+v, %v", tx, known)
	}
	n.mine()
	if tx, _ := n.Lookup(id); !tx.Aborted() || tx.Height != 1 {
		t.Errorf("%+v", tx)
	}
	if tx, known := n.Contract(contract); known {
		t.Errorf("deployed: %+v", tx)
	}
	if got := n.Account(alice.principal()); got.Nonce != 1 || got.Balance != startBalance-3_000 {
		t.Errorf("%+v", got)
	}
	if n.contractBytes != 0 {
		t.Errorf("%d bytes of contracts", n.contractBytes)
	}
}

func TestListsOfTransactions(t *testing.T) {
	alice, bob, carol := signerOf("alice"), signerOf("bob"), signerOf("carol")
	n := newNode()
	var ids [][32]byte
	for nonce := range uint64(3) {
		ids = append(ids, n.mustSend(t, alice.pays(t, nonce, 1, bob)))
		n.mine()
	}
	waits := n.mustSend(t, alice.pays(t, 5, 1, carol))
	var mined [][32]byte
	for tx := range n.Mined() {
		if mined = append(mined, tx.ID); !tx.Touches(bob.principal()) || !tx.Touches(alice.principal()) || tx.Touches(carol.principal()) {
			t.Errorf("the transaction to bob touches others")
		}
	}
	if slices.Reverse(ids); !slices.Equal(mined, ids) {
		t.Errorf("mined %x, want %x", mined, ids)
	}
	for tx := range n.Mempool() {
		if tx.ID != waits || !tx.Touches(carol.principal()) {
			t.Errorf("in the mempool: %x", tx.ID)
		}
	}
}

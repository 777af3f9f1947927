package ledger

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// chainOf is a chain that a test moves on.
type chainOf struct {
	mu  sync.Mutex
	tip int64
	txs map[int64][][32]byte
}

func (c *chainOf) Tip() (int64, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tip, c.tip * 1000
}

func (c *chainOf) AddTx(id [32]byte) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.txs == nil {
		c.txs = map[int64][][32]byte{}
	}
	c.txs[c.tip+1] = append(c.txs[c.tip+1], id)
	return c.tip + 1
}

func (c *chainOf) ReplaceTx(old, id [32]byte) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, at := range c.txs[c.tip+1] {
		if at == old {
			c.txs[c.tip+1][i] = id
			return c.tip + 1, true
		}
	}
	return 0, false
}

func (c *chainOf) mine() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tip++
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
	tx := &stxtx.Transaction{
		ChainID: stxtx.ChainIDMainnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: payload,
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

func TestTheMempoolIsBounded(t *testing.T) {
	chain := &chainOf{}
	l := New(chain)
	source := strings.Repeat(";", 2_000_000)
	var refusal *Rejection
	sent := 0
	for ; refusal == nil && sent < 100; sent++ {
		who := signerOf(fmt.Sprint(sent))
		_, refusal = l.Submit(who.signed(t, 0, 3_000_000, stxtx.SmartContract{Name: "c", Code: source}))
	}
	if refusal == nil || refusal.Reason != ServerFailureOther || !strings.Contains(refusal.Data.(messageData).Message, "full") {
		t.Fatalf("after %d transactions of 2 MB: %v", sent, refusal)
	}
	chain.mine()
	if _, refusal = l.Submit(signerOf("late").signed(t, 0, 3_000_000, stxtx.SmartContract{Name: "c", Code: source})); refusal != nil {
		t.Errorf("after a block: %v", refusal)
	}
	chain.mine()
	l.Account(signerOf("x").principal())
	if l.minedBytes > maxMinedBytes || len(l.mined) != len(l.minedOrder) || l.poolBytes != 0 {
		t.Errorf("kept %d bytes of %d mined transactions, %d in the mempool", l.minedBytes, len(l.mined), l.poolBytes)
	}
}

func TestManySendersAndBlocksAtOnceLoseNoMicroSTX(t *testing.T) {
	const people, each, fee = 8, 20, 200
	chain := &chainOf{}
	l := New(chain)
	var raw [people][each][]byte
	for i := range people {
		for n := range each {
			to := signerOf(fmt.Sprint((i + n + 1) % people)).principal()
			raw[i][n] = signerOf(fmt.Sprint(i)).signed(t, uint64(n), fee, stxtx.TokenTransfer{Recipient: to, Amount: uint64(1 + n*i)})
		}
	}
	var group sync.WaitGroup
	for i := range people {
		group.Go(func() {
			for n := each - 1; n >= 0; n-- { // the last nonce first: all but one wait
				if id, refusal := l.Submit(raw[i][n]); refusal != nil {
					t.Errorf("nonce %d of %d: %v", n, i, refusal)
				} else if _, known := l.Lookup(id); !known {
					t.Errorf("nonce %d of %d cannot be looked up", n, i)
				}
				chain.mine()
			}
		})
	}
	group.Wait()
	chain.mine()
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
	for height, ids := range chain.txs {
		if height > chain.tip {
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
		chain := &chainOf{}
		l := New(chain)
		id, refusal := l.Submit(raw)
		if stxtx.ID(raw) != fmt.Sprintf("%x", id) {
			t.Errorf("the id %x is not that of the bytes", id)
		}
		if refusal != nil {
			if refusal.Reason == "" || len(chain.txs) != 0 {
				t.Errorf("%+v with %v in blocks", refusal, chain.txs)
			}
			return
		}
		if tx, known := l.Lookup(id); !known || tx.Height == 0 && tx.Auth.Origin.Nonce == 0 && tx.Auth.Sponsor == nil {
			t.Errorf("accepted and then %+v, %v", tx, known)
		}
	})
}

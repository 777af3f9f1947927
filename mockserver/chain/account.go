package chain

import (
	"encoding/binary"

	"chainscope/mockserver/splitmix"
)

// MaxAccounts limits how many accounts can take part in a transaction of the chain itself.
const MaxAccounts = 6

// Account returns the hash160 of account n of those that take part in a transaction of the
// chain itself: the first is its sender. They take part in no other one, so that TxOf finds it.
func (c *Chain) Account(id Hash, n int) (hash160 [20]byte) {
	raw := id.Bytes()
	if n == 0 {
		copy(hash160[:], raw[:])
		return hash160
	}
	copy(hash160[:], raw[12:])
	if n > 1 {
		for i, at := range []int{4, 0, 12} { // the second overlaps the first
			binary.BigEndian.PutUint64(hash160[at:], splitmix.Mix(id[i+1]+uint64(n)))
		}
	}
	return hash160
}

// TxOf returns the inverse of Account: it finds the transaction that an account takes part in, and the
// height that it belongs to. Blocks that lost have none of these.
func (c *Chain) TxOf(hash160 [20]byte) (id Hash, height int64, ok bool) {
	last := binary.BigEndian.Uint64(hash160[12:])
	for n := range MaxAccounts {
		word := last // of the id, which is a permutation of its ref
		switch {
		case n == 0:
			word = splitmix.Unmix(binary.BigEndian.Uint64(hash160[:])) ^ c.hash[0]
		case n > 1:
			word = splitmix.Unmix(last) - uint64(n)
		}
		r := c.refOf(word)
		if (r.kind != kindTx && r.kind != kindMicroTx) || r.fork != 0 {
			continue
		}
		if id = c.hashRef(r); c.Account(id, n) == hash160 {
			height = r.n
			if r.kind == kindMicroTx {
				height++ // which accepted the microblock
			}
			return id, height, true
		}
	}
	return Hash{}, 0, false
}

// Begins reports what a transaction of the canonical chain itself does for its tenure: the older
// era's blocks begin with a coinbase; later, the first block of a tenure begins with the
// change of tenure and the coinbase.
func (c *Chain) Begins(id Hash) (change, coinbase bool) {
	r := c.refOf(id[3])
	if r.kind != kindTx {
		return false, false
	}
	return c.begins(r.n, int(r.sub))
}

func (c *Chain) begins(height int64, own int) (change, coinbase bool) {
	switch {
	case c.forked():
		return false, false
	case height <= c.older:
		return false, own == 0
	}
	first := own >= 0 && own < 2 && height == c.firstHeight(c.burnOf(height))
	return first && own == 0, first && own == 1
}

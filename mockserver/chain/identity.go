package chain

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"chainscope/mockserver/splitmix"
)

// Hash is a 32-byte identifier: four words, big-endian on the wire.
type Hash [4]uint64

// HashOf reads 32 raw bytes, such as a transaction id.
func HashOf(b [32]byte) Hash {
	var h Hash
	for i := range h {
		h[i] = binary.BigEndian.Uint64(b[i*8:])
	}
	return h
}

// Bytes returns the 32 raw bytes, such as a transaction id.
func (h Hash) Bytes() (b [32]byte) {
	for i, w := range h {
		binary.BigEndian.PutUint64(b[i*8:], w)
	}
	return b
}

// ParseHash reads 64 hex digits of either case, with or without `0x`.
func ParseHash(s string) (Hash, bool) {
	var b [32]byte
	s = strings.TrimPrefix(s, "0x")
	if len(s) != 2*len(b) {
		return Hash{}, false
	}
	if _, err := hex.Decode(b[:], []byte(s)); err != nil {
		return Hash{}, false
	}
	return HashOf(b), true
}

// String returns `0x` and 64 lower-case hex digits.
func (h Hash) String() string {
	b := h.Bytes()
	return "0x" + hex.EncodeToString(b[:])
}

// Fork distinguishes the blocks of one height. 0 is the one that stays canonical.
type Fork uint8

// The bits of a Fork.
const (
	ForkLost     Fork = 1 << iota // on a burn block that was replaced later
	ForkReplaced                  // a tip that was replaced later
	ForkOrphan                    // on a burn block without a tenure, never canonical
)

type kind uint8

const (
	kindBlock kind = iota + 1
	kindIndex
	kindBurn
	kindTx
	kindMicroblock
	kindMicroTx
	kindMiner
	kinds
)

// ref holds what a hash stands for. n is a height, or the index of a burn block
// for kindBurn, kindMiner and everything of an orphan; sub is a position within
// that, or the lineage of a block.
type ref struct {
	kind kind
	fork Fork
	sub  uint16
	n    int64
}

const maxN = 1<<40 - 1

// hashRef gives the hash of a ref: the last word is a permutation of the ref,
// the others are a check computed from it.
func (c *Chain) hashRef(r ref) Hash {
	w := splitmix.Mix((uint64(r.kind)<<60 | uint64(r.fork)<<56 | uint64(r.sub)<<40 | uint64(r.n)) ^ c.hash[3])
	h := Hash{splitmix.Mix(w ^ c.hash[0]), splitmix.Mix(w ^ c.hash[1]), splitmix.Mix(w ^ c.hash[2]), w}
	if r.kind == kindBurn {
		// Proof of work: 19 leading zero digits, as on Bitcoin.
		h[0] = 0
		h[1] &= 1<<52 - 1
	}
	return h
}

// unhash finds what a hash of this chain stands for; any other hash passes
// with a chance of 2^-116 at most.
func (c *Chain) unhash(h Hash) (ref, bool) {
	if r, ok := c.baseRef(h); ok {
		return r, true
	}
	r := c.refOf(h[3])
	if r.kind == 0 || r.kind >= kinds || c.hashRef(r) != h {
		return ref{}, false
	}
	return r, true
}

// refOf returns what a last word stands for, if it is one of a hash of this chain.
func (c *Chain) refOf(word uint64) ref {
	u := splitmix.Unmix(word) ^ c.hash[3]
	return ref{kind: kind(u >> 60), fork: Fork(u >> 56 & 15), sub: uint16(u >> 40), n: int64(u & maxN)}
}

var (
	genesisHash   = Hash{}
	genesisParent = Hash{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
)

// at returns the ref of something that belongs to block (h, f): an orphan is
// known by its burn block, any other block by its height.
func at(k kind, h int64, f Fork, j int64) ref {
	if f&ForkOrphan != 0 {
		return ref{kind: k, fork: f, n: j}
	}
	return ref{kind: k, fork: f, n: h}
}

// blockHash returns the hash of a block with a lineage, see History.
func (c *Chain) blockHash(h int64, f Fork, j int64, lineage uint16) Hash {
	switch {
	case h == 0:
		return genesisHash
	case h == c.older && c.forked():
		return c.params.Base.Hash
	}
	r := at(kindBlock, h, f, j)
	r.sub = lineage
	return c.hashRef(r)
}

func (c *Chain) indexHash(h int64, f Fork, j int64, lineage uint16) Hash {
	if h == c.older && c.forked() {
		return c.params.Base.Index
	}
	r := at(kindIndex, h, f, j)
	r.sub = lineage
	return c.hashRef(r)
}

func (c *Chain) burnHash(j int64, f Fork) Hash {
	if j == 0 && c.forked() {
		return c.params.Base.BurnHash
	}
	return c.hashRef(ref{kind: kindBurn, fork: f & ForkLost, n: j})
}

func (c *Chain) minerTx(j int64, f Fork) Hash {
	return c.hashRef(ref{kind: kindMiner, fork: f & ForkLost, n: j})
}

package chain

import (
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/facts"
)

// costLimit is the budget of one block: no block's Cost reaches it. It is that of epoch 3.3,
// which blocks of later epochs keep to as well.
var costLimit = facts.Cost{ReadCount: 15_000, ReadLength: 100_000_000, Runtime: 5_000_000_000, WriteCount: 15_000, WriteLength: 15_000_000}

// costPerCall is the mean cost of one contract call.
var costPerCall = [5]uint64{70, 420_000, 16_000_000, 14, 9_000}

// dayWave is the mean number of further transactions by hour (UTC) of the day.
var dayWave = [24]uint8{2, 2, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 3, 3, 3, 2, 2}

// fullTxs is the least number of transactions of a full block; no other block
// comes near it by itself.
const fullTxs = 90

const orphanContent = 1 << 39 // keeps an orphan's draws apart from a height's

func contentIndex(h int64, f Fork, j int64) int64 {
	if f&ForkOrphan != 0 {
		return j | orphanContent
	}
	return h
}

// ownTxs returns the number of transactions of the anchored block itself, its first
// included, and reports whether the block is full. One block in eight holds only
// its first transaction, one in 256 is full.
func (c *Chain) ownTxs(n, j, timeMS int64) (count int, full bool) {
	u := c.draw(drawTxs, n)
	switch {
	case c.forked():
		return 0, false
	case u%256 == 255:
		return fullTxs + int(splitmix.Below(u, 64)), true
	case u%8 == 0:
		return 1, false
	}
	hour := floorMod(timeMS, 24*3600*1000) / (3600 * 1000)
	mood := int(splitmix.Below(c.draw(drawMood, j), 4))
	noise := int(u >> 16 & 3)
	if u>>20&7 == 0 {
		noise += int(u >> 24 & 7)
	}
	return 1 + int(dayWave[hour])/2 + mood/2 + noise + int(u>>32&1), false
}

// cost draws the cost of a block: so many calls, each dimension apart from 0.4
// to 1.6 of its mean. One dimension of a full block is at 96 to 99 % of its
// limit, and that is why the block is full.
func (c *Chain) cost(n int64, txs int, full bool) facts.Cost {
	calls := uint64(max(0, txs-1)) * 7 / 10
	if calls == 0 {
		return facts.Cost{}
	}
	limit := [5]uint64{costLimit.ReadCount, costLimit.ReadLength, costLimit.Runtime, costLimit.WriteCount, costLimit.WriteLength}
	var v [5]uint64
	u := c.draw(drawCost, n)
	most := int(splitmix.Below(u, 5))
	for i := range v {
		u = splitmix.Mix(u)
		share := 400 + splitmix.Below(u, 1201)
		v[i] = min(calls*costPerCall[i]*share/1000, limit[i]/100*94)
		if full && i == most {
			v[i] = limit[i] / 1000 * (960 + share%30)
		}
	}
	return facts.Cost{ReadCount: v[0], ReadLength: v[1], Runtime: v[2], WriteCount: v[3], WriteLength: v[4]}
}

const maxStream = 4

// streamed counts the microblocks that the miner of a height streamed and the
// next height accepted: only in the older era, and none at its end.
func (c *Chain) streamed(h int64) int {
	if h < 1 || h >= c.older || c.young() {
		return 0
	}
	u := c.draw(drawStream, h)
	if u&1 == 0 {
		return 0
	}
	return 1 + int(u>>1&(maxStream-1))
}

// streamTxs counts the transactions of a microblock.
func (c *Chain) streamTxs(h int64, seq int) int {
	return 1 + int(splitmix.Below(c.draw(drawStreamTxs, h*maxStream+int64(seq)), 5))
}

func (c *Chain) microblock(h int64, seq int) Hash {
	return c.hashRef(ref{kind: kindMicroblock, sub: uint16(seq), n: h})
}

// Block is one Stacks block as a View shows it. TxIDs and Microblocks compute its lists.
type Block struct {
	Canonical   bool
	Height      int64
	Fork        Fork
	BurnHeight  int64
	Tenure      int64 // tenure (coinbase) height
	TimeMS      int64 // Unix milliseconds
	BurnTimeMS  int64 // Unix milliseconds
	Hash        Hash
	Index       Hash // index block hash
	Parent      Hash // hash of the parent
	ParentIndex Hash // index block hash of the parent
	BurnHash    Hash
	Miner       Hash // transaction on the burn chain
	TxCount     int
	Cost        facts.Cost

	burn     int64
	own      int // transactions of the anchored block itself
	accepted int // microblocks of the parent
	streamed int // microblocks of this block that the next one accepted
	sent     []Hash
}

// setting holds what the blocks of one tenure share.
type setting struct {
	j           int64
	first, next int64 // the first height, that of the next tenure
	fork        Fork  // ForkLost or 0
	time        int64
	tenure      int64
	hash, miner Hash
}

func (c *Chain) setting(j int64, f Fork) setting {
	s := setting{
		j: j, fork: f & ForkLost, first: c.firstHeight(j), next: c.firstHeight(c.nextTenure(j)),
		time: c.burnTime(j), tenure: c.tenuresBefore(j) + c.tenure,
		hash: c.burnHash(j, f), miner: c.minerTx(j, f),
	}
	if j == 0 && c.forked() {
		s.time = c.params.Base.BurnTimeMS
	}
	return s
}

// block computes a block of a lineage on a parent of another. Everything but
// Canonical, the streamed microblocks and the history follows from height and
// fork.
func (c *Chain) block(b *Block, h int64, f Fork, s *setting, lineage, parentLineage uint16) {
	*b = Block{
		Height: h, Fork: f, BurnHeight: s.j + c.base, Tenure: s.tenure,
		TimeMS: s.time, BurnTimeMS: s.time,
		Hash: c.blockHash(h, f, s.j, lineage), Index: c.indexHash(h, f, s.j, lineage),
		BurnHash: s.hash, Miner: s.miner, burn: s.j,
	}
	if h > c.older {
		b.TimeMS = c.tick(h)
	}
	// A parent keeps the fork only inside one burn block, and never that of
	// a replaced tip or an orphan.
	var parent Fork
	if f&ForkOrphan == 0 && h > s.first {
		parent = f & ForkLost
	}
	b.Parent, b.ParentIndex = c.blockHash(h-1, parent, 0, parentLineage), c.indexHash(h-1, parent, 0, parentLineage)

	n := contentIndex(h, f, s.j)
	own, full := c.ownTxs(n, s.j, b.TimeMS)
	b.own, b.TxCount = own, own
	b.Cost = c.cost(n, own, full)
	if f&ForkOrphan == 0 {
		b.accepted = c.streamed(h - 1)
		for seq := range b.accepted {
			b.TxCount += c.streamTxs(h-1, seq)
		}
	}
}

// genesis is the record at burn height 0, which no canonical list holds.
func (c *Chain) genesis(b *Block) {
	*b = Block{
		Hash: genesisHash, Index: c.indexHash(0, 0, 0, 0),
		Parent: genesisParent, ParentIndex: genesisParent,
		BurnHash: c.hashRef(ref{kind: kindBurn, sub: 1}), Miner: c.hashRef(ref{kind: kindMiner, sub: 1}),
	}
}

// OwnTx returns the id of a transaction of a block of the newer era, by its place among those of
// the block itself; the first is the miner's. It reports false where there is none.
func (c *Chain) OwnTx(h int64, place int) (Hash, bool) {
	if h <= c.older {
		return Hash{}, false
	}
	own, _ := c.ownTxs(h, c.burnOf(h), c.tick(h))
	r := at(kindTx, h, 0, 0)
	r.sub = uint16(place)
	return c.hashRef(r), own > place
}

// FirstAt returns the first height that is not before a burn block.
func (c *Chain) FirstAt(burn int64) int64 { return c.firstHeight(max(0, burn-c.base)) }

// Older returns the last height of the older era.
func (c *Chain) Older() int64 { return c.older }

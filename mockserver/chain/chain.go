// Package chain is the mock's Stacks chain: a pure function of a seed, two
// intervals and an instant. Nothing is stored for a block; any block of
// millions is computed from its height, and every hash can be inverted to the
// block it names. What was done to a chain (transactions that were broadcast,
// blocks that were replaced on demand) is a History, an immutable value that
// lies over the pure chain.
//
// Three layers, each using only the ones before:
//
//   - grid: instants of Stacks and burn blocks (a jittered grid, inverted by
//     one division), and which burn blocks hold which heights;
//   - identity and content: hashes, transactions, costs, microblocks;
//   - View: the chain with a history at one instant, with the forks of that
//     instant. A request takes one View and answers everything through it.
//
// The package must not import the HTTP layer, the API client or anything of
// the terminal, and does no I/O.
package chain

import (
	"fmt"
	"time"

	"chainscope/mockserver/splitmix"
	"chainscope/wallet/facts"
)

// AnchorHeight is the height at Anchor whatever the intervals, AnchorBurn the burn
// height of that block. Mainnet has been at that burn height then.
const (
	AnchorHeight = 1_000_000
	AnchorBurn   = facts.BurnIn2026
)

const (
	// olderTenures is the number of heights of the older era (before
	// tenures of many blocks); there a height is its tenure's number.
	olderTenures = 140_000
	// olderBurns is the number of burn blocks of the older era: 14 of 16
	// have a tenure.
	olderBurns = olderTenures / tenuresInGroup * burnsInGroup
)

// Limits of the intervals.
const (
	MinBlockInterval = 50 * time.Millisecond
	minBurnInterval  = time.Second
)

var (
	anchorMS   = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	earliestMS = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	latestMS   = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).UnixMilli()
)

// Params name a chain: two chains with equal Params are the same chain.
type Params struct {
	Seed          uint64
	BlockInterval time.Duration // mean time between Stacks blocks, whole milliseconds
	BurnInterval  time.Duration // mean time between burn blocks, whole milliseconds
	// Born is the instant of the first burn block of a young chain, in Unix milliseconds: a
	// chain that has no past and an even clock, as contracts that run need it. 0 is the chain
	// that is at its anchor.
	Born int64
	// Base is the block of a live chain at which a young chain begins, if it has one.
	Base Base
}

// ParamError says which interval cannot be used and what would be right.
type ParamError struct {
	Param   string // "block interval", "burn interval"
	Problem string
}

func (e *ParamError) Error() string { return e.Param + " " + e.Problem }

// Check reports whether the intervals can carry a chain: a burn block must
// last at least two Stacks blocks, so that every tenure has one.
func (p Params) Check() error {
	switch {
	case p.BlockInterval < MinBlockInterval:
		return &ParamError{"block interval", fmt.Sprintf("%s is too short: at least %s", p.BlockInterval, MinBlockInterval)}
	case p.BurnInterval < minBurnInterval:
		return &ParamError{"burn interval", fmt.Sprintf("%s is too short: at least %s", p.BurnInterval, minBurnInterval)}
	case p.BlockInterval%time.Millisecond != 0:
		return &ParamError{"block interval", fmt.Sprintf("%s is not a whole number of milliseconds", p.BlockInterval)}
	case p.BurnInterval%time.Millisecond != 0:
		return &ParamError{"burn interval", fmt.Sprintf("%s is not a whole number of milliseconds", p.BurnInterval)}
	case p.BurnInterval < 2*p.BlockInterval:
		return &ParamError{"burn interval", fmt.Sprintf("%s is too short for a block interval of %s: at least twice as long", p.BurnInterval, p.BlockInterval)}
	case p.Born == 0 && anchorMS-(AnchorHeight-olderTenures)*p.BlockInterval.Milliseconds()-(olderBurns+1)*p.BurnInterval.Milliseconds() < earliestMS ||
		p.BurnInterval > 24*365*time.Hour:
		return &ParamError{"burn interval", fmt.Sprintf("%s is too long: the first block would come before the year 1", p.BurnInterval)}
	}
	return nil
}

// Chain answers where blocks are and what they hold. It never changes and is
// safe for concurrent use.
type Chain struct {
	params Params

	step     int64 // block interval, ms
	jitter   uint64
	burnStep int64 // burn interval, ms
	burnJit  uint64
	origin   int64 // latest instant of the first height of the newer era, ms
	burnOrig int64 // earliest instant of the first burn block, ms
	// older and olderBurns count the heights and burn blocks of the older era, base is the
	// burn height of the first Stacks block.
	older, olderBurns, base int64
	tenure                  int64 // of the first burn block

	keys [purposes]splitmix.Key
	hash [4]uint64
}

// The purposes of draws. Their order is part of the chain.
const (
	drawBlockTime = iota
	drawBurnTime
	drawClose
	drawVoid
	drawLoses
	drawWindow
	drawReplaced
	drawOrphan
	drawTxs
	drawMood
	drawCost
	drawStream
	drawStreamTxs
	purposes
)

// New makes the chain of the given parameters.
func New(p Params) (*Chain, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	c := &Chain{params: p, step: p.BlockInterval.Milliseconds(), burnStep: p.BurnInterval.Milliseconds()}
	c.jitter = uint64(c.step / 2)
	// Two neighbouring blocks are less than step+jitter apart, so two burn
	// blocks that are never closer than that have a block between them.
	c.burnJit = uint64(c.burnStep - c.step - c.step/2)
	c.origin = anchorMS - (AnchorHeight-olderTenures-1)*c.step
	// The first burn block of the newer era is not later than the first
	// block. Half a jitter more sets the two grids apart where one interval
	// divides the other, so that short tenures hold one block or two.
	c.burnOrig = c.origin - int64(c.jitter)*3/2 - int64(c.burnJit) - olderBurns*c.burnStep
	c.older, c.olderBurns, c.tenure = olderTenures, olderBurns, 1
	if c.young() {
		c.beginNew()
	}

	// The intervals are mixed in: a hash names one content for ever.
	seed := splitmix.Mix(splitmix.Mix(p.Seed)+uint64(c.step)) ^ splitmix.Mix(uint64(c.burnStep))
	if c.young() {
		seed ^= splitmix.Mix(uint64(p.Born))
	}
	if c.forked() {
		seed ^= splitmix.Mix(p.Base.Index[0] ^ p.Base.Index[3])
	}
	for i := range c.keys {
		c.keys[i] = splitmix.NewKey(seed, uint64(i))
	}
	for i := range c.hash {
		c.hash[i] = uint64(splitmix.NewKey(seed, uint64(100+i)))
	}
	if !c.young() {
		c.base = AnchorBurn - c.burnOf(AnchorHeight)
	}
	return c, nil
}

// Params returns what the chain was made of.
func (c *Chain) Params() Params { return c.params }

// FirstBlock returns the instant of height 1, before which there is no chain; of one that has a base,
// when it is born.
func (c *Chain) FirstBlock() time.Time { return time.UnixMilli(c.beginsMS()).UTC() }

func (c *Chain) draw(purpose int, n int64) uint64 { return c.keys[purpose].At(uint64(n)) }

package chain

import "chainscope/mockserver/splitmix"

// Rate describes how often the moving end of the chain is replaced: one tip and one
// burn block in Rate. It changes nothing that is settled, so it belongs to a
// View and not to the chain. Every Rate is a multiple of RateReorg, so that
// what is replaced under any of them is replaced under RateReorg.
type Rate uint64

// The rates of the scenarios.
const (
	RateHealthy Rate = 24
	RateReorg   Rate = 2
)

// View is a chain with its history at one instant. It is a small value, valid
// for as long as the caller likes; it never changes.
type View struct {
	c        *Chain
	history  History
	now      int64
	rate     Rate
	tip      int64
	burn     int64 // burn block of the tip
	first    int64 // first height of the tip's tenure
	lost     bool  // the tip's burn block will be replaced
	replaced bool  // the tip will be replaced
}

// View returns the chain as it is at an instant, in Unix milliseconds. An
// instant before the first block counts as that of the first block.
func (c *Chain) View(now int64, rate Rate, history History) View {
	now = max(now, c.beginsMS())
	v := View{c: c, history: history, now: now, rate: rate, tip: c.heightAt(now)}
	v.burn = c.burnOf(v.tip)
	v.first = c.firstHeight(v.burn)
	v.lost = (v.burn > 0 || !c.forked()) && c.loses(v.burn, rate) && now < c.lossEnd(v.burn)
	if (v.tip > c.older || !c.forked()) && c.draw(drawReplaced, v.tip)%uint64(rate) == 0 {
		from, to := c.blockTime(v.tip), c.blockTime(v.tip+1)
		v.replaced = now < from+(to-from)/2
	}
	return v
}

// loses reports whether a burn block is replaced soon after it came.
func (c *Chain) loses(j int64, rate Rate) bool {
	return c.draw(drawLoses, j)%uint64(rate) == 0
}

// lossEnd returns the instant at which a losing burn block is replaced, 2 to 6
// block intervals after it; a next tenure replaces it sooner.
func (c *Chain) lossEnd(j int64) int64 {
	return c.burnTime(j) + 2*c.step + int64(splitmix.Below(c.draw(drawWindow, j), uint64(4*c.step+1)))
}

// orphaned reports whether a burn block without a tenure has a block that lost.
func (c *Chain) orphaned(j int64) bool { return c.draw(drawOrphan, j)&1 == 0 }

// Tip returns the newest height, which is also the number of canonical blocks.
func (v *View) Tip() int64 { return v.tip }

// TipBurnHeight returns the burn height of the newest block.
func (v *View) TipBurnHeight() int64 { return v.burn + v.c.base }

// NewestBurnHeight returns the height of the newest burn block, which may have no
// Stacks block yet.
func (v *View) NewestBurnHeight() int64 { return max(0, v.c.burnAt(v.now)) + v.c.base }

// TipIndex returns the index block hash of the newest block: it changes with
// everything that a View shows.
func (v *View) TipIndex() Hash {
	return v.IndexAt(v.tip)
}

// NowMS returns the instant of the view in Unix milliseconds.
func (v *View) NowMS() int64 { return v.now }

// fork returns the fork that the view shows as canonical at a height.
func (v *View) fork(h int64) Fork {
	var f Fork
	if v.lost && h >= v.first {
		f = ForkLost
	}
	if v.replaced && h == v.tip {
		f |= ForkReplaced
	}
	return f
}

// Burn holds what a view has of one burn block.
type Burn struct {
	// Span holds the heights of its canonical blocks.
	Span

	j      int64
	best   int64 // height of the block that stands for the burn block
	fork   Fork
	origin bool // the genesis record
}

// BurnByHeight finds a burn block with at least one block.
func (v *View) BurnByHeight(height int64) (Burn, bool) {
	if height == 0 && !v.c.forked() {
		return Burn{Span: none, origin: true}, true
	}
	j := height - v.c.base
	if j < v.firstBurn() || j > v.c.burnAt(v.now) {
		return Burn{}, false
	}
	if v.c.void(j) {
		return v.orphan(j)
	}
	return v.tenure(j)
}

// BurnByHash finds a burn block with at least one block, also one that was
// replaced.
func (v *View) BurnByHash(h Hash) (Burn, bool) {
	r, ok := v.c.unhash(h)
	switch {
	case !ok || r.kind != kindBurn || r.sub > 1 || v.c.forked() && r.n == 0:
		return Burn{}, false
	case r.sub == 1:
		return Burn{Span: none, origin: true}, r.n == 0 && r.fork == 0
	case r.n > v.c.burnAt(v.now):
		return Burn{}, false
	case r.fork == 0 && v.c.void(r.n):
		return v.orphan(r.n)
	case r.fork == 0 && !(v.lost && r.n == v.burn):
		return v.tenure(r.n)
	case r.fork == ForkLost && !v.c.void(r.n) && v.c.loses(r.n, RateReorg):
		if v.lost && r.n == v.burn {
			return v.tenure(r.n)
		}
		return v.lostTenure(r.n)
	}
	return Burn{}, false
}

func (v *View) tenure(j int64) (Burn, bool) {
	b := Burn{Span: Span{v.c.firstHeight(j), v.c.lastHeight(j)}, j: j}
	if b.First > v.tip {
		return Burn{}, false
	}
	b.Last = min(b.Last, v.tip)
	b.best, b.fork = b.Last, v.fork(b.Last)
	return b, true
}

// orphan returns a burn block whose only block never was canonical: shown once a
// canonical block is at its height, on a parent that is settled.
func (v *View) orphan(j int64) (Burn, bool) {
	h := v.c.firstHeight(j)
	if !v.c.orphaned(j) || h > v.tip || v.lost && h > v.first {
		return Burn{}, false
	}
	return Burn{Span: none, j: j, best: h, fork: ForkOrphan}, true
}

// lostTenure returns a burn block that was replaced: the highest of its blocks
// stands for it.
func (v *View) lostTenure(j int64) (Burn, bool) {
	end := min(v.c.lossEnd(j), v.now+1)
	h := min(v.c.heightAt(end-1), v.c.lastHeight(j))
	if h < v.c.firstHeight(j) {
		return Burn{}, false
	}
	return Burn{Span: none, j: j, best: h, fork: ForkLost}, true
}

// Best computes the block that stands for a burn block: its highest canonical
// one, or one that is not canonical where it has no other.
func (v *View) Best(b *Burn) Block {
	var out Block
	if b.origin {
		v.c.genesis(&out)
		return out
	}
	s := v.c.setting(b.j, b.fork)
	v.show(&out, b.best, b.fork, &s, b.Len() > 0)
	return out
}

// Block computes the canonical block at a height of 1, or above the base, to Tip.
func (v *View) Block(h int64) (Block, bool) {
	var out Block
	if !v.Own(h) {
		return out, false
	}
	var s setting
	v.canonical(&out, h, &s)
	return out, true
}

// BlockByHash finds a canonical block by its block hash or its index block
// hash.
func (v *View) BlockByHash(h Hash) (Block, bool) {
	r, ok := v.c.unhash(h)
	if !ok || (r.kind != kindBlock && r.kind != kindIndex) || r.n > v.tip || r.fork != v.fork(r.n) {
		return Block{}, false
	}
	if _, lineage := v.history.at(r.n); r.sub != lineage {
		return Block{}, false
	}
	return v.Block(r.n)
}

// show computes a block and adds what depends on the view.
func (v *View) show(b *Block, h int64, f Fork, s *setting, canonical bool) {
	txs, lineage := v.history.at(h)
	_, parent := v.history.at(h - 1)
	v.c.block(b, h, f, s, lineage, parent)
	b.Canonical = canonical
	if canonical && h < v.tip {
		b.streamed = v.c.streamed(h)
	}
	if f&ForkOrphan == 0 {
		b.sent = txs
		b.TxCount += len(b.sent)
	}
}

// canonical computes the canonical block at a height; s is kept between calls,
// zero at first, so that neighbours share what their burn block gives.
func (v *View) canonical(b *Block, h int64, s *setting) {
	f := v.fork(h)
	if h < s.first || h >= s.next || s.fork != f&ForkLost {
		*s = v.c.setting(v.c.burnOf(h), f)
	}
	v.show(b, h, f, s, true)
}

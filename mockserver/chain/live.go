package chain

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// MaxMine bounds the blocks of one Mine.
const MaxMine = 1_000_000

// Options are the clock of a Live.
type Options struct {
	Now    func() time.Time // nil is time.Now
	Freeze *time.Time       // stops the clock at an instant
}

// Live is a chain in one process: a clock, and over the pure chain what this
// process was sent. It is safe for concurrent use.
type Live struct {
	chain  *Chain
	now    func() time.Time
	frozen int64 // Unix milliseconds
	freeze bool
	over   atomic.Pointer[overlay]
	mu     sync.RWMutex // a View is made before or after a Mine, AddTx or Reset, never amid
}

// FreezeError says that the clock would stand before the first block.
type FreezeError struct {
	At, First time.Time
}

func (e *FreezeError) Error() string {
	return fmt.Sprintf("%s is before the first block: the chain begins at %s", e.At.UTC().Format(time.RFC3339), ceilSecond(e.First).Format(time.RFC3339))
}

func ceilSecond(t time.Time) time.Time {
	return t.UTC().Add(time.Second - 1).Truncate(time.Second)
}

// NewLive starts the clock of a chain; the error is a *FreezeError.
func NewLive(c *Chain, o Options) (*Live, error) {
	l := &Live{chain: c, now: o.Now}
	if l.now == nil {
		l.now = time.Now
	}
	if o.Freeze != nil {
		if o.Freeze.Before(c.FirstBlock()) {
			return nil, &FreezeError{*o.Freeze, c.FirstBlock()}
		}
		l.freeze, l.frozen = true, o.Freeze.UnixMilli()
	}
	l.over.Store(newOverlay())
	return l, nil
}

// Chain is the pure chain underneath.
func (l *Live) Chain() *Chain { return l.chain }

// View is the chain now. The clock never goes back while the wall clock does;
// only Reset takes it back.
func (l *Live) View(rate Rate) View {
	l.mu.RLock()
	o := l.over.Load()
	now := l.instant(o)
	l.mu.RUnlock()
	v := l.chain.view(now, rate)
	v.over = o
	return v
}

// instant reads the clock: the wall clock or the frozen one, the largest seen,
// and what was mined on top.
func (l *Live) instant(o *overlay) int64 {
	t := l.frozen
	if !l.freeze {
		t = l.now().UnixMilli()
		for {
			seen := o.seen.Load()
			if t <= seen {
				t = seen
				break
			}
			if o.seen.CompareAndSwap(seen, t) {
				break
			}
		}
		t = max(t, l.chain.burnTime(0))
	}
	return min(t+o.ahead.Load(), latestMS)
}

// MineError says why blocks cannot be mined.
type MineError struct{ Problem string }

func (e *MineError) Error() string { return e.Problem }

// Mine moves the clock on by n block intervals, or as little more or less as
// makes exactly n new blocks, and gives the new tip. The error is a
// *MineError.
func (l *Live) Mine(n int64) (int64, error) {
	if n < 1 || n > MaxMine {
		return 0, &MineError{fmt.Sprintf("blocks must be 1 to %d", MaxMine)}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.over.Load()
	now := l.instant(o)
	target := l.chain.heightAt(now) + n
	then := min(max(now+n*l.chain.step, l.chain.blockTime(target)), l.chain.blockTime(target+1)-1)
	if then > latestMS {
		return 0, &MineError{"the clock cannot go beyond the year 9999"}
	}
	o.ahead.Add(then - now)
	return target, nil
}

// AddTx puts a transaction that was broadcast to this process into the next
// block after now and gives that block's height. The same transaction twice
// stays where it is.
func (l *Live) AddTx(txid [32]byte) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.over.Load()
	id := HashOf(txid)
	if h, ok := o.height(id); ok {
		return h
	}
	// Every view handed out before read the same clock under the lock, so
	// none has shown the next height yet.
	next := l.chain.heightAt(l.instant(o)) + 1
	o.add(next, id)
	return next
}

// ReplaceTx puts a transaction in the place of another that no block holds
// yet. It does nothing and reports false where a block holds it, or where it
// was never sent.
func (l *Live) ReplaceTx(old, txid [32]byte) (height int64, replaced bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.over.Load()
	h, known := o.height(HashOf(old))
	if !known || h <= l.chain.heightAt(l.instant(o)) {
		return 0, false
	}
	o.replace(h, HashOf(old), HashOf(txid))
	return h, true
}

// TxHeight tells in which height a transaction of AddTx landed or will land:
// it is pending while that is above the Tip of a View.
func (l *Live) TxHeight(txid [32]byte) (height int64, known bool) {
	return l.over.Load().height(HashOf(txid))
}

// Reset forgets what was mined and broadcast; the clock goes back to the wall
// clock, or to where it was frozen.
func (l *Live) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over.Store(newOverlay())
}

// overlay is what one process was sent since it started or was reset.
type overlay struct {
	seen  atomic.Int64 // largest instant of the wall clock, ms
	ahead atomic.Int64 // mined, ms
	sent  atomic.Bool  // anything in txs
	kept  [forms]keep

	mu      sync.RWMutex
	txs     map[int64][]Hash // in the order they came
	heights map[Hash]int64
}

func newOverlay() *overlay {
	o := &overlay{txs: map[int64][]Hash{}, heights: map[Hash]int64{}}
	o.seen.Store(earliestMS)
	return o
}

func (o *overlay) at(h int64) []Hash {
	if !o.sent.Load() {
		return nil
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.txs[h]
}

func (o *overlay) height(id Hash) (int64, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	h, ok := o.heights[id]
	return h, ok
}

func (o *overlay) add(h int64, id Hash) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.txs[h] = append(o.txs[h], id)
	o.heights[id] = h
	o.sent.Store(true)
}

func (o *overlay) replace(h int64, old, id Hash) {
	o.mu.Lock()
	defer o.mu.Unlock()
	txs := slices.Clone(o.txs[h]) // what was handed out by at stays as it is
	txs[slices.Index(txs, old)] = id
	o.txs[h] = txs
	delete(o.heights, old)
	o.heights[id] = h
}

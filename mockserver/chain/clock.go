package chain

import (
	"fmt"
	"time"
)

// MaxMine is the largest number of blocks mined at once.
const MaxMine = 1_000_000

// Clock turns wall time into the instant of a chain. All are Unix milliseconds.
// The zero Clock shows the wall time.
type Clock struct {
	Ahead  int64 // chain minus wall, while it runs
	Frozen bool
	At     int64 // where it is, while frozen
}

// Instant returns the instant of the chain at a wall time.
func (k Clock) Instant(wall int64) int64 {
	if k.Frozen {
		return k.At
	}
	return min(wall+k.Ahead, latestMS)
}

// Moved returns a clock that shows an instant at a wall time, and runs or
// is stopped as k is.
func (k Clock) Moved(instant, wall int64) Clock {
	if k.Frozen {
		k.At = instant
	} else {
		k.Ahead = instant - wall
	}
	return k
}

// Later returns a clock that shows d more milliseconds than k, and runs or is stopped as k is.
func (k Clock) Later(d int64) Clock {
	k.Ahead, k.At = k.Ahead+d, k.At+d
	return k
}

// Freeze returns a clock that shows what k shows at a wall time, and is stopped or
// runs from there.
func (k Clock) Freeze(frozen bool, wall int64) Clock {
	instant := k.Instant(wall)
	k.Frozen = frozen
	return k.Moved(instant, wall)
}

// CheckInstant returns an error if the clock of the chain cannot show an
// instant: before the first block, or after the year 9999.
func (c *Chain) CheckInstant(t time.Time) error {
	if t.Before(c.FirstBlock()) {
		first := c.FirstBlock().UTC().Add(time.Second - 1).Truncate(time.Second)
		return fmt.Errorf("%s is before the first block: the chain begins at %s", t.UTC().Format(time.RFC3339), first.Format(time.RFC3339))
	}
	if t.UnixMilli() > latestMS {
		return fmt.Errorf("%s is too late: the clock ends with the year 9999", t.UTC().Format(time.RFC3339))
	}
	return nil
}

// Mined returns the instant to which the clock moves when n blocks are mined at
// an instant: n block intervals later, or as little more or less as makes
// exactly n new blocks.
func (c *Chain) Mined(now, n int64) (int64, error) {
	if n < 1 || n > MaxMine {
		return 0, fmt.Errorf("blocks must be 1 to %d", MaxMine)
	}
	now = max(now, c.beginsMS())
	target := c.heightAt(now) + n
	then := min(max(now+n*c.step, c.blockTime(target)), c.blockTime(target+1)-1)
	if then > latestMS {
		return 0, fmt.Errorf("the clock cannot go beyond the year 9999")
	}
	return then, nil
}

// Before returns the last instant at which the chain does not have a height yet.
func (c *Chain) Before(height int64) int64 { return c.blockTime(height) - 1 }

// Tip returns the newest height at an instant.
func (c *Chain) Tip(now int64) int64 { return c.heightAt(max(now, c.beginsMS())) }

package tui

import (
	"context"
	"strings"
	"time"

	"chainscope/apiclient"
)

// lookBack is how many exchanges are looked through for one that has ended.
const lookBack = 16

// connection is what the newest exchange with the server says about it: one
// answer for all places.
type connection struct {
	newest  uint64 // the newest exchange that was seen
	offline bool
	latency time.Duration // of the newest answer, 0 before any
}

// observe reads the log.
func (c *connection) observe(log *apiclient.ExchangeLog) {
	c.catchUp(log)
	for id := c.newest; id > 0 && c.newest-id < lookBack; id-- {
		e, ok := log.Get(id)
		switch {
		case !ok:
			return
		case !e.Done || len(e.Tries) == 0 || strings.Contains(e.Err, context.Canceled.Error()):
			continue // not answered yet, not sent, or given up
		}
		c.offline = e.Status == 0
		if !c.offline {
			c.latency = e.Duration
		}
		return
	}
}

// catchUp finds the newest exchange of the log. Exchanges are numbered one by
// one; after a long time the one that was seen last may have been dropped.
func (c *connection) catchUp(log *apiclient.ExchangeLog) {
	if _, kept := log.Get(c.newest); !kept {
		if all := log.Snapshot(); len(all) > 0 {
			c.newest = all[len(all)-1].ID
		}
	}
	for {
		if _, ok := log.Get(c.newest + 1); !ok {
			return
		}
		c.newest++
	}
}

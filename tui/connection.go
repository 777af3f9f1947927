package tui

import (
	"context"
	"net/http"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
)

// lookBack is the number of exchanges that observe searches for a finished one.
const lookBack = 16

// connection is the state of the server, as the newest exchange shows it. All places share
// it.
type connection struct {
	newest  uint64 // the newest exchange seen
	offline bool
	failing int           // the status of the newest answer, where the server failed
	latency time.Duration // of the newest answer, 0 before any
	// scenario is the scenario of the mock, "" if the server is not a mock.
	scenario string
	// fork is the network and the height of which the mock is a fork, "" for none.
	fork     string
	exchange uint64 // the exchange it was read from
}

// observe reads the log and reports whether the server answers again after a failure.
func (c *connection) observe(log *wire.ExchangeLog) (back bool) {
	c.catchUp(log)
	for id := c.newest; id > 0 && c.newest-id < lookBack; id-- {
		e, ok := log.Get(id)
		switch {
		case !ok:
			return false
		case !e.Done || len(e.Tries) == 0 || strings.Contains(e.Err, context.Canceled.Error()):
			continue // not answered yet, not sent, or canceled
		}
		before := *c
		c.offline, c.failing = e.Status == 0, 0
		if e.Status >= http.StatusInternalServerError && e.Status != http.StatusNotImplemented {
			c.failing = e.Status
		}
		if !c.offline {
			c.latency = e.Duration
		}
		if !c.offline && e.ID > c.exchange { // else it may have been changed since
			c.scenario, c.fork, c.exchange = scenarioOf(e), forkOf(e), e.ID
		}
		return !c.bad() && before.bad()
	}
	return false
}

// scenarioOf returns the scenario in the header of a mock's answer, "" for none.
func scenarioOf(e wire.Exchange) string {
	name := e.ResponseHeader.Get("X-Mock-Scenario")
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" || len(name) > longestScenario {
		return ""
	}
	return name
}

// forkOf returns of which network and height a mock is a fork, "" for none.
func forkOf(e wire.Exchange) string {
	network, height, _ := strings.Cut(e.ResponseHeader.Get("X-Mock-Fork"), " ")
	if network != apiclient.Mainnet && network != apiclient.Testnet || height == "" || len(height) > longestScenario || strings.Trim(height, "0123456789") != "" {
		return ""
	}
	return network + " " + height
}

// longestScenario limits how many letters the name of a scenario may have.
const longestScenario = 8

// bad reports whether the last request got no answer, or a server error.
func (c *connection) bad() bool { return c.offline || c.failing > 0 }

// catchUp finds the newest exchange of the log. Exchanges are numbered one by
// one; after a long time the one that was seen last may have been dropped.
func (c *connection) catchUp(log *wire.ExchangeLog) {
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

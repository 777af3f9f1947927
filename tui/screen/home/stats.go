package home

import (
	"net/http"
	"slices"
	"time"

	"chainscope/apiclient/wire"
	"chainscope/tui/resource"
	"chainscope/tui/widget/chart"
)

// pace is the speed of the chain over the loaded blocks.
type pace struct {
	intervals, txs, shares []float64
	interval, count        summary // seconds between blocks, transactions of a block
}

// summary is the mean, the median and the greatest of some numbers.
type summary struct {
	mean, median, most float64
	known              int
}

func summarize(values []float64) summary {
	var s summary
	var known []float64
	for _, v := range values {
		if v >= 0 { // gaps are not
			known = append(known, v)
			s.mean += v
		}
	}
	if s.known = len(known); s.known == 0 {
		return s
	}
	slices.Sort(known)
	s.mean /= float64(s.known)
	s.median, s.most = known[s.known/2], known[s.known-1]
	return s
}

// paceNow returns the pace of the loaded blocks of the chain.
func (s *Screen) paceNow() pace {
	var p pace
	c, n := &s.chain, len(s.chain.blocks)-len(s.chain.Orphans)
	p.intervals, p.txs = c.Series(c.Tip, n)
	for i := range n {
		share := chart.Gap()
		if b := c.At(c.Tip - int64(n-1-i)); b != nil && !b.Lacks["execution_cost_runtime"] {
			share = 100 * resource.GreatestCost(b.ExecutionCost)
		}
		p.shares = append(p.shares, share)
	}
	p.interval, p.count = summarize(p.intervals), summarize(p.txs)
	return p
}

// server holds the response times of the API for the newest requests.
type server struct {
	times     []float64 // milliseconds, the newest last; a gap where none came
	durations summary
	requests  int // how many requests times are of
	failed    int // how many of them
}

// newestRequests is the number of requests that the figures of the server are of.
const newestRequests = 60

func serverOf(log []wire.Exchange) server {
	var s server
	for _, e := range log[max(0, len(log)-newestRequests):] {
		switch {
		case !e.Done:
			continue
		case failed(&e):
			s.failed++
			s.times = append(s.times, chart.Gap())
		default:
			s.times = append(s.times, float64(e.Duration)/float64(time.Millisecond))
		}
		s.requests++
	}
	s.durations = summarize(s.times)
	return s
}

// failed reports whether a server did not do what was requested. That it has retired a
// route, or has no such token, is an answer.
func failed(e *wire.Exchange) bool {
	refused := e.Status >= 400 && e.Status < 500 && e.Status != http.StatusTooManyRequests
	return !refused && (e.Status == 0 || e.Status >= 400 || e.Err != "")
}

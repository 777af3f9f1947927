package fork

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
)

// Status says how far the reading is.
type Status struct {
	Reads     int    `json:"reads"`      // values that were requested and answered
	Cached    int    `json:"cached"`     // values that were in the folder
	PerSecond int    `json:"per_second"` // values that were answered in the last second
	Reading   string `json:"reading"`    // what is being read, "" for nothing
	Waiting   int    `json:"waiting"`    // values that wait until their request may be sent again
	Reason    string `json:"reason"`     // why they wait, "" where none does
}

// counters are the numbers of a Source; its mu guards them.
type counters struct {
	Status
	under    []string    // what is being read
	recent   []time.Time // answers of the last second
	reported time.Time
	until    time.Time // the latest time until which something waits
	limited  bool      // by the limit of the server
}

// read counts an answer.
func (c *counters) read(now time.Time) {
	c.Reads++
	c.recent = append(c.fresh(now), now)
}

// fresh returns the answers of the last second.
func (c *counters) fresh(now time.Time) []time.Time {
	for len(c.recent) > 0 && now.Sub(c.recent[0]) >= time.Second {
		c.recent = c.recent[1:]
	}
	return c.recent
}

func (s *Source) count(change func(*counters)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}

// begin and end count what is being read, wait and resume what waits.
func (s *Source) begin(what string) {
	s.count(func(c *counters) { c.under = append(c.under, what) })
}

func (s *Source) end(what string) {
	s.count(func(c *counters) {
		c.under = slices.Delete(c.under, slices.Index(c.under, what), slices.Index(c.under, what)+1)
	})
}

func (s *Source) wait(until time.Time, err error) {
	s.count(func(c *counters) {
		c.Waiting++
		c.limited = apiclient.KindOf(err) == apiclient.RateLimited
		if c.Reason = reason(err); c.limited {
			c.until = until
		}
	})
}

func (s *Source) resume() {
	s.count(func(c *counters) {
		if c.Waiting--; c.Waiting == 0 {
			c.Reason = ""
		}
	})
}

// Status returns how far the reading is. It waits for nothing.
func (s *Source) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status.now()
}

func (c *counters) now() Status {
	out := c.Status
	out.PerSecond = len(c.fresh(time.Now()))
	if len(c.under) > 0 {
		out.Reading = c.under[len(c.under)-1]
	}
	if c.Waiting > 0 && c.limited {
		out.Reason = "for the quota, until " + c.until.Format(time.TimeOnly)
	}
	return out
}

// Line says it in one line, such as "37 values of mainnet read, 12 a second, 2 waiting for the quota,
// until 14:03:10".
func (s Status) Line(network string) string {
	parts := []string{fmt.Sprintf("%d values of %s read", s.Reads, network)}
	if s.Reads == 1 {
		parts[0] = "1 value of " + network + " read"
	}
	if s.PerSecond > 0 {
		parts = append(parts, fmt.Sprintf("%d a second", s.PerSecond))
	}
	if s.Cached > 0 {
		parts = append(parts, fmt.Sprintf("%d from the folder", s.Cached))
	}
	if s.Waiting > 0 {
		why := s.Reason
		if !strings.HasPrefix(why, "for ") {
			why = "since " + why
		}
		parts = append(parts, fmt.Sprintf("%d waiting %s", s.Waiting, why))
	}
	return strings.Join(parts, ", ")
}

// progress reports how far the reading is, at most once a second, if it has gone on for one.
func (s *Source) progress() {
	s.mu.Lock()
	now := time.Now()
	line, due := s.status.now().Line(s.tip.Network), s.tip.Network != "" && now.Sub(s.status.reported) >= time.Second
	if first := s.status.reported.IsZero(); due {
		s.status.reported = now
		due = !first || s.status.Waiting > 0
	}
	s.mu.Unlock()
	if due {
		s.opt.Report(line)
	}
}

package bridge

import (
	"encoding/json"
	"testing"
	"time"
)

func TestTheLogOfCallsKeepsTheNewest(t *testing.T) {
	for name, c := range map[string]struct{ size, times, kept int }{
		"many":             {2, maxLogged + 5, maxLogged},
		"large":            {1 << 20, 70, maxLoggedBytes >> 20},
		"one that is huge": {maxLoggedBytes + 1, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := newCallLog()
			for range c.times {
				l.add(CallRecord{Params: make(json.RawMessage, c.size-2), Shown: json.RawMessage("{}")})
			}
			calls, last := l.after(t.Context(), 0, 0)
			if len(calls) != c.kept || last != uint64(c.times) || calls[len(calls)-1].N != last {
				t.Errorf("%d calls to %d", len(calls), last)
			}
			if next, _ := l.after(t.Context(), last-1, time.Second); len(next) != 1 || next[0].N != last {
				t.Errorf("%d calls after the last but one", len(next))
			}
			l.reset()
			l.add(CallRecord{Params: make(json.RawMessage, c.size)})
			if calls, last := l.after(t.Context(), 0, 0); len(calls) != 1 || last != 1 {
				t.Errorf("after a reset %d calls to %d", len(calls), last)
			}
		})
	}
}

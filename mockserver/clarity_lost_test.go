package mockserver

import (
	"strings"
	"testing"

	"chainscope/wallet/clarity"
)

// A call that ends the process, writes rubbish or floods aborts and says why; no other one of
// its block or of the chain is lost.
func TestACallThatEndsTheMachineAbortsAlone(t *testing.T) {
	for function, want := range map[string]string{"die": "the machine is on fire", "rubbish": "which is no answer", "flood": "wrote a line of more than"} {
		t.Run(function, func(t *testing.T) {
			d := newTroupe(t, fakeEngine())
			d.does(d.deploys("c", ""), "(ok true)")
			d.does(d.calls(0, "c", "add", clarity.NewUInt(1)), "(ok u1)")
			before := d.calls(0, "c", "add", clarity.NewUInt(2))
			killer := d.calls(0, "c", function)
			after := d.calls(0, "c", "add", clarity.NewUInt(4))
			mine(t, d.s, 1)
			for id, want := range map[string]string{before: "(ok u3)", after: "(ok u7)"} {
				if m := d.ended(id); m.Status != "success" || m.Result.Repr != want {
					t.Errorf("another call: %+v, want %s", m, want)
				}
			}
			if m := d.ended(killer); m.Status != "abort_by_response" || m.Error == nil || !strings.Contains(*m.Error, want) {
				t.Errorf("the call itself: %+v, want %s", m, want)
			}
			d.wants(d.asks("c", "total"), "u7")
		})
	}
}

package mockserver

import (
	"net/http"
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
			d.wants(d.reads("c", "total"), "u7")
		})
	}
}

// While a call hangs, who sent it is answered, as a node answers, and so is what needs no contract:
// with the chain as it was before the block of the call.
func TestACallThatHangsKeepsNoOtherRouteWaiting(t *testing.T) {
	cfg := fakeEngine()
	cfg.Automine = true
	d := newTroupe(t, cfg)
	deployed := d.deploys("c", "")
	tip := read[infoBody](t, request(t, d.s, "GET", "/v2/info")).StacksTip
	hangs := d.calls(0, "c", "hang")
	for _, target := range []string{"/extended/v1/tx/0x" + deployed, "/extended/v1/block?limit=1", "/mock/v1/world", "/mock/v1/catalog"} {
		if w := request(t, d.s, "GET", target); w.Code == http.StatusServiceUnavailable || w.Code == http.StatusInternalServerError {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if m := d.ended(hangs); m.Status != "pending" {
		t.Errorf("while it runs: %+v", m)
	}
	if now := read[infoBody](t, request(t, d.s, "GET", "/v2/info")).StacksTip; now != tip {
		t.Errorf("the tip is %d while its block is made, want %d", now, tip)
	}
	d.s.engine.Close()
	mine(t, d.s, 1) // comes after it
	if m := d.ended(hangs); m.Status != "abort_by_response" {
		t.Errorf("the call: %+v", m)
	}
}

type infoBody struct {
	StacksTip int64 `json:"stacks_tip_height"`
}

package fault

import (
	"strings"
	"testing"
	"time"
)

func TestARuleAboutAnEventLeavesRequestsAlone(t *testing.T) {
	rule, err := ParseRule("event=bl*,fault=drop,delay=5,times=2")
	if err != nil {
		t.Fatal(err)
	}
	other, err := ParseRule("status=503")
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Rules: []Rule{rule, other}})
	if p := e.DecideEvent("mempool"); p.Kind != None || p.Delay != 0 || p.Status != 0 {
		t.Errorf("another event: %+v", p)
	}
	if p := e.Decide("GET", "/block", nil, time.Time{}); p.Kind != None || p.Delay != 0 || p.Status != 503 {
		t.Errorf("a request: %+v", p)
	}
	for i := range 3 {
		want := Plan{Kind: Drop, Delay: 5 * time.Millisecond}
		if i == 2 {
			want = Plan{}
		}
		if p := e.DecideEvent("block"); p != want {
			t.Errorf("block %d: %+v", i, p)
		}
	}
}

func TestWhatIsWrongWithARuleAboutAnEventIsSaid(t *testing.T) {
	for text, want := range map[string]string{
		"event=block":                        "the rule does nothing",
		"event=block,fault=truncate":         `fault="truncate" is unknown for an event; give drop, double, reorder or reset`,
		"event=block,fault=drop,path=/x":     "a rule about an event takes rate, times, delay and fault",
		"event=block,status=503":             "a rule about an event takes rate, times, delay and fault",
		"fault=drop":                         "fault=drop needs the event that it is about, such as event=block",
		"fault=double,path=/extended/v1/ws*": "fault=double needs the event",
	} {
		if _, err := ParseRule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

package wire

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestTheLogKeepsTheLastExchanges(t *testing.T) {
	l := NewExchangeLog(LogOptions{Capacity: 3})
	for i := range 8 {
		id := l.begin(Exchange{URL: fmt.Sprint(i)})
		if _, ok := l.Get(id); !ok {
			t.Errorf("exchange %d is not there", id)
		}
	}
	var got []string
	for _, e := range l.Snapshot() {
		got = append(got, e.URL)
	}
	if strings.Join(got, "") != "567" || l.Len() != 3 {
		t.Errorf("kept %v", got)
	}
	for _, id := range []uint64{0, 1, 5, 9} {
		if _, ok := l.Get(id); ok {
			t.Errorf("exchange %d is found", id)
		}
	}
}

func TestTheLogBoundsBodies(t *testing.T) {
	l := NewExchangeLog(LogOptions{BodyLimit: 10, BodyTotal: 25})
	for i := range 4 {
		e := Exchange{ResponseBody: strings.Repeat("x", 8+i)}
		e.ID = l.begin(e)
		l.end(e)
	}
	var sizes []string
	for _, e := range l.Snapshot() {
		sizes = append(sizes, fmt.Sprint(len(e.ResponseBody), e.ResponseBodyCut))
	}
	if got := strings.Join(sizes, " "); got != "0 true 0 true 10 false 10 true" {
		t.Errorf("kept %s", got)
	}
}

func TestALogWithoutOptionsHasTheDefaultBounds(t *testing.T) {
	l := NewExchangeLog(LogOptions{})
	add := func(size int) uint64 {
		e := Exchange{ResponseBody: strings.Repeat("x", size)}
		e.ID = l.begin(e)
		l.end(e)
		return e.ID
	}
	whole, cut := add(64<<10), add(64<<10+1)
	for id, want := range map[uint64]bool{whole: false, cut: true} {
		if e, _ := l.Get(id); len(e.ResponseBody) != 64<<10 || e.ResponseBodyCut != want {
			t.Errorf("exchange %d: %d bytes, cut %t", id, len(e.ResponseBody), e.ResponseBodyCut)
		}
	}
	for range 14 {
		add(64 << 10)
	}
	if e, _ := l.Get(whole); len(e.ResponseBody) != 64<<10 {
		t.Error("a body was dropped before the bodies took a MiB")
	}
	add(1)
	if e, _ := l.Get(whole); len(e.ResponseBody) != 0 || !e.ResponseBodyCut {
		t.Error("the bodies take more than a MiB")
	}
	for range 600 {
		add(0)
	}
	if l.Len() != 500 {
		t.Errorf("%d exchanges are kept", l.Len())
	}
}

func TestASubscriberHearsOfBeginningAndEnd(t *testing.T) {
	l := NewExchangeLog(LogOptions{})
	ids, stop := l.Subscribe()
	e := Exchange{}
	e.ID = l.begin(e)
	l.end(e)
	if a, b := <-ids, <-ids; a != e.ID || b != e.ID {
		t.Errorf("heard %d, %d", a, b)
	}
	for range 1000 {
		l.begin(Exchange{}) // nobody reads: nothing blocks
	}
	stop()
	stop()
}

func TestCurlIsSafeForAShell(t *testing.T) {
	e := Exchange{Method: "POST", URL: "http://h/it's", RequestBody: `{"a":1}`, RequestHeader: http.Header{"B": {"2"}, "A": {"$x"}}}
	want := `curl -X 'POST' 'http://h/it'\''s' -H 'A: $x' -H 'B: 2' --data-binary '{"a":1}'`
	if got := e.Curl(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

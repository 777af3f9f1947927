package apiclient

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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

func TestThePhasesOfARequestAreMeasured(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Millisecond)
		answer(w, 200, emptyList)
	}))
	defer s.Close()
	c := newClient(t, Options{BaseURL: s.URL, Transport: s.Client().Transport})
	for i := range 2 {
		a, err := c.Blocks(t.Context(), Page{Offset: i})
		if err != nil {
			t.Fatal(err)
		}
		e, _ := c.Log().Get(a.ExchangeID)
		got := e.Timings()
		if first := i == 0; got.Reused == first || (got.TLS > 0) != first || (got.Connect > 0) != first {
			t.Errorf("request %d: %+v", i, got)
		}
		if got.FirstByte < 2*time.Millisecond || got.Total < got.FirstByte || e.ResponseSize != int64(len(emptyList)) {
			t.Errorf("request %d: %+v, %d bytes", i, got, e.ResponseSize)
		}
	}
	if (Exchange{}).Timings() != (Timings{}) {
		t.Error("an exchange without a try has timings")
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

func TestATransportServesOtherPackages(t *testing.T) {
	const key = "sesame-0815"
	var foreignHeader http.Header
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { foreignHeader = r.Header }))
	defer foreign.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key {
			t.Error("the key did not arrive")
		}
		if r.URL.Path == "/away" {
			http.Redirect(w, r, foreign.URL, http.StatusFound)
			return
		}
		b, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "got %s for %s", b, key)
	}))
	defer s.Close()
	log := NewExchangeLog(LogOptions{})
	tr, err := NewTransport(TransportOptions{BaseURL: s.URL, Header: http.Header{"X-Api-Key": {key}}, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.CloseIdleConnections()
	c := http.Client{Transport: tr}
	resp, err := c.Post(s.URL+"/v2/transactions", "text/plain", strings.NewReader("abc"))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if string(b) != "got abc for "+key {
		t.Errorf("read %q", b)
	}
	e := log.Snapshot()[0]
	if !e.Done || e.Method != "POST" || e.Status != 200 || e.RequestBody != "abc" || e.RequestSize != 3 ||
		e.ResponseBody != "got abc for "+Masked || e.ResponseSize != int64(len("got abc for "+key)) || e.Attempts != 1 || len(e.Tries) != 1 {
		t.Errorf("logged %+v", e)
	}
	if _, err := c.Get(s.URL + "/away"); err == nil || foreignHeader != nil {
		t.Errorf("a redirect to another host: %v", err)
	}
	resp, err = c.Get(foreign.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if foreignHeader.Get("X-Api-Key") != "" {
		t.Error("the key went to another host")
	}
}

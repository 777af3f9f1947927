package apiclient

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
		e := Exchange{ResponseBody: []byte(strings.Repeat("x", 8+i))}
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
	if !e.Done || e.Method != "POST" || e.Status != 200 || string(e.RequestBody) != "abc" || e.RequestSize != 3 ||
		string(e.ResponseBody) != "got abc for "+Masked || e.Attempts != 1 || len(e.Tries) != 1 {
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

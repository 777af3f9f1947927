package apiclient

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/wire"
)

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
	if (wire.Exchange{}).Timings() != (wire.Timings{}) {
		t.Error("an exchange without a try has timings")
	}
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
	log := wire.NewExchangeLog(wire.LogOptions{})
	tr, err := wire.NewTransport(wire.TransportOptions{BaseURL: s.URL, Header: http.Header{"X-Api-Key": {key}}, Log: log})
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
		e.ResponseBody != "got abc for "+wire.Masked || e.ResponseSize != int64(len("got abc for "+key)) || e.Attempts != 1 || len(e.Tries) != 1 {
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

package apiclient

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient/wire"
)

func TestIdenticalCallsInFlightAreOneRequest(t *testing.T) {
	var n atomic.Int32
	arrived, open := make(chan struct{}, 10), make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		n.Add(1)
		arrived <- struct{}{}
		<-open
		answer(w, 200, emptyList)
	})
	leaving, leave := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := c.Blocks(leaving, Page{})
		first <- err
	}()
	<-arrived
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if _, err := c.Blocks(t.Context(), Page{}); err != nil {
				t.Error(err)
			}
		})
	}
	for c.flights.waiting(c.base+"/extended/v1/block") < 6 {
		runtime.Gosched()
	}
	leave()
	if err := <-first; KindOf(err) != Canceled {
		t.Errorf("the one that left got %v", err)
	}
	close(open)
	wg.Wait()
	if n.Load() != 1 {
		t.Errorf("%d requests were sent", n.Load())
	}
}

// waiting returns how many callers wait for a flight to url.
func (g *flightGroup) waiting(url string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	for of, f := range g.flights {
		if strings.HasPrefix(of, url+" ") {
			return f.waiters
		}
	}
	return 0
}

func TestAConfirmedAnswerComesFromTheCache(t *testing.T) {
	body := blocksPage(t, 3)
	var requested []string
	etag := `"0x1"`
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requested = append(requested, r.Header.Get("If-None-Match"))
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		answer(w, 200, body)
	})
	first, err := c.Blocks(t.Context(), Page{})
	if err != nil || first.Cached {
		t.Fatal(err, first.Cached)
	}
	second, err := c.Blocks(t.Context(), Page{})
	if err != nil || !second.Cached || string(second.Raw) != body || len(second.Value.Results) != 3 {
		t.Fatal(err, second.Cached)
	}
	if e, _ := c.Log().Get(second.ExchangeID); !e.NotModified || e.Status != 304 {
		t.Errorf("logged %+v", e)
	}
	etag, body = `"0x2"`, blocksPage(t, 2)
	third, err := c.Blocks(t.Context(), Page{})
	if err != nil || third.Cached || len(third.Value.Results) != 2 {
		t.Fatal(err, third.Cached)
	}
	if strings.Join(requested, " ") != ` "0x1" "0x1"` {
		t.Errorf("requested with %q", requested)
	}
}

func TestACallWithoutCallersIsCanceled(t *testing.T) {
	var arrived, gone atomic.Int32
	handler := func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) == 1 {
			hang(w, r)
			gone.Add(1)
			return
		}
		answer(w, 200, emptyList)
	}
	inBubble(t, handler, func(t *testing.T, c *Client) {
		first, leaveFirst := context.WithCancel(t.Context())
		last, leaveLast := context.WithCancel(t.Context())
		defer leaveLast()
		for _, ctx := range []context.Context{first, last} {
			go func() { _, _ = c.Blocks(ctx, Page{}) }()
		}
		synctest.Wait()
		leaveFirst()
		synctest.Wait()
		if arrived.Load() != 1 || gone.Load() != 0 {
			t.Errorf("with one caller left: %d requests, %d of them given up", arrived.Load(), gone.Load())
		}
		// The clock is stopped here, so it is not the limit of time that ends it.
		leaveLast()
		synctest.Wait()
		if gone.Load() != 1 {
			t.Error("the request goes on without callers")
		}
		if _, err := c.Blocks(t.Context(), Page{}); err != nil || arrived.Load() != 2 {
			t.Errorf("after it: %v, %d requests", err, arrived.Load())
		}
	})
}

func TestClosingEndsEveryCall(t *testing.T) {
	inBubble(t, hang, func(t *testing.T, c *Client) {
		var wg sync.WaitGroup
		for _, call := range []func() error{
			func() error { _, err := c.Blocks(t.Context(), Page{}); return err },
			func() error { _, err := c.AllNames(t.Context(), "btc", AllNamesQuery{}); return err },
		} {
			wg.Go(func() {
				if err := call(); KindOf(err) != Canceled {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		start := time.Now()
		c.Close()
		wg.Wait()
		if took := time.Since(start); took != 0 {
			t.Errorf("closing took %s", took)
		}
		if _, err := c.Blocks(t.Context(), Page{}); KindOf(err) != Canceled {
			t.Errorf("a closed client: %v", err)
		}
	})
}

func TestTenRedirectsAreFollowed(t *testing.T) {
	for hops, want := range map[int]Kind{10: "", 11: ServerFault} {
		left := hops
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if left == 0 {
				answer(w, 200, emptyList)
				return
			}
			left--
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		})
		if _, err := c.Blocks(t.Context(), Page{}); KindOf(err) != want {
			t.Errorf("%d redirects: %v", hops, err)
		}
	}
}

func TestRedirectsStayWithTheServer(t *testing.T) {
	const key = "sesame-0815"
	var foreign atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { foreign.Add(1) }))
	defer other.Close()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key {
			t.Errorf("the key is missing on %s", r.URL)
		}
		switch {
		case r.URL.RawQuery == "offset=1":
			w.Header().Set("Location", "block?offset=2")
			w.WriteHeader(http.StatusFound)
		case r.URL.RawQuery == "offset=2":
			answer(w, 200, emptyList)
		case r.URL.RawQuery == "offset=3":
			http.Redirect(w, r, "/extended/v1/block?offset=3", http.StatusFound)
		default:
			http.Redirect(w, r, other.URL+"/x", http.StatusFound)
		}
	}, func(o *Options) { o.Header = http.Header{"x-api-key": {key}} })
	a, err := c.Blocks(t.Context(), Page{Offset: 1})
	if err != nil {
		t.Fatal("a relative redirect:", err)
	}
	if e, _ := c.Log().Get(a.ExchangeID); len(e.Tries) != 2 || e.Attempts != 1 || e.Tries[0].Status != 302 {
		t.Errorf("logged %+v", e)
	}
	_, err = c.Blocks(t.Context(), Page{})
	var refused *wire.RedirectError
	if !errors.As(err, &refused) || KindOf(err) != ServerFault || foreign.Load() != 0 {
		t.Errorf("a redirect to another host: %v, %d requests there", err, foreign.Load())
	}
	_, err = c.Blocks(t.Context(), Page{Offset: 3})
	if !errors.Is(err, wire.ErrRedirects) || KindOf(err) != ServerFault {
		t.Errorf("a redirect in a circle: %v", err)
	}
}

// Each request of an exchange has the address that it went to, without what must not be read.
func TestEachTryHasItsOwnAddressWithoutTheSecret(t *testing.T) {
	const key = "sesame-0815"
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RawQuery {
		case "offset=1":
			http.Redirect(w, r, "/moved?to="+key, http.StatusFound)
		case "to=" + key:
			http.Redirect(w, r, "/extended/v1/block?offset=2", http.StatusFound)
		default:
			answer(w, 200, emptyList)
		}
	}, func(o *Options) { o.Header = http.Header{"x-api-key": {key}} })
	a, err := c.Blocks(t.Context(), Page{Offset: 1})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := c.Log().Get(a.ExchangeID)
	want := []string{"/extended/v1/block?offset=1", "/moved?to=" + wire.Masked, "/extended/v1/block?offset=2"}
	if len(e.Tries) != len(want) {
		t.Fatalf("%d tries, want %d", len(e.Tries), len(want))
	}
	for i, try := range e.Tries {
		if got := strings.TrimPrefix(try.URL, c.BaseURL()); got != want[i] {
			t.Errorf("try %d went to %s, want %s", i+1, got, want[i])
		}
	}
}

func TestSecretsShowNowhere(t *testing.T) {
	const key, token, cookie = "sesame-0815", "tok-4711-x", "cookie-99"
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("X-Api-Key") != key {
			t.Error("the headers did not arrive")
		}
		w.Header().Set("Set-Cookie", "s="+cookie)
		w.Header().Set("X-Echo", key)
		if r.URL.RawQuery != "" {
			answer(w, 200, `{"results":[{"height":"`+key+`"}]}`)
			return
		}
		answer(w, 401, `{"error":"bad key `+key+`","message":"no `+token+`","other":"`+key+`"}`)
	}, func(o *Options) {
		o.Header = http.Header{"x-api-key": {key}, "Authorization": {"Bearer " + token}, "X-Plain": {"shown"}}
	})
	_, err := c.Blocks(t.Context(), Page{})
	_, err2 := c.Blocks(t.Context(), Page{Offset: 1})
	var e, e2 *Error
	if !errors.As(err, &e) || !errors.As(err2, &e2) {
		t.Fatal(err, err2)
	}
	texts := []string{err.Error(), err2.Error(), e.ServerError, e.ServerMessage, string(e.Extra["other"]), string(e.Body), string(e2.Body)}
	for _, x := range c.Log().Snapshot() {
		texts = append(texts, x.Curl(), x.ResponseBody, x.Err, x.URL)
		for _, h := range []http.Header{x.RequestHeader, x.ResponseHeader} {
			for name, v := range h {
				texts = append(texts, name+": "+strings.Join(v, ","))
			}
		}
		if !strings.Contains(x.Curl(), "'X-Plain: shown'") || !strings.Contains(x.Curl(), "'X-Api-Key: [masked]'") {
			t.Error("curl is", x.Curl())
		}
	}
	for _, text := range texts {
		for _, secret := range []string{key, token, cookie} {
			if strings.Contains(text, secret) {
				t.Errorf("%q shows in %q", secret, text)
			}
		}
	}
}

func TestAnErrorAboutOptionsShowsNoSecret(t *testing.T) {
	for name, o := range map[string]Options{
		"no URL":              {},
		"no scheme":           {BaseURL: "localhost:3999"},
		"another scheme":      {BaseURL: "ftp://localhost"},
		"a user in the URL":   {BaseURL: "http://me:sesame@localhost"},
		"a query in the URL":  {BaseURL: "http://localhost?key=sesame"},
		"a URL that is none":  {BaseURL: "http://me:sesame@%zz"},
		"a newline in header": {BaseURL: "http://localhost", Header: http.Header{"X-Api-Key": {"sesame\n"}}},
		"a header's name":     {BaseURL: "http://localhost", Header: http.Header{"X Api": {"sesame"}}},
	} {
		_, err := New(o)
		if KindOf(err) != InvalidInput || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

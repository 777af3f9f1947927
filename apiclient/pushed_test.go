package apiclient_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/fault"
)

// pushing serves a mock whose clock stands, and follows what it pushes.
func pushing(t *testing.T, faults ...string) (url string, pushed <-chan apiclient.Pushed) {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var rules []fault.Rule
	for _, text := range faults {
		rule, err := fault.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, rule)
	}
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at, Faults: rules})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mock)
	c, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	all, done := make(chan apiclient.Pushed, 100), make(chan struct{})
	go func() {
		defer close(done)
		c.FollowPushed(ctx, func(p apiclient.Pushed) { all <- p })
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		c.Close()
		_ = mock.Close()
		server.Close()
	})
	return server.URL, all
}

// next returns what is pushed next.
func next(t *testing.T, pushed <-chan apiclient.Pushed) apiclient.Pushed {
	t.Helper()
	select {
	case p := <-pushed:
		return p
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was pushed within 10 s")
		return apiclient.Pushed{}
	}
}

func mine(t *testing.T, url string) {
	t.Helper()
	resp, err := http.Post(url+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", resp, err)
	}
	_ = resp.Body.Close()
}

func TestEveryBlockIsPushedOnceAndWhole(t *testing.T) {
	url, pushed := pushing(t)
	if p := next(t, pushed); !p.Open || p.Block != nil {
		t.Fatalf("first came %+v", p)
	}
	seen := map[string]int64{} // heights by hash; two blocks may compete for one
	top := int64(0)
	for range 5 {
		mine(t, url)
		for canonical := false; !canonical; {
			p := next(t, pushed)
			if p.Block == nil || p.Block.Txs == nil || len(p.Raw) == 0 {
				t.Fatalf("came %+v", p)
			}
			b := p.Block
			if _, twice := seen[b.Hash]; twice {
				t.Errorf("block %d came twice", b.Height)
			}
			if below, known := seen[b.ParentBlockHash]; top > 0 && b.Height > top && (!known || below != b.Height-1) {
				t.Errorf("block %d stands on one that never came", b.Height)
			}
			seen[b.Hash], canonical = b.Height, b.Canonical
			top = max(top, b.Height)
		}
	}
}

func TestAServerWithoutAChannelIsLeftAlone(t *testing.T) {
	asked := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	c, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
	defer cancel()
	c.FollowPushed(ctx, func(p apiclient.Pushed) { t.Errorf("came %+v", p) })
	if len(asked) != 1 {
		t.Errorf("asked %d times", len(asked))
	}
}

// A channel that is lost is opened again by itself, and both are told.
func TestALostChannelIsOpenedAgain(t *testing.T) {
	url, pushed := pushing(t, "event=block,fault=reset,times=1")
	next(t, pushed)
	mine(t, url) // closes the connection in place of the block
	for _, open := range []bool{false, true} {
		if p := next(t, pushed); p.Open != open || p.Block != nil {
			t.Fatalf("came %+v, want open %v", p, open)
		}
	}
	mine(t, url)
	if p := next(t, pushed); p.Block == nil {
		t.Fatalf("came %+v", p)
	}
}

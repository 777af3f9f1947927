package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestAStreamOfEventsThatEndsIsForgotten(t *testing.T) {
	r := start(t, Options{})
	listeners := func() int {
		r.events.mu.Lock()
		defer r.events.mu.Unlock()
		return len(r.events.listeners)
	}
	for range 3 {
		ctx, leave := context.WithCancel(context.Background())
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/.chainscope/events", nil)
		request.Header.Set("Origin", page)
		response, err := r.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		until(t, "it is listened to", func() bool { return listeners() == 1 })
		leave()
		response.Body.Close()
		until(t, "it is forgotten", func() bool { return listeners() == 0 })
	}
}

// plainWriter is a ResponseWriter that guesses no header, as net/http does.
type plainWriter struct {
	header http.Header
	body   strings.Builder
}

func (w *plainWriter) Header() http.Header { return w.header }

func (w *plainWriter) Write(b []byte) (int, error) { return w.body.Write(b) }

func (w *plainWriter) WriteHeader(int) {}

func TestEveryChangeOfTheQueueIsAnnounced(t *testing.T) {
	changes := 0
	q := newQueue(true, func() { changes++ })
	_, done, err := q.enter(context.Background(), Call{Origin: page}, true)
	if err != nil || changes != 1 {
		t.Fatalf("%d changes after a call came, %v", changes, err)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	if _, _, err := q.enter(gone, Call{Origin: page}, true); err == nil || changes != 3 {
		t.Errorf("%d changes after a call came and left, %v", changes, err)
	}
	done()
	if changes != 4 || len(q.waiting()) != 0 {
		t.Errorf("%d changes after the first was answered, %d wait", changes, len(q.waiting()))
	}
}

func TestEventsReachOnlyOriginsThatMayTalkToTheWallet(t *testing.T) {
	r := start(t, Options{AllowOrigin: []string{"https://dapp.example"}})
	streams := map[string]*bufio.Scanner{}
	for _, origin := range []string{page, "https://dapp.example", "https://stranger.example"} {
		request, _ := http.NewRequest(http.MethodGet, r.base+"/.chainscope/events", nil)
		request.Header.Set("Origin", origin)
		response, err := r.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		streams[origin] = bufio.NewScanner(response.Body)
		if !streams[origin].Scan() || streams[origin].Text() != ": listening" || !streams[origin].Scan() {
			t.Fatalf("%s: %q", origin, streams[origin].Text())
		}
	}
	r.Publish(StacksAccountChange, json.RawMessage(`{"account":1}`))
	for _, origin := range []string{page, "https://dapp.example"} {
		s := streams[origin]
		if !s.Scan() || s.Text() != "event: stx_accountChange" || !s.Scan() || s.Text() != `data: {"account":1}` {
			t.Errorf("%s: %q", origin, s.Text())
		}
	}
	r.Close()
	if s := streams["https://stranger.example"]; s.Scan() {
		t.Errorf("a stranger learns %q", s.Text())
	}
	if response, _ := start(t, Options{}).do(context.Background(), http.MethodGet, "/.chainscope/events", ""); response.StatusCode != http.StatusForbidden {
		t.Errorf("without an origin: %d", response.StatusCode)
	}
}

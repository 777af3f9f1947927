package apiclient_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
	"chainscope/mockserver"
	"chainscope/mockserver/fault"
)

// pushing serves a mock whose clock is stopped, and follows what it pushes.
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
	t.Cleanup(func() { _ = mock.Close(); server.Close() })
	return server.URL, followed(t, server.URL)
}

// followed follows what a server pushes.
func followed(t *testing.T, url string) <-chan apiclient.Pushed {
	t.Helper()
	c, err := apiclient.New(apiclient.Options{BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	all, done := make(chan apiclient.Pushed, 100), make(chan struct{})
	go func() {
		defer close(done)
		c.FollowPushed(ctx, func(p apiclient.Pushed) { all <- p })
	}()
	t.Cleanup(func() { cancel(); <-done; c.Close() })
	return all
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
				t.Errorf("block %d follows one that never came", b.Height)
			}
			seen[b.Hash], canonical = b.Height, b.Canonical
			top = max(top, b.Height)
		}
	}
}

func TestAServerWithoutAChannelIsLeftAlone(t *testing.T) {
	requested := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requested <- struct{}{}
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
	if len(requested) != 1 {
		t.Errorf("requested %d times", len(requested))
	}
}

// A channel that is lost is opened again by itself, and both are reported.
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

func TestAServerThatClosesEachChannelIsDialedLessAndLess(t *testing.T) {
	dialed := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dialed <- struct{}{}
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.CloseNow() }()
		if _, _, err := conn.Read(r.Context()); err == nil {
			_ = conn.Write(r.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
		}
	}))
	defer server.Close()
	pushed := followed(t, server.URL)
	next(t, pushed)
	time.Sleep(5500 * time.Millisecond) // it is dialed after 1 s, 3 s, 7 s
	if n := len(dialed); n < 2 || n > 3 {
		t.Errorf("dialed %d times", n)
	}
}

// recordedFrame is a frame of a recording of the channel.
type recordedFrame struct {
	From, Control string
	Frame         *struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	text []byte
}

func recordedFrames(t *testing.T, name string) (frames []recordedFrame) {
	t.Helper()
	data, err := apitest.Recorded.ReadFile("recorded/generations/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		recordedFrame
		Frame json.RawMessage
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		f.text = f.Frame
		if f.Control == "" {
			if err := json.Unmarshal(f.Frame, &f.recordedFrame.Frame); err != nil {
				t.Fatal(err)
			}
			frames = append(frames, f.recordedFrame)
		}
	}
	return frames
}

// What the real channel sent is handed on: its blocks in their order, those that compete
// too, and nothing of its other events.
func TestTheBlocksOfTheRecordedChannelAreHandedOn(t *testing.T) {
	for name, count := range map[string]int{"ws-live": 3, "ws-reorg": 10} {
		t.Run(name, func(t *testing.T) {
			frames := recordedFrames(t, name)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				conn, err := websocket.Accept(w, r, nil)
				if err != nil {
					return
				}
				defer func() { _ = conn.CloseNow() }()
				_, requested, _ := conn.Read(r.Context())
				var got, want any
				if json.Unmarshal(requested, &got) != nil || json.Unmarshal(frames[0].text, &want) != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("requested %s, the recorded client %s", requested, frames[0].text)
				}
				for _, f := range frames {
					if f.From == "server" {
						_ = conn.Write(r.Context(), websocket.MessageText, f.text)
					}
				}
				_, _, _ = conn.Read(r.Context()) // until the client goes
			}))
			t.Cleanup(server.Close)
			pushed := followed(t, server.URL)
			if p := next(t, pushed); !p.Open || p.Block != nil {
				t.Fatalf("first came %+v", p)
			}
			came := 0
			for _, f := range frames {
				if f.Frame.Method != "block" {
					continue
				}
				var want struct {
					Height    int64
					Hash      string
					Canonical bool
					Txs       []string
				}
				if err := json.Unmarshal(f.Frame.Params, &want); err != nil {
					t.Fatal(err)
				}
				p := next(t, pushed)
				if b := p.Block; b == nil || b.Height != want.Height || b.Hash != want.Hash || b.Canonical != want.Canonical || !slices.Equal(b.Txs, want.Txs) {
					t.Errorf("came %+v, want %+v", b, want)
				}
				came++
			}
			if came != count {
				t.Errorf("%d blocks were recorded, want %d", came, count)
			}
		})
	}
}

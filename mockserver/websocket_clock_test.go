package mockserver

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"chainscope/mockserver/fault"
)

// pipeNet serves over pipes, so that a test can have a clock of its own.
type pipeNet struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipeNet) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipeNet) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipeNet) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 3999} }

func (p *pipeNet) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	b := &bufferedConn{there, make(chan []byte, 1000), make(chan struct{}), sync.Once{}}
	go b.pump()
	p.conns <- b
	return here, nil
}

// bufferedConn takes what is written at once, as a network does.
type bufferedConn struct {
	net.Conn
	written chan []byte
	closed  chan struct{}
	once    sync.Once
}

func (b *bufferedConn) pump() {
	for {
		select {
		case p := <-b.written:
			if _, err := b.Conn.Write(p); err != nil {
				return
			}
		case <-b.closed:
			return
		}
	}
}

func (b *bufferedConn) Write(p []byte) (int, error) {
	select {
	case b.written <- slices.Clone(p):
		return len(p), nil
	case <-b.closed:
		return 0, net.ErrClosed
	}
}

func (b *bufferedConn) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Conn.Close()
}

// inBubble runs a test with a running chain on a clock that moves when everybody
// waits.
func inBubble(t *testing.T, cfg Config, test func(t *testing.T, s *Server, dial func() *listener)) {
	synctest.Test(t, func(t *testing.T) {
		shift := time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		cfg.Now = func() time.Time { return time.Now().Add(shift) }
		s, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		pipes := &pipeNet{conns: make(chan net.Conn), closed: make(chan struct{})}
		served := make(chan error)
		go func() { served <- s.Serve(pipes) }()
		client := &http.Client{Transport: &http.Transport{DialContext: pipes.dial}}
		test(t, s, func() *listener {
			return listen(t, "http://127.0.0.1:3999", &websocket.DialOptions{HTTPClient: client})
		})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// TestBlocksArePushedWhenTheyCome follows a chain for an hour, on the scenario that
// replaces blocks most often. What is pushed makes one chain with what REST lists.
func TestBlocksArePushedWhenTheyCome(t *testing.T) {
	for _, scenario := range []string{"healthy", "reorg"} {
		inBubble(t, Config{Seed: 5, Scenario: scenario}, func(t *testing.T, s *Server, dial func() *listener) {
			l := dial()
			l.subscribes(blockEvents)
			begin := s.world.State().View
			heights := map[int64]string{}
			count := map[string]int{}
			for newest := begin.Tip(); newest < begin.Tip()+300; {
				b := l.block().Params
				count[b.Hash]++
				heights[b.Height] = b.Hash
				newest = max(newest, b.Height)
				v := s.world.State().View
				tip, _ := v.Block(v.Tip())
				if tip.Hash.String() != b.Hash && b.Height == v.Tip() {
					t.Fatalf("%s: pushed %d %s, the tip is %s", scenario, b.Height, b.Hash, tip.Hash)
				}
			}
			v := s.world.State().View
			for h := begin.Tip() + 1; h <= v.Tip(); h++ {
				b, _ := v.Block(h)
				if heights[h] != b.Hash.String() {
					t.Errorf("%s: block %d is %s, pushed last was %s", scenario, h, b.Hash, heights[h])
				}
			}
			for hash, n := range count {
				if n != 1 {
					t.Errorf("%s: %s was pushed %d times", scenario, hash, n)
				}
			}
			if replaced := len(count) - 300; scenario == "reorg" && replaced < 50 {
				t.Errorf("only %d blocks were replaced", replaced)
			}
		})
	}
}

// TestWhoDoesNotAnswerPingsIsUnsubscribed stops reading, as a laptop that sleeps.
func TestWhoDoesNotAnswerPingsIsUnsubscribed(t *testing.T) {
	frozen := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	inBubble(t, Config{Seed: 5, Freeze: &frozen}, func(t *testing.T, s *Server, dial func() *listener) {
		awake, asleep := dial(), dial()
		awake.subscribes(blockEvents)
		asleep.subscribes(blockEvents)
		read := make(chan pushedBlock)
		go func() { read <- awake.block() }()
		time.Sleep(11 * time.Second)
		if _, err := s.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		if b := <-read; b.Params.Height != 1_000_001 {
			t.Errorf("who answers gets %+v", b)
		}
		asleep.silent()
		asleep.subscribes(blockEvents)
		if _, err := s.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		asleep.block()
	})
}

// TestNothingIsMissedThroughDrops follows a chain whose connections are cut, as a
// client must: subscribe, read what is there by REST, join by hash.
func TestNothingIsMissedThroughDrops(t *testing.T) {
	rule, err := fault.ParseRule("event=block,fault=reset,rate=0.1")
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, Config{Seed: 9, Faults: []fault.Rule{rule}}, func(t *testing.T, s *Server, dial func() *listener) {
		begin := s.world.State().Tip().Height
		pushed, joined, cuts := map[string]int{}, map[int64]string{}, 0
		join := func() {
			for _, b := range read[pageOfRecords](t, fetch(t, s, blockURL+"?limit=30")).Results {
				if b.Height > begin {
					joined[b.Height] = b.Hash
				}
			}
		}
		for len(joined) < 200 {
			l := dial()
			l.subscribes(blockEvents)
			join()
			for {
				_, text, err := l.socket.Read(t.Context())
				if err != nil {
					if errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
					break
				}
				var b pushedBlock
				if err := json.Unmarshal(text, &b); err != nil {
					t.Fatal(err)
				}
				pushed[b.Params.Hash]++
				joined[b.Params.Height] = b.Params.Hash
			}
			cuts++
		}
		join()
		v := s.world.State().View
		for h := begin + 1; h <= v.Tip(); h++ {
			if b, _ := v.Block(h); joined[h] != b.Hash.String() {
				t.Errorf("block %d is %s, joined %q", h, b.Hash, joined[h])
			}
		}
		for hash, n := range pushed {
			if n != 1 {
				t.Errorf("%s was pushed %d times", hash, n)
			}
		}
		if cuts < 5 || len(pushed) < 100 {
			t.Errorf("%d cuts, %d blocks pushed", cuts, len(pushed))
		}
	})
}

type pageOfRecords struct {
	Results []struct {
		Height int64
		Hash   string
	}
}

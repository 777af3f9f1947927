package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/wallet/jsonrpc"
	"github.com/google/go-cmp/cmp"
)

func TestAFloodIsBoundedAndOneKeyEndsIt(t *testing.T) {
	g := newGate()
	r := start(t, Options{Attended: true, Handler: g.handle, AllowOrigin: []string{page, "http://localhost:4000"}})
	codes := make(chan int, maxAttended+10)
	var group sync.WaitGroup
	for range maxAttended + 10 {
		group.Go(func() { codes <- code(r.call(page, "getAddresses", "")) })
	}
	until(t, "the queue is full", func() bool { return len(r.Waiting()) == maxAttended && len(codes) == 10 })
	for range 10 {
		if got := <-codes; got != jsonrpc.InternalError {
			t.Errorf("beyond the queue: got %d", got)
		}
	}
	if err := r.Block(page); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	for range maxAttended {
		if got := <-codes; got != jsonrpc.MethodAccessDenied {
			t.Errorf("of a blocked origin: got %d", got)
		}
	}
	close(g.release)
	if got := code(r.call("http://localhost:4000", "getAddresses", "")); got != 0 {
		t.Errorf("another origin afterwards: got %d", got)
	}
}

// pipes is a listener for connections in memory, of which there may be any
// number.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

// pipe is one end of a connection in memory that looks like one of loopback.
type pipe struct{ net.Conn }

func (pipe) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 3998} }

func (pipe) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Addr() net.Addr { return pipe{}.LocalAddr() }

func (p *pipes) Close() error { p.once.Do(func() { close(p.closed) }); return nil }

// startInMemory serves a bridge on connections in memory, and returns what makes
// a call on a connection of its own.
func startInMemory(t *testing.T, options Options) (*Server, func(origin, method string) response) {
	t.Helper()
	options.Origins = &memory{}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	listener := &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		if err := <-done; err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return server, func(origin, method string) response {
		client, served := net.Pipe()
		defer client.Close()
		listener.connections <- pipe{served}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":%q}`, method)
		fmt.Fprintf(client, "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:3998\r\nOrigin: %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", origin, len(body), body)
		var got response
		answer, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Error(err)
			return got
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		return got
	}
}

func TestEachOriginIsAnsweredInItsOrderAndNoneIsLost(t *testing.T) {
	const origins, each = 50, 20
	release := make(chan struct{})
	var mu sync.Mutex
	handled := map[string][]string{}
	server, call := startInMemory(t, Options{Handler: func(_ context.Context, call Call) Answer {
		<-release
		mu.Lock()
		defer mu.Unlock()
		handled[call.Origin] = append(handled[call.Origin], call.Method)
		return Answer{Result: json.RawMessage(fmt.Sprintf("%q", call.Origin+" "+call.Method))}
	}})
	// All wait at once, each known to have come before the next is sent.
	var group sync.WaitGroup
	want := make([]string, each)
	for i := range each {
		want[i] = fmt.Sprint("call-", i)
		for o := range origins {
			group.Go(func() {
				origin := fmt.Sprintf("http://localhost:%d", 3000+o)
				got := call(origin, want[i])
				if answer := fmt.Sprintf("%q", origin+" "+want[i]); string(got.Result) != answer {
					t.Errorf("%s got %s, %v", answer, got.Result, got.Error)
				}
			})
		}
		until(t, "all have come", func() bool { return len(server.Waiting()) == (i+1)*origins })
	}
	close(release)
	group.Wait()
	if len(handled) != origins {
		t.Errorf("%d origins were served", len(handled))
	}
	for origin, methods := range handled {
		if diff := cmp.Diff(want, methods); diff != "" {
			t.Errorf("%s: %s", origin, diff)
		}
	}
}

func TestTenThousandRequestsAtOnceLeaveTheBridgeAlive(t *testing.T) {
	const all = 10_000
	release := make(chan struct{})
	server, call := startInMemory(t, Options{Handler: func(context.Context, Call) Answer {
		<-release
		return Answer{Result: json.RawMessage(`{}`)}
	}})
	var group sync.WaitGroup
	var served, full, other atomic.Int64
	for range all {
		group.Go(func() {
			switch got := call(page, "getAddresses"); code(got) {
			case 0:
				served.Add(1)
			case jsonrpc.InternalError:
				full.Add(1)
			default:
				other.Add(1)
			}
		})
	}
	until(t, "as many are refused as have no room", func() bool { return int(full.Load()) == all-maxUnattended })
	if n := len(server.Waiting()); n != maxUnattended {
		t.Errorf("%d wait", n)
	}
	close(release)
	group.Wait()
	if served.Load() != maxUnattended || full.Load() != all-maxUnattended || other.Load() != 0 {
		t.Errorf("%d served, %d refused for lack of room, %d otherwise", served.Load(), full.Load(), other.Load())
	}
	if got := code(call(page, "getAddresses")); got != 0 {
		t.Errorf("afterwards it answers %d", got)
	}
}

func TestASlowBodyIsEnded(t *testing.T) {
	r := start(t, Options{BodyTimeout: 50 * time.Millisecond})
	connection, err := net.Dial("tcp", strings.TrimPrefix(r.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	// The rest never comes, and the page keeps the connection open.
	fmt.Fprintf(connection, "POST /rpc HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", strings.TrimPrefix(r.base, "http://"), page)
	if err := connection.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %d, %v", response.StatusCode, err)
	}
	if _, err := reader.ReadByte(); err != io.EOF {
		t.Errorf("the connection stays open: %v", err)
	}
}

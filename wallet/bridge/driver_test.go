package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// net/http holds a refused connection for half a second before it closes it.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// memory holds what was decided about origins, in memory.
type memory struct {
	mu      sync.Mutex
	decided map[string]Access
}

func (m *memory) Access(origin string) (Access, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.decided[origin], nil
}

func (m *memory) SetAccess(origin string, access Access) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.decided == nil {
		m.decided = map[string]Access{}
	}
	m.decided[origin] = access
	return nil
}

// running is a bridge on a free loopback port.
type running struct {
	*Server
	t    *testing.T
	base string
	http *http.Client
}

func start(t *testing.T, options Options) *running {
	t.Helper()
	if options.Origins == nil {
		options.Origins = &memory{}
	}
	if options.Handler == nil {
		options.Handler = func(_ context.Context, call Call) Answer {
			return Answer{Result: json.RawMessage(fmt.Sprintf("{%q:%q}", "method", call.Method))}
		}
	}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	t.Cleanup(func() {
		server.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
	return &running{server, t, "http://" + listener.Addr().String(), client}
}

// response is an envelope as a page reads it.
type response struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

const page = "http://localhost:3000"

func (r *running) do(ctx context.Context, method, path, body string, headers ...string) (*http.Response, string) {
	request, err := http.NewRequestWithContext(ctx, method, r.base+path, strings.NewReader(body))
	if err != nil {
		r.t.Error(err)
		return nil, ""
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
			continue
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := r.http.Do(request)
	if err != nil {
		return nil, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err.Error()
	}
	return response, string(text)
}

func (r *running) call(origin, method, params string) response {
	return r.callIn(context.Background(), origin, method, params)
}

func (r *running) callIn(ctx context.Context, origin, method, params string) response {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":%q`, method)
	if params != "" {
		body += `,"params":` + params
	}
	_, text := r.do(ctx, http.MethodPost, "/rpc", body+"}", "Origin", origin, "Content-Type", "application/json")
	var got response
	if ctx.Err() == nil {
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			r.t.Errorf("%s: %q: %v", method, text, err)
		}
	}
	return got
}

func code(r response) int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// gate is a handler that waits until it is released.
type gate struct {
	entered chan Call
	release chan struct{}
}

func newGate() *gate { return &gate{make(chan Call, 8192), make(chan struct{})} }

func (g *gate) handle(ctx context.Context, call Call) Answer {
	g.entered <- call
	select {
	case <-g.release:
		return Answer{Result: json.RawMessage(`{}`)}
	case <-ctx.Done():
		return Answer{}
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

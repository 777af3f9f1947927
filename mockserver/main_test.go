package mockserver

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chainscope/apiclient/apitest"
	"chainscope/mockserver/engine/enginetest"
)

var update = flag.Bool("update", false, "write the tapes under testdata again")

// long reports whether the tests take all their rounds, as they do each night.
var long = os.Getenv("CHAINSCOPE_LONG") != ""

// notRaced leaves a test out with -short, which the run with the race detector sets: the test
// does much, one thing after another, and no goroutine of its own runs beside it.
func notRaced(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing runs beside it")
	}
}

func TestMain(m *testing.M) {
	if !long {
		_ = flag.Set("rapid.checks", "30") // before the command line is read, which may say another
	}
	enginetest.ServeIfRequested()
	goleak.VerifyTestMain(m)
}

// clock is a wall clock that moves only when it is set, or when something sleeps.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

func (c *clock) Slept() (sum time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.slept {
		sum += d
	}
	return sum
}

// What the service says in every answer of JSON, where it takes a WebSocket, and how a client
// names the network.
const (
	jsonType      = "application/json; charset=utf-8"
	webSocketPath = "/extended/v1/ws"
	networkHeader = "X-Mock-Network"
)

// with0x writes bytes as the API does.
func with0x(b []byte) string { return "0x" + hex.EncodeToString(b) }

func newServer(t *testing.T, cfg Config) (*Server, *clock) {
	t.Helper()
	c := newClock()
	cfg.Sleep = c.Sleep
	if cfg.Now == nil {
		cfg.Now = c.Now
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, c
}

// call sends a request to the handler as a loopback client does. Headers come in pairs.
func call(s http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:40000"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func get(s http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	return call(s, "GET", target, headers...)
}

// readJSON decodes a recording of the real services.
func readJSON[T any](t testing.TB, name string) (v T) {
	t.Helper()
	data, err := apitest.Recorded.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// compact removes the blanks between the tokens of a JSON text.
func compact(t testing.TB, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

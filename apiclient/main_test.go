package apiclient

import (
	"cmp"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"chainscope/apiclient/apitest"
	"chainscope/apiclient/wire"
)

func TestMain(m *testing.M) {
	if serveBenchmarks() || beCurl() {
		return
	}
	goleak.VerifyTestMain(m)
}

// serve starts a server on a loopback port and returns a client of it. Both end
// with the test.
func serve(t testing.TB, h http.HandlerFunc, change ...func(*Options)) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return newClient(t, Options{BaseURL: s.URL, Backoff: time.Millisecond}, change...)
}

func newClient(t testing.TB, o Options, change ...func(*Options)) *Client {
	t.Helper()
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// inBubble runs a test on a clock of its own, with a client whose requests a
// handler answers without a network.
func inBubble(t *testing.T, h http.HandlerFunc, test func(*testing.T, *Client), change ...func(*Options)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t, newClient(t, Options{BaseURL: "http://api.test", Transport: inMemory(h)}, change...))
	})
}

// roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// inMemory answers requests by a handler. One that is answered after its context
// has ended fails, as on a network.
func inMemory(h http.HandlerFunc) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h(w, req)
		if err := req.Context().Err(); err != nil {
			return nil, err
		}
		resp := w.Result()
		resp.Request = req
		return resp, nil
	})
}

// hang waits until a request is given up.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// pause waits on the test's clock, or until ctx ends.
func pause(ctx context.Context, d time.Duration) { _ = wire.Sleep(ctx, d) }

// answer writes a JSON answer.
func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func recorded(t testing.TB, name string) []byte {
	t.Helper()
	b, err := apitest.Recorded.ReadFile("recorded/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rows returns the page of limit rows after the first offset ones.
func rows(limit, offset int) Page { return Page{Limit: cmp.Or(limit, NoRows), Offset: offset} }

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

func discard() *log.Logger { return log.New(io.Discard, "", 0) }

package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const emptyList = `{"limit":20,"offset":0,"total":0,"results":[]}`

func TestWhatIsRetriedAndWhatIsNot(t *testing.T) {
	reset := func(w http.ResponseWriter) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	for _, tc := range []struct {
		name  string
		fault func(http.ResponseWriter)
		tries int32
		kind  Kind
	}{
		{"429", func(w http.ResponseWriter) { answer(w, 429, `{"error":"slow down"}`) }, 4, RateLimited},
		{"502", func(w http.ResponseWriter) { answer(w, 502, `bad gateway`) }, 4, ServerFault},
		{"503", func(w http.ResponseWriter) { answer(w, 503, `{"error":"The database service is unavailable"}`) }, 4, ServerFault},
		{"504", func(w http.ResponseWriter) { answer(w, 504, ``) }, 4, ServerFault},
		{"a connection that is reset", reset, 4, Offline},
		{"500 is not", func(w http.ResponseWriter) { answer(w, 500, `{"error":"x"}`) }, 1, ServerFault},
		{"404 is not", func(w http.ResponseWriter) { answer(w, 404, `{"error":"x"}`) }, 1, NotFound},
		{"422 in progress is not", func(w http.ResponseWriter) { answer(w, 422, `{"error":"Token metadata fetch in progress"}`) }, 1, InProgress},
		{"a body that is no JSON is not", func(w http.ResponseWriter) { answer(w, 200, `<html>`) }, 1, Decode},
		{"a wrong content type is not", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(emptyList))
		}, 1, Decode},
		{"a body cut short is not", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "500")
			answer(w, 200, `{"limit":20,"results":[{"height":12`)
		}, 1, Decode},
		{"a document cut short is not", func(w http.ResponseWriter) { answer(w, 200, `{"results":[{"height":1`) }, 1, Decode},
		{"an empty body is not", func(w http.ResponseWriter) { answer(w, 200, ``) }, 1, Decode},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var n atomic.Int32
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				n.Add(1)
				tc.fault(w)
			})
			_, err := c.Blocks(t.Context(), Page{})
			if KindOf(err) != tc.kind || n.Load() != tc.tries {
				t.Errorf("%d tries, kind %s: %v; want %d, %s", n.Load(), KindOf(err), err, tc.tries, tc.kind)
			}
			var e *Error
			if errors.As(err, &e) && int32(e.Attempts) != tc.tries {
				t.Errorf("the error counts %d attempts", e.Attempts)
			}
		})
	}
}

func TestTheWaitsDoubleUnderFullJitterAndStopAtTheCeiling(t *testing.T) {
	c, k := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 503, `{}`) },
		func(o *Options) {
			o.MaxAttempts, o.Timeout = 6, time.Minute
			o.Backoff, o.MaxBackoff = time.Second, 5*time.Second
		})
	_, _ = c.Blocks(t.Context(), Page{})
	const ms = time.Millisecond
	want := []time.Duration{500 * ms, 1000 * ms, 2000 * ms, 2500 * ms, 2500 * ms}
	if d := cmp.Diff(want, k.waits()); d != "" {
		t.Error(d)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for _, tc := range []struct {
		name, header string
		want         []time.Duration
	}{
		{"in seconds", "2", []time.Duration{2 * time.Second}},
		{"as a date", "Thu, 01 Jan 2026 00:00:03 GMT", []time.Duration{3 * time.Second}},
		{"a date gone by is no wait of its own", "Thu, 01 Jan 2020 00:00:03 GMT", []time.Duration{125 * time.Millisecond}},
		{"nonsense is ignored", "soon", []time.Duration{125 * time.Millisecond}},
		{"beyond the time of the call it ends at once", "60", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var n atomic.Int32
			c, k := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if n.Add(1) > 1 {
					answer(w, 200, emptyList)
					return
				}
				w.Header().Set("Retry-After", tc.header)
				answer(w, 429, `{"error":"Too Many Requests"}`)
			})
			_, err := c.Blocks(t.Context(), Page{})
			if d := cmp.Diff(tc.want, k.waits()); d != "" {
				t.Error(d)
			}
			if tc.want != nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Kind != RateLimited || e.RetryAfter != time.Minute {
				t.Errorf("got %#v", err)
			}
		})
	}
}

func TestEveryAttemptIsTold(t *testing.T) {
	var told []string
	var n atomic.Int32
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) < 3 {
			answer(w, 503, `{"error":"down"}`)
			return
		}
		answer(w, 200, emptyList)
	}, func(o *Options) {
		o.OnAttempt = func(a Attempt) {
			told = append(told, fmt.Sprint(a.Number, "/", a.Of, " ", a.Wait, " ", a.Cause != nil))
		}
	})
	got, err := c.Blocks(t.Context(), Page{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1/4 0s false", "2/4 125ms true", "2/4 0s true", "3/4 250ms true", "3/4 0s true"}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
	e, ok := c.Log().Get(got.ExchangeID)
	if !ok || e.Attempts != 3 || len(e.Tries) != 3 || e.Tries[2].Wait != 250*time.Millisecond || e.Tries[0].Status != 503 || e.Status != 200 {
		t.Errorf("logged %+v", e)
	}
}

func TestACallThatIsCanceledEndsAtOnce(t *testing.T) {
	t.Run("while it waits for the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan struct{})
		c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
			close(left)
		})
		_, err := c.Blocks(ctx, Page{})
		if KindOf(err) != Canceled || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		<-left
	})
	t.Run("while it waits to try again", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 503, `{}`) }, func(o *Options) {
			o.Sleep = func(ctx context.Context, _ time.Duration) error {
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
		})
		if _, err := c.Blocks(ctx, Page{}); KindOf(err) != Canceled {
			t.Errorf("got %v", err)
		}
	})
	t.Run("before it begins", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
		if _, err := c.Blocks(ctx, Page{}); KindOf(err) != Canceled {
			t.Errorf("got %v", err)
		}
	})
}

func TestTheTimeoutBoundsACallWithItsRetries(t *testing.T) {
	c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		func(o *Options) { o.Timeout = 30 * time.Millisecond })
	_, err := c.Blocks(t.Context(), Page{})
	if KindOf(err) != Timeout || !strings.Contains(err.Error(), "30ms") {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatIsNotThereIsOffline(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	k := newClock()
	c, err := New(Options{BaseURL: "http://" + address, Now: k.Now, Sleep: k.Sleep})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Blocks(t.Context(), Page{})
	if KindOf(err) != Offline || len(k.waits()) != 3 {
		t.Errorf("got %v after %v", err, k.waits())
	}
}

func TestABodyAboveTheLimitIsRefused(t *testing.T) {
	for name, length := range map[string]bool{"told by its length": true, "found while reading": false} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int32
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				n.Add(1)
				body := `{"results":[],"x":"` + strings.Repeat("a", 2000) + `"}`
				if length {
					w.Header().Set("Content-Length", fmt.Sprint(len(body)))
				}
				w.Header().Set("Content-Type", "application/json")
				for _, part := range []string{body[:900], body[900:]} {
					_, _ = w.Write([]byte(part))
					if !length {
						w.(http.Flusher).Flush()
					}
				}
			}, func(o *Options) { o.MaxBody = 1000 })
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != Decode || e.BodyOffset != 1000 || n.Load() != 1 {
				t.Errorf("got %v after %d", err, n.Load())
			}
		})
	}
}

func TestDecodeErrorsNameTheFieldAndTheByte(t *testing.T) {
	for _, tc := range []struct {
		name, body, path string
		offset           int64
	}{
		{"a height that is a string", `{"results":[{"height":1},{"height":"x"}]}`, "results[1].height", 35},
		{"a list that is an object", `{"results":{}}`, "results", 11},
		{"a row that is null", `{"results":[null]}`, "results[0]", 12},
		{"a transaction that is a number", `{"results":[{"txs":["a",5]}]}`, "results[0].txs[1]", 24},
		{"a map of counts with text", `{"results":[{"microblock_tx_count":{"0xa":true}}]}`, "results[0].microblock_tx_count.0xa", 42},
		{"an end too early", `{"results":[{"height":12`, "results[0].height", 24},
		{"text behind the end", `{"results":[]} x`, "", 15},
		{"a list in place of the envelope", `[]`, "", 0},
		{"no list", `{"limit":1}`, "", 11},
		{"a height beyond 64 bits", `{"results":[{"height":9223372036854775808}]}`, "results[0].height", 22},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, tc.body) })
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != Decode || e.FieldPath != tc.path || e.BodyOffset != tc.offset {
				t.Errorf("got %v; want %s at %d", err, tc.path, tc.offset)
			}
		})
	}
}

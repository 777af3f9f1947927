package apiclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"chainscope/apiclient/wire"
)

const emptyList = `{"limit":20,"offset":0,"total":0,"results":[]}`

func TestWhatIsRetriedAndWhatIsNot(t *testing.T) {
	for _, tc := range []struct {
		name  string
		fault func(http.ResponseWriter)
		tries int32
		kind  Kind
	}{
		{"429", func(w http.ResponseWriter) { answer(w, 429, `{"error":"slow down"}`) }, 6, RateLimited},
		{"502", func(w http.ResponseWriter) { answer(w, 502, `bad gateway`) }, 6, ServerFault},
		{"503", func(w http.ResponseWriter) { answer(w, 503, `{"error":"The database service is unavailable"}`) }, 6, ServerFault},
		{"504", func(w http.ResponseWriter) { answer(w, 504, ``) }, 6, ServerFault},
		{"500 is not", func(w http.ResponseWriter) { answer(w, 500, `{"error":"x"}`) }, 1, ServerFault},
		{"404 is not", func(w http.ResponseWriter) { answer(w, 404, `{"error":"cannot find block"}`) }, 1, NotFound},
		{"404 in words of something else is not", func(w http.ResponseWriter) { answer(w, 404, `{"error":"not enabled"}`) }, 1, ServerFault},
		{"410 is not, but the newer routes are requested once", func(w http.ResponseWriter) { answer(w, 410, `{"error":"Gone"}`) }, 3, Gone},
		{"422 in progress is not", func(w http.ResponseWriter) { answer(w, 422, `{"error":"Token metadata fetch in progress"}`) }, 1, InProgress},
		{"a body that is no JSON is not", func(w http.ResponseWriter) { answer(w, 200, `<html>`) }, 1, Decode},
		{"a wrong content type is not", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(emptyList))
		}, 1, Decode},
		{"a document cut short is not", func(w http.ResponseWriter) { answer(w, 200, `{"results":[{"height":1`) }, 1, Decode},
		{"an empty body is not", func(w http.ResponseWriter) { answer(w, 200, ``) }, 1, Decode},
		{"a status of no use is not", func(w http.ResponseWriter) { answer(w, 304, ``) }, 1, ServerFault},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var n atomic.Int32
			inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
				n.Add(1)
				tc.fault(w)
			}, func(t *testing.T, c *Client) {
				_, err := c.Blocks(t.Context(), Page{})
				if KindOf(err) != tc.kind || n.Load() != tc.tries {
					t.Errorf("%d tries, kind %s: %v; want %d, %s", n.Load(), KindOf(err), err, tc.tries, tc.kind)
				}
				var e *Error
				if errors.As(err, &e) && int32(e.Attempts) != tc.tries && tc.kind != Gone {
					t.Errorf("the error counts %d attempts", e.Attempts)
				}
			})
		})
	}
}

// broken is a body that ends with an error.
type broken struct {
	io.Reader
	err error
}

func (b *broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func TestAConnectionThatBreaksIsRetried(t *testing.T) {
	cut := func(err error) func(*http.Request) (*http.Response, error) {
		return func(req *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Request: req, Header: http.Header{}, Body: io.NopCloser(&broken{strings.NewReader(`{"results":[{"height":12`), err})}, nil
		}
	}
	for name, fault := range map[string]func(*http.Request) (*http.Response, error){
		"before the answer":    func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET },
		"inside a body":        cut(io.ErrUnexpectedEOF),
		"by a reset in a body": cut(syscall.ECONNRESET),
	} {
		t.Run(name, func(t *testing.T) {
			for _, times := range []int{1, 100} {
				synctest.Test(t, func(t *testing.T) {
					n := 0
					c := newClient(t, Options{BaseURL: "http://api.test", Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
						if n++; n <= times {
							return fault(req)
						}
						return inMemory(func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, emptyList) }).RoundTrip(req)
					})})
					_, err := c.Blocks(t.Context(), Page{})
					if times == 1 {
						if err != nil || n != 2 {
							t.Errorf("%v after %d tries", err, n)
						}
						return
					}
					var e *Error
					if !errors.As(err, &e) || e.Kind != Offline || e.Status != 0 || n != 6 || !strings.Contains(err.Error(), "closed the connection") {
						t.Errorf("%v after %d tries", err, n)
					}
				})
			}
		})
	}
}

func TestRetriesAreSpreadOverTheTimeGiven(t *testing.T) {
	for _, given := range []time.Duration{time.Second, 10 * time.Second, time.Minute} {
		var sent []time.Time
		inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
			sent = append(sent, time.Now())
			answer(w, 503, `{}`)
		}, func(t *testing.T, c *Client) {
			start := time.Now()
			_, err := c.Blocks(t.Context(), Page{})
			took := time.Since(start)
			if KindOf(err) != ServerFault || len(sent) != 6 || took < given*2/5 || took > given*4/5 {
				t.Errorf("%s given: %d attempts in %s, %v", given, len(sent), took, err)
			}
			for i := 1; i < len(sent); i++ {
				step := given / backoffShare << (i - 1)
				if wait := sent[i].Sub(sent[i-1]); wait < step/2 || wait > step {
					t.Errorf("%s given: wait %d is %s, want %s to %s", given, i, wait, step/2, step)
				}
			}
		}, func(o *Options) { o.Timeout = given })
	}
}

func TestRetryAfterIsHonored(t *testing.T) {
	const backoff = 250 * time.Millisecond
	for _, tc := range []struct {
		name       string
		header     func() string
		want       time.Duration // 0 is a failure at once
		retryAfter time.Duration
	}{
		{"in seconds", func() string { return "2" }, 2 * time.Second, 0},
		{"as a date", func() string { return time.Now().Add(3 * time.Second).UTC().Format(http.TimeFormat) }, 3 * time.Second, 0},
		{"a date gone by", func() string { return "Thu, 01 Jan 1970 00:00:03 GMT" }, backoff, 0},
		{"nonsense", func() string { return "soon" }, backoff, 0},
		{"beyond the time of the call", func() string { return "60" }, 0, time.Minute},
		{"beyond a day", func() string { return "999999" }, 0, wire.MaxRetryAfter},
	} {
		for _, status := range []int{429, 503} {
			t.Run(fmt.Sprint(tc.name, " with ", status), func(t *testing.T) {
				n := 0
				inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
					if n++; n > 1 {
						answer(w, 200, emptyList)
						return
					}
					w.Header().Set("Retry-After", tc.header())
					answer(w, status, `{"error":"Too Many Requests"}`)
				}, func(t *testing.T, c *Client) {
					start := time.Now()
					_, err := c.Blocks(t.Context(), Page{})
					if took := time.Since(start); took != tc.want {
						t.Errorf("took %s, want %s", took, tc.want)
					}
					if tc.want > 0 {
						if err != nil {
							t.Error(err)
						}
						return
					}
					var e *Error
					if !errors.As(err, &e) || e.Status != status || e.RetryAfter != tc.retryAfter || e.Attempts != 1 {
						t.Errorf("got %#v", err)
					}
				})
			})
		}
	}
}

func TestEveryAttemptIsReportedBeforeItsWait(t *testing.T) {
	var reported []string
	n := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n < 3 {
			answer(w, 503, `{"error":"down"}`)
			return
		}
		answer(w, 200, emptyList)
	}, func(t *testing.T, c *Client) {
		got, err := c.Blocks(t.Context(), Page{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"blocks 1/6 after 0 requests, cause false", "blocks 2/6 after 1 requests, cause true", "blocks 3/6 after 2 requests, cause true"}
		if d := cmp.Diff(want, reported); d != "" {
			t.Error(d)
		}
		e, ok := c.Log().Get(got.ExchangeID)
		if !ok || e.Attempts != 3 || len(e.Tries) != 3 || e.Tries[0].Status != 503 || e.Status != 200 || e.ResponseSize != int64(len(emptyList)) {
			t.Errorf("logged %+v", e)
		}
	}, func(o *Options) {
		o.OnAttempt = func(a Attempt) {
			reported = append(reported, fmt.Sprintf("%s %d/%d after %d requests, cause %t", a.Op, a.Number, a.Of, n, a.Cause != nil))
		}
	})
}

func TestTheLastAttemptIsNotFollowedByAnother(t *testing.T) {
	var most int
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 503, `{}`) }, func(t *testing.T, c *Client) {
		_, _ = c.Blocks(t.Context(), Page{})
		if most != 2 {
			t.Errorf("attempt %d was reported, of 2", most)
		}
	}, func(o *Options) {
		o.MaxAttempts = 2
		o.OnAttempt = func(a Attempt) { most = a.Number }
	})
}

func TestACallThatIsCanceledEndsAtOnce(t *testing.T) {
	t.Run("while it waits for the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan struct{})
		c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
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
	for name, h := range map[string]http.HandlerFunc{
		"while it waits to try again": func(w http.ResponseWriter, _ *http.Request) { answer(w, 503, `{}`) },
		"while it waits at the gate": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "8")
			answer(w, 429, `{}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, h, func(t *testing.T, c *Client) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(100*time.Millisecond, cancel)
				start := time.Now()
				_, err := c.Blocks(ctx, Page{})
				if KindOf(err) != Canceled || time.Since(start) != 100*time.Millisecond {
					t.Errorf("got %v after %s", err, time.Since(start))
				}
			})
		})
	}
	t.Run("before it begins", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
		if _, err := c.Blocks(ctx, Page{}); KindOf(err) != Canceled {
			t.Errorf("got %v", err)
		}
	})
}

func TestTheTimeoutBoundsACallWithItsRetries(t *testing.T) {
	inBubble(t, hang, func(t *testing.T, c *Client) {
		start := time.Now()
		_, err := c.Blocks(t.Context(), Page{})
		if KindOf(err) != Timeout || !strings.Contains(err.Error(), "no answer within 3s") || time.Since(start) != 3*time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	}, func(o *Options) { o.Timeout = 3 * time.Second })
}

func TestTheLastAnswerIsNotForgottenWhenTimeRunsOut(t *testing.T) {
	for _, tc := range []struct {
		status int
		kind   Kind
	}{{429, RateLimited}, {503, ServerFault}} {
		n := 0
		inBubble(t, func(w http.ResponseWriter, r *http.Request) {
			if n++; n > 2 {
				hang(w, r)
				return
			}
			answer(w, tc.status, `{"error":"busy"}`)
		}, func(t *testing.T, c *Client) {
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != tc.kind || e.Status != tc.status || e.Attempts != 3 {
				t.Fatalf("got %v", err)
			}
			if want := fmt.Sprintf("blocks: busy (status %d), and then no answer came in time, after 3 attempts", tc.status); e.Error() != want {
				t.Errorf("got %q, want %q", e, want)
			}
		}, func(o *Options) { o.Timeout = time.Second })
	}
}

func TestARefusalWithoutATimeKeepsItsAnswer(t *testing.T) {
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 429, `{"error":"slow down"}`) }, func(t *testing.T, c *Client) {
		_, err := c.Blocks(t.Context(), Page{})
		var e *Error
		if !errors.As(err, &e) || e.Status != 429 || e.Detail() != "slow down" || e.RetryAfter == 0 {
			t.Errorf("got %#v", err)
		}
	}, func(o *Options) { o.Timeout = time.Second })
}

func TestTheLeastWaitIsThatOfTheBackoff(t *testing.T) {
	for attempt, want := range map[int]time.Duration{1: 100, 2: 100, 3: 200, 4: 400, 5: 800} {
		if got := leastBackoff(100*time.Millisecond, attempt); got != want*time.Millisecond {
			t.Errorf("after attempt %d it is %s, want %s", attempt, got, want*time.Millisecond)
		}
	}
}

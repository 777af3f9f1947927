package engineio

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A client is pinged every five seconds; one that does not answer within five more is gone.
func TestAClientThatDoesNotAnswerPingsIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		var s Server
		served := 0
		send := func(method, query, body string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			s.Handle(w, httptest.NewRequest(method, "/socket.io/?EIO=4&transport=polling"+query, strings.NewReader(body)), Options{
				Context: ctx, Go: func(f func()) { go f() }, Serve: func(one *Session) {
					served++
					for {
						text, err := one.Read(one.Context())
						if err != nil {
							return
						}
						_ = one.Write(one.Context(), append([]byte("got "), text...))
					}
				},
			})
			return w
		}
		var hello struct{ Sid string }
		if err := json.Unmarshal(send("GET", "", "").Body.Bytes()[1:], &hello); err != nil {
			t.Fatal(err)
		}
		id := "&sid=" + hello.Sid
		begun := time.Now()
		for i := range 3 {
			if got := send("GET", id, "").Body.String(); got != "2" || time.Since(begun) != time.Duration(i+1)*5*time.Second {
				t.Fatalf("ping %d: %q after %s", i, got, time.Since(begun))
			}
			send("POST", id, "3")
			synctest.Wait()
		}
		if got := send("POST", id, "4one\x1e4two").Body.String(); got != "ok" {
			t.Fatal(got)
		}
		synctest.Wait()
		if got := send("GET", id, "").Body.String(); got != "4got one\x1e4got two" {
			t.Errorf("%q", got)
		}
		if got := send("GET", id, "").Body.String(); got != "2" {
			t.Fatal(got)
		}
		time.Sleep(pingTimeout - time.Millisecond)
		if got := send("POST", id, "4"); got.Code != http.StatusOK {
			t.Errorf("gone too early: %s", got.Body)
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		if got := send("GET", id, ""); got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), "Session ID unknown") || served != 1 {
			t.Errorf("%d sessions: %d %s", served, got.Code, got.Body)
		}
		end()
	})
}

func TestASessionEndsWhenItsClientSaysSo(t *testing.T) {
	var s Server
	gone := make(chan struct{})
	send := func(method, query, body string) string {
		w := httptest.NewRecorder()
		s.Handle(w, httptest.NewRequest(method, "/socket.io/?EIO=4&transport=polling"+query, strings.NewReader(body)), Options{
			Context: t.Context(), Go: func(f func()) { go f() }, Serve: func(one *Session) { <-one.Context().Done(); close(gone) },
		})
		return w.Body.String()
	}
	var hello struct{ Sid string }
	if err := json.Unmarshal([]byte(send("GET", "", "")[1:]), &hello); err != nil {
		t.Fatal(err)
	}
	if got := send("POST", "&sid="+hello.Sid, "1"); got != "ok" {
		t.Error(got)
	}
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Fatal("the session goes on")
	}
	if got := send("GET", "&sid="+hello.Sid, ""); !strings.Contains(got, "Session ID unknown") {
		t.Error(got)
	}
}

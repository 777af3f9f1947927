package wire

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func TestRefusalsWithoutATimePauseLongerAndLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(nil)
		refused := &http.Response{StatusCode: 429, Header: http.Header{}}
		for i, want := range []time.Duration{250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000} {
			g.note(refused)
			g.note(refused) // one that was in flight changes nothing
			if pause := time.Until(g.ClosedUntil()); pause != want*time.Millisecond {
				t.Errorf("pause %d is %s, want %s", i, pause, want*time.Millisecond)
			}
			if err := g.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		g.note(&http.Response{StatusCode: 200})
		g.note(refused)
		if pause := time.Until(g.ClosedUntil()); pause != firstPause {
			t.Errorf("after an answer the pause is %s", pause)
		}
		// The later of two times counts.
		for _, seconds := range []string{"20", "40", "10"} {
			g.note(&http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {seconds}}})
		}
		if pause := time.Until(g.ClosedUntil()); pause != 40*time.Second {
			t.Errorf("closed for %s", pause)
		}
	})
}

func TestWhoWaitsAtTheGateWaitsOnWhenItClosesForLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(nil)
		refuse := func(seconds string) {
			g.note(&http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {seconds}}})
		}
		refuse("2")
		time.AfterFunc(time.Second, func() { refuse("9") })
		start := time.Now()
		if err := g.Wait(t.Context()); err != nil || time.Since(start) != 10*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

func TestAStoppedClockDoesNotHoldTheGateShut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		noon := time.Now()
		g := NewGate(func() time.Time { return noon })
		g.note(&http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"3"}}})
		start := time.Now()
		if err := g.Wait(t.Context()); err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

// Answers to requests that were sent at once come in any order: an older number does not
// bring back what a newer one took.
func TestAnswersInAnyOrderAreNoMoreRequests(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	g := NewGate(func() time.Time { return now })
	says := func(left int) {
		g.note(&http.Response{StatusCode: 200, Header: http.Header{"Ratelimit-Limit": {"3"}, "Ratelimit-Remaining": {strconv.Itoa(left)}, "Ratelimit-Reset": {"60"}}})
	}
	for _, order := range [][]int{{2, 1, 0}, {0, 1, 2}, {1, 0, 2}} {
		for range 3 {
			if opens := g.enter(awaited, true, false); !opens.IsZero() {
				t.Fatalf("%v: the window opens at %s", order, opens)
			}
		}
		for _, left := range order {
			says(left)
		}
		if b := g.Budget(); b.Left != 0 || g.ClosedUntil().IsZero() {
			t.Errorf("answers that tell %v in turn leave %d of 3", order, b.Left)
		}
		now = now.Add(62 * time.Second)
	}
	// Another one who uses the same limit is believed.
	g.enter(awaited, true, false)
	if says(0); g.ClosedUntil().IsZero() {
		t.Error("what others took is not counted")
	}
}

package measure

import (
	"strings"
	"testing"
	"time"
)

// Keys of the wallet's forms.
const (
	example = "\x18" // ctrl+x fills the form
	send    = "\x19" // ctrl+y
	enter   = "\r"
)

// BenchmarkApprove presses the key that approves a message and waits until the
// signature is on the screen.
func BenchmarkApprove(b *testing.B) {
	const n = 15
	s := start(b, ours(b))
	s.until("1,000,000")
	s.settle(300 * time.Millisecond)
	moves, _ := lasts(rounds([]*session{s}, [][]string{{"j", "j", "k", "k"}}, 2*25)[0])

	do := func(keys string, shown ...string) time.Duration {
		s.settle(0)
		since := time.Now()
		if _, err := s.pty.WriteString(keys); err != nil {
			b.Fatal(err)
		}
		return s.shows(since, shown...)
	}
	armed := func(what string) {
		s.shows(time.Now(), what, "keys armed", "-keys armed in")
		s.settle(quiet)
	}
	do("5", "not connected")
	do("c", "Install")
	do(enter, "Approve request")
	armed("Give out addresses")
	do("a", "● connected", "-Approve request")
	var approved []float64
	for range n {
		do("n", "New request")
		do(enter, "stx_signMessage", "Send request")
		do(example, "stx_signMessage")
		do(send, "Approve request")
		armed("Sign a message")
		approved = append(approved, ms(do("a", "signature", "-Approve request")))
	}
	o, t3 := quantile(approved, 0.5), quantile(moves, 0.5)
	report(b, figure{
		ID: "G4", What: "the key that approves a message to its signature on the screen", Goal: "≤ a key in the list + 1 ms",
		Ours: msText(o), Reference: msText(t3) + " a key in the list", Ratio: ratio(o / t3), Met: o <= t3+1,
		Why: "the dialog closes, the queue moves on and the result comes, each in a frame of its own, and the call is kept on disk before it is shown",
	})
}

// shows waits until the screen shows all of the texts, and none that are written
// with a minus before; it gives the time from since to the read that completed it.
func (s *session) shows(since time.Time, texts ...string) time.Duration {
	s.b.Helper()
	there := func() bool {
		screen := s.screen()
		for _, text := range texts {
			if absent, not := strings.CutPrefix(text, "-"); strings.Contains(screen, absent) == not {
				return false
			}
		}
		return true
	}
	at := since
	limit := time.After(longest)
	for !there() {
		select {
		case r, open := <-s.reads:
			if !open {
				s.b.Fatalf("%v ended before it showed %q", s.setting.argv, texts)
			}
			s.all, at = append(s.all, r.text...), r.at
		case <-limit:
			s.b.Fatalf("%v does not show %q but\n%s", s.setting.argv, texts, s.screen())
		}
	}
	return at.Sub(since)
}

//go:build unix

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// What a mock is asked for says the same words whatever the place; the strict
// parser of the terminal looks at every byte that is drawn meanwhile.
func TestAServerThatDiesAndComesBackLosesNoRow(t *testing.T) {
	t.Parallel()
	m := serve(t, "127.0.0.1:0", "--freeze", "2026-01-01T00:00:00Z")
	s := open(t, 100, 30, "--api", "http://"+m.Addr, "--timeout", "2s")
	s.press("1")
	s.shows("999,990", "1,000,000")
	m.kill()
	s.press("r")
	s.shows("OFFLINE", "999,990", "1,000,000")
	serve(t, m.Addr, "--freeze", "2026-01-01T00:00:00Z")
	s.press("r")
	s.hides("OFFLINE")
	s.shows("1,000,000")
	s.quit()
}

// Every scenario of the mock is said on the screen, and rows that were there
// stay.
func TestEveryScenarioIsSaidAndOldRowsStay(t *testing.T) {
	t.Parallel()
	m := serve(t, "127.0.0.1:0", "--freeze", "2026-01-01T00:00:00Z")
	s := open(t, 120, 30, "--api", "http://"+m.Addr, "--timeout", "1s")
	s.press("1")
	s.shows("999,99", "1,000,000")
	for _, at := range []struct {
		scenario string
		words    []string
	}{
		{"down", []string{"OFFLINE"}},
		{"slow", []string{"No answer in time", "loading", "OFFLINE"}},
		{"limited", []string{"Too many requests", "again in"}},
		{"corrupt", []string{"cannot be read", "stale", "data of"}},
		{"flaky", []string{"stale", "data of", "fetched", "loading", "OFFLINE"}},
	} {
		m.scenario(at.scenario)
		s.until("says "+at.scenario, func(screen string) bool {
			if !strings.Contains(screen, "999,99") {
				t.Errorf("%s: the rows have gone:\n%s", at.scenario, screen)
			}
			for _, w := range at.words {
				if strings.Contains(screen, w) {
					return true
				}
			}
			if !strings.Contains(screen, "loading") { // asking again gives the request up
				s.press("r")
			}
			return false
		})
		s.press("j")
	}
	m.scenario("healthy")
	s.until("healthy again", func(screen string) bool {
		if regexp.MustCompile(`OFFLINE|stale|data of|again in|cannot be read`).MatchString(screen) {
			s.press("r")
			return false
		}
		return strings.Contains(screen, "fetched")
	})
	s.quit()
}

// hostile are the tokens of the mock whose texts try to take over a terminal.
var hostile = []string{
	"hostile-escapes", "hostile-bidi", "hostile-hidden", "hostile-long", "hostile-uris",
	"hostile-nft::1", "hostile-nft::2", "hostile-nft::3",
}

const hostileDeployer = "SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9."

// A hostile token is opened wherever it can be shown. That nothing of it but
// printable text reaches the terminal is checked byte by byte when it closes.
func TestHostileTokensReachTheTerminalAsTextOnly(t *testing.T) {
	t.Parallel()
	for _, token := range hostile {
		t.Run(token, func(t *testing.T) {
			t.Parallel()
			s := explorer(t, 120, 40, hostileDeployer+token)
			name, _, _ := strings.Cut(token, "::")
			s.shows("Tokens", name)
			s.shows("fetched") // its answer is there
			for range 3 {
				s.press("\x04") // ctrl+d scrolls its detail
			}
			for _, box := range []struct{ key, title string }{{"J", "╭─ JSON"}, {"y", "╭─ Copy"}} {
				s.press(box.key)
				s.shows(box.title)
				s.press(escapeKey)
				s.hides(box.title)
			}
			s.press("i") // the request of the token
			s.shows("Response headers")
			s.press("G" + "i") // and back
			s.shows("Tokens", name)
			s.press("b")
			s.press("B")
			s.shows("╭─ Bookmarks")
			s.press(escapeKey)
			s.hides("╭─ Bookmarks")
			s.quit()
		})
	}
}

//go:build unix

package e2e

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	exampleKey = "\x18" // ctrl+x
	sendKey    = "\x19" // ctrl+y
	downKey    = "\x1b[B"
)

// newcomer returns what presses a key and counts it, and what approves a request.
func newcomer(s *terminal, keys *int) (press, approve func(string)) {
	press = func(key string) {
		s.press(key)
		*keys++
	}
	return press, func(what string) {
		s.shows(what, "ready for input")
		for strings.Contains(s.now(), "a read on") {
			press("a")
			s.shows("keys work in")
			s.shows("ready for input")
		}
		press("a")
		s.hides("Approve request")
	}
}

// The first signed transaction is three keys away from where the explorer opens, and the demo
// one: who leaves it is back in the explorer.
func TestANewcomerSignsAfterThreeKeysAndWatchesTheDemo(t *testing.T) {
	t.Parallel()
	s := explorer(t, 120, 40)
	s.shows("A demo, and three things to try", "canonical")
	keys := 0
	press, approve := newcomer(s, &keys)
	press("n")
	s.shows("stx_transferStx", "1.500000 STX")
	press(sendKey)
	approve("Send STX")
	if s.shows("pending: the next block takes it"); keys != 3 {
		t.Errorf("the first signed transaction took %d keys, want 3", keys)
	}
	s.press("0")
	s.shows("Last calls", "↻ stx_transferStx")
	s.press("d")
	s.shows("demo 1 of", "space pauses")
	s.press("q")
	s.hides("space pauses")
	s.shows("Last calls", "stx_transferStx")
}

// A newcomer who has read nothing connects, signs a message, verifies it, sends
// a transfer, follows it into its block and disconnects, with few keys.
func TestANewcomerConnectsSignsSendsFollowsAndDisconnects(t *testing.T) {
	t.Parallel()
	s := explorer(t, 80, 24)
	s.alerts()
	s.shows("1,000,000")
	keys := 0
	press, approve := newcomer(s, &keys)
	press("5")
	s.shows("not connected")
	press("c")
	s.shows("Connect a wallet", "chainscope (terminal)", "Install")
	press(enterKey)
	approve("Give out addresses")
	s.shows("● connected")

	press("n")
	s.shows("New request")
	press(enterKey)
	s.shows("stx_signMessage", "Send request")
	press(exampleKey)
	press(sendKey)
	approve("Sign a message")
	s.shows("signature")
	press("v")
	s.shows("valid: by the key")

	press("n")
	s.shows("New request")
	press(downKey)
	press(enterKey)
	s.shows("stx_transferStx", "Send request")
	press(exampleKey)
	s.shows("1.500000 STX")
	press(sendKey)
	approve("Send STX")
	s.shows("pending: the next block takes it")
	press("M")
	s.shows("Mock server")
	press("m")
	s.shows("tip 1,000,001") // the notice may be that of the transaction
	press(escapeKey)
	s.hides("Mock server")
	s.shows("1,000,001", "success")
	press(enterKey)
	s.shows("Blocks › 1,000,001")

	press("5")
	s.shows("Wallet")
	press("5")
	s.shows("x disconnect")
	press("x")
	s.shows("not connected")
	if keys > 40 {
		t.Errorf("it took %d keys", keys)
	}
	t.Logf("%d keys", keys)
	s.quit()
}

// A signal that ends the demo is for the explorer that it was started from too.
func TestASignalDuringTheDemoDoesNotOpenTheExplorerAgain(t *testing.T) {
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 0, syscall.SIGHUP: 0, syscall.SIGINT: 130} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := explorer(t, 120, 40)
			s.shows("A demo, and three things to try", "canonical")
			s.press("d")
			s.shows("demo 1 of", "space pauses")
			s.signal(signal)
			select {
			case <-s.exited:
				if s.code != code {
					t.Errorf("exit code %d, want %d", s.code, code)
				}
			case <-time.After(patience):
				t.Errorf("alive %v after the signal:\n%s", patience, s.now())
			}
		})
	}
}

//go:build unix

package term

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
)

func TestAStoppedProgramLeavesTheTerminalUsableAndComesBack(t *testing.T) {
	tests := []struct {
		name     string
		stop     func(s *session, job int)
		restored bool // the program has a chance to restore the terminal
		keys     string
	}{
		{"by its key", func(s *session, _ int) { s.press("Z") }, true, "keys 3: M Z j"},
		{"by SIGTSTP from outside", func(_ *session, job int) { _ = syscall.Kill(job, syscall.SIGTSTP) }, true, "keys 2: M j"},
		{"by SIGSTOP", func(_ *session, job int) { _ = syscall.Kill(job, syscall.SIGSTOP) }, false, "keys 2: M j"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "jobs", "COLORFGBG=15;0")
			s.shows("READY")
			job := 0
			s.until("is a job of the shell", func(raw, _ string) bool {
				_, after, _ := strings.Cut(raw, "[job ")
				number, _, whole := strings.Cut(after, "]")
				job, _ = strconv.Atoi(number)
				return whole && job > 0
			})
			s.press("M")
			s.sent("\x1b[?1002h", 1)
			tt.stop(s, job)
			s.sent("[stopped]", 1)
			now, err := xterm.GetState(s.tty.Fd())
			if restored := err == nil && reflect.DeepEqual(now, s.before); restored != tt.restored {
				t.Errorf("the terminal's settings are restored: %v, %v", restored, err)
			}
			if raw := s.rawText(); tt.restored && strings.LastIndex(raw, "\x1b[?1002l") < strings.LastIndex(raw, "\x1b[?1002h") {
				t.Error("the mouse was left on")
			}
			s.press("fg\n")
			s.shows("resumed")
			s.sent("\x1b[?1002h", 2)
			s.press("j")
			s.shows(tt.keys)
			s.press("q")
			s.ended(0)
		})
	}
}

// In a session of its own, as in a terminal window that runs nothing else,
// nothing can stop the program.
func TestWhereNothingStopsItTheProgramGoesOnAtOnce(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.press("M")
	s.sent("\x1b[?1002h", 1)
	s.press("Z")
	s.shows("not suspended, resumed")
	s.sent("\x1b[?1002h", 2)
	s.press("j")
	s.shows("keys 3: M Z j")
	s.press("q")
	s.ended(0)
}

// Between two modes the terminal is as it was before the program, and ctrl+d is an
// end of file there.
func TestKeysTypedWhileTheProgramIsSuspendedDoNotEndItsInput(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.resize(500, 10)
	s.shows("READY 500x10")
	for n := 1; n <= 4; n++ {
		s.press("Z")
		s.sent("\x1b[?1049l", n)
		for range 8 {
			s.press("\x04")
			time.Sleep(10 * time.Millisecond)
		}
		s.sent("\x1b[?1049h", n+1)
		s.shows("READY")
	}
	s.press("!")
	s.until("takes a key", func(_, screen string) bool { return strings.Contains(screen, "READY") && strings.Contains(screen, "!") })
	if strings.Contains(s.screenText(), "end of input") {
		t.Error("it was read while the terminal was not raw")
	}
	s.press("q")
	s.ended(0)
}

func TestAnUnexpectedEndOfInputIsSaidAndSurvived(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	for n := 1; n <= 2; n++ {
		// As stty does from another window.
		if err := xterm.Restore(s.tty.Fd(), s.before); err != nil {
			t.Fatal(err)
		}
		s.press("\x04")
		s.until("says it", func(_, screen string) bool { return strings.Count(screen, "resumed, end of in") == n })
		s.press("j")
		s.shows(fmt.Sprintf("keys %d: %s", n, strings.Join(strings.Fields(strings.Repeat("j ", n)), " ")))
	}
	s.press("q")
	s.ended(0)
}

// A terminal that is closed sends SIGHUP to those of its session; outside, only
// reading and writing fail.
func TestTheProgramEndsWithItsTerminal(t *testing.T) {
	for _, mode := range []string{"run", "outside"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := start(t, mode, "COLORFGBG=15;0")
			s.shows("READY")
			_ = s.tty.Close()
			_ = s.pty.Close() // when what reads it has returned
			_ = s.cmd.Process.Signal(syscall.SIGCONT)
			select {
			case <-s.exited:
			case <-time.After(15 * time.Second):
				t.Fatal("it lives on")
			}
			if want := map[string]int{"run": 0, "outside": 1}[mode]; s.code != want {
				t.Errorf("exit code %d, want %d: %s", s.code, want, s.stderr.String())
			}
		})
	}
}

// Ctrl+s stops the output of a terminal that is not raw.
func TestAProgramThatIsContinuedStartsAStoppedTerminalAgain(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	if err := xterm.Restore(s.tty.Fd(), s.before); err != nil {
		t.Fatal(err)
	}
	s.press("\x13")
	_ = s.cmd.Process.Signal(syscall.SIGCONT)
	s.shows("resumed")
	s.press("q")
	s.ended(0)
}

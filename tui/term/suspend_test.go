//go:build unix

package term

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"

	xterm "github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// jobControl is a shell with one job: it runs the program under test, says when
// it stops, and continues it when a line comes.
func jobControl() int {
	signal.Ignore(syscall.SIGTTOU)
	cooked, err := xterm.GetState(0)
	if err != nil {
		panic(err)
	}
	job := exec.Command(os.Args[0])
	job.Env = append(os.Environ(), childEnv+"=run")
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true}
	if err := job.Start(); err != nil {
		panic(err)
	}
	fmt.Printf("[job %d]", job.Process.Pid)
	lines := bufio.NewReader(os.Stdin)
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(job.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil {
			panic(err)
		}
		if !status.Stopped() {
			return status.ExitStatus()
		}
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, syscall.Getpgrp()); err != nil {
			panic(err)
		}
		fmt.Print("[stopped]")
		if _, err := lines.ReadString('\n'); err != nil {
			panic(err)
		}
		// A shell gives the terminal back as it likes it.
		_ = xterm.Restore(0, cooked)
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, job.Process.Pid); err != nil {
			panic(err)
		}
		_ = syscall.Kill(-job.Process.Pid, syscall.SIGCONT)
	}
}

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
			_, after, _ := strings.Cut(s.rawText(), "[job ")
			number, _, _ := strings.Cut(after, "]")
			job, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
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
			s.press("\n")
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

//go:build unix

package term

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// session is a program in a terminal.
type session struct {
	t        *testing.T
	cmd      *exec.Cmd
	pty, tty *os.File
	before   *xterm.State
	stderr   bytes.Buffer

	mu     sync.Mutex
	raw    bytes.Buffer
	screen *vt.Emulator
	news   chan struct{}
	exited chan struct{}
	code   int
}

// start runs the child in a terminal that answers nothing.
func start(t *testing.T, mode string, environ ...string) *session {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, pty: ptmx, tty: tty, screen: vt.NewEmulator(60, 10), news: make(chan struct{}, 1), exited: make(chan struct{})}
	go func() { _, _ = io.Copy(io.Discard, s.screen) }()
	if err := pty.Setsize(ptmx, &pty.Winsize{Cols: 60, Rows: 10}); err != nil {
		t.Fatal(err)
	}
	if s.before, err = xterm.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append([]string{childEnv + "=" + mode, "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "GOCOVERDIR=" + t.TempDir()}, environ...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, &s.stderr
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: mode != "outside"}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := ptmx.Read(buf)
			s.mu.Lock()
			s.raw.Write(buf[:n])
			_, _ = s.screen.Write(buf[:n])
			s.mu.Unlock()
			s.poke()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		_ = s.cmd.Wait()
		s.code = s.cmd.ProcessState.ExitCode()
		close(s.exited)
		s.poke()
	}()
	t.Cleanup(func() {
		select {
		case <-s.exited:
		default:
			_ = s.cmd.Process.Kill()
			<-s.exited
		}
		_ = tty.Close()
		_ = ptmx.Close()
	})
	return s
}

// resize changes the window.
func (s *session) resize(width, height int) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.Resize(width, height)
	s.mu.Unlock()
	if err := pty.Setsize(s.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		s.t.Fatal(err)
	}
}

// rawText returns all that came.
func (s *session) rawText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// screenText returns what the terminal shows.
func (s *session) screenText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

func (s *session) poke() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// until waits for a condition on what the terminal got and shows.
func (s *session) until(what string, ok func(raw, screen string) bool) {
	s.t.Helper()
	limit := time.After(15 * time.Second)
	for {
		s.mu.Lock()
		raw, screen := s.raw.String(), s.screen.String()
		s.mu.Unlock()
		if ok(raw, screen) {
			return
		}
		select {
		case <-s.news:
		case <-limit:
			s.t.Fatalf("%s: never; the screen is\n%s\nand what came %q\n%s", what, screen, raw, s.stderr.String())
		}
	}
}

func (s *session) shows(text string) {
	s.t.Helper()
	s.until("shows "+text, func(_, screen string) bool { return strings.Contains(screen, text) })
}

func (s *session) sent(text string, times int) {
	s.t.Helper()
	s.until(fmt.Sprintf("sends %q", text), func(raw, _ string) bool { return strings.Count(raw, text) >= times })
}

func (s *session) press(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// ended waits for the end of the program and checks that the terminal is as it
// was.
func (s *session) ended(code int) {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(15 * time.Second):
		s.t.Fatalf("the program did not end")
	}
	if s.code != code {
		s.t.Errorf("exit code %d, want %d; stderr: %s", s.code, code, s.stderr.String())
	}
	s.until("leaves the alternate screen", func(raw, _ string) bool {
		return strings.LastIndex(raw, "\x1b[?1049l") > strings.LastIndex(raw, "\x1b[?1049h")
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	raw := s.raw.String()
	for _, mode := range []string{"25", "7"} {
		if strings.LastIndex(raw, "\x1b[?"+mode+"l") > strings.LastIndex(raw, "\x1b[?"+mode+"h") {
			s.t.Errorf("mode %s was left off", mode)
		}
	}
	for _, mode := range []string{"2004", "1002", "1003", "1006", "1004", "2026"} {
		if strings.LastIndex(raw, "\x1b[?"+mode+"h") > strings.LastIndex(raw, "\x1b[?"+mode+"l") {
			s.t.Errorf("mode %s was left on", mode)
		}
	}
	if s.screen.IsAltScreen() {
		s.t.Error("the alternate screen was not left")
	}
	after, err := xterm.GetState(s.tty.Fd())
	if err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(s.before, after) {
		s.t.Errorf("the terminal's settings were %+v and are %+v", s.before, after)
	}
}

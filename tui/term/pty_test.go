//go:build unix

package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"chainscope/tui/e2e"
)

// childEnv makes the test binary the program under test, in the terminal that
// the test holds the other end of.
const childEnv = "CHAINSCOPE_TERM_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		os.Exit(m.Run())
	case "jobs":
		job := exec.Command(os.Args[0])
		job.Env = append(os.Environ(), childEnv+"=run")
		job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
		code, err := e2e.Shell(job)
		if err != nil {
			panic(err)
		}
		os.Exit(code)
	case "version":
		// Linking the terminal layer must not make a command ask anything.
		fmt.Println("version")
		os.Exit(0)
	}
	guard := new(Guard)
	err := Run(context.Background(), child{guard: guard}, Options{
		Guard:        guard,
		SetClipboard: func(string) error { return errors.New("no tool") },
		grace:        300 * time.Millisecond,
	})
	var crash *PanicError
	switch {
	case errors.As(err, &crash):
		os.Exit(3)
	case errors.Is(err, ErrInterrupted):
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child is the program under test: it shows what it got.
type child struct {
	width, height int
	keys          []string
	notes         []string
	guard         *Guard
}

func (c child) Init() tea.Cmd { return nil }

func (c child) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.width, c.height = msg.Width, msg.Height
	case BackgroundMsg:
		c.notes = append(c.notes, fmt.Sprintf("dark=%v", msg.Dark))
	case CopiedMsg:
		c.notes = append(c.notes, msg.String())
	case BurstMsg:
		c.notes = append(c.notes, "burst")
	case NotSuspendedMsg:
		c.notes = append(c.notes, "not suspended")
	case EndOfInputMsg:
		c.notes = append(c.notes, "end of input")
	case tea.ResumeMsg:
		c.notes = append(c.notes, "resumed")
	case tea.MouseMsg:
		c.notes = append(c.notes, "mouse")
	case tea.KeyMsg:
		c.keys = append(c.keys, msg.String())
		switch msg.String() {
		case "q", "ctrl+c":
			return c, tea.Quit
		case "P":
			panic("in update")
		case "C":
			return c, tea.Sequence(tea.Batch(nil, func() tea.Msg { panic("in a command") }), tea.Quit)
		case "G":
			c.guard.Go(func() { panic("in a goroutine") })
		case "L":
			log.Print("logged")
		case "V":
			c.width = -1
		case "Z":
			return c, Suspend
		case "M":
			return c, Mouse(true)
		case "Y":
			return c, Copy("a clip", "clip")
		case "B":
			_, _ = os.Stdout.WriteString("\x1b]2;hangs\x07")
			select {}
		}
	}
	return c, nil
}

func (c child) View() string {
	if c.width < 0 {
		panic("in view")
	}
	return fmt.Sprintf("READY %dx%d\nkeys %d: %s\nnotes: %s", c.width, c.height, len(c.keys), strings.Join(c.keys, " "), strings.Join(c.notes, ", "))
}

func TestACommandDoesNotQueryTheTerminal(t *testing.T) {
	s := start(t, "version")
	<-s.exited
	s.sent("version", 1)
	if raw := s.rawText(); strings.Contains(raw, "\x1b") {
		t.Errorf("wrote %q", raw)
	}
}

func TestTheFirstFrameWaitsForNoAnswer(t *testing.T) {
	s := start(t, "run")
	s.shows("READY 60x10")
	s.mu.Lock()
	raw := s.raw.String()
	s.mu.Unlock()
	if ask := strings.Index(raw, "\x1b]11;?"); ask >= 0 && ask < strings.Index(raw, "READY") {
		t.Errorf("asked before the first frame: %q", raw)
	}
	s.press("q")
	s.ended(0)
}

func TestTheAnswerForTheBackgroundIsTakenOutOfTheInput(t *testing.T) {
	s := start(t, "run")
	s.sent("\x1b]11;?", 1)
	s.press("a\x1b]11;rgb:ffff/fff0/ffff\x1b\\b")
	s.shows("dark=false")
	s.shows("keys 2: a b")
	s.press("q")
	s.ended(0)
}

func TestAKnownBackgroundIsNotQueried(t *testing.T) {
	s := start(t, "run", "COLORFGBG=0;15")
	s.shows("notes: dark=false")
	s.press("q")
	s.ended(0)
	if strings.Contains(s.rawText(), "\x1b]11;?") {
		t.Error("asked all the same")
	}
}

func TestKeys(t *testing.T) {
	tests := []struct{ name, keys, want string }{
		{"keys that come at once are one key each", "jjj", "keys 3: j j j"},
		{"an arrow in one piece", "\x1b[A", "keys 1: up"},
		{"an arrow after letters", "jk\x1b[B", "keys 3: j k down"},
		{"two escapes at once are two escapes", "\x1b\x1b", "keys 2: esc esc"},
		{"alt and a letter", "\x1bx", "keys 1: alt+x"},
		{"a paste stays one", "\x1b[200~ab c\x1b[201~", "keys 1: [ab c]"},
		{"letters of other scripts", "é你", "keys 2: é 你"},
		{"a lone escape", "\x1b", "keys 1: esc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "run", "COLORFGBG=15;0")
			s.shows("READY")
			s.press(tt.keys)
			s.shows(tt.want)
			s.press("q")
			s.ended(0)
		})
	}
}

func TestKeysThatComeTogetherAreMarked(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.press("a")
	s.shows("keys 1: a")
	s.press("bc")
	s.shows("keys 3: a b c")
	s.shows("notes: dark=true, burst, burst")
	s.press("\x1b[200~paste\x1b[201~")
	s.shows("keys 4: a b c [paste]")
	s.press("d")
	s.shows("keys 5: a b c [paste] d")
	if strings.Contains(s.screen.String(), "burst, burst, burst") {
		t.Error("a paste or a key that came alone is marked")
	}
	s.press("q")
	s.ended(0)
}

func TestAnArrowSplitBetweenTwoReadsIsAnArrow(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	// A machine under load may take longer than the rest is waited for; without
	// the mend it never works.
	for try := range 10 {
		s.press("\x1b")
		s.until("is read", func(string, string) bool {
			s.poke()
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(s.tty.Fd()), Events: unix.POLLIN}}, 0)
			return err == nil && n == 0
		})
		s.press("[A!")
		s.until("has the keys", func(_, screen string) bool { return strings.Count(screen, "!") == try+1 })
		s.mu.Lock()
		screen := s.screen.String()
		s.mu.Unlock()
		if strings.Contains(screen, "up !") {
			s.press("q")
			s.ended(0)
			return
		}
	}
	t.Fatalf("never an arrow:\n%s", s.screen.String())
}

func TestTwoHundredKeysAtOnceAreAllCounted(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.press(strings.Repeat("j", 200))
	s.shows("keys 200:")
	s.press("q")
	s.ended(0)
}

func TestFramesAreSynchronized(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.press("q")
	s.ended(0)
	raw := s.rawText()
	if begin := strings.Index(raw, beginSync); begin < 0 || begin > strings.Index(raw, "READY") || strings.Count(raw, beginSync) != strings.Count(raw, endSync) {
		t.Errorf("%q", raw)
	}
	if strings.Contains(raw, marker) {
		t.Error("a frame of the framework went through")
	}
}

func TestTheWindowCanBeAnySize(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY 60x10")
	for _, size := range [][2]int{{1, 1}, {5, 2}, {100, 30}} {
		s.resize(size[0], size[1])
		want := fmt.Sprintf("READY %dx%d", size[0], size[1])
		s.shows(want[:min(len(want), size[0])])
	}
	s.press("q")
	s.ended(0)
}

func TestEveryWayOutRestoresTheTerminal(t *testing.T) {
	tests := []struct {
		name   string
		end    func(*session)
		code   int
		stderr string
	}{
		{"the quit key", func(s *session) { s.press("q") }, 0, ""},
		{"ctrl+c", func(s *session) { s.press("\x03") }, 0, ""},
		{"SIGTERM", func(s *session) { _ = s.cmd.Process.Signal(syscall.SIGTERM) }, 0, ""},
		{"SIGHUP", func(s *session) { _ = s.cmd.Process.Signal(syscall.SIGHUP) }, 0, ""},
		{"SIGINT", func(s *session) { _ = s.cmd.Process.Signal(syscall.SIGINT) }, 130, ""},
		{"a panic in Update", func(s *session) { s.press("P") }, 3, "panic: in update"},
		{"a panic in View", func(s *session) { s.press("V") }, 3, "panic: in view"},
		{"a panic in a command within a batch within a sequence", func(s *session) { s.press("C") }, 3, "panic: in a command"},
		{"a panic in a guarded goroutine", func(s *session) { s.press("G") }, 3, "panic: in a goroutine"},
		{"SIGTERM while Update hangs", func(s *session) { s.press("B"); s.sent("hangs", 1); _ = s.cmd.Process.Signal(syscall.SIGTERM) }, 1, "ended by a signal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "run", "COLORFGBG=15;0")
			s.shows("READY")
			s.press("M")
			s.sent("\x1b[?1002h", 1)
			tt.end(s)
			s.ended(tt.code)
			if got := s.stderr.String(); !strings.Contains(got, tt.stderr) || tt.stderr == "" && got != "" {
				t.Errorf("stderr is %q, want %q", got, tt.stderr)
			}
			if strings.Contains(s.rawText(), "panic") {
				t.Error("the panic was printed into the screen")
			}
		})
	}
}

func TestTheStandardLoggerNeverReachesTheTerminal(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.press("L")
	s.shows("keys 1: L")
	s.press("q")
	s.ended(0)
	if raw := s.rawText() + s.stderr.String(); strings.Contains(raw, "logged") {
		t.Errorf("it was written: %q", raw)
	}
}

func TestADumbTerminalIsRefused(t *testing.T) {
	s := start(t, "run", "TERM=dumb")
	<-s.exited
	if raw := s.rawText(); s.code != 1 || raw != "" || !strings.Contains(s.stderr.String(), "TERM=dumb") {
		t.Errorf("exit %d, wrote %q, stderr %q", s.code, raw, s.stderr.String())
	}
}

func TestCopyGoesToTheTerminalBetweenFrames(t *testing.T) {
	s := start(t, "run", "COLORFGBG=15;0")
	s.shows("READY")
	s.press("Y")
	s.sent("\x1b]52;c;Y2xpcA==\x07", 1)
	s.shows("copied a clip clip (sent to the terminal")
	s.press("q")
	s.ended(0)
}

func TestRunWantsATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := Run(context.Background(), child{}, Options{Input: r, Output: w}); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("got %v", err)
	}
}

// BenchmarkKey is a key from its write to the terminal to the bytes of its
// frame.
func BenchmarkKey(b *testing.B) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer ptmx.Close()
	defer tty.Close()
	_ = pty.Setsize(ptmx, &pty.Winsize{Cols: 120, Rows: 40})
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{childEnv + "=run", "TERM=xterm-256color", "COLORFGBG=15;0"}
	cmd.Stdin, cmd.Stdout = tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 32<<10)
	await := func(text string) {
		var got []byte
		for !bytes.Contains(got, []byte(text)) {
			n, err := ptmx.Read(buf)
			if err != nil {
				b.Fatal(err)
			}
			got = append(got, buf[:n]...)
		}
	}
	await(endSync)
	for b.Loop() {
		_, _ = ptmx.WriteString("j")
		await(endSync)
		b.StopTimer()
		time.Sleep(2 * frameGap) // the user is not faster than the gap
		b.StartTimer()
	}
	_, _ = ptmx.WriteString("q")
	_ = cmd.Wait()
}

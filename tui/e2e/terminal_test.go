//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// binary is the program under test, built once.
var binary string

// asShell makes the test binary a shell that runs its arguments.
const asShell = "CHAINSCOPE_E2E_SHELL"

func TestMain(m *testing.M) {
	if os.Getenv(asShell) != "" {
		job := exec.Command(os.Args[1], os.Args[2:]...)
		job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
		code, err := Shell(job)
		if err != nil {
			panic(err)
		}
		os.Exit(code)
	}
	dir, err := os.MkdirTemp("", "chainscope-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "chainscope")
	build := exec.Command("go", append(append([]string{"build", "-o", binary}, buildFlags...), "../..")...)
	build.Env = append(os.Environ(), buildCGO)
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the program does not build: %v\n%s", err, out)
		os.Exit(1)
	}
	_ = flag.Set("test.parallel", "5") // they wait more than they compute; the command line may say another
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// patience bounds every wait. It is far longer than anything should take, so
// that a busy machine fails no test.
const patience = 30 * time.Second

// terminal is the program in a terminal that answers nothing.
type terminal struct {
	t        testing.TB
	cmd      *exec.Cmd
	pty, tty *os.File
	before   *xterm.State
	stderr   transcript
	started  time.Time
	dir      string
	shrinks  bool // the window changes at random
	job      int  // the process of the program

	frozen sync.Mutex // held while the terminal takes nothing

	mu      sync.Mutex
	raw     bytes.Buffer
	strict  strict
	screen  *vt.Emulator
	news    chan struct{}
	exited  chan struct{}
	read    chan struct{}
	drained chan struct{} // closed when the emulator answers no more
	code    int
}

// environ returns the environment of a terminal with all colours, a home of its own
// and nothing of the machine's.
func environ(home string) []string {
	return []string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "COLORFGBG=15;0", "LANG=C.UTF-8", "TZ=UTC", "PATH=" + os.Getenv("PATH"),
		"HOME=" + home, "TMPDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home,
	}
}

// open starts the program in a terminal of a size.
func open(t testing.TB, width, height int, args ...string) *terminal {
	t.Helper()
	return openIn(t, nil, width, height, args...)
}

// openIn returns open with variables that are added to the environment.
func openIn(t testing.TB, variables []string, width, height int, args ...string) *terminal {
	t.Helper()
	s := openCommand(t, exec.Command(binary, args...), variables, width, height)
	s.job = s.cmd.Process.Pid
	return s
}

// openInShell returns open as a job of a shell, which can stop and continue it.
func openInShell(t testing.TB, width, height int, args ...string) *terminal {
	t.Helper()
	s := openCommand(t, exec.Command(os.Args[0], append([]string{binary}, args...)...), []string{asShell + "=1"}, width, height)
	s.mu.Lock()
	s.strict.shell = true
	s.mu.Unlock()
	started := regexp.MustCompile(`\[job (\d+)\]`)
	s.until("the shell has started it", func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		found := started.FindSubmatch(s.raw.Bytes())
		if found != nil {
			s.job, _ = strconv.Atoi(string(found[1]))
		}
		return found != nil
	})
	return s
}

// openCommand starts a command in a terminal of a size.
func openCommand(t testing.TB, cmd *exec.Cmd, variables []string, width, height int) *terminal {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &terminal{
		t: t, pty: ptmx, tty: tty, dir: t.TempDir(), screen: vt.NewEmulator(width, height),
		news: make(chan struct{}, 1), exited: make(chan struct{}), read: make(chan struct{}), drained: make(chan struct{}),
	}
	s.strict.calling = slices.ContainsFunc(cmd.Args, func(a string) bool { return strings.HasPrefix(a, "--bridge") })
	// What the emulator would answer is thrown away: the terminal is silent.
	go func() { defer close(s.drained); _, _ = io.Copy(io.Discard, s.screen) }()
	if err := pty.Setsize(ptmx, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
	if s.before, err = xterm.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	s.cmd = cmd
	// The name of an account takes the place of its address when it has come, at a time of its own.
	s.cmd.Env, s.cmd.Dir = append(append(environ(s.dir), "CHAINSCOPE_KNOWN_NAMES=false"), variables...), s.dir
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, &s.stderr
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s.started = time.Now()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.listen()
	go func() {
		_ = s.cmd.Wait()
		s.code = s.cmd.ProcessState.ExitCode()
		close(s.exited)
		s.poke()
	}()
	t.Cleanup(s.close)
	return s
}

// listen reads what the program writes, byte for byte.
func (s *terminal) listen() {
	defer close(s.read)
	buf := make([]byte, 64<<10)
	for {
		n, err := s.pty.Read(buf)
		s.frozen.Lock()
		s.frozen.Unlock() //nolint:staticcheck // it only waits
		s.mu.Lock()
		s.raw.Write(buf[:n])
		s.strict.Write(buf[:n])
		s.show(buf[:n])
		s.mu.Unlock()
		s.poke()
		if err != nil {
			return
		}
	}
}

// show draws on the emulator. It panics at a scroll of lines that a smaller window
// has no more, as a frame has that was under way when the window shrank; a real
// terminal does not. Where windows shrink at random that is passed over, and the
// next frame for another size draws everything.
func (s *terminal) show(p []byte) {
	if s.shrinks {
		defer func() { _ = recover() }()
	}
	_, _ = s.screen.Write(p)
}

// alerts allows that the user is alerted: of what becomes of a transaction.
func (s *terminal) alerts() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strict.calling = true
}

// close ends the program if it runs, and checks what it ever wrote.
func (s *terminal) close() {
	select {
	case <-s.exited:
	default:
		s.signal(syscall.SIGKILL)
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
	_ = s.tty.Close()
	<-s.read
	_ = s.pty.Close()
	// The emulator's own Close does not wait for who reads its answers.
	_ = s.screen.InputPipe().(io.Closer).Close()
	<-s.drained
	_ = s.screen.Close()
	for _, complaint := range s.strict.complaints {
		s.t.Errorf("the terminal got what it must not: %s", complaint)
	}
	if out := s.stderr.String(); strings.Contains(out, "panic") || strings.Contains(out, "DATA RACE") {
		s.t.Error(out)
	}
}

func (s *terminal) poke() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// transcript holds what the program writes to stderr. It is read while the program runs.
type transcript struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (l *transcript) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.Write(b)
}

func (l *transcript) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.String()
}

// now gives what is on the screen, line by line.
func (s *terminal) now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

// until waits for a screen. It looks again when nothing is drawn too: what ok does may change
// nothing that is seen.
func (s *terminal) until(what string, ok func(screen string) bool) string {
	s.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		screen := s.now()
		if ok(screen) {
			return screen
		}
		select {
		case <-s.news:
		case <-time.After(time.Second):
		case <-limit.C:
			s.t.Fatalf("%s: never; the screen is\n%s\n%s", what, screen, s.stderr.String())
		}
		select {
		case <-s.exited:
			if screen := s.now(); !ok(screen) && !s.reads() {
				s.t.Fatalf("%s: the program ended with %d; the screen is\n%s\n%s", what, s.code, screen, s.stderr.String())
			}
		default:
		}
	}
}

// reads waits a moment for what an ended program wrote last, which may not have
// been read yet.
func (s *terminal) reads() bool {
	select {
	case <-s.news:
		s.poke() // for who waits next
		return true
	case <-time.After(2 * time.Second):
		return false
	}
}

// shows waits until all of the texts are on the screen.
func (s *terminal) shows(texts ...string) string {
	s.t.Helper()
	return s.until(fmt.Sprintf("shows %q", texts), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// hides waits until none of the texts is on the screen.
func (s *terminal) hides(texts ...string) {
	s.t.Helper()
	s.until(fmt.Sprintf("hides %q", texts), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(screen, text) })
	})
}

// signal sends a signal to the program.
func (s *terminal) signal(signal syscall.Signal) { _ = syscall.Kill(s.job, signal) }

// press types.
func (s *terminal) press(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// Keys that are no letters.
const (
	enterKey  = "\r"
	escapeKey = "\x1b"
	goToKey   = "\x07" // ctrl+g
)

// goTo types a place into the go-to box and goes there.
func (s *terminal) goTo(thing string) {
	s.t.Helper()
	s.press(goToKey)
	s.shows("Go to anything")
	s.press(thing)
	s.until("reads "+thing, func(screen string) bool {
		line, _, _ := strings.Cut(after(screen, "│ > "), "\n")
		return strings.Contains(line, lastPart(thing))
	})
	s.press(enterKey)
	s.hides("Go to anything")
}

// lastPart returns the end of a text, which a narrow box shows.
func lastPart(s string) string { return s[max(0, len(s)-24):] }

// after gives what follows the first mark.
func after(s, mark string) string {
	_, rest, _ := strings.Cut(s, mark)
	return rest
}

// resize changes the window.
func (s *terminal) resize(width, height int) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.Resize(width, height)
	s.mu.Unlock()
	if err := pty.Setsize(s.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		s.t.Fatal(err)
	}
}

// ended waits for the end of the program and checks that the terminal is as it
// was.
func (s *terminal) ended(code int) {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatalf("the program did not end; the screen is\n%s", s.now())
	}
	if s.code != code {
		s.t.Errorf("exit code %d, want %d; stderr: %s", s.code, code, s.stderr.String())
	}
	s.until("leaves the alternate screen", func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !s.screen.IsAltScreen()
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	raw := s.raw.String()
	for _, mode := range []string{"25", "7"} {
		if strings.LastIndex(raw, "\x1b[?"+mode+"l") > strings.LastIndex(raw, "\x1b[?"+mode+"h") {
			s.t.Errorf("mode %s was left off", mode)
		}
	}
	for _, mode := range []string{"1049", "2004", "1000", "1002", "1003", "1006", "1004", "2026"} {
		if strings.LastIndex(raw, "\x1b[?"+mode+"h") > strings.LastIndex(raw, "\x1b[?"+mode+"l") {
			s.t.Errorf("mode %s was left on", mode)
		}
	}
	after, err := xterm.GetState(s.tty.Fd())
	if err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(s.before, after) {
		s.t.Errorf("the terminal's settings were %+v and are %+v", s.before, after)
	}
}

// quit ends the program by its key.
func (s *terminal) quit() {
	s.t.Helper()
	s.press("q")
	s.ended(0)
}

// server is a mock of its own process.
type server struct {
	t    testing.TB
	cmd  *exec.Cmd
	Addr string
}

// serve starts a mock server; an address of port 0 gets a free one.
func serve(t testing.TB, addr string, args ...string) *server {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"mock", "--addr", addr, "--seed", "1"}, args...)...)
	cmd.Env, cmd.Stderr = environ(t.TempDir()), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m := &server{t: t, cmd: cmd}
	t.Cleanup(m.kill)
	line := make([]byte, 0, 80)
	for one := make([]byte, 1); !bytes.HasSuffix(line, []byte("\n")); line = append(line, one[0]) {
		if _, err := io.ReadFull(out, one); err != nil {
			t.Fatalf("the mock said %q and ended", line)
		}
	}
	address, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "mock API listening on http://")
	if !ok {
		t.Fatalf("the mock said %q", line)
	}
	m.Addr = address
	return m
}

// kill ends the server without a word, as a crash does.
func (m *server) kill() {
	if m.cmd.ProcessState != nil {
		return
	}
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

// scenario switches the scenario.
func (m *server) scenario(name string) {
	m.t.Helper()
	request, err := http.NewRequest(http.MethodPut, "http://"+m.Addr+"/mock/v1/scenario", strings.NewReader(`{"scenario":"`+name+`"}`))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		m.t.Fatal(errors.New(answer.Status))
	}
}

package measure

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	quiet    = 40 * time.Millisecond  // silence that ends a frame
	patience = 400 * time.Millisecond // a key that brings nothing for so long was lost
	longest  = 20 * time.Second       // for a program to start
)

// setting is how a program is started in a terminal.
type setting struct {
	argv          []string
	dir           string
	env           []string
	stdin         string // a file to read from; empty for the terminal
	width, height int    // 120x40 when 0
	mute          bool   // the terminal answers no question
}

// session is a program in a terminal, seen from the terminal's side.
type session struct {
	b       *testing.B
	cmd     *exec.Cmd
	pty     *os.File
	started time.Time
	reads   chan read
	exited  chan struct{}
	mute    bool
	all     []byte // everything that was written so far
	setting setting
}

type read struct {
	at   time.Time
	text []byte
}

// frame is what a program wrote after something happened.
type frame struct {
	first, last time.Duration // from the event to the first and to the last byte
	bytes       int
}

func (f frame) drawn() bool { return f.bytes > 0 }

// start runs a program in a terminal of its own, with an empty home.
func start(b *testing.B, o setting) *session {
	b.Helper()
	if o.width == 0 {
		o.width, o.height = 120, 40
	}
	home := b.TempDir()
	s := &session{b: b, reads: make(chan read, 1<<14), exited: make(chan struct{}), mute: o.mute, setting: o}
	s.cmd = exec.Command(o.argv[0], o.argv[1:]...)
	s.cmd.Dir = o.dir
	s.cmd.Env = append([]string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC", "PATH=" + os.Getenv("PATH"),
		"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "LESSHISTFILE=-",
	}, o.env...)
	ptmx, tty, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer tty.Close()
	s.pty = ptmx
	if err := pty.Setsize(ptmx, &pty.Winsize{Cols: uint16(o.width), Rows: uint16(o.height)}); err != nil {
		b.Fatal(err)
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if o.stdin != "" {
		in, err := os.Open(o.stdin)
		if err != nil {
			b.Fatal(err)
		}
		defer in.Close()
		s.cmd.Stdin = in
	}
	s.started = time.Now()
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	go s.listen()
	go func() { _ = s.cmd.Wait(); close(s.exited) }()
	b.Cleanup(s.kill)
	return s
}

// answers of a usual terminal to what programs ask at their start.
var answers = []struct{ question, answer string }{
	{"\x1b]11;?", "\x1b]11;rgb:1616/1616/1e1e\x1b\\"},
	{"\x1b]10;?", "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"},
	{"\x1b[6n", "\x1b[1;1R"},
	{"\x1b[c", "\x1b[?62;22c"},
	{"\x1b[0c", "\x1b[?62;22c"},
	{"\x1b[>c", "\x1b[>1;10;0c"},
	{"\x1b[?u", "\x1b[?0u"},
	{"\x1b[?2026$p", "\x1b[?2026;2$y"},
}

func (s *session) listen() {
	defer close(s.reads)
	buf := make([]byte, 1<<16)
	for {
		n, err := s.pty.Read(buf)
		if n > 0 {
			r := read{time.Now(), bytes.Clone(buf[:n])}
			if !s.mute {
				for _, q := range answers {
					for range bytes.Count(r.text, []byte(q.question)) {
						_, _ = s.pty.WriteString(q.answer)
					}
				}
			}
			s.reads <- r
		}
		if err != nil {
			return
		}
	}
}

// until waits for a text, escape sequences left out, and gives the time from the
// start of the program to the read that completed it.
func (s *session) until(text string) time.Duration {
	s.b.Helper()
	limit := time.After(longest)
	for {
		select {
		case r, open := <-s.reads:
			if !open {
				s.b.Fatalf("%v ended before it showed %q; it wrote %q", s.setting.argv, text, clip(s.all))
			}
			s.all = append(s.all, r.text...)
			if strings.Contains(ansi.Strip(string(s.all)), text) {
				return r.at.Sub(s.started)
			}
		case <-limit:
			s.b.Fatalf("%v did not show %q; it wrote %q", s.setting.argv, text, clip(s.all))
		}
	}
}

func clip(b []byte) []byte { return b[max(0, len(b)-2000):] }

// settle reads until the program has been silent for a while.
func (s *session) settle(silence time.Duration) { s.collect(time.Now(), silence, silence) }

// collect gives what was written since an event: until nothing came for a while,
// or nothing at all for longer.
func (s *session) collect(since time.Time, silence, limit time.Duration) frame {
	var f frame
	for wait := limit; ; wait = silence {
		select {
		case r, open := <-s.reads:
			if !open {
				return f
			}
			s.all = append(s.all, r.text...)
			f.last = r.at.Sub(since)
			if f.bytes == 0 {
				f.first = f.last
			}
			f.bytes += len(r.text)
		case <-time.After(wait):
			return f
		}
	}
}

// watch reads what is written in a time.
func (s *session) watch(d time.Duration) {
	for end := time.After(d); ; {
		select {
		case r, open := <-s.reads:
			if !open {
				return
			}
			s.all = append(s.all, r.text...)
		case <-end:
			return
		}
	}
}

// press writes a key and gives the frame it caused. A pause of up to 17 ms before
// keeps the keys from falling in step with a frame clock.
func (s *session) press(key string) frame {
	time.Sleep(time.Duration(rand.Int64N(int64(17 * time.Millisecond))))
	s.settle(0)
	return s.write(key)
}

// write returns press at once.
func (s *session) write(keys string) frame {
	since := time.Now()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.b.Fatal(err)
	}
	return s.collect(since, quiet, patience)
}

// resize gives the frame that a new size caused.
func (s *session) resize(width, height int) frame {
	since := time.Now()
	if err := pty.Setsize(s.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		s.b.Fatal(err)
	}
	return s.collect(since, quiet, patience)
}

// screen gives what a terminal of the session's size shows after all that was
// written.
func (s *session) screen() string {
	e := vt.NewEmulator(s.setting.width, s.setting.height)
	defer e.Close()
	go func() {
		buf := make([]byte, 256)
		for {
			if _, err := e.Read(buf); err != nil {
				return
			}
		}
	}()
	_, _ = e.Write(s.all)
	return e.String()
}

// quit writes a key and gives the time to the end of the process; whether it left
// the alternate screen, and with code 0.
func (s *session) quit(key string) (time.Duration, bool) {
	since := time.Now()
	if _, err := s.pty.WriteString(key); err != nil {
		s.b.Fatal(err)
	}
	from := len(s.all)
	for {
		select {
		case r, open := <-s.reads:
			if open {
				s.all = append(s.all, r.text...)
				continue
			}
			<-s.exited
			took := time.Since(since)
			return took, s.cmd.ProcessState.Success() && bytes.Contains(s.all[from:], []byte("\x1b[?1049l"))
		case <-time.After(5 * time.Second):
			s.kill()
			return time.Since(since), false
		}
	}
}

func (s *session) kill() {
	select {
	case <-s.exited:
	default:
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
	_ = s.pty.Close()
}

// spent is what a process has used so far.
type spent struct {
	cpu      time.Duration
	switches int     // voluntary: how often it woke
	memory   float64 // resident, MiB
}

// spent adds up the threads of the program's process (Linux: /proc).
func (s *session) spent() spent { return spentBy(s.b, s.cmd.Process.Pid) }

func spentBy(b *testing.B, pid int) spent {
	b.Helper()
	var u spent
	root := filepath.Join("/proc", strconv.Itoa(pid))
	tasks, err := filepath.Glob(filepath.Join(root, "task", "*"))
	if err != nil || len(tasks) == 0 {
		b.Fatalf("process %d cannot be looked at: /proc is needed", pid)
	}
	for _, task := range tasks {
		if text, err := os.ReadFile(filepath.Join(task, "schedstat")); err == nil {
			ns, _ := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
			u.cpu += time.Duration(ns)
		}
		u.switches += int(field(task, "voluntary_ctxt_switches:"))
	}
	u.memory = field(root, "VmRSS:") / 1024
	return u
}

// field returns a number of a status file, in its unit.
func field(dir, name string) float64 {
	text, _ := os.ReadFile(filepath.Join(dir, "status"))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			v, _ := strconv.ParseFloat(f[1], 64)
			return v
		}
	}
	return 0
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func msText(v float64) string { return fmt.Sprintf("%.2f ms", v) }

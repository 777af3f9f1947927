//go:build browser

package browser

import (
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// person sits at the explorer in a terminal and answers what comes up.
type person struct {
	t      *testing.T
	cmd    *exec.Cmd
	screen *vt.SafeEmulator
	keys   chan string
	ended  chan error

	mu       sync.Mutex
	refused  int
	approved int
}

func (w *workshop) explorer(address string) *person {
	w.t.Helper()
	p := &person{t: w.t, screen: vt.NewSafeEmulator(120, 40), keys: make(chan string, 64), ended: make(chan error, 1)}
	p.cmd = exec.Command(w.binary, "--bridge="+address, "--mock-any-contract", "--state-dir", filepath.Join(w.t.TempDir(), "state"))
	p.cmd.Env = append(p.cmd.Environ(), "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(p.cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		w.t.Fatal(err)
	}
	go func() {
		buffer := make([]byte, 32<<10)
		for {
			n, err := terminal.Read(buffer)
			_, _ = p.screen.Write(buffer[:n])
			if err != nil {
				p.ended <- p.cmd.Wait()
				return
			}
		}
	}()
	go func() { // the emulator answers the queries of the program
		buffer := make([]byte, 1024)
		for {
			n, err := p.screen.Read(buffer)
			if err != nil {
				return
			}
			_, _ = terminal.Write(buffer[:n])
		}
	}()
	go func() {
		for k := range p.keys {
			_, _ = terminal.Write([]byte(k))
		}
	}()
	w.t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = terminal.Close()
		_ = p.screen.Close()
	})
	return p
}

// shown returns the screen as one text.
func (p *person) shown() string {
	var b strings.Builder
	for y := range 40 {
		for x := range 120 {
			if c := p.screen.CellAt(x, y); c != nil {
				b.WriteString(c.Content)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// answer presses keys for every dialog until stopped: the first connection
// and a message that says no are refused, a slow one is left, all else approved.
func (p *person) answer(stop <-chan struct{}) {
	answered := false
	for {
		select {
		case <-stop:
			return
		case <-time.After(20 * time.Millisecond):
		}
		shown := p.shown()
		armed := strings.Contains(shown, "ready for input")
		if !armed {
			answered = false
			continue
		}
		if answered || strings.Contains(shown, "a slow answer") {
			continue
		}
		answered = true
		p.mu.Lock()
		switch {
		case strings.Contains(shown, "Allow this origin?"):
			p.keys <- "a"
		case strings.Contains(shown, "getAddresses") && p.refused == 0, strings.Contains(shown, "please refuse this"):
			p.refused++
			p.keys <- "\x1b"
		default:
			p.approved++
			p.keys <- "a"
		}
		p.mu.Unlock()
	}
}

func withAPerson(w *workshop) {
	t := w.t
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	p := w.explorer(address)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("no bridge: %v\n%s", err, p.shown())
		}
	}
	stop := make(chan struct{})
	var answering sync.WaitGroup
	answering.Go(func() { p.answer(stop) })
	w.play("script", "http://"+address, func() {
		p.keys <- "\x03"
		select {
		case <-p.ended:
		case <-time.After(10 * time.Second):
			t.Errorf("the explorer goes on:\n%s", p.shown())
		}
	})
	close(stop)
	answering.Wait()
	if p.refused < 2 || p.approved < 14 {
		t.Errorf("%d refused and %d approved by hand", p.refused, p.approved)
	}
}

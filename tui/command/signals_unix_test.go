//go:build unix

package command

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// patience is the time that a process may take to end; a second is promised, and a
// test machine may be busy.
const patience = 10 * time.Second

// derivation is the time that the key of a keystore may take, with the race detector on a
// machine that does other things too.
const derivation = time.Minute

// process makes a process of the program, with a state folder of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "CHAINSCOPE_STATE_DIR="+t.TempDir(), "GOCOVERDIR="+t.TempDir())
	return cmd
}

// ended waits for the end of a process and returns its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	return endedWithin(t, patience, cmd)
}

func endedWithin(t *testing.T, within time.Duration, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); _ = cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(within):
		_ = cmd.Process.Kill()
		<-done
		t.Errorf("%v does not end", cmd.Args[1:])
	}
	return cmd.ProcessState.ExitCode()
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(derivation); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// Whatever a command reads, it stops reading at a signal.
func TestEveryReadEndsAtASignal(t *testing.T) {
	const message = "stx_signMessage"
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"wallet", "decode", "-"},
		{"wallet", "decode", "@/dev/stdin"},
		{"wallet", "request", message, "-", "--approve", "always"},
		{"wallet", "request", message, "@/dev/stdin", "--approve", "always"},
		{"wallet", "addresses", "--mnemonic-file", "/dev/stdin"},
		{"wallet", "addresses", "--passphrase-file", "/dev/stdin"},
		{"wallet", "addresses", "--keystore", kept, "--keystore-passphrase-file", "/dev/stdin"},
		{"wallet", "keystore", "create", "--keystore", "k", "--keystore-passphrase-file", "/dev/stdin"},
		{"bridge", "--addr", "127.0.0.1:0", "--script", "/dev/stdin"},
		{"blocks", "--config", "/dev/stdin"},
	}
	for _, args := range commands {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(strings.Join(args, " ")+" "+s.String(), func(t *testing.T) {
				t.Parallel()
				read, write, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer read.Close()
				defer write.Close()
				cmd := process(t, args...)
				cmd.Stdin = read
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				// The byte is gone when somebody reads, and waits for more.
				if _, err := write.WriteString(" "); err != nil {
					t.Fatal(err)
				}
				eventually(t, "it reads", func() bool {
					n, err := unix.Poll([]unix.PollFd{{Fd: int32(read.Fd()), Events: unix.POLLIN}}, 0)
					return err == nil && n == 0
				})
				_ = cmd.Process.Signal(s)
				if code := ended(t, cmd); code != 130 || !strings.Contains(stderr.String(), "canceled") {
					t.Errorf("exit code %d, stderr %q", code, &stderr)
				}
			})
		}
	}
}

// A pipe in the place of a file is waited for before it is read: opening it
// takes until somebody writes to it.
func TestWaitingForAPipeEndsAtASignal(t *testing.T) {
	for _, flag := range []string{"--mnemonic-file", "--config", "--keystore"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			fifo := filepath.Join(t.TempDir(), "fifo")
			if err := unix.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			secret := filepath.Join(t.TempDir(), "secret")
			if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := process(t, "wallet", "addresses", flag, fifo)
			if flag == "--keystore" {
				cmd.Args = append(cmd.Args, "--keystore-passphrase-file", secret)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// There is a reader when the other end can be opened. It is kept open:
			// the reader gets nothing and no end.
			var write *os.File
			eventually(t, "it opens the pipe", func() bool {
				var err error
				write, err = os.OpenFile(fifo, os.O_WRONLY|unix.O_NONBLOCK, 0)
				return err == nil
			})
			defer write.Close()
			_ = cmd.Process.Signal(syscall.SIGTERM)
			if code := ended(t, cmd); code != 130 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// asked is a process that requests something secret on a terminal.
type asked struct {
	*testing.T
	cmd         *exec.Cmd
	master, tty *os.File
	before      *xterm.State
	screen      safeBuffer
}

func startAsking(t *testing.T, args ...string) *asked {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tty.Close(); _ = master.Close() })
	a := &asked{T: t, master: master, tty: tty}
	if a.before, err = xterm.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			_, _ = a.screen.Write(buffer[:n])
			if err != nil {
				return
			}
		}
	}()
	a.cmd = process(t, args...)
	a.cmd.Stdin, a.cmd.Stdout, a.cmd.Stderr = tty, tty, tty
	a.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return a
}

// hides waits for a question, and for what is typed to be hidden.
func (a *asked) hides(question string, times int) {
	a.Helper()
	eventually(a.T, "it asks "+question, func() bool { return strings.Count(a.screen.String(), question) == times })
	eventually(a.T, "it hides what is typed", func() bool { return !a.restored() })
}

func (a *asked) restored() bool {
	now, err := xterm.GetState(a.tty.Fd())
	return err == nil && reflect.DeepEqual(now, a.before)
}

func (a *asked) types(text string) {
	a.Helper()
	if _, err := a.master.WriteString(text); err != nil {
		a.Fatal(err)
	}
}

func TestEverySecretPromptEndsWithTheTerminalAsItWas(t *testing.T) {
	keystore, kept := filepath.Join(t.TempDir(), "k"), filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	prompts := map[string][]string{
		"new passphrase: ":             {"wallet", "keystore", "create", "--keystore", keystore},
		"mnemonic: ":                   {"wallet", "keystore", "import", "--keystore", keystore},
		"passphrase of the keystore: ": {"wallet", "addresses", "--keystore", kept},
	}
	send := func(s syscall.Signal) func(*asked) {
		return func(a *asked) { _ = a.cmd.Process.Signal(s) }
	}
	ends := map[string]func(*asked){
		"ctrl+c": func(a *asked) { a.types("\x03") },
		"INT":    send(syscall.SIGINT),
		"TERM":   send(syscall.SIGTERM),
		"HUP":    send(syscall.SIGHUP),
	}
	for question, args := range prompts {
		for name, end := range ends {
			t.Run(question+name, func(t *testing.T) {
				t.Parallel()
				a := startAsking(t, args...)
				a.hides(question, 1)
				a.types("abc")
				end(a)
				if code := ended(t, a.cmd); code != 130 {
					t.Errorf("exit code %d: %s", code, a.screen.String())
				}
				if !a.restored() {
					t.Error("the terminal is not as it was")
				}
				if strings.Contains(a.screen.String(), "abc") {
					t.Error("what was typed is shown")
				}
			})
		}
	}
}

// Where nothing can stop the program, ctrl+z asks again at once.
func TestASecretPromptReturnsAfterCtrlZ(t *testing.T) {
	keystore := filepath.Join(t.TempDir(), "k")
	a := startAsking(t, "wallet", "keystore", "create", "--keystore", keystore)
	a.hides("new passphrase: ", 1)
	a.types("wrong\x1a")
	a.hides("new passphrase: ", 2)
	// A line that is typed ahead answers the next question.
	a.types("abX\x7fc\r" + "abc\n")
	eventually(t, "it asks for the passphrase again", func() bool { return strings.Contains(a.screen.String(), "Repeat passphrase: ") })
	if code := endedWithin(t, derivation, a.cmd); code != 0 {
		t.Errorf("exit code %d: %s", code, a.screen.String())
	}
	if !a.restored() {
		t.Error("the terminal is not as it was")
	}
}

// One reader takes what is typed for all questions of a command, secret or not.
func TestEveryQuestionOfACommandGetsItsAnswer(t *testing.T) {
	words := "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
	signs := []string{"wallet", "request", "stx_signMessage", `{"message":"hi"}`, "--keystore", "KEYSTORE"}
	passphrase := [2]string{"passphrase of the keystore: ", "secret\r"}
	type answers [][2]string // questions, and what is typed
	tests := []struct {
		name    string
		args    []string
		answers answers
		code    int
	}{
		{"request, approved", signs, answers{passphrase, {"approve? [a/N] ", "a\n"}}, 0},
		{"request, refused", signs, answers{passphrase, {"approve? [a/N] ", "\n"}}, 7},
		{"request, ctrl+c at the passphrase", signs, answers{{passphrase[0], "\x03"}}, 130},
		{"request, ctrl+c at the approval", signs, answers{passphrase, {"approve? [a/N] ", "\x03"}}, 130},
		{"request, ctrl+d at the approval", signs, answers{passphrase, {"approve? [a/N] ", "\x04"}}, 7},
		{"request, edited twice", []string{"wallet", "request", "stx_transferStx", rentParams, "--keystore", "KEYSTORE"}, answers{
			passphrase, {"approve? [a/N] ", "fee 4000\n"}, {"4,000 micro-STX, edited", "nonce 7\n"}, {"7 (edited)", "a\n"},
		}, 0},
		{"request, params typed", []string{"wallet", "request", "stx_signMessage", "-"}, answers{{"", "{\"message\":\"hi\"}\n\x04"}, {"approve? [a/N] ", "a\n"}}, 0},
		{"request, all typed ahead", signs, answers{{passphrase[0], "secret\ra\n"}}, 0},
		{"create", []string{"wallet", "keystore", "create", "--keystore", "NEW"}, answers{{"new passphrase: ", "abc\r"}, {"Repeat passphrase: ", "abc\r"}}, 0},
		{"import", []string{"wallet", "keystore", "import", "--keystore", "NEW"}, answers{{"mnemonic: ", words + "\r"}, {"new passphrase: ", "abc\r"}, {"Repeat passphrase: ", "abc\r"}}, 0},
		{"passphrase", []string{"wallet", "keystore", "passphrase", "--keystore", "KEYSTORE"}, answers{passphrase, {"new passphrase: ", "abc\r"}, {"Repeat passphrase: ", "abc\r"}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"NEW": filepath.Join(t.TempDir(), "new"), "KEYSTORE": "KEYSTORE"}
			if slices.Contains(tt.args, "KEYSTORE") {
				files["KEYSTORE"] = newKeystore(t)
			}
			args := slices.Clone(tt.args)
			for i, arg := range args {
				args[i] = cmp.Or(files[arg], arg)
			}
			a := startAsking(t, args...)
			for _, answer := range tt.answers {
				eventually(t, "it asks "+answer[0], func() bool { return strings.Contains(a.screen.String(), answer[0]) })
				if strings.HasSuffix(answer[1], "\r") {
					eventually(t, "it hides what is typed", func() bool { return !a.restored() })
				}
				a.types(answer[1])
			}
			if code := endedWithin(t, derivation, a.cmd); code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, a.screen.String())
			}
			if !a.restored() {
				t.Error("the terminal is not as it was")
			}
		})
	}
}

// fullPipe returns the end of a pipe that takes nothing more.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	unix.CloseOnExec(ends[0]) // the child must not read it
	unix.CloseOnExec(ends[1])
	if err := unix.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	for size := 4096; size > 0; {
		if _, err := unix.Write(ends[1], make([]byte, size)); err != nil {
			size /= 2
		}
	}
	if err := unix.SetNonblock(ends[1], false); err != nil {
		t.Fatal(err)
	}
	read, write := os.NewFile(uintptr(ends[0]), "read"), os.NewFile(uintptr(ends[1]), "write")
	t.Cleanup(func() { read.Close(); write.Close() })
	return write
}

func TestASignalEndsACommandWhoseOutputNobodyReads(t *testing.T) {
	mock := serveMock(t)
	commands := [][]string{
		{"mock", "--addr", "127.0.0.1:0"},
		{"bridge", "--addr", "127.0.0.1:0", "--approve", "always"},
		{"blocks", "--api", mock.address, "--follow"},
		{"blocks", "--api", mock.address, "--follow", "-o", "ndjson"},
	}
	type running struct {
		*exec.Cmd
		signal syscall.Signal
	}
	var all []running // beside each other: each waits for seconds
	for _, args := range commands {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			cmd := process(t, args...)
			full := fullPipe(t)
			cmd.Stdout, cmd.Stderr = full, full
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			all = append(all, running{cmd, s})
		}
	}
	time.Sleep(2 * time.Second) // they write, and wait
	for _, r := range all {
		_ = r.Process.Signal(r.signal)
	}
	for _, r := range all {
		ended(t, r.Cmd)
	}
}

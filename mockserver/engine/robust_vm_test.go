//go:build clarity

package engine_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/wallet/clarity"
)

// noted returns the command of the real program, which writes down its process id.
func noted(file string) []string {
	return []string{"sh", "-c", `echo $$ >"$0"; exec node chainscope-clarity/chainscope-clarity.js`, file}
}

// pid reads a process id that was written down.
func pid(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// gone waits until a process is not there any more.
func gone(t *testing.T, id int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(id, 0) != nil {
			return
		}
	}
	t.Errorf("process %d still runs", id)
}

// endless returns a contract with a function that never ends, and one that adds.
func endless() string {
	source := "(define-data-var total uint u0) (define-public (add (n uint)) (begin (var-set total (+ (var-get total) n)) (ok (var-get total))))" +
		"(define-private (f0 (a uint) (b uint)) (+ a b))"
	for i := range 9 {
		source += fmt.Sprintf("(define-private (f%d (a uint) (b uint)) (fold f%d (list u0 u1 u2 u3 u4 u5 u6 u7 u8 u9) b))", i+1, i)
	}
	return source + "(define-public (run) (ok (f9 u0 u0)))"
}

// A call that never ends is aborted and nothing else is lost; the process that ran it is gone, and
// one that somebody killed is started again.
func TestTheVirtualMachineHangsOrIsKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	s := newStage(t, engine.Options{Command: noted(file), CallTime: 6 * time.Second})
	does, p := s.deploy(nil, 10, endless())
	s.want(does.Error, "")
	_, p = s.call(p, 11, "add", clarity.NewUInt(5))
	first := pid(t, file)
	does, after := s.call(p, 12, "run")
	if after != p || does.Error != "mock: the Clarity engine gave no answer to call within 6s" {
		t.Errorf("it says %q", does.Error)
	}
	gone(t, first)
	does, p = s.call(p, 13, "add", clarity.NewUInt(2))
	s.want(clarity.Repr(does.Result), "(ok u7)")
	second := pid(t, file)
	if err := syscall.Kill(second, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	gone(t, second)
	does, _ = s.call(p, 14, "add", clarity.NewUInt(1))
	s.want(clarity.Repr(does.Result), "(ok u8)")
	if len(s.reported) != 2 {
		t.Errorf("it reported %q", s.reported)
	}
}

// Nothing runs any more when who started it was killed, even while a contract runs.
func TestTheVirtualMachineEndsWithWhoStartedIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	if keep := os.Getenv("CHAINSCOPE_TEST_KEEP"); keep != "" {
		s := newStage(t, engine.Options{Command: noted(keep)})
		_, p := s.deploy(nil, 10, endless())
		fmt.Println("it runs")
		s.call(p, 11, "run")
		return
	}
	mock := exec.Command(os.Args[0], "-test.run", t.Name())
	mock.Env = append(os.Environ(), "CHAINSCOPE_TEST_KEEP="+file)
	out, err := mock.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscanln(out, new(string), new(string)); err != nil {
		t.Error(err)
	}
	time.Sleep(500 * time.Millisecond) // the call is on its way
	id := pid(t, file)
	if err := syscall.Kill(id, 0); err != nil {
		t.Errorf("it does not run: %v", err)
	}
	_ = mock.Process.Kill()
	_ = mock.Wait()
	gone(t, id)
}

//go:build unix

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	xterm "github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// Shell runs a job in the foreground and returns its exit code, for tests of programs that
// a shell stops and continues. It must be the leader of a session, with the terminal on its
// standard streams. It prints "[job PID]"
// at its start, and "[stopped]" whenever it stops. Then it reads lines: one that ends
// in fg continues the job in the foreground, bg in the background, where a job that
// wants the terminal stops again.
func Shell(job *exec.Cmd) (int, error) {
	signal.Ignore(syscall.SIGTTOU)
	cooked, err := xterm.GetState(0)
	if err != nil {
		return 0, err
	}
	job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true}
	if err := job.Start(); err != nil {
		return 0, err
	}
	fmt.Printf("[job %d]", job.Process.Pid)
	for lines := bufio.NewReader(os.Stdin); ; {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(job.Process.Pid, &status, syscall.WUNTRACED, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return 0, err
		}
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, syscall.Getpgrp()); err != nil {
			return 0, err
		}
		if !status.Stopped() {
			return status.ExitStatus(), nil
		}
		fmt.Print("\x18[stopped]") // CAN ends what the job has written of a sequence
		foreground, err := command(lines)
		if err != nil {
			return 0, err
		}
		if foreground {
			// A shell gives the terminal back as it likes it.
			_ = xterm.Restore(0, cooked)
			if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, job.Process.Pid); err != nil {
				return 0, err
			}
		}
		_ = syscall.Kill(-job.Process.Pid, syscall.SIGCONT)
	}
}

// command reads lines up to fg or bg.
func command(lines *bufio.Reader) (foreground bool, err error) {
	for {
		line, err := lines.ReadString('\n')
		switch line = strings.TrimSpace(line); {
		case strings.HasSuffix(line, "fg"):
			return true, nil
		case strings.HasSuffix(line, "bg"):
			return false, nil
		case err != nil && !errors.Is(err, io.EOF): // ctrl+d ends no shell here
			return false, err
		}
	}
}

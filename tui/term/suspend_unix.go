//go:build unix

package term

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	xterm "github.com/charmbracelet/x/term"
)

// stopTime bounds how long a stop takes. Where the program has no shell with
// job control (it is the command of a terminal window, a container or ssh), the
// system ignores the signal and nothing would ever continue the program.
const stopTime = 100 * time.Millisecond

// jobSignals are the signals of job control that come from outside.
var jobSignals = []os.Signal{syscall.SIGTSTP, syscall.SIGCONT}

// stop is stopGroup for a program that watches for SIGCONT.
func (r *runner) stop() bool {
	r.continues.Store(true)
	stopped := stopGroup()
	if !stopped {
		r.continues.Store(false)
	}
	return stopped
}

// stopGroup stops the program and all of its process group, as a shell expects
// it, and returns when it was continued. It reports whether it was stopped at all.
//
// SIGTTIN does it, which the system ignores in the same cases as SIGTSTP: a Go
// program that has once caught SIGTSTP, as this one must, cannot get the default
// action back.
func stopGroup() bool {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	before := time.Now()
	if err := syscall.Kill(0, syscall.SIGTTIN); err == nil {
		timer := time.NewTimer(stopTime)
		defer timer.Stop()
		select {
		case <-continued:
			return true
		case <-timer.C:
		}
		if time.Since(before) < 2*stopTime {
			return false
		}
		// The program was stopped for a while: the signal is about to come.
		timer.Reset(stopTime)
		select {
		case <-continued:
			return true
		case <-timer.C:
		}
	}
	return false
}

// job returns the message for a signal of job control, nil for none.
func (r *runner) job(s os.Signal) any {
	switch s {
	case syscall.SIGTSTP:
		return SuspendRequest{}
	case syscall.SIGCONT:
		if !r.continues.Swap(false) {
			return continuedMsg{}
		}
	}
	return nil
}

// raw sets the terminal's raw mode.
func (r *runner) raw() error {
	_, err := xterm.MakeRaw(r.opts.Input.Fd())
	return err
}

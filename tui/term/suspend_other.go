//go:build !unix

package term

import "os"

// jobSignals are the signals of job control: there is none.
var jobSignals []os.Signal

// stop does nothing: a program cannot stop itself here.
func (r *runner) stop() bool { return false }

// job returns the message for a signal of job control: there is none.
func (r *runner) job(os.Signal) any { return nil }

// raw does nothing: the terminal's mode was not changed.
func (r *runner) raw() error { return nil }

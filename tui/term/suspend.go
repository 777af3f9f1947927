package term

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"
	xterm "github.com/charmbracelet/x/term"
)

// SuspendRequest is the message of [Suspend].
type SuspendRequest struct{}

// Suspend stops the program as ctrl+z does. When it continues, tea.ResumeMsg comes.
// Where nothing can stop it, because no shell with job control waits for it,
// [NotSuspendedMsg] comes before that, and the screen is drawn again at once.
func Suspend() tea.Msg { return SuspendRequest{} }

// NotSuspendedMsg says that the program cannot be suspended here.
type NotSuspendedMsg struct{}

// EndOfInputMsg says that the terminal ended its input, as it does for ctrl+d when
// another program has changed its mode. It is in our mode again.
type EndOfInputMsg struct{}

// continuedMsg says that the program was stopped and continued from outside; the
// terminal may have been changed meanwhile.
type continuedMsg struct{}

// suspend gives the terminal back, stops, and takes it again. The framework
// could not: it waits for ever for a continuation where nothing stops it.
func (r *root) suspend() tea.Cmd {
	defer r.run.keyboard.pause()()
	stopped := false
	err := r.screen.release(func() error {
		if r.run.cooked != nil {
			if err := xterm.Restore(r.run.opts.Input.Fd(), r.run.cooked); err != nil {
				return err
			}
		}
		stopped = r.run.stop()
		return r.run.raw()
	}, r.modes())
	if err != nil {
		r.run.ended(err)
		return nil
	}
	if !stopped {
		return tea.Batch(r.deliver(NotSuspendedMsg{}), r.deliver(tea.ResumeMsg{}))
	}
	return tea.Batch(r.measure(0), r.deliver(tea.ResumeMsg{}))
}

// resume takes the terminal again after another program may have changed it. Nothing
// is written before it is raw: ctrl+s may have stopped its output, for ever.
func (r *root) resume() tea.Cmd {
	err := r.run.raw()
	if err == nil {
		err = r.screen.release(func() error { return nil }, r.modes())
	}
	if err != nil {
		r.run.ended(err)
		return nil
	}
	return tea.Batch(r.measure(0), r.deliver(tea.ResumeMsg{}))
}

// modes returns the sequences that put the terminal into the modes in use.
func (r *root) modes() string {
	modes := "\x1b[?1049h\x1b[2J\x1b[H\x1b[?25l\x1b[?2004h"
	if r.mouse {
		modes += "\x1b[?1002h\x1b[?1006h"
	}
	return modes
}

// release leaves all modes of the terminal, calls during, enters the modes again
// and draws the whole screen. Nothing else is written meanwhile.
func (s *screen) release(during func() error, modes string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := io.WriteString(s.out, restoreAll); err != nil {
		return err
	}
	if err := during(); err != nil {
		return err
	}
	if _, err := io.WriteString(s.out, modes); err != nil {
		return err
	}
	s.painter.reset()
	s.redraw()
	return nil
}

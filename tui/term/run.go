// Package term is the terminal layer: the only package that writes to the
// terminal. It runs a bubbletea model and mends the faults of bubbletea v1.
//
//   - Frames are drawn at once, by a cell screen of its own, with synchronized
//     output; bubbletea's renderer stays as the manager of modes and raw input,
//     and its frames are dropped.
//   - No terminal query at import (package noquery).
//   - Keys that arrive in one read are delivered one by one, and are marked as
//     such by [BurstMsg].
//   - Escape sequences that are split between reads are joined, however long the
//     burst of input is; a paste without an end ends by itself.
//   - The terminal is restored on every way out: quit, SIGINT, SIGTERM, SIGHUP,
//     a panic in Update, View or a command.
//
// A model requests what only the terminal layer can do by commands: [Copy],
// [Open], [Suspend], [Mouse]. The mode commands of bubbletea, tea.Println
// and its cursor commands must not be used.
//
// It must not import anything else of the project but package noquery.
package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/lipgloss"
	xterm "github.com/charmbracelet/x/term"

	_ "chainscope/tui/term/noquery" // before bubbletea
)

var (
	// ErrNoTerminal says that input or output is not a terminal.
	ErrNoTerminal = errors.New("not a terminal")
	// ErrDumbTerminal says that the terminal cannot move its cursor (TERM=dumb).
	ErrDumbTerminal = errors.New("the terminal cannot show a full screen (TERM=dumb)")
	// ErrInterrupted says that the program was ended by SIGINT from outside.
	// Ctrl+C on the keyboard is a key for the model.
	ErrInterrupted = errors.New("interrupted")
)

// PanicError holds what [Run] returns after a panic in the model or a command. The
// stack was printed to standard error when it is returned.
type PanicError struct {
	// Value holds what the panic was called with.
	Value any
	// Stack is the stack of the goroutine.
	Stack []byte
}

// Error names the value, not the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Options of [Run]. The zero value is right for a program on the standard
// streams.
type Options struct {
	// Input and Output are the terminal, by default the standard streams.
	Input, Output *os.File
	// Stderr gets the stack of a panic, by default standard error.
	Stderr io.Writer
	// Environ is the environment as os.Environ gives it, the default.
	Environ []string
	// NoColor leaves out all colors, whatever the environment says. Bold,
	// underline and reverse stay.
	NoColor bool
	// Mouse switches mouse reports on from the start.
	Mouse bool
	// Guard, if not nil, ends the program when one of its goroutines panics.
	Guard *Guard
	// Log gets what the standard logger writes while the program runs, such as
	// the complaints of net/http; by default they are dropped. They must never
	// reach the terminal: the painter would not know what is there.
	Log io.Writer
	// SetClipboard puts text into the system's clipboard; by default by the
	// native tool, if there is one.
	SetClipboard func(text string) error
	// OpenURL opens an address in a browser; by default in the desktop's.
	OpenURL func(url string) error

	// grace is the time that a signal waits for an orderly end before the terminal
	// is restored by force.
	grace time.Duration
	// exit ends the process by force.
	exit func(code int)
}

// runner is one run of a program.
type runner struct {
	opts    Options
	caps    Capabilities
	screen  *screen
	program *tea.Program
	// decoded: replies of the terminal do not reach the model as keys.
	decoded bool
	// cooked is the terminal's state before, nil when it is not known.
	cooked    *xterm.State
	keyboard  *keyboard
	continues atomic.Bool // a SIGCONT that answers a stop of our own will come

	mu     sync.Mutex
	crash  *PanicError
	signal os.Signal // the first that ended the program
	lost   error     // why the terminal can no longer be used
}

// Run runs the model on the terminal until it quits, a signal ends it or ctx is
// done, and restores the terminal. SIGTERM and SIGHUP are orderly ends without
// an error, SIGINT is [ErrInterrupted], the end of ctx its error, a panic a
// [*PanicError].
func Run(ctx context.Context, model tea.Model, opts Options) error {
	opts.fill()
	if !xterm.IsTerminal(opts.Input.Fd()) || !xterm.IsTerminal(opts.Output.Fd()) {
		return ErrNoTerminal
	}
	caps := Detect(opts.Environ, opts.NoColor)
	if caps.Dumb {
		return ErrDumbTerminal
	}
	lipgloss.SetColorProfile(lipglossProfile(caps.Colors))

	r := &runner{opts: opts, caps: caps}
	pens := newPens(caps.Colors < colorprofile.ANSI)
	r.screen = newScreen(opts.Output, opts.Output, newPainter(true, pens))
	r.screen.fail, r.screen.lost = r.panicked, r.ended
	keys, keyboard, err := newInput(opts.Input, func(msg tea.Msg) { r.program.Send(msg) })
	if err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	r.keyboard = keyboard
	_, r.decoded = keys.(*input)

	top := &root{model: model, screen: r.screen, run: r, mouse: opts.Mouse}
	program := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithAltScreen(), tea.WithFPS(1), tea.WithoutSignalHandler(),
		tea.WithInput(keys), tea.WithOutput(r.screen), tea.WithEnvironment(opts.Environ),
	}
	if opts.Mouse {
		program = append(program, tea.WithMouseCellMotion())
	}
	r.program = tea.NewProgram(top, program...)
	r.screen.send = r.program.Send
	r.screen.then = r.requestBackground

	r.cooked, _ = xterm.GetState(opts.Input.Fd())
	stopSignals := r.watchSignals()
	unguard := opts.Guard.protect(r.panicked)
	logged := log.Writer()
	log.SetOutput(opts.Log)
	r.screen.start()
	_, err = r.program.Run()
	r.program.Kill() // whatever still sends gives up
	r.keyboard.stop()
	r.screen.stop()
	if top.titled {
		_ = r.screen.control(restoreTitle)
	}
	log.SetOutput(logged)
	unguard()
	stopSignals()
	return r.result(ctx, err)
}

func (o *Options) fill() {
	if o.Input == nil {
		o.Input = os.Stdin
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.SetClipboard == nil {
		o.SetClipboard = setNativeClipboard
	}
	if o.OpenURL == nil {
		o.OpenURL = openInBrowser
	}
	if o.grace == 0 {
		o.grace = 1500 * time.Millisecond
	}
	if o.exit == nil {
		o.exit = os.Exit
	}
}

// result returns how the program ended, and prints a panic now that the terminal
// is restored.
func (r *runner) result(ctx context.Context, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.crash != nil:
		fmt.Fprintf(r.opts.Stderr, "panic: %v\n\n%s\n", r.crash.Value, r.crash.Stack)
		return r.crash
	case r.signal == os.Interrupt:
		return ErrInterrupted
	case r.signal != nil: // the terminal that goes sends one too
		return nil
	case r.lost != nil:
		return r.lost
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	for _, lost := range []error{errGone, errEndOfInput} {
		if errors.Is(err, lost) {
			return fmt.Errorf("terminal: %w", lost)
		}
	}
	return err
}

// panicked records the first panic and ends the program.
func (r *runner) panicked(value any, stack []byte) {
	r.mu.Lock()
	if r.crash == nil {
		r.crash = &PanicError{Value: value, Stack: stack}
	}
	r.mu.Unlock()
	r.program.Kill()
}

func (r *runner) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.crash != nil
}

// ended records why the program cannot continue and ends it.
func (r *runner) ended(err error) {
	r.mu.Lock()
	if r.lost == nil {
		r.lost = fmt.Errorf("terminal: %w", err)
	}
	r.mu.Unlock()
	r.program.Kill()
}

// background returns what is known of the background without a query.
func (r *runner) background() (dark, known bool) {
	return r.caps.Background == Dark, r.caps.Background != Auto
}

// requestBackground queries the terminal for its background color when it is not
// known. It is called after the first frame, which therefore waits for nothing;
// the answer, if one comes, is taken out of the input.
func (r *runner) requestBackground() {
	if r.caps.Background == Auto && r.caps.canQuery && r.decoded {
		// An error shows at the next frame.
		_ = r.screen.control("\x1b]11;?\x1b\\")
	}
}

// watchSignals ends the program at SIGINT, SIGTERM and SIGHUP. If it does not
// end within the grace (a model that blocks, a terminal that takes nothing), the
// terminal is restored by force.
func (r *runner) watchSignals() (stop func()) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, append([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, jobSignals...)...)
	done := make(chan struct{})
	var idle sync.WaitGroup
	idle.Go(func() {
		defer r.opts.Guard.Recover()
		var force <-chan time.Time
		for {
			select {
			case <-done:
				return
			case <-force:
				r.force()
			case s := <-signals:
				if slices.Contains(jobSignals, s) {
					if msg := r.job(s); msg != nil {
						r.opts.Guard.Go(func() { r.program.Send(msg) })
					}
					continue
				}
				r.mu.Lock()
				if r.signal == nil {
					r.signal = s
				}
				r.mu.Unlock()
				r.opts.Guard.Go(r.program.Quit)
				if force == nil {
					timer := time.NewTimer(r.opts.grace)
					defer timer.Stop()
					force = timer.C
				}
			}
		}
	})
	return func() {
		signal.Stop(signals)
		close(done)
		idle.Wait()
	}
}

// restoreAll leaves every mode that this package or the framework may have set.
const restoreAll = "\x1b[m\x1b[r\x1b[?2026l\x1b[?7h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1049l\x1b[?25h"

// lastWords is the time that each of the last writes may take before the process ends
// without it.
const lastWords = 250 * time.Millisecond

// force restores the terminal without the event loop and ends the process. A
// terminal or a pipe that takes nothing does not hold it up.
func (r *runner) force() {
	_ = within(lastWords, func() error {
		r.screen.writing.Lock()
		_, err := io.WriteString(r.opts.Output, restoreAll)
		return err
	})
	if r.cooked != nil {
		_ = xterm.Restore(r.opts.Input.Fd(), r.cooked)
	}
	_ = within(lastWords, func() error {
		_, err := fmt.Fprintln(r.opts.Stderr, "ended by a signal while busy")
		return err
	})
	r.opts.exit(1)
}

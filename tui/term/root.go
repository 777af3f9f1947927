package term

import (
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	xterm "github.com/charmbracelet/x/term"
)

// root wraps the program's model. It hands frames to the screen instead of the
// framework, marks keys that came together, carries out the requests of this
// package, and turns a panic in the model or a command into an orderly end.
type root struct {
	titled bool // the title of the window is another
	model  tea.Model
	screen *screen
	run    *runner

	width, height int
	early         bool // the size was known before the framework sent it
	changed       bool // since the last frame
	mouse         bool
	together      bool // the keys that follow came in one read with others
}

// Init starts the model and sends it the size at once, so that the first frame is
// drawn before the first commands run. The framework would send it later, when
// those commands already occupy the processors.
func (r *root) Init() (cmd tea.Cmd) {
	defer func() {
		if p := recover(); p != nil {
			r.run.panicked(p, debug.Stack())
		}
	}()
	cmd = r.guard(r.model.Init())
	if width, height, err := xterm.GetSize(r.screen.Fd()); err == nil {
		r.early = true
		cmd = tea.Batch(r.resize(tea.WindowSizeMsg{Width: width, Height: height}), cmd, r.measure(100*time.Millisecond), r.measure(time.Second))
	}
	return cmd
}

// measure reads the size again after a time. The framework listens for resizes
// only after the first frame, so an earlier one would be lost.
func (r *root) measure(after time.Duration) tea.Cmd {
	return tea.Tick(after, func(time.Time) tea.Msg {
		width, height, err := xterm.GetSize(r.screen.Fd())
		if err != nil {
			return nil
		}
		return measuredMsg{width, height}
	})
}

// measuredMsg is the size of the window, which may be known already.
type measuredMsg struct{ width, height int }

// View hands the model's frame to the screen when one is due. The framework
// only ever gets the marker.
func (r *root) View() string {
	defer func() {
		if p := recover(); p != nil {
			r.run.panicked(p, debug.Stack())
		}
	}()
	if r.width > 0 && r.changed && !r.run.failed() && r.screen.due() {
		r.changed = false
		r.screen.submit(r.model.View(), r.width, r.height)
	}
	return marker
}

// Update passes messages on to the model.
func (r *root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if r.run.failed() {
		return r, nil
	}
	switch msg := msg.(type) {
	case flushMsg:
		r.screen.flushed()
		return r, nil
	case tea.WindowSizeMsg:
		msg.Width, msg.Height = min(msg.Width, maxColumns), min(msg.Height, maxRows)
		return r, r.resize(msg)
	case measuredMsg:
		msg.width, msg.height = min(msg.width, maxColumns), min(msg.height, maxRows)
		if msg.width == r.width && msg.height == r.height || msg.width <= 0 || msg.height <= 0 {
			return r, nil
		}
		return r, r.resize(tea.WindowSizeMsg{Width: msg.width, Height: msg.height})
	case togetherMsg:
		r.together = bool(msg)
		return r, nil
	case tea.KeyMsg:
		return r, r.key(msg)
	case BackgroundMsg:
		lipgloss.SetHasDarkBackground(msg.Dark)
		return r, r.deliver(msg)
	case MouseRequest:
		r.mouse = msg.On
		return r, r.setMouse()
	case SuspendRequest:
		return r, r.suspend()
	case continuedMsg:
		return r, r.resume()
	case endOfInputMsg:
		return r, tea.Batch(r.resume(), r.deliver(EndOfInputMsg{}))
	case CopyRequest:
		return r, r.guard(r.run.copy(msg.What, msg.Text))
	case CallRequest:
		if sequence := r.call(msg); sequence != "" {
			return r, r.guard(func() tea.Msg { _ = r.screen.control(sequence); return nil })
		}
		return r, nil
	case OpenRequest:
		return r, r.guard(r.run.open(msg.URL))
	}
	return r, r.deliver(msg)
}

// deliver updates the model by one message.
func (r *root) deliver(msg tea.Msg) (cmd tea.Cmd) {
	defer func() {
		if p := recover(); p != nil {
			r.run.panicked(p, debug.Stack())
		}
	}()
	r.model, cmd = r.model.Update(msg)
	r.changed = true
	return r.guard(cmd)
}

// Some terminals report a size that no screen has. More cells than these are not drawn:
// each takes memory.
const (
	maxColumns = 1000
	maxRows    = 500
)

// resize delivers the size of the window. Some terminals start without a size;
// for them it is 80x24.
func (r *root) resize(msg tea.WindowSizeMsg) tea.Cmd {
	first := r.width == 0
	if msg.Width <= 0 || msg.Height <= 0 {
		msg.Width, msg.Height = 80, 24
	}
	if r.early && !first {
		r.early = false
		if msg.Width == r.width && msg.Height == r.height {
			return nil // it was sent before
		}
	}
	r.width, r.height = msg.Width, msg.Height
	var cmd tea.Cmd
	if dark, known := r.run.background(); first && known {
		lipgloss.SetHasDarkBackground(dark)
		cmd = r.deliver(BackgroundMsg{Dark: dark})
	}
	return tea.Batch(cmd, r.deliver(msg))
}

// key delivers a key, after BurstMsg if it did not come alone.
func (r *root) key(msg tea.KeyMsg) tea.Cmd {
	if r.together && !msg.Paste {
		return tea.Batch(r.deliver(BurstMsg{}), r.deliver(msg))
	}
	return r.deliver(msg)
}

func (r *root) setMouse() tea.Cmd {
	if r.mouse {
		return tea.EnableMouseCellMotion
	}
	return tea.DisableMouse
}

var cmdType = reflect.TypeFor[tea.Cmd]()

// guard wraps a command so that its panic ends the program in order, with the
// terminal restored before the stack is printed. Commands that return commands
// (batches, sequences) have those guarded, too.
func (r *root) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				r.run.panicked(p, debug.Stack())
				msg = nil
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			batch = slices.Clone(batch)
			for i, c := range batch {
				batch[i] = r.guard(c)
			}
			return batch
		}
		// A sequence has a type of its own that is not exported.
		if v := reflect.ValueOf(msg); v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == cmdType {
			guarded := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				guarded.Index(i).Set(reflect.ValueOf(r.guard(v.Index(i).Interface().(tea.Cmd))))
			}
			return guarded.Interface()
		}
		return msg
	}
}

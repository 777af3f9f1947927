package demo

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Options of a Player. Theme is required.
type Options struct {
	Theme *theme.Theme
	// Request sends the request of a web page and returns once it was answered; nil where
	// nothing listens.
	Request func(Ask) error
	// Tick makes the command that sends a message after a time; nil is tea.Tick.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Busy reports whether a request of the model is under way, which a frame of a film waits for.
	Busy func() bool
	// Shown receives each frame that a viewer sees, and for how long. It is set when a film
	// is made: captions then name no keys that nobody can press.
	Shown func(frame string, stays time.Duration, still bool)
}

// Player performs a script on a model. It is the model that the terminal runs.
type Player struct {
	model tea.Model
	title string
	moves []move
	o     Options

	width, height int
	at            int   // the move under way
	phase         phase // what it is at
	looks         int   // at the screen, in this phase
	pending       int   // the timer under way; older ones do not count
	paused        bool
	err           error // why the performance cannot continue
}

type phase int

const (
	reading phase = iota // the caption, before the move
	waiting              // for a text on the screen
	looking              // at what the move did
	over                 // the script has ended
	yours                // the user has taken over
)

// The screen is searched for a text every lookEvery, at most looksMost times, which takes 20
// seconds. A repeated key is pressed again every looksAgain looks.
const (
	lookEvery  = 40 * time.Millisecond
	looksMost  = 500
	looksAgain = 60
	quietTime  = time.Second // no key is pressed for, before one is repeated
)

// captionLines returns the height of the caption: what is said and, except in a film, what the user
// can do.
func (p *Player) captionLines() int {
	if p.o.Shown != nil {
		return 1
	}
	return 2
}

// New returns the player of a script on a model.
func New(model tea.Model, s *Script, o Options) *Player {
	if o.Tick == nil {
		o.Tick = tea.Tick
	}
	return &Player{model: model, title: s.Title, moves: s.moves(), o: o}
}

// Err returns why the performance stopped before its end, nil if it did not.
func (p *Player) Err() error { return p.err }

// Over reports whether the script has ended, or cannot continue.
func (p *Player) Over() bool { return p.phase >= over }

// timerMsg is the end of a phase, or a look at the screen within it.
type timerMsg struct{ n int }

// answeredMsg is the end of a web page's request.
type answeredMsg struct{ err error }

// Init starts the model and the performance.
func (p *Player) Init() tea.Cmd { return tea.Batch(p.model.Init(), p.begin()) }

// begin starts the move under way with its caption.
func (p *Player) begin() tea.Cmd {
	if p.at >= len(p.moves) {
		p.phase = over
		return nil
	}
	p.phase = reading
	return p.timer(p.moves[p.at].read)
}

func (p *Player) timer(d time.Duration) tea.Cmd {
	p.pending++
	n := p.pending
	return p.o.Tick(d, func(time.Time) tea.Msg { return timerMsg{n} })
}

// Update continues with the script, or gives the message to the model.
func (p *Player) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case timerMsg:
		if msg.n != p.pending || p.paused {
			return p, nil
		}
		return p, p.next()
	case answeredMsg:
		if msg.err != nil && p.phase < over {
			p.stop(fmt.Errorf("%s: %w", p.moves[min(p.at, len(p.moves)-1)].where(), msg.err))
		}
		return p, nil
	case tea.WindowSizeMsg:
		p.width, p.height = msg.Width, msg.Height
		return p, p.resize()
	case tea.MouseMsg:
		if p.phase < over {
			return p, nil
		}
	case tea.KeyMsg:
		if p.phase != yours {
			return p, p.key(msg)
		}
	}
	return p, p.tell(msg)
}

// tell gives a message to the model.
func (p *Player) tell(msg tea.Msg) (cmd tea.Cmd) {
	p.model, cmd = p.model.Update(msg)
	return cmd
}

// key returns the user's key during the performance.
func (p *Player) key(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "q", "ctrl+c":
		return tea.Quit
	case " ":
		if p.phase == over {
			break
		}
		p.paused = !p.paused
		if !p.paused {
			return p.timer(p.left())
		}
		return nil
	}
	p.phase = yours
	p.pending++
	return p.resize()
}

// left returns what is left of the phase after a pause: all of it, as the user has to read
// again where it was.
func (p *Player) left() time.Duration {
	m := p.moves[p.at]
	switch p.phase {
	case reading:
		return m.read
	case looking:
		return m.look
	}
	return lookEvery
}

// resize gives the model its part of the window.
func (p *Player) resize() tea.Cmd {
	return p.tell(tea.WindowSizeMsg{Width: p.width, Height: max(p.height-p.captionHeight(), 1)})
}

func (p *Player) captionHeight() int {
	if p.phase == yours {
		return 0
	}
	return p.captionLines()
}

// next ends the phase under way and begins the one that follows.
func (p *Player) next() tea.Cmd {
	m := p.moves[p.at]
	switch p.phase {
	case reading:
		p.show(m.read, false)
		done := p.do(m)
		p.phase, p.looks = waiting, 0
		return tea.Batch(done, p.timer(lookEvery))
	case waiting:
		if m.wait != "" && !strings.Contains(ansi.Strip(p.model.View()), m.wait) {
			if p.looks++; p.looks > looksMost {
				p.stop(fmt.Errorf("%s: %q did not come on the screen", m.where(), m.wait))
				return nil
			}
			switch {
			case m.repeat && p.looks%looksAgain == 0:
				return p.timer(quietTime)
			case m.repeat && p.looks%looksAgain == 1 && p.looks > 1:
				return tea.Batch(p.do(m), p.timer(lookEvery))
			}
			return p.timer(lookEvery)
		}
		p.phase = looking
		return p.timer(m.look)
	case looking:
		p.show(m.look, m.still)
		p.at++
		return p.begin()
	}
	return nil
}

func (p *Player) stop(err error) { p.phase, p.err = over, err }

// show reports a frame that was looked at.
func (p *Player) show(stays time.Duration, still bool) {
	if p.o.Shown != nil && stays > 0 {
		p.o.Shown(p.View(), stays, still)
	}
}

// do makes a move.
func (p *Player) do(m move) tea.Cmd {
	switch {
	case m.key != "":
		return p.tell(keymap.Message(m.key))
	case m.paste != "":
		return p.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(m.paste), Paste: true})
	case m.ask != nil && p.o.Request == nil:
		return func() tea.Msg { return answeredMsg{fmt.Errorf("nothing listens for a web page here")} }
	case m.ask != nil:
		return func() tea.Msg { return answeredMsg{p.o.Request(*m.ask)} }
	}
	return nil
}

// where names a move for an error.
func (m move) where() string { return fmt.Sprintf("step %d", m.step+1) }

// View returns the model above the caption.
func (p *Player) View() string {
	if p.phase == yours || p.width == 0 {
		return p.model.View()
	}
	return p.model.View() + "\n" + strings.Join(p.caption(), "\n")
}

// caption draws what is said, and below it the progress of the script and what the user can do.
func (p *Player) caption() []string {
	th := p.o.Theme
	said, keys := p.title, "space pauses   q leaves   any other key hands over"
	pressed := ""
	switch {
	case p.err != nil:
		said, keys = "The demo stopped at "+p.err.Error()+".", "q leaves   any other key: go on by yourself"
	case p.phase == over:
		said, keys = "That was it. Press a key, and the explorer is yours.", "q leaves"
	case p.at < len(p.moves):
		m := p.moves[p.at]
		said = m.caption
		did := m.key
		if m.paste != "" {
			did = "paste"
		}
		if did != "" && !m.letter {
			pressed = th.Badge.Render(" "+did+" ") + th.Cursor.Render(" ")
		}
	}
	if p.paused {
		keys = "space goes on   q leaves   any other key hands over"
	}
	progress := fmt.Sprintf("%s %d of %d", "demo", min(p.at+1, len(p.moves)), len(p.moves))
	if p.paused {
		progress += ", paused"
	}
	line := func(s string) string { return text.Fill(text.Cut(s, p.width, th.Glyphs.Ellipsis), p.width) }
	room := max(p.width-text.Width(pressed)-1, 0)
	both := []string{
		line(th.Cursor.Render(" ") + pressed + th.Cursor.Render(text.Fill(text.Cut(text.Line(said), room, th.Glyphs.Ellipsis), room))),
		line(" " + text.Spread(th.Muted.Render(progress), th.Muted.Render(keys)+" ", max(p.width-1, 1))),
	}
	return both[:p.captionLines()]
}

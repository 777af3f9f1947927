// Package tui is the explorer: the frame around the screens. Its Model is the
// only bubbletea model; it routes keys and messages to the screen that one is
// at, keeps the history, stacks overlays and draws the frame. It does no I/O of
// its own in Update and must not import a server.
package tui

import (
	"context"
	"errors"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/theme"
	"chainscope/tui/widget/split"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// Options of a Model. Client and Keys are needed.
type Options struct {
	Context context.Context
	Client  *apiclient.Client
	Keys    *keymap.Map
	// Network is the word in the badge: MOCK, mainnet, testnet or a host.
	Network string
	// Mock controls the mock server behind Client; nil when it is none of ours.
	Mock Mock
	// Web is the web explorer's address for the network and WebQuery what its
	// addresses end with; "" for none.
	Web, WebQuery string

	Theme   string // a name of theme.Names, "" for one that suits
	Look    theme.Options
	Start   nav.Place
	Mouse   bool
	Store   *state.Store // bookmarks and what was gone to; nil keeps nothing
	Exports string       // folder that exports go to
	// Wallet is what signs; nil is none. Who made it closes it.
	Wallet *service.Service
	// Notices are sentences that the user should see, whenever they come.
	Notices <-chan string
	// Attempt is the last attempt that the client told of, nil before any.
	Attempt func() *apiclient.Attempt

	Now  func() time.Time
	Zone *time.Location
	// Tick makes the command that sends a message after a time; nil is tea.Tick.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Poll is how often live tail asks; 0 is DefaultPoll.
	Poll time.Duration
}

// DefaultPoll is how often live tail asks a server for what is new.
const DefaultPoll = 5 * time.Second

// Mock controls a mock server over HTTP.
type Mock interface {
	Catalogue(ctx context.Context) (Catalogue, error)
	Scenario(ctx context.Context) (string, error)
	SetScenario(ctx context.Context, name string) error
	Mine(ctx context.Context, blocks int) error
	Reset(ctx context.Context) error
}

// Model is the root model.
type Model struct {
	options Options
	env     *screen.Env
	theme   *theme.Theme

	tabs    []tab
	current int // index into tabs
	history nav.History[any]

	width, height int
	overlays      []overlay
	desk          desk
	toasts        toasts

	live     bool
	nextLive time.Time
	pressed  time.Time // when the last key came
	timed    time.Time // when the time was looked at last
	tickGen  int
	fast     bool // the tick under way is a fast one
	mouse    bool
	quitting bool
}

// tab is a screen with its name in the tab line.
type tab struct {
	kind   nav.Kind
	title  string
	short  string
	screen screen.Screen
}

// New returns the model of an explorer.
func New(o Options) (*Model, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Zone == nil {
		o.Zone = time.Local
	}
	if o.Tick == nil {
		o.Tick = tea.Tick
	}
	if o.Poll == 0 {
		o.Poll = DefaultPoll
	}
	if o.Start == (nav.Place{}) {
		o.Start = nav.Blocks()
	}
	th, err := theme.New(o.Theme, o.Look)
	if err != nil {
		return nil, err
	}
	m := &Model{options: o, theme: th, live: true, mouse: o.Mouse}
	m.env = &screen.Env{
		Context: o.Context, Client: o.Client, Keys: o.Keys, Now: o.Now,
		Times: &screen.Times{Zone: o.Zone}, Web: o.Web, WebQuery: o.WebQuery, Attempt: o.Attempt, Wallet: o.Wallet,
		Tick: o.Tick, Room: &split.Split{},
	}
	m.openDesk()
	m.tabs = screens(m)
	if len(m.tabs) == 0 {
		return nil, errors.New("there is no place to open")
	}
	return m, nil
}

// Init opens the first place.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.visit(m.options.Start), m.tick(), m.listen(), m.hearWallet())
}

// listen waits for the next notice.
func (m *Model) listen() tea.Cmd {
	if m.options.Notices == nil {
		return nil
	}
	return func() tea.Msg {
		text, ok := <-m.options.Notices
		if !ok {
			return nil
		}
		return heardMsg{text}
	}
}

// heardMsg is a notice from elsewhere.
type heardMsg struct{ text string }

// here is the screen that one is at.
func (m *Model) here() screen.Screen { return m.tabs[m.current].screen }

// Place is where one is.
func (m *Model) Place() nav.Place { return m.here().Place() }

// tabOf finds the tab of a kind of place.
func (m *Model) tabOf(k nav.Kind) (int, bool) {
	for i, t := range m.tabs {
		if t.kind == k.Tab() {
			return i, true
		}
	}
	return 0, false
}

// visit goes to a place and puts it into the history.
func (m *Model) visit(p nav.Place) tea.Cmd {
	at, ok := m.tabOf(p.Kind)
	if !ok {
		return m.toasts.show("there is no such place here: "+p.String(), true, m.options.Now())
	}
	m.history.Save(m.here().State())
	m.here().Leave()
	m.history.Replace(m.here().Place())
	m.history.Visit(p)
	return m.arrive(at, p, nil)
}

// arrive shows a place with the state that it was left in.
func (m *Model) arrive(at int, p nav.Place, state any) tea.Cmd {
	m.current = at
	m.nextLive = m.options.Now().Add(m.options.Poll)
	m.layout()
	return m.here().Open(p, state)
}

// back and forward step through the history.
func (m *Model) back() tea.Cmd    { return m.step(m.history.CanBack(), m.history.Back) }
func (m *Model) forward() tea.Cmd { return m.step(m.history.CanForward(), m.history.Forward) }

func (m *Model) step(can bool, move func() (nav.Entry[any], bool)) tea.Cmd {
	if !can {
		return nil
	}
	m.history.Save(m.here().State())
	m.here().Leave()
	m.history.Replace(m.here().Place())
	e, ok := move()
	if !ok {
		return nil
	}
	at, ok := m.tabOf(e.Place.Kind)
	if !ok {
		return nil
	}
	return m.arrive(at, e.Place, e.View)
}

// setTheme dresses everything anew.
func (m *Model) setTheme(th *theme.Theme) {
	m.theme = th
	for _, t := range m.tabs {
		t.screen.SetTheme(th)
	}
	for _, o := range m.overlays {
		o.SetTheme(th)
	}
	m.desk.dialog.SetTheme(th)
}

// layout tells everything its size.
func (m *Model) layout() {
	w, h := m.bodySize()
	m.here().SetSize(w, h)
	m.desk.dialog.SetSize(m.dialogSize())
}

// Frame lines around the body: tabs, crumb, status, hints.
const (
	headLines = 2
	footLines = 2
)

// Below this size only a word is shown; keys still work.
const (
	minWidth  = 60
	minHeight = 12
)

func (m *Model) tooSmall() bool { return m.width < minWidth || m.height < minHeight }

func (m *Model) bodySize() (int, int) {
	return max(m.width, minWidth), max(m.height, minHeight) - headLines - footLines
}

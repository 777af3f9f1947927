// Package tui is the explorer: the frame around the screens. Its Model is the
// only bubbletea model; it routes keys and messages, keeps the layout and the
// history, and draws the frame. What lies over a screen is a package below
// overlay. It does no I/O of its own in Update and must not import a server.
package tui

import (
	"context"
	"errors"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/custom"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/tui/widget/split"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// Options of a Model. Client and Keys are required.
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

	Theme   string // a name of theme.Names, "" for one that fits the terminal
	Look    theme.Options
	Start   nav.Place
	Mouse   bool
	Store   *state.Store // bookmarks and recent places; nil keeps nothing
	Exports string       // folder that exports go to
	// Attention says how the user is called when a page waits for an approval.
	Attention term.Attention
	// Own are the user's own commands.
	Own []custom.Command
	// Session is what the explorer was left with.
	Session Session
	// Wallet is what signs; nil is none. Who made it closes it.
	Wallet *service.Service
	// Notices are sentences that the user should see, whenever they arrive.
	Notices <-chan string
	// Pushed brings new blocks as the server pushes them; nil where nothing is pushed.
	Pushed <-chan apiclient.Pushed
	// Attempt returns the last attempt that the client reported, nil before any.
	Attempt func() *apiclient.Attempt

	Now  func() time.Time
	Zone *time.Location
	// Guard starts the goroutines of the places, see [term.Guard]; it may be nil.
	Guard *term.Guard
	// Tick makes the command that sends a message after a time; nil is tea.Tick.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Poll is how often live tail asks; 0 is defaultPoll.
	Poll time.Duration
}

// defaultPoll is how often live tail asks the server for what is new.
const defaultPoll = 5 * time.Second

// follower is the wallet that goes back with the mock's chain, nil for none.
func (o *Options) follower() mockpanel.Wallet {
	if o.Wallet == nil {
		return nil
	}
	return o.Wallet
}

// Mock controls a mock server and says what it has; see tui/mockclient.
type Mock interface {
	mockpanel.Mock
	Catalogue(ctx context.Context) (mockclient.Catalogue, error)
}

// Model is the root model.
type Model struct {
	options Options
	env     *screen.Env
	theme   *theme.Theme
	// chosenTheme says that the theme was chosen here.
	chosenTheme bool

	tabs     tabs
	current  int // index into tabs
	history  nav.History[any]
	overlays overlays
	prompt   walletPrompt
	called   bool  // the user was called because a page waits
	marked   *mark // to be compared with another, nil for nothing

	width, height int
	notice        notice
	live          liveTail
	connection    connection
	burst         bool // the key that comes next came together with others
	mouse         bool
	quitting      bool

	tickGen  int       // the tick under way; older ones do not count
	fastTick bool      // it is a fast one
	timed    time.Time // when the time was last looked at
}

// New returns the model of an explorer.
func New(o Options) (*Model, error) {
	o.setDefaults()
	if o.Theme == "" {
		if _, err := theme.New(o.Session.Theme, o.Look); err == nil { // else its file is gone
			o.Theme = o.Session.Theme
		}
	}
	th, err := theme.New(o.Theme, o.Look)
	if err != nil {
		return nil, err
	}
	m := &Model{options: o, theme: th, live: liveTail{on: true, poll: o.Poll}, mouse: o.Mouse}
	m.env = &screen.Env{
		Context: o.Context, Client: o.Client, Keys: o.Keys, Now: o.Now,
		Times: &screen.Times{Zone: o.Zone}, Web: o.Web, WebQuery: o.WebQuery, Attempt: o.Attempt, Wallet: o.Wallet,
		Tick: o.Tick, Guard: o.Guard, Room: &split.Split{},
	}
	m.prompt = newWalletPrompt(th, o.Wallet, o.Mock != nil)
	m.tabs = newTabs(m)
	if len(o.Look.Warnings(o.Theme)) > 0 {
		m.sayTheme(o.Theme)
	}
	if len(m.tabs) == 0 {
		return nil, errors.New("there is no place to open")
	}
	return m, nil
}

func (o *Options) setDefaults() {
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
		o.Poll = defaultPoll
	}
	if o.Start == (nav.Place{}) {
		o.Start = nav.Home()
	}
}

// Init opens the first place.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.begin(), m.tick(), listen(m.options.Notices), listenPushed(m.options.Pushed), m.prompt.listen(m.options.Context))
}

// pushedMsg is what the server pushed.
type pushedMsg struct{ apiclient.Pushed }

// listenPushed waits for what is pushed next.
func listenPushed(pushed <-chan apiclient.Pushed) tea.Cmd {
	if pushed == nil {
		return nil
	}
	return func() tea.Msg {
		p, ok := <-pushed
		if !ok {
			return nil
		}
		return pushedMsg{p}
	}
}

// noticeMsg is a notice from outside the explorer.
type noticeMsg struct{ text string }

// listen waits for the next notice.
func listen(notices <-chan string) tea.Cmd {
	if notices == nil {
		return nil
	}
	return func() tea.Msg {
		text, ok := <-notices
		if !ok {
			return nil
		}
		return noticeMsg{text}
	}
}

// currentScreen returns the screen that one is at.
func (m *Model) currentScreen() screen.Screen { return m.tabs[m.current].screen }

// Place returns where one is.
func (m *Model) Place() nav.Place { return m.currentScreen().Place() }

// say shows a sentence in the status line. It returns nil, the command of an
// action that does nothing more.
func (m *Model) say(text string, bad bool) tea.Cmd {
	m.notice.show(text, bad, m.options.Now())
	return nil
}

// setTheme changes the colors of everything.
func (m *Model) setTheme(th *theme.Theme) {
	m.theme = th
	m.tabs.setTheme(th)
	m.overlays.setTheme(th)
	m.prompt.dialog.SetTheme(th)
}

// layout hands out the sizes.
func (m *Model) layout() {
	w, h := m.bodySize()
	m.currentScreen().SetSize(w, h)
	m.overlays.setSize(m.width, m.height-headLines)
	// The hints stay in sight, but where the dialog needs every line.
	m.prompt.dialog.SetSize(m.width, max(m.height-1, min(m.height, fullDialog)), m.options.Now())
}

// Frame lines around the body: tabs, crumb, status, hints.
const (
	headLines = 2
	footLines = 2
)

// fullDialog is the height of a window below which the approval dialog has all of
// it.
const fullDialog = 14

// Below this size only a word is shown; keys still work.
const (
	minWidth  = 36
	minHeight = 10
)

func (m *Model) tooSmall() bool { return m.width < minWidth || m.height < minHeight }

func (m *Model) bodySize() (int, int) {
	return max(m.width, minWidth), max(m.height, minHeight) - headLines - footLines
}

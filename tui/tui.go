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
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/tui/usercommand"
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
	// Mock controls the mock server behind Client; nil if the server is not our mock.
	Mock *mockclient.Client
	// Web is the web explorer's address for the network and WebQuery what its
	// addresses end with; "" for none.
	Web, WebQuery string

	Theme   string // a name of theme.Names, "" for one that fits the terminal
	Look    theme.Options
	Start   nav.Place
	GoTo    string // typed into "go to anything", which is open at the start; "" for none
	Mouse   bool
	Store   *state.Store // bookmarks and recent places; nil keeps nothing
	Exports string       // folder that exports go to
	// Attention describes how to alert the user when a page needs approval.
	Attention term.Attention
	// API is the value of --api, and Other prepares the explorer of another value, to be shown once
	// this one is left: its error says what is wrong. It is nil where there is no other.
	API   string
	Other func(ctx context.Context, api string) error
	// Notice is a sentence for the user at the start, about what went wrong; "" for none.
	Notice string
	// KnownNames says that accounts in sight are shown with their names, each read by one request.
	KnownNames bool
	// Demo says that a demo can follow when the explorer is left for one.
	Demo bool
	// Own are the user's own commands.
	Own []usercommand.Command
	// Columns are those that the user wants lists to show, by the name of the list.
	Columns map[string][]string
	// Session is the last session on this network.
	Session Session
	// OnFork runs transactions on a fork of the live chain; nil on a mock.
	OnFork *OnFork
	// fork returns of which network and height the mock is a fork, "" for none.
	fork func() string
	// Wallet signs; nil means none. The caller closes it. WalletFollows says that it is on the
	// network of the API, which the server has to report.
	Wallet        *service.Service
	WalletFollows bool
	// Notices are sentences for the user, shown when they arrive.
	Notices <-chan string
	// Pushed delivers new blocks as the server pushes them; nil where nothing is pushed.
	Pushed <-chan apiclient.Pushed
	// Attempt returns the last attempt that the client reported, nil before any.
	Attempt func() *apiclient.Attempt

	Now  func() time.Time
	Zone *time.Location
	// Guard starts the goroutines of the places, see [term.Guard]; it may be nil.
	Guard *term.Guard
	// Tick makes the command that sends a message after a time; nil is tea.Tick.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Poll is the time between two requests of live tail; 0 is defaultPoll.
	Poll time.Duration
}

// defaultPoll is the time between two requests of live tail where none is set.
const defaultPoll = 5 * time.Second

// follower returns the wallet that goes back with the mock's chain, nil for none.
func (o *Options) follower() mockpanel.Wallet {
	if o.Wallet == nil {
		return nil
	}
	return o.Wallet
}

// Model is the root model.
type Model struct {
	options Options
	navigator
	appearance
	overlays overlays
	prompt   walletPrompt
	mine     mine
	replays  *replays
	called   *called
	marked   *mark             // will be compared with another thing; nil for none
	printed  map[string]string // output of custom commands that was not shown yet

	connection connection
	sent       []tea.Msg // by a box or a place, and handled before the next message
	burst      bool      // the key that comes next came together with others
	mouse      bool
	quitting   bool
	left       Left

	tickGen  int       // the tick under way; older ones do not count
	fastTick bool      // it is a fast one
	timed    time.Time // when onTime last ran
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
	o.Keys.Mock = o.Mock != nil
	m := &Model{options: o, prompt: newWalletPrompt(th, o.Wallet, o.Mock != nil), mouse: o.Mouse, called: &called{}}
	m.navigator = navigator{live: liveTail{on: true, poll: o.Poll}, env: &screen.Env{
		Context: o.Context, Client: o.Client, Keys: o.Keys, Now: o.Now,
		Times: &screen.Times{Zone: o.Zone}, Web: o.Web, WebQuery: o.WebQuery, Attempt: o.Attempt, Wallet: o.Wallet,
		Tick: o.Tick, Guard: o.Guard, Split: &screen.Split{}, Columns: o.Columns, Called: m.called.of, Labelled: m.called.labelled,
		Send: func(msg tea.Msg) { m.sent = append(m.sent, msg) },
	}}
	m.appearance = appearance{theme: th, options: &m.options, notify: m.showNotice, draw: func(th *theme.Theme) {
		m.tabs.setTheme(th)
		m.overlays.setTheme(th)
		m.prompt.dialog.SetTheme(th)
	}}
	m.options.fork = func() string { return m.connection.fork }
	m.replays = &replays{on: o.OnFork, key: &o.Keys.Transactions.Trace, visit: m.env.Visit, wanted: map[string]*apiclient.Answer[apiclient.Trace]{}}
	m.prompt.onFork(m.env, m.replays)
	m.tabs = newTabs(m)
	if o.Notice != "" {
		m.showNotice(o.Notice, true)
	}
	if len(o.Look.Warnings(o.Theme)) > 0 {
		m.notifyTheme(o.Theme)
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
	return tea.Batch(m.begin(), m.called.read(&m.options), requestServer(m), followNetwork(m), m.tick(), listen(m.options.Notices), listenPushed(m.options.Pushed), m.prompt.listen(m.options.Context))
}

// pushedMsg holds what the server pushed.
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

// layout sets the sizes of the screen, the overlays and the dialog.
func (m *Model) layout() {
	m.currentScreen().SetSize(m.body())
	m.overlays.setSize(m.width, m.height-headLines)
	// The hints stay in sight, but where the dialog needs every line.
	m.prompt.dialog.SetSize(m.width, max(m.height-1, min(m.height, fullDialog)), m.options.Now())
}

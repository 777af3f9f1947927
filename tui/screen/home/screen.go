package home

import (
	"context"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/detail"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Options are what the screen needs besides its environment.
type Options struct {
	// API is what is asked; nil is the client of the environment.
	API API
	// Scenario asks the mock which scenario is on; nil where there is no mock.
	Scenario func(context.Context) (string, error)
	// Greet shows three things to try, and Greeted notes that they were shown; it may
	// wait for a disk.
	Greet   bool
	Greeted func()
	// Find is what to type into "go to anything" for a try, on this API.
	Find string
}

// Screen is the home place. It stands on the frame of lists for its retries and
// failures, and draws its tiles itself.
type Screen struct {
	*browser.Frame
	env    *screen.Env
	opt    Options
	api    API
	limits cost.Limits

	tip, older remote.Value[page]
	count      remote.Value[counted]
	scenario   remote.Value[string]

	chain  chain
	pace   pace
	server server
	purse  purse
	begins bool   // nothing but the blocks was asked for yet
	greets bool   // the three things to try are shown
	at     string // the tile that has the keys, "" for the first
}

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opt Options) *Screen {
	s := &Screen{env: env, opt: opt, api: opt.API, limits: cost.Mainnet(), chain: chain{total: map[int64]int64{}}}
	if s.api == nil {
		s.api = env.Client
	}
	s.Frame = browser.New(env, th, browser.Parts{
		Columns:  func(int) string { return "" },
		Describe: func() (string, []detail.Row) { return "", nil },
		Ops:      []string{"blocks"},
	})
	s.greets = opt.Greet
	s.takeWallet()
	return s
}

// freshFor is how old the newest page may be for it not to be asked for again when
// the screen is opened.
const freshFor = 2 * time.Second

// calm is how long no frame is drawn before what stands beside the blocks is asked for,
// while they are not there. They would share the processors with it, and to derive the
// address of keys of one's own takes one of them ten milliseconds.
const calm = 30 * time.Millisecond

// calmMsg says that no frame was drawn for that long.
type calmMsg struct{}

// Open goes to the screen. The state is the tile that had the keys.
func (s *Screen) Open(_ nav.Place, state any) tea.Cmd {
	if at, ok := state.(string); ok {
		s.at = at
	}
	var tip tea.Cmd
	if s.env.Now().Sub(s.tip.FetchedAt()) > freshFor && !s.tip.Busy() {
		tip = s.askTip()
	}
	if _, read := s.tip.Get(); read {
		return tea.Batch(tip, s.askBeside())
	}
	s.begins = true
	return tea.Batch(tip, s.After(calm, calmMsg{}))
}

// askBeside asks for what stands beside the blocks.
func (s *Screen) askBeside() tea.Cmd {
	s.begins = false
	cmds := []tea.Cmd{s.askWallet(), s.askScenario()}
	if note := s.opt.Greeted; s.greets && note != nil {
		cmds = append(cmds, func() tea.Msg {
			note()
			return nil
		})
	}
	return tea.Batch(cmds...)
}

// Place is home.
func (s *Screen) Place() nav.Place { return nav.Home() }

// State is the tile that has the keys.
func (s *Screen) State() any { return s.at }

// Leave cancels what was asked for.
func (s *Screen) Leave() {
	s.StopRetries()
	s.begins = false
	s.tip.Cancel()
	s.older.Cancel()
	s.count.Cancel()
	s.scenario.Cancel()
}

// Refresh asks again for what is shown.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	return tea.Batch(s.askTip(), s.askScenario(), s.askWallet())
}

// Live asks for the newest blocks.
func (s *Screen) Live() tea.Cmd {
	if s.tip.Busy() || s.Waits(slotTip) {
		return nil
	}
	return tea.Batch(s.askTip(), s.askScenario())
}

// Update takes the answers of what was asked, and what the wallet tells.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if cmd, ok := s.Retry(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case screen.Fetched[page]:
		return s.tookPage(msg)
	case screen.Fetched[counted]:
		if s.count.Settle(msg.Key, msg.Value, msg.Err, msg.At) && msg.Err == nil {
			s.chain.count(msg.Value.height, msg.Value.total)
		}
	case screen.Fetched[string]:
		s.scenario.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	case calmMsg:
		if s.begins {
			return s.askBeside()
		}
	case service.StateChanged, service.CallChanged, readMsg:
		s.takeWallet()
	}
	return nil
}

func (s *Screen) tookPage(msg screen.Fetched[page]) tea.Cmd {
	first := false
	switch {
	case s.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		if msg.Err != nil {
			return s.RetryLater(slotTip, msg.Err, msg.At, s.askTip)
		}
		first = true
		s.chain.newest, s.chain.raw = msg.Value.newest, msg.Value.raw
	case s.older.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		if msg.Err != nil {
			return s.RetryLater(slotOlder, msg.Err, msg.At, s.askOlder)
		}
	default:
		return nil
	}
	s.chain.join(msg.Value.blocks, first)
	s.pace = paceOf(&s.chain)
	s.server = serverOf(s.env.Client.Log().Snapshot())
	older := s.askOlder()
	if s.begins && older == nil {
		return tea.Batch(s.askCount(), s.askBeside())
	}
	return tea.Batch(older, s.askCount())
}

// Tips are the newest heights known, 0 for unknown.
func (s *Screen) Tips() (height, burnHeight int64) {
	return s.chain.newest.Height, s.chain.newest.BurnBlockHeight
}

// SetSize tells the cells that View fills.
func (s *Screen) SetSize(width, height int) { s.Width, s.Height = max(0, width), max(0, height) }

// SetTheme changes the colors.
func (s *Screen) SetTheme(th *theme.Theme) { s.Theme = th }

// Redraw forgets nothing: every frame is drawn from what is known.
func (s *Screen) Redraw() {}

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return false }

// Scopes are the scopes of the key map that hold here.
func (s *Screen) Scopes() []string { return []string{"list", "home"} }

// Key goes from tile to tile and opens them.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Global.NextPane, k.List.Down):
		s.step(1)
	case key.Matches(msg, k.Global.PrevPane, k.List.Up):
		s.step(-1)
	case key.Matches(msg, k.List.First):
		s.at = ""
	case key.Matches(msg, k.List.Last):
		all := s.tiles()
		s.at = all[len(all)-1].id
	case key.Matches(msg, k.List.Open):
		return s.current().open(), true
	case key.Matches(msg, k.Home.Hide) && s.greets:
		s.greets = false
	case msg.String() == "esc":
		return screen.Notice("this is the top: " + keymap.First(k.Global.Back) + " goes back in history"), true
	default:
		return nil, false
	}
	return nil, true
}

// step gives the keys to another tile; after the last comes the first.
func (s *Screen) step(by int) {
	all := s.tiles()
	s.at = all[(s.position(all)+by+len(all))%len(all)].id
}

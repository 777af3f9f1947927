package home

import (
	"context"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Options hold what the screen needs besides its environment.
type Options struct {
	// Scenario requests the scenario of the mock; nil where there is no mock.
	Scenario func(context.Context) (string, error)
	// Fork returns of which network and height the mock is a fork, "" for none; nil where there is no mock.
	Fork func() string
	// Greet shows a demo and three things to try, and Greeted notes that one of them was
	// used, or that they were hidden; it may wait for a disk.
	Greet   bool
	Greeted func()
	// Demo leaves the explorer for a demo; nil where there is none.
	Demo func() tea.Cmd
	// Find holds what to type into "go to anything" for a try, on this API.
	Find string
}

// Screen is the home place. It is built on the frame of lists for its retries and
// failures, and draws its tiles itself.
type Screen struct {
	*browser.Frame
	env *screen.Env
	opt Options

	tip, older remote.Value[chain.Page]
	count      remote.Value[counted]
	scenario   remote.Value[string]

	more   more
	chain  view
	pace   pace
	server server
	wallet walletTiles
	begins bool   // nothing but the blocks was requested yet
	greets bool   // the three things to try are shown
	at     string // the tile that has the keys
}

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opt Options) *Screen {
	s := &Screen{env: env, opt: opt, chain: view{total: map[int64]int64{}}}
	s.Frame = browser.New(env, th, s)
	s.Loads(&s.tip, &s.older, &s.count, &s.scenario, &s.more.newest, &s.more.pending, &s.more.balance)
	s.greets = opt.Greet
	s.walletChanged()
	return s
}

// Columns returns nothing: there are tiles, and no list.
func (s *Screen) Columns(int) string { return "" }

// Describe returns nothing: there is no detail.
func (s *Screen) Describe() (string, []detail.Row) { return "", nil }

// Filters reports that there is nothing to filter.
func (s *Screen) Filters() bool { return false }

// Ops returns the calls of the client that are made here.
func (s *Screen) Ops() []string { return []string{"blocks"} }

// freshFor is the age up to which the newest page is not requested again when
// the screen is opened.
const freshFor = 2 * time.Second

// calm is the time that no frame is drawn before what is beside the blocks is requested,
// while they are not there. They would share the processors with it, and to derive the
// address of keys of one's own takes one of them ten milliseconds.
const calm = 30 * time.Millisecond

// Open goes to the screen. The state is the tile that had the keys.
func (s *Screen) Open(_ nav.Place, state any) tea.Cmd {
	if at, ok := state.(string); ok {
		s.at = at
	}
	var tip tea.Cmd
	if s.env.Now().Sub(s.tip.FetchedAt()) > freshFor && !s.tip.Busy() {
		tip = s.requestTip()
	}
	if _, read := s.tip.Get(); read {
		return tea.Batch(tip, s.requestAround())
	}
	s.begins = true
	return tea.Batch(tip, s.After(calm, func() tea.Cmd {
		if !s.begins {
			return nil
		}
		return s.requestAround()
	}))
}

// requestAround requests what home shows around the blocks.
func (s *Screen) requestAround() tea.Cmd {
	s.begins = false
	return tea.Batch(s.loadWallet(), s.loadScenario(), s.requestMore())
}

// Place returns home.
func (s *Screen) Place() nav.Place { return nav.Home() }

// State returns the tile that has the keys.
func (s *Screen) State() any { return s.at }

// Leave cancels the requests under way.
func (s *Screen) Leave() {
	s.Frame.Leave()
	s.begins = false
}

// Refresh requests again what is shown.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	return tea.Batch(s.requestTip(), s.loadScenario(), s.loadWallet())
}

// Live requests the newest blocks.
func (s *Screen) Live() tea.Cmd {
	if s.tip.Busy() || s.Waits(&s.tip) {
		return nil
	}
	tip := screen.FetchAhead(s.env, &s.tip, s.readTip)
	return tea.Batch(tip, s.loadScenario(), s.env.ReadCalls(), s.requestMore())
}

// Update takes the answers to requests, and what the wallet reports.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if s.moreLoaded(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case screen.Fetched[chain.Page]:
		return s.pageLoaded(msg)
	case screen.Fetched[counted]:
		if s.count.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			if msg.Err == nil {
				s.chain.count(msg.Value.height, msg.Value.total)
			}
			return s.RetryLater(&s.count, msg.Err, msg.At, s.requestCountAgain)
		}
	case screen.Fetched[string]:
		s.scenario.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	case screen.NewestBlocks:
		if len(msg) > 1 { // one alone is of this place
			s.join(chain.Page{Blocks: msg, Requested: s.env.Now()})
		}
	case screen.ChainChanged:
		if msg.Newest == "" || s.chain.ByID(msg.Newest) == nil {
			s.tip.Expire()
			s.older.Reset()
			s.more.newest.Reset()
			s.more.pending.Reset()
			s.more.balance.Reset()
			clear(s.chain.total)
		}
	case service.StateChanged, service.CallChanged, service.QueueChanged, service.Withdrawn, service.TimelineCut, service.TransactionsChanged, readMsg:
		s.walletChanged()
		if !s.begins {
			return s.requestMore()
		}
	}
	return nil
}

func (s *Screen) pageLoaded(msg screen.Fetched[chain.Page]) tea.Cmd {
	s.server = serverOf(s.env.Client.Log().Snapshot())
	value, again, first := &s.tip, s.requestTip, s.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	if !first {
		value, again = &s.older, s.requestOlder
		if !s.older.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return nil
		}
	}
	if later := s.RetryLater(value, msg.Err, msg.At, again); msg.Err != nil {
		return later
	}
	var notice tea.Cmd
	if p := msg.Value; first && len(p.Blocks) > 0 {
		notice = screen.PublishBlocks(p.Blocks[:1])
	}
	msg.Value.Requested = s.tip.Since()
	change := s.join(msg.Value)
	if change.Changed {
		s.older.Reset()
	}
	notice = tea.Batch(notice, screen.NotifyChange(&s.chain.Chain, change))
	older := s.requestOlder()
	if s.begins && older == nil {
		return tea.Batch(notice, s.requestCount(), s.requestAround())
	}
	return tea.Batch(notice, older, s.requestCount())
}

// Tips returns the newest heights known, 0 for unknown.
func (s *Screen) Tips() (height, burnHeight int64) {
	return s.chain.Tip, s.chain.Newest().BurnBlockHeight
}

// Scopes returns the scopes of the key map that hold here.
func (s *Screen) Scopes() []string { return []string{"home"} }

// Key goes from tile to tile and opens them.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Global.NextPane, k.Home.Down):
		s.step(1)
	case key.Matches(msg, k.Global.PrevPane, k.Home.Up):
		s.step(-1)
	case key.Matches(msg, k.Home.First):
		s.at = tipID
	case key.Matches(msg, k.Home.Last):
		s.at = tipID
		s.step(-1)
	case key.Matches(msg, k.Home.Open):
		return s.current().open(), true
	case key.Matches(msg, k.Home.Hide):
		if s.greets = !s.greets; !s.greets {
			return s.used(screen.Notice(keymap.First(k.Home.Hide) + " shows the things to try again")), true
		}
	case key.Matches(msg, k.Home.Demo, k.Home.Sign, k.Global.GoTo, k.Global.MockPanel, k.Global.Inspector, k.Global.Help):
		for _, t := range s.tries() {
			if key.Matches(msg, *t.key) {
				return s.used(t.do()), true
			}
		}
		return nil, false
	case msg.String() == "esc":
		return screen.Notice("already at the top level; " + keymap.First(k.Global.Back) + " goes back"), true
	default:
		return nil, false
	}
	return nil, true
}

package walletpane

import (
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Learn is nil: the wallet reports by itself what it has.
func (s *Screen) Learn() tea.Cmd { return nil }

// mostCalls limits how many calls, the newest, are found by name.
const mostCalls = 100

// Named returns the newest calls.
func (s *Screen) Named(string) []screen.Named {
	calls := s.wallet.Timeline()
	out := make([]screen.Named, 0, min(len(calls), mostCalls))
	for _, c := range calls[:min(len(calls), mostCalls)] {
		out = append(out, screen.Named{
			Kind: "call", Title: callName(c), Note: s.wallet.StatusOf(c).String(), Words: c.TxID + " " + c.Requester.String(), Place: nav.WalletCall(c.Key()),
		})
	}
	return out
}

// Commands returns what the wallet can be made to do now.
func (s *Screen) Commands() []screen.Named {
	k := s.env.Keys.Wallet
	var out []screen.Named
	add := func(title, note string, b *key.Binding, run func() tea.Cmd) {
		n := screen.Named{Kind: "wallet", Title: title, Note: note, Place: nav.Wallet(), Run: run}
		if b != nil {
			n.Key = b.Help().Key
		}
		out = append(out, n)
	}
	opens := func(open func()) func() tea.Cmd {
		return func() tea.Cmd {
			open()
			return nil
		}
	}
	if s.state.Connected {
		add("Disconnect the wallet", "", &k.Disconnect, s.disconnect)
	} else {
		add("Connect the wallet", "", &k.Connect, s.connect)
	}
	for _, f := range params.All() {
		add("New request: "+f.Method, f.Title, &k.New, opens(func() {
			s.begin()
			s.openForm(f.Method)
		}))
	}
	add("Change the account", "", &k.Account, opens(s.pickAccount))
	add("Change the network of the wallet", "", nil, opens(s.pickNetwork))
	add("Change the keys", "", nil, opens(s.pickKeys))
	add("Options of the library", "", nil, opens(func() { s.openOptions(&s.options) }))
	add("Bridge to web pages on or off", "", nil, s.turnBridge)
	return out
}

// Table returns the calls, while they are shown.
func (s *Screen) Table() (query.Table, bool) {
	if s.modal != nil || s.top() != page(s.home) {
		return query.Table{}, false
	}
	return s.home.Table()
}

// Passing returns the calls that the filter leaves.
func (s *Screen) Passing(t query.Table) []int { return s.home.Passing(t) }

// Order returns how the calls are sorted.
func (s *Screen) Order() query.Order { return s.home.Order() }

// SortBy sorts the calls.
func (s *Screen) SortBy(o query.Order) tea.Cmd { return s.home.SortBy(o) }

// Narrow filters the calls.
func (s *Screen) Narrow(filter string) tea.Cmd { return s.home.Narrow(filter) }

// Query returns the filter of the calls.
func (s *Screen) Query() string { return s.home.Query() }

package walletpane

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/form"
	"chainscope/wallet/node"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the wallet pane. It is a plain struct that the root model owns; see
// screen.Screen.
type Screen struct {
	env    *screen.Env
	opt    Options
	wallet *service.Service
	theme  *theme.Theme

	width, height int
	callKey       string // the key of the call to open, "" for none
	inFront       bool   // the pane is the place that is shown

	state   service.State
	pages   []page
	home    *home
	modal   modal // what lies over the pages: the selector, a menu; nil for none
	pending *pendingCall
	sent    uint64 // numbers what was sent
	results uint64 // numbers the pages of results

	drafts   map[string]draft  // what was filled in, by form
	typed    map[string]string // what was typed into prompts, by their titles
	options  options
	contexts map[contextKey]*params.Context
}

type contextKey struct {
	network     string
	account     uint32
	fingerprint string
}

// modal holds what lies over the pages and has all keys. It is not a box over the whole
// screen (tui/overlay): it belongs to the pane and to what it waits for, and the wallet
// puts its next question in its place.
type modal interface {
	// Key handles a key; done takes it away.
	Key(msg tea.KeyMsg) (cmd tea.Cmd, done bool)
	// View draws a box that fits.
	View(width, height int) []string
}

// clicker is a modal whose rows take clicks.
type clicker interface {
	// click puts the cursor on the row in a line of the box, and reports whether there is
	// one that can be chosen.
	click(line int) bool
}

// Options hold what the pane needs besides its environment.
type Options struct {
	Wallet *service.Service
	Mock   bool           // the API is a mock: no coins can move
	Mine   func() tea.Cmd // mines a block of the mock, nil where there is none
	API    string         // what a command line has to name of the API, "" for nothing
}

// New returns the screen of a wallet.
func New(env *screen.Env, th *theme.Theme, o Options) *Screen {
	s := &Screen{
		env: env, opt: o, wallet: o.Wallet, theme: th, state: o.Wallet.State(),
		drafts: map[string]draft{}, typed: map[string]string{}, contexts: map[contextKey]*params.Context{},
	}
	s.home = newHome(s)
	s.pages = []page{s.home}
	s.home.Fill()
	return s
}

// savedState restores the pages that it showed.
type savedState struct{ pages []page }

// Open goes to the pane: to where it was left, or without a state to its first
// page or to the call that the place names.
func (s *Screen) Open(place nav.Place, from any) tea.Cmd {
	s.inFront = true
	if saved, back := from.(savedState); back {
		s.pages = slices.Clone(saved.pages)
		for _, p := range s.pages {
			if r, ok := p.(*resultPage); ok {
				r.chain.Cancel() // its answer was not for a page on screen
			}
		}
		s.SetSize(s.width, s.height)
		s.SetTheme(s.theme)
		return s.Refresh()
	}
	s.goHome()
	s.home.showWallet()
	s.callKey = place.Call
	return tea.Batch(s.Refresh(), s.openRequested())
}

// openRequested opens the call that was requested, once the timeline has it.
func (s *Screen) openRequested() tea.Cmd {
	s.home.reload()
	for _, c := range s.home.calls {
		if s.callKey != "" && c.Key() == s.callKey {
			s.callKey = ""
			return s.openCall(c)
		}
	}
	return nil
}

// Place returns the call that is shown, or the wallet.
func (s *Screen) Place() nav.Place {
	if r, ok := s.top().(*resultPage); ok {
		return nav.WalletCall(r.call.Key())
	}
	return nav.Wallet()
}

// State returns the pages that are shown.
func (s *Screen) State() any { return savedState{slices.Clone(s.pages)} }

// Leave cancels nothing: a request waits for its approval over any screen.
func (s *Screen) Leave() { s.inFront = false }

// Resume makes no request again: there are none.
func (s *Screen) Resume() tea.Cmd { return nil }

// SetSize sets the cells that View fills.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	for _, p := range s.pages {
		p.SetSize(width, height)
	}
}

// Redraw forgets what was drawn.
func (s *Screen) Redraw() { s.SetTheme(s.theme) }

// SetTheme changes the colours.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme = th
	for _, p := range s.pages {
		p.SetTheme(th)
	}
	if m, ok := s.modal.(*menu); ok {
		m.picker.SetTheme(th)
	}
}

// refreshedMsg says that the disk was read.
type refreshedMsg struct{}

// Refresh reads again what is on disk, and what became of a transaction.
func (s *Screen) Refresh() tea.Cmd {
	read := func() tea.Msg {
		s.wallet.Refresh()
		return refreshedMsg{}
	}
	return tea.Batch(read, s.home.load(), s.follow())
}

// Live reads the calls of other processes, and requests what became of transactions.
func (s *Screen) Live() tea.Cmd { return s.env.LoadCalls() }

// RetryNow is nil: what became of a transaction is requested by live tail.
func (s *Screen) RetryNow() tea.Cmd { return nil }

// follow requests the status of the transaction of the result on top.
func (s *Screen) follow() tea.Cmd {
	if r, ok := s.top().(*resultPage); ok {
		return r.load()
	}
	return nil
}

// Update takes what the service reports and what was requested.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case service.StateChanged:
		return s.setState(msg.State)
	case screen.RequestWalletMsg:
		s.goHome()
		if msg.Params == nil {
			return s.openForm(msg.Method).fillExample()
		}
		return s.openFilled(msg.Method, msg.Params)
	case service.TimelineCut:
		s.home.reload()
	case service.CallChanged:
		s.home.reload()
		s.onResults(func(r *resultPage) { r.applyCall(msg.Call) })
	case service.SelectionNeeded:
		return s.selectWallet(msg)
	case service.Withdrawn:
		if sel, ok := s.modal.(*selector); ok && sel.question.ID == msg.ID {
			s.modal = nil
		}
	case refreshedMsg:
		s.home.reload()
		cmd := s.openRequested()
		if s.callKey != "" {
			s.callKey = ""
			cmd = notice(errors.New("the timeline has no such call any more"))
		}
		return tea.Batch(cmd, s.setState(s.wallet.State()))
	case outcomeMsg:
		return s.answer(msg)
	case screen.Fetched[addresses]:
		s.home.addresses.Settle(msg.Key, msg.Value, msg.Err, msg.At)
		s.home.Fill()
	case screen.Fetched[[]service.Origin]:
		s.home.origins.Settle(msg.Key, msg.Value, msg.Err, msg.At)
		s.home.Fill()
		s.onResults((*resultPage).show)
	case screen.Fetched[node.Transaction]:
		s.onResults(func(r *resultPage) { r.answered(msg) })
		s.home.List.Forget()
	case service.TransactionsChanged:
		s.onResults((*resultPage).showLastKnown)
		s.home.List.Forget()
		s.home.Fill()
	case form.FileMsg:
		return s.fileRead(msg)
	case takenMsg:
		return s.settle(msg)
	case bridgeMsg:
		return s.started(msg)
	case done:
		if msg.err != nil {
			return notice(msg.err)
		}
		return s.changed(msg.changed)
	}
	return nil
}

// onResults does something with every result that is open.
func (s *Screen) onResults(do func(*resultPage)) {
	for _, p := range s.pages {
		if r, ok := p.(*resultPage); ok {
			do(r)
		}
	}
}

// setState shows another state. The addresses that belong to it are requested when someone
// looks, now or when the pane is opened: to derive them takes time and memory.
func (s *Screen) setState(st service.State) tea.Cmd {
	before := s.state
	s.state = st
	s.home.Fill()
	if before.Fingerprint != st.Fingerprint {
		s.onResults((*resultPage).show) // whose keys they were
	}
	if !s.inFront {
		return nil
	}
	if before.Account != st.Account || before.Fingerprint != st.Fingerprint || before.Persona != st.Persona || before.Bridge.Running != st.Bridge.Running {
		return s.home.load()
	}
	return nil
}

// done describes how something came out that changes the wallet.
type done struct {
	changed string
	err     error
}

// change does something that may wait, and says how it came out.
func (s *Screen) change(changed string, do func(ctx context.Context) error) tea.Cmd {
	ctx := s.env.Context
	return func() tea.Msg { return done{changed, do(ctx)} }
}

// changed says how the wallet was changed, and shows it.
func (s *Screen) changed(how string) tea.Cmd { return tea.Batch(screen.Notice(how), s.home.load()) }

func notice(err error) tea.Cmd {
	return func() tea.Msg { return screen.NoticeMsg{Text: err.Error(), Bad: true} }
}

// networkOf returns the network that a request is signed for: the one that its draft names, where
// the wallet that will answer reads that, else that of the call. Methods of sats-connect
// write it with a capital letter.
func networkOf(by service.Call, method string, d params.Draft) string {
	named := strings.ToLower(d.Texts["network"])
	if by.Wallet != "" && method != "" && !by.Wallet.Model().Reads(method, "network") {
		named = ""
	}
	return cmp.Or(named, by.Network)
}

// contextOf returns what a draft is checked against: the network that it names, else
// that of the call.
func (s *Screen) contextOf(by service.Call, method string, d params.Draft) *params.Context {
	network := networkOf(by, method, d)
	k := contextKey{network, by.Account, s.state.Fingerprint}
	if c, ok := s.contexts[k]; ok {
		return c
	}
	c, err := params.NewContext(s.wallet.Keys().Ring, by.Account, network)
	if err != nil { // a network that no field offers
		c, err = params.NewContext(nil, 0, "mainnet")
		if err != nil {
			return nil
		}
	}
	s.contexts[k] = c
	return c
}

// Key handles a key and reports whether it was one of the pane's.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if s.modal != nil {
		now := s.modal
		cmd, gone := now.Key(msg)
		if gone && s.modal == now {
			s.modal = nil
		}
		return cmd, true
	}
	return s.top().Key(msg)
}

// Click puts the cursor where the mouse is, on the pages that are lists and in forms;
// in a box it chooses.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.modal != nil {
		b := s.modal.View(s.width, s.height)
		left, above := s.modalAt(b)
		if c, ok := s.modal.(clicker); ok && box.Inside(b, x-left, y-above) && c.click(y-above) {
			cmd, _ := s.Key(tea.KeyMsg{Type: tea.KeyEnter})
			return cmd
		}
		return nil
	}
	if p, ok := s.top().(screen.Clicker); ok {
		return p.Click(x, y)
	}
	return nil
}

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return s.modal != nil || s.top().Typing() }

// Scopes returns the scopes of the key map that hold here.
func (s *Screen) Scopes() []string { return s.top().Scopes() }

// Subject returns what is under the cursor.
func (s *Screen) Subject() screen.Subject { return s.top().Subject() }

// Status returns what the frame shows of the pane.
func (s *Screen) Status() screen.Status {
	st := screen.Status{Crumb: s.top().Crumb(), Hint: s.top().Hint(), Position: s.position(), Still: true, Restless: true}
	if s.modal != nil {
		st.Hint = "" // a box names its keys itself
	}
	if s.pending != nil {
		st.Busy, st.Since = true, s.pending.since
	}
	return st
}

// alarming reports whether requests for a network could move real coins: those
// of the main network, with keys of the user's own, beside a live API.
func (s *Screen) alarming(network string) bool {
	return network == "mainnet" && !s.opt.Mock && !s.state.PublicTest
}

// networkWord writes a network; it stands out where real coins could move.
func (s *Screen) networkWord(network string) string {
	if s.alarming(network) {
		return s.theme.Bad.Render("MAINNET")
	}
	return s.theme.Muted.Render(text.Line(network))
}

func (s *Screen) position() string {
	who := s.state.Network
	if s.alarming(who) {
		who = "MAINNET"
	}
	if s.state.Locked {
		return who + ", locked"
	}
	return text.Middle(s.state.Address, 17) + " on " + who
}

// View draws the pane.
func (s *Screen) View(now time.Time) []string {
	lines := s.top().View(now)
	out := make([]string, max(0, s.height))
	for i := range out {
		if i < len(lines) {
			out[i] = text.Cut(lines[i], s.width, s.theme.Glyphs.Ellipsis)
		}
	}
	if s.modal != nil {
		out = s.drawModal(out)
	}
	return out
}

// Package mockpanel is the box that controls the mock server while it runs:
// where the chain is and what it was requested to do, snapshots and the way back and
// forward again, the clock, scenarios.
package mockpanel

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"chainscope/tui/mockclient"
	"chainscope/tui/overlay"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// Wallet goes back and forward with the chain.
type Wallet interface {
	Snapshot(name string)
	Revert(to string)
	Redo()
	ForgetSnapshots()
}

// listAnswers is the item that lists canned answers; it changes nothing.
const listAnswers = "canned"

// items hold what can be done to the chain of the mock, and its scenarios.
var items = []picker.Item{
	{ID: "mine", Key: "m", Label: "mine a block", Note: "immediately"},
	{ID: "mine10", Key: "n", Label: "mine 10 blocks"},
	{ID: "snapshot", Key: "s", Label: "take a snapshot", Note: "of chain, transactions, accounts, clock and wallet"},
	{ID: "undo", Key: "u", Label: "undo", Note: "back to the last snapshot, or to the one before it"},
	{ID: "redo", Key: "r", Label: "redo", Note: "forward again, until something else is done"},
	{ID: "replace", Key: "o", Label: "replace 2 blocks", Note: "their transactions return to the mempool"},
	{ID: "hour", Key: "h", Label: "an hour later"},
	{ID: "day", Key: "d", Label: "a day later"},
	{ID: "freeze", Key: "f", Label: "stop or start the clock"},
	{ID: listAnswers, Key: "c", Label: "canned answers", Note: "what functions, maps and variables of contracts answer"},
	{ID: "reset", Key: "x", Label: "reset", Note: "forget what was mined and broadcast, and all snapshots"},
	{ID: "healthy", Key: "1", Label: "healthy", Note: "every request is answered"},
	{ID: "slow", Key: "2", Label: "slow", Note: "every answer takes 2 s"},
	{ID: "flaky", Key: "3", Label: "flaky", Note: "20% of requests get 503 or a reset"},
	{ID: "limited", Key: "4", Label: "limited", Note: "429 after 10 requests in 10 s"},
	{ID: "down", Key: "5", Label: "down", Note: "connections are reset"},
	{ID: "corrupt", Key: "6", Label: "corrupt", Note: "a third of the answers is cut short or of a wrong type"},
	{ID: "reorg", Key: "7", Label: "reorg", Note: "the newest block is often replaced"},
}

// ChangedMsg says that the mock has changed, and how: what is shown should be
// requested again.
type ChangedMsg struct {
	What     string
	Scenario string // that is on now, "" for the one that was
	Back     bool   // blocks may be gone, or be others
}

// state holds what the mock says of itself.
type state struct {
	scenario    string
	course      mockclient.Course
	requests    []mockclient.Request // the newest
	answers     []mockclient.Canned
	total       int // of the canned answers
	undescribed mockclient.Undescribed
}

// stateMsg is the answer of one reading of the state.
type stateMsg struct {
	of    *Panel // that reads it: another may be open by now
	key   remote.Key
	state state
	err   error
}

// readAgainMsg says that the mock is still busy, so that its state is read once more.
type readAgainMsg struct{}

// Panel is the overlay.
type Panel struct {
	*overlay.Menu
	control

	theme         *theme.Theme
	width, height int
	mockState     remote.Value[state]
	canned        *canned // the list of canned answers while it is shown
}

// New returns the panel and the command that reads where the mock is. The
// context bounds all requests of the panel. The wallet goes back with the chain;
// nil for none.
func New(ctx context.Context, th *theme.Theme, mock *mockclient.Client, wallet Wallet) (*Panel, tea.Cmd) {
	p := &Panel{control: control{ctx, mock, wallet}, theme: th}
	p.Menu = overlay.NewMenu(th, "Mock server", items, false, p.choose)
	p.Stays, p.Head = true, p.head
	p.Hint = "press a key, or Enter  esc close"
	return p, p.fetch()
}

func (p *Panel) choose(id string) tea.Cmd {
	if id == listAnswers {
		s, _ := p.mockState.Get()
		p.canned = newCanned(p.theme, s.answers, s.total)
		return nil
	}
	return p.run(id)
}

// Key handles a key. In the list of canned answers esc goes back to the panel.
func (p *Panel) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if p.canned == nil {
		return p.Menu.Key(msg)
	}
	if p.canned.key(msg) {
		p.canned = nil
	}
	return nil, false
}

// fetch returns the command that reads the state; one that is still being read is
// given up, because it may be that of before a change.
func (p *Panel) fetch() tea.Cmd {
	ctx, key := p.mockState.Start(p.ctx, time.Time{})
	return func() tea.Msg {
		state, err := p.read(ctx)
		return stateMsg{p, key, state, err}
	}
}

func (c control) read(ctx context.Context) (s state, err error) {
	if s.scenario, err = c.mock.Scenario(ctx); err != nil {
		return s, err
	}
	if s.course, err = c.mock.Course(ctx); err != nil {
		return s, err
	}
	if s.answers, s.total, err = c.mock.Canned(ctx, shownAnswers); err != nil {
		return s, err
	}
	// Next comes first: a mock may remember a thousand requests.
	_, next, err := c.mock.Requests(ctx, math.MaxInt64)
	if err == nil {
		s.requests, _, err = c.mock.Requests(ctx, max(0, next-shownRequests))
	}
	if err == nil {
		s.undescribed, err = c.mock.Undescribed(ctx, 0)
	}
	return s, err
}

// Update marks the scenario that is on, and loads it again after a change.
func (p *Panel) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ChangedMsg, readAgainMsg:
		return p.fetch()
	case stateMsg:
		if msg.of != p || !p.mockState.Settle(msg.key, msg.state, msg.err, time.Time{}) {
			return nil
		}
		if msg.err != nil {
			return overlay.Fail("the mock did not answer: " + msg.err.Error())
		}
		return p.set(msg.state)
	}
	return nil
}

// set shows what was read.
func (p *Panel) set(s state) tea.Cmd {
	if p.canned != nil {
		p.canned.set(s.answers, s.total)
	}
	marked := slices.Clone(items)
	for i := range marked {
		switch {
		case marked[i].ID == s.scenario:
			marked[i].Label += "  (on)"
		case marked[i].ID == "undo" && back(s.course) == "":
			marked[i].Off = "there is no snapshot to go back to"
		case marked[i].ID == "redo" && s.course.Undone == 0:
			marked[i].Off = "nothing was undone since the last change"
		case marked[i].ID == listAnswers && s.total == 0:
			marked[i].Off = "none: --contracts FILE, or POST /mock/v1/contracts"
		}
	}
	p.Picker.SetItems(marked)
	if f := s.course.Fork; f != nil && f.Reading != "" {
		return tea.Tick(time.Second, func(time.Time) tea.Msg { return readAgainMsg{} }) // while it lasts
	}
	return nil
}

// Commands returns what the panel can do, for the box of commands. Their keys begin
// with the one that opens the panel.
func Commands(ctx context.Context, mock *mockclient.Client, wallet Wallet, opens string) []screen.Named {
	control := control{ctx, mock, wallet}
	var out []screen.Named
	for _, item := range items {
		if item.ID == listAnswers {
			continue // there is no panel to show them in
		}
		title := strings.ToUpper(item.Label[:1]) + item.Label[1:]
		if item.Key >= "0" && item.Key <= "9" {
			title = "Scenario: " + item.Label
		}
		out = append(out, screen.Named{
			Kind: "mock", Title: title, Note: item.Note, Key: opens + " " + item.Key,
			Run: func() tea.Cmd { return control.run(item.ID) },
		})
	}
	return out
}

// SetTheme changes the colors.
func (p *Panel) SetTheme(th *theme.Theme) {
	p.theme = th
	p.Menu.SetTheme(th)
	if p.canned != nil {
		p.canned.theme = th
		p.canned.picker.SetTheme(th)
	}
}

// SetSize sets the cells the box may have.
func (p *Panel) SetSize(width, height int) {
	p.width, p.height = width, height
	p.Menu.SetSize(width, height)
}

// Click does what is drawn under the mouse; in the list of canned answers it shows one.
func (p *Panel) Click(x, y int) (tea.Cmd, bool) {
	if p.canned == nil {
		return p.Menu.Click(x, y)
	}
	p.canned.picker.Click(y - 1) // below the edge
	return nil, false
}

// widest limits how many cells the canned answers take of a wide window.
const widest = 88

// View draws where the chain is above what can be done, or the canned answers.
func (p *Panel) View(now time.Time) []string {
	if p.canned == nil {
		return p.Menu.View(now)
	}
	w := min(p.width-4, widest)
	lines := p.canned.lines(w-4, max(0, p.height-4))
	return box.Draw(p.theme, p.canned.title(), "type to search  esc back", lines, w, len(lines)+2)
}

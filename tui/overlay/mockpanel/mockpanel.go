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

// stateMsg holds what the mock says of itself.
type stateMsg struct {
	scenario    string
	course      mockclient.Course
	requests    []mockclient.Request // the newest
	answers     []mockclient.Canned
	total       int // of the canned answers
	undescribed mockclient.Undescribed
	err         error
}

// Panel is the overlay.
type Panel struct {
	*overlay.Menu
	control

	theme         *theme.Theme
	scenario      string // that is on
	width, height int
	course        *mockclient.Course // nil until it is read
	requests      []mockclient.Request
	answers       []mockclient.Canned
	total         int                    // of the canned answers
	undescribed   mockclient.Undescribed // what was requested and is not described, invented and refused
	canned        *canned                // the list of canned answers while it is shown
}

// New returns the panel and the command that reads where the mock is. The
// context bounds all requests of the panel. The wallet goes back with the chain;
// nil for none.
func New(ctx context.Context, th *theme.Theme, mock *mockclient.Client, wallet Wallet) (*Panel, tea.Cmd) {
	p := &Panel{control: control{ctx, mock, wallet}, theme: th}
	p.Menu = overlay.NewMenu(th, "Mock server", items, false, p.choose)
	p.Stays, p.Head = true, p.head
	p.Hint = "press a key, or Enter  esc close"
	return p, p.fetch
}

func (p *Panel) choose(id string) tea.Cmd {
	if id == listAnswers {
		p.canned = newCanned(p.theme, p.answers, p.total)
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

func (p *Panel) fetch() tea.Msg {
	var m stateMsg
	if m.scenario, m.err = p.mock.Scenario(p.ctx); m.err != nil {
		return m
	}
	if m.course, m.err = p.mock.Course(p.ctx); m.err != nil {
		return m
	}
	if m.answers, m.total, m.err = p.mock.Canned(p.ctx, shownAnswers); m.err != nil {
		return m
	}
	// Next comes first: a mock may remember a thousand requests.
	_, next, err := p.mock.Requests(p.ctx, math.MaxInt64)
	if err == nil {
		m.requests, _, err = p.mock.Requests(p.ctx, max(0, next-shownRequests))
	}
	if err == nil {
		m.undescribed, err = p.mock.Undescribed(p.ctx, 0)
	}
	m.err = err
	return m
}

// Update marks the scenario that is on, and loads it again after a change.
func (p *Panel) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ChangedMsg:
		return p.fetch
	case stateMsg:
		if msg.err != nil {
			return overlay.Fail("the mock did not answer: " + msg.err.Error())
		}
		p.scenario = msg.scenario
		p.course, p.requests, p.answers, p.total, p.undescribed = &msg.course, msg.requests, msg.answers, msg.total, msg.undescribed
		if p.canned != nil {
			p.canned.set(msg.answers, msg.total)
		}
		marked := slices.Clone(items)
		for i := range marked {
			switch {
			case marked[i].ID == msg.scenario:
				marked[i].Label += "  (on)"
			case marked[i].ID == "undo" && back(msg.course) == "":
				marked[i].Off = "there is no snapshot to go back to"
			case marked[i].ID == "redo" && msg.course.Undone == 0:
				marked[i].Off = "nothing was undone since the last change"
			case marked[i].ID == listAnswers && msg.total == 0:
				marked[i].Off = "none: --contracts FILE, or POST /mock/v1/contracts"
			}
		}
		p.Picker.SetItems(marked)
		if f := msg.course.Fork; f != nil && f.Reading != "" {
			return tea.Tick(time.Second, func(time.Time) tea.Msg { return p.fetch() }) // while it lasts
		}
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

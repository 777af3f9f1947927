// Package mockpanel is the box that controls the mock server while it runs:
// scenarios, mining, reset.
package mockpanel

import (
	"context"
	"strings"

	"chainscope/tui/overlay"
	"chainscope/tui/overlay/menu"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// Mock controls a mock server. tui/mockclient has one that does it over HTTP.
type Mock interface {
	Scenario(ctx context.Context) (string, error)
	SetScenario(ctx context.Context, name string) error
	Mine(ctx context.Context, blocks int) error
	Reset(ctx context.Context) error
}

// items are the scenarios of the mock and what can be done to its chain.
var items = []picker.Item{
	{ID: "healthy", Key: "1", Label: "healthy", Note: "every request is answered"},
	{ID: "slow", Key: "2", Label: "slow", Note: "every answer takes 2 s"},
	{ID: "flaky", Key: "3", Label: "flaky", Note: "20% of requests get 503 or a reset"},
	{ID: "limited", Key: "4", Label: "limited", Note: "429 after 10 requests in 10 s"},
	{ID: "down", Key: "5", Label: "down", Note: "connections are reset"},
	{ID: "corrupt", Key: "6", Label: "corrupt", Note: "a third of the answers is cut short or of a wrong type"},
	{ID: "reorg", Key: "7", Label: "reorg", Note: "the newest block is often replaced"},
	{ID: "mine", Key: "m", Label: "mine a block", Note: "immediately"},
	{ID: "mine10", Key: "n", Label: "mine 10 blocks"},
	{ID: "reset", Key: "x", Label: "reset", Note: "forget what was mined and broadcast"},
}

// ChangedMsg says that the mock has changed, and how: what is shown should be
// asked for again.
type ChangedMsg struct{ What string }

// scenarioMsg is the scenario that the mock is in.
type scenarioMsg struct {
	name string
	err  error
}

// Panel is the overlay.
type Panel struct {
	*menu.Menu
	ctx  context.Context // ends with the program
	mock Mock
}

// New returns the panel and the command that reads which scenario is on. The
// context bounds all requests of the panel.
func New(ctx context.Context, th *theme.Theme, mock Mock) (*Panel, tea.Cmd) {
	p := &Panel{ctx: ctx, mock: mock}
	p.Menu = menu.New(th, "Mock server", items, false, p.choose)
	p.Stays = true
	p.Hint = "press a key, or Enter  esc close"
	return p, p.ask
}

func (p *Panel) ask() tea.Msg {
	name, err := p.mock.Scenario(p.ctx)
	return scenarioMsg{name, err}
}

// Update marks the scenario that is on, and asks again after a change.
func (p *Panel) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ChangedMsg:
		return p.ask
	case scenarioMsg:
		if msg.err != nil {
			return overlay.Fail("the mock did not answer: " + msg.err.Error())
		}
		marked := make([]picker.Item, len(items))
		copy(marked, items)
		for i := range marked {
			if marked[i].ID == msg.name {
				marked[i].Label += "  (on)"
			}
		}
		p.Picker.SetItems(marked)
	}
	return nil
}

// Commands are what the panel can do, for the box of commands. Their keys begin
// with the one that opens the panel.
func Commands(ctx context.Context, mock Mock, opens string) []screen.Named {
	out := make([]screen.Named, len(items))
	for i, item := range items {
		title := strings.ToUpper(item.Label[:1]) + item.Label[1:]
		if item.Key >= "0" && item.Key <= "9" {
			title = "Scenario: " + item.Label
		}
		out[i] = screen.Named{
			Kind: "mock", Title: title, Note: item.Note, Key: opens + " " + item.Key,
			Run: func() tea.Cmd { return run(ctx, mock, item.ID) },
		}
	}
	return out
}

func (p *Panel) choose(id string) tea.Cmd { return run(p.ctx, p.mock, id) }

// run returns the command of an item.
func run(ctx context.Context, mock Mock, id string) tea.Cmd {
	switch id {
	case "mine":
		return change("mined a block", func() error { return mock.Mine(ctx, 1) })
	case "mine10":
		return change("mined 10 blocks", func() error { return mock.Mine(ctx, 10) })
	case "reset":
		return change("forgot what was mined and broadcast", func() error { return mock.Reset(ctx) })
	}
	return change("scenario "+id, func() error { return mock.SetScenario(ctx, id) })
}

// change returns the command that changes the mock and says so.
func change(what string, do func() error) tea.Cmd {
	return func() tea.Msg {
		if err := do(); err != nil {
			return overlay.Fail("the mock refused: " + err.Error())()
		}
		return ChangedMsg{what}
	}
}

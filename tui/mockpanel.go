package tui

import (
	"context"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// scenarios of the mock, with what each does.
var scenarios = []picker.Item{
	{ID: "healthy", Key: "1", Label: "healthy", Note: "every request is answered"},
	{ID: "slow", Key: "2", Label: "slow", Note: "every answer takes 2 s"},
	{ID: "flaky", Key: "3", Label: "flaky", Note: "a fifth is answered 503 or reset"},
	{ID: "limited", Key: "4", Label: "limited", Note: "429 after 10 requests in 10 s"},
	{ID: "down", Key: "5", Label: "down", Note: "connections are reset"},
	{ID: "corrupt", Key: "6", Label: "corrupt", Note: "a third is truncated or of a wrong type"},
	{ID: "reorg", Key: "7", Label: "reorg", Note: "the tip is often replaced"},
	{ID: "mine", Key: "m", Label: "mine a block", Note: "now, whatever the clock says"},
	{ID: "mine10", Key: "n", Label: "mine 10 blocks"},
	{ID: "reset", Key: "x", Label: "reset", Note: "forget what was mined and broadcast"},
}

// scenarioRead is which scenario the mock is in.
type scenarioRead struct {
	name string
	err  error
}

// mockPanel switches the scenario of the mock server while it runs.
func (m *Model) mockPanel() tea.Cmd {
	if m.options.Mock == nil {
		return m.notice("this API is not the bundled mock: start with --api mock", true)
	}
	o := &mockOverlay{model: m}
	o.menu = m.menu("Mock server", scenarios, false, o.choose)
	o.stay = true
	o.hint = "a key or enter does it  esc close"
	m.open(o)
	return o.ask
}

type mockOverlay struct {
	*menu
	model *Model
}

func (o *mockOverlay) ask() tea.Msg {
	ctx, cancel := context.WithTimeout(o.model.options.Context, mockTimeout)
	defer cancel()
	name, err := o.model.options.Mock.Scenario(ctx)
	return scenarioRead{name, err}
}

// mockTimeout bounds a request to the mock's own interface, which is never
// faulted.
const mockTimeout = 5 * time.Second

// Update marks the scenario that is on.
func (o *mockOverlay) Update(msg tea.Msg) tea.Cmd {
	read, ok := msg.(scenarioRead)
	if !ok {
		return nil
	}
	if read.err != nil {
		return o.model.notice("the mock cannot be asked: "+read.err.Error(), true)
	}
	items := make([]picker.Item, len(scenarios))
	copy(items, scenarios)
	for i := range items {
		if items[i].ID == read.name {
			items[i].Label += "  (on)"
		}
	}
	o.picker.SetItems(items)
	return nil
}

func (o *mockOverlay) choose(id string) tea.Cmd {
	mock, base := o.model.options.Mock, o.model.options.Context
	do := func(what string, run func(ctx context.Context) error) tea.Cmd {
		return func() tea.Msg {
			ctx, cancel := context.WithTimeout(base, mockTimeout)
			defer cancel()
			if err := run(ctx); err != nil {
				return screen.NoticeMsg{Text: "the mock refused: " + err.Error(), Bad: true}
			}
			return mockChanged{what}
		}
	}
	switch id {
	case "mine":
		return do("mined a block", func(ctx context.Context) error { return mock.Mine(ctx, 1) })
	case "mine10":
		return do("mined 10 blocks", func(ctx context.Context) error { return mock.Mine(ctx, 10) })
	case "reset":
		return do("forgot what was mined and broadcast", mock.Reset)
	}
	return do("scenario "+id, func(ctx context.Context) error { return mock.SetScenario(ctx, id) })
}

// mockChanged tells that the mock is another now: what is shown is asked for
// again.
type mockChanged struct{ what string }

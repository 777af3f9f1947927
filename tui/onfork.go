package tui

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"
	"chainscope/wallet/node"
	"chainscope/wallet/signer"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// OnFork runs transactions on a fork of the live chain that is shown. That takes many requests, so it is done
// only where the user has seen what it costs.
type OnFork struct {
	// Costs says in a sentence what it costs to run a transaction of a block again, or to forecast one, which
	// has no id. The error says what is missing for it.
	Costs func(id string, block int64) (string, error)
	// Trace runs a transaction again and returns what it called, Forecast how one would end. How far they are
	// is given to progress, in lines.
	Trace    func(ctx context.Context, id string, progress func(string)) (apiclient.Answer[apiclient.Trace], error)
	Forecast func(ctx context.Context, d signer.Description, progress func(string)) (*node.Forecast, error)
}

// progress describes the progress of something in lines, "" for nothing.
type progress struct{ atomic.Pointer[string] }

func (p *progress) set(words string) { p.Store(&words) }

func (p *progress) words() string {
	if words := p.Load(); words != nil {
		return *words
	}
	return ""
}

// replays are the transactions of a live chain that the user wanted to be run again.
type replays struct {
	on    *OnFork      // nil where there is none
	key   *key.Binding // that shows what it costs
	visit func(nav.Place) tea.Cmd
	// far is the progress of the one that runs, foreseen that of a forecast.
	far, foreseen progress

	mu     sync.Mutex
	wanted map[string]*apiclient.Answer[apiclient.Trace] // nil for one that was not run yet
}

// trace returns what a transaction called, once the user wanted it.
func (r *replays) trace(ctx context.Context, id string) (apiclient.Answer[apiclient.Trace], error) {
	r.mu.Lock()
	known, wanted := r.wanted[id]
	r.mu.Unlock()
	switch {
	case !wanted:
		return apiclient.Answer[apiclient.Trace]{}, apiclient.Untraced(errors.New("a live chain has no traces; " + keymap.First(*r.key) + " says what it costs to run the transaction again here"))
	case known != nil:
		return *known, nil
	}
	answer, err := r.on.Trace(ctx, id, r.far.set)
	r.far.set("")
	switch {
	case err == nil:
		r.want(id, &answer)
	case ctx.Err() != nil:
		r.mu.Lock()
		delete(r.wanted, id)
		r.mu.Unlock()
	}
	return answer, err
}

func (r *replays) want(id string, known *apiclient.Answer[apiclient.Trace]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wanted[id] = known
}

// forecast returns how a transaction of the live chain would end.
func (r *replays) forecast(ctx context.Context, d signer.Description) (*node.Forecast, error) {
	defer r.foreseen.set("")
	return r.on.Forecast(ctx, d, r.foreseen.set)
}

// costMsg says what it costs to run a transaction again, or to forecast the one of a question, or why it cannot
// be.
type costMsg struct {
	id, words string
	question  uint64 // 0 for a transaction that is run again
	err       error
}

// cost returns the command that finds out what it costs.
func (r *replays) cost(id string, block int64) tea.Cmd {
	r.mu.Lock()
	known := r.wanted[id]
	r.mu.Unlock()
	if known != nil {
		return r.visit(nav.Trace(id))
	}
	return func() tea.Msg {
		words, err := r.on.Costs(id, block)
		return costMsg{id: id, words: words, err: err}
	}
}

// showCalls returns what the key does that leads to what a transaction called. A live chain does not know it.
func showCalls(c *apiclient.Client, mock bool, r *replays) func(*resource.Transaction) tea.Cmd {
	return func(t *resource.Transaction) tea.Cmd {
		switch {
		case t == nil || t.Transaction == nil:
			return nil
		case mock:
			return r.visit(nav.Trace(t.ID))
		case r.on == nil:
			return screen.Notice(apiclient.ErrNoTraces.Error())
		case c.About().Mock: // on another machine
			return r.visit(nav.Trace(t.ID))
		case t.Type != apiclient.TypeContractCall || !t.Mined() || t.BlockHeight == nil:
			return screen.Notice("Only a contract call in a block can be run again on a fork of a live chain.")
		}
		return r.cost(t.ID, *t.BlockHeight)
	}
}

// forecastCost returns the command that finds out what the forecast of a question costs.
func (r *replays) forecastCost(question uint64) tea.Cmd {
	return func() tea.Msg {
		words, err := r.on.Costs("", 0)
		return costMsg{question: question, words: words, err: err}
	}
}

// onCost shows it.
func onCost(m *Model, msg costMsg) tea.Cmd {
	if msg.question != 0 {
		m.prompt.dialog.Costs(msg.question, msg.words, msg.err, m.options.Now())
		return nil
	}
	if msg.err != nil {
		return m.showNotice(msg.err.Error(), true)
	}
	m.overlays.push(offerReplay(m.theme, m.replays, msg))
	return nil
}

// offerReplay shows what it costs to run a transaction again, and lets choose whether to.
func offerReplay(th *theme.Theme, r *replays, msg costMsg) *overlay.Menu {
	items := []picker.Item{
		{ID: msg.id, Key: "r", Label: "Run it again", Note: "esc ends it; what was read stays"},
		{Key: "n", Label: "Not now"},
	}
	box := overlay.NewMenu(th, "What it called", items, false, func(id string) tea.Cmd {
		if id == "" {
			return nil
		}
		r.want(id, nil)
		return r.visit(nav.Trace(id))
	})
	box.Head = func(width int) (lines []string) {
		return append(th.Text.RenderAll(text.Block(msg.words, width)), "")
	}
	return box
}

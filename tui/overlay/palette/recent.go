package palette

import (
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/state"

	tea "github.com/charmbracelet/bubbletea"
)

// document keeps the places that one went to, the most recent first.
const document = "recent"

// maxRecent bounds how many places are kept.
const maxRecent = 50

type recent struct {
	Places []string `json:"places"`
}

// recentMsg is what the document held.
type recentMsg struct {
	places []string
	err    error
}

// readRecent returns the command that reads the recent places.
func readRecent(store *state.Store) tea.Cmd {
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		var r recent
		_, err := store.Get(document, &r)
		return recentMsg{r.Places, err}
	}
}

// remember returns the command that makes a place the most recent one.
func remember(store *state.Store, p nav.Place) tea.Cmd {
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		err := state.Update(store, document, func(r *recent) error {
			r.Places = state.Recent(r.Places, p.String(), func(a, b string) bool { return a == b }, maxRecent)
			return nil
		})
		if err != nil {
			return overlay.Fail("recent places were not saved: " + err.Error())()
		}
		return nil
	}
}

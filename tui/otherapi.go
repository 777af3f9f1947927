package tui

import (
	"context"
	"strings"

	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// apiWord begins the command that opens the explorer of another API.
const apiWord = "api"

// otherMsg says that the explorer of another API can be shown, or why not.
type otherMsg struct {
	api string
	err error
}

// open leaves for the other API, unless the wallet waits for an answer here.
func (o otherMsg) open(m *Model) tea.Cmd {
	switch {
	case o.err != nil:
		return m.showNotice(o.err.Error(), true)
	case m.prompt.dialog.Open():
		return m.showNotice("the wallet waits for an answer: give it, then open "+o.api, true)
	}
	m.left.Other = true
	return m.quit()
}

// apiCommands returns the commands that open another API by its name.
func apiCommands(o *Options) (out []screen.Named) {
	if o.Other == nil {
		return nil
	}
	for _, name := range []string{"mainnet", "testnet", "mock"} {
		if name != o.API {
			out = append(out, openAPI(o, name))
		}
	}
	return out
}

// typedAPI returns the command that a typed address of an API means.
func typedAPI(o *Options) func(typed string) []screen.Named {
	return func(typed string) []screen.Named {
		word, api, found := strings.Cut(strings.TrimSpace(typed), " ")
		if api = strings.TrimSpace(api); o.Other == nil || word != apiWord || !found || api == "" {
			return nil
		}
		for _, c := range apiCommands(o) {
			if strings.HasPrefix(c.Title, apiWord+" "+api) {
				return nil // it is listed
			}
		}
		return []screen.Named{openAPI(o, api)}
	}
}

// openAPI returns the command that opens the explorer of an API.
func openAPI(o *Options, api string) screen.Named {
	return screen.Named{Kind: "go", Title: apiWord + " " + api, Words: "other chain network", Choice: true, Run: func() tea.Cmd {
		other, ctx := o.Other, o.Context
		return tea.Batch(screen.Notice("opening "+api), func() tea.Msg {
			return otherMsg{api, other(context.WithoutCancel(ctx), api)}
		})
	}}
}

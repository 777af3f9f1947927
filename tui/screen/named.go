package screen

import (
	"chainscope/tui/nav"

	tea "github.com/charmbracelet/bubbletea"
)

// Named is something that has a name and can be found by it: a token, a call, a
// command.
type Named struct {
	Kind  string // what it is, in a word: "token", "wallet"
	Title string // untrusted text is cleaned when drawn
	Note  string
	Words string // what it is found by besides its title
	Key   string // the keys that do the same, "" for none
	// Place is gone to, if there is one, before Run runs.
	Place nav.Place
	Run   func() tea.Cmd
	// Choice says that it is one of several of a command, none of which its word alone means.
	Choice bool
}

// Finder is a screen that finds things by name.
type Finder interface {
	// Learn requests the things that are not known yet; nil when they are.
	Learn() tea.Cmd
	// Named returns the things. A screen that has very many returns the first
	// that hold the query.
	Named(query string) []Named
}

// Searcher is a screen whose server can search for things by name.
type Searcher interface {
	// Search looks for what is typed. What it finds is among Named afterwards.
	Search(typed string) tea.Cmd
}

// Commander is a screen with commands of its own.
type Commander interface {
	Commands() []Named
}

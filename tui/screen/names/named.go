package names

import (
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/names/find"

	tea "github.com/charmbracelet/bubbletea"
)

// Learn is nil: a namespace is loaded when it is opened.
func (s *Screen) Learn() tea.Cmd { return nil }

// mostNames limits how many loaded names are found at a time.
const mostNames = 5

// Named returns the loaded names that hold a query.
func (s *Screen) Named(query string) []screen.Named {
	var out []screen.Named
	c, ok := s.names.Get()
	query = strings.ToLower(strings.TrimSpace(query))
	if !ok || len(query) < 2 {
		return out
	}
	all := c.list.Snapshot()
	hits := find.Here(all, query)
	for i := range min(hits.Len(), mostNames) {
		name := all.At(hits.At(i))
		out = append(out, screen.Named{Kind: "name", Title: name, Note: "loaded", Place: nav.Name(name)})
	}
	return out
}

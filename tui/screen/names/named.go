package names

import (
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// Learn asks a mock for the namespaces, once.
func (s *Screen) Learn() tea.Cmd {
	if s.chooser.suggestions.State() != remote.Idle || !s.opt.ReadAll { // elsewhere it is a request
		return nil
	}
	return s.suggest()
}

// mostNames is how many loaded names are found at a time.
const mostNames = 5

// Named returns the known namespaces and the loaded names that hold a query.
func (s *Screen) Named(query string) []screen.Named {
	var out []screen.Named
	known, _ := s.chooser.suggestions.Get()
	for _, n := range known {
		note := n.Why
		if n.Count > 0 {
			note = text.Plural(int(n.Count), "name")
		}
		out = append(out, screen.Named{Kind: "namespace", Title: "." + n.Namespace, Note: note, Place: nav.Names(n.Namespace)})
	}
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

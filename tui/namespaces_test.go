package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// A namespace is a row, a detail with its names, and a link to all of them.
func TestNamespacesLeadToTheirNames(t *testing.T) {
	s := startWallet(t, "mainnet", 120, 30)
	s.run(s.m.visit(nav.Listed(nav.KindNamespaces, "")))
	sees := func(words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(s.seen(), w) {
				t.Errorf("%q is not on screen:\n%s", w, s.seen())
			}
		}
	}
	sees("[4 Names]", "Namespaces  8 of 8", "NAMESPACE", "WHY", "graphite")
	s.key("tab")
	sees("First names", "137")
	s.key("tab")
	s.key("enter")
	if at := s.m.Place(); at.Kind != nav.KindNames || at.Namespace != "app" {
		t.Errorf("enter on the namespace leads to %s", at)
	}
	s.run(s.m.back())
	sees("Namespaces  8 of 8")
	s.run(s.m.visit(nav.Listed(nav.KindNamespaces, "nosuch")))
	sees("No such namespace")
}

// Go to finds what is loaded of any list by what its rows show.
func TestGoToFindsLoadedRows(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Contracts()))
	p.run(p.m.visit(nav.Blocks()))
	p.press(tea.KeyMsg{Type: tea.KeyCtrlG})
	p.write("harbor-lights fungible")
	p.sees("harbor-lights", "loaded")
}

package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Whoever types ahead means the place that was gone to: no command has run yet when the next
// key comes.
func TestKeysTypedAheadOfAGoToAreOfThePlaceGoneTo(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	s.run(s.m.visit(nav.Blocks()))
	var later []tea.Cmd
	for _, name := range []string{"ctrl+g", "t", "x", "s", "enter", "/", "t", "y", "p", "e"} {
		_, cmd := s.m.Update(keyNamed(t, name))
		later = append(later, cmd)
	}
	s.run(tea.Batch(later...))
	if place := s.m.Place(); place.Kind != nav.KindTransactions {
		t.Errorf("the place is %s", place)
	}
	if frame := ansi.Strip(s.m.View()); !strings.Contains(frame, "/ type") {
		t.Errorf("what was typed ahead is not in the filter of the place:\n%s", frame)
	}
}

// A command that opens a box closes the box it was chosen in, and not its own.
func TestACommandChosenByNameLeavesTheBoxThatItOpens(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	s.run(s.m.visit(nav.Blocks()))
	for _, name := range []string{":", "r", "a", "w", "enter"} {
		s.send(keyNamed(t, name))
	}
	if n := len(s.m.overlays.stack); n != 1 {
		t.Errorf("%d boxes are open:\n%s", n, ansi.Strip(s.m.View()))
	}
}

// A key that leads from a thing to another place does so before the next key.
func TestKeysTypedAheadOfALinkAreOfThePlaceGoneTo(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	s.run(s.m.visit(nav.Blocks()))
	var later []tea.Cmd
	for _, name := range []string{"x", "/", "t", "y", "p", "e"} { // the transactions of the block
		_, cmd := s.m.Update(keyNamed(t, name))
		later = append(later, cmd)
	}
	if place := s.m.Place(); place.Kind != nav.KindTransactions {
		t.Errorf("the place is %s", place)
	}
	s.run(tea.Batch(later...))
	if frame := ansi.Strip(s.m.View()); !strings.Contains(frame, "/ type") {
		t.Errorf("what was typed ahead is not in the filter of the place:\n%s", frame)
	}
}

package burnblocks

import (
	"chainscope/tui/nav"
	"chainscope/tui/screen/browser"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// fields lists every field of a block of a listing.
func (s *Screen) fields(b *block) []detail.Row {
	fields := s.blocks.Kind.Fields(b.Listed())
	for i, f := range fields {
		if f.Label == "height" {
			fields[i].To, fields[i].Note = nav.BlockAtHeight(b.Height).Link(), "in the list of blocks"
		}
	}
	rows := s.Details(fields)
	browser.OnEnter(rows, "tenure", "show its blocks", func(height string) tea.Cmd {
		s.Enter(false)
		return s.Narrow("tenure:" + height)
	})
	return rows
}

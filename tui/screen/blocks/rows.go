package blocks

import (
	"strconv"
	"strings"

	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// The rows of the list are all blocks that there are. Those that are loaded can be filtered.

// Len returns how many rows there are.
func (s *Screen) Len() int { return s.chain.Rows() }

// Item returns the block of a row.
func (s *Screen) Item(i int) (of resource.Block, loaded bool) {
	if b := s.chain.InRow(i); b != nil {
		return b.Listed(), true
	}
	return of, false
}

// LoadedRows returns the rows of the blocks that are loaded.
func (s *Screen) LoadedRows() []int { return s.chain.LoadedRows() }

// height returns the block height of a row.
func (s *Screen) height(i int) int64 {
	h, _ := s.chain.Row(i)
	return h
}

// ID of a row: of the height while the chain has one block there, so that a
// row that is loaded meanwhile is the same; of the hash for a replaced block.
func (s *Screen) ID(i int) string {
	height, orphan := s.chain.Row(i)
	if orphan != nil {
		return orphan.ID()
	}
	return strconv.FormatInt(height, 10)
}

// Find returns the row with an identity.
func (s *Screen) Find(id string) (int, bool) {
	if r := s.chain.ByID(id); r != nil && !r.Canonical {
		return s.chain.OrphanRow(r), true
	}
	height, err := strconv.ParseInt(id, 10, 64)
	if err != nil || !s.chain.Started || height > s.chain.Tip || height < s.chain.Floor {
		return 0, false
	}
	return s.chain.RowOf(height), true
}

// Row draws a row without its time.
func (s *Screen) Row(i, width int) string {
	if of, loaded := s.Item(i); loaded {
		return s.Draw(of, width, s.Theme)
	}
	th := s.Theme
	height := th.Number.Render(text.PadLeft(text.Count(s.height(i)), 10)) + "  "
	return height + th.Faint.Render(strings.Repeat(th.Glyphs.Skeleton, max(0, min(width-12, 60))))
}

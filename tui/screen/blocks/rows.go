package blocks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// The rows of the list are all blocks that there are, or only the loaded ones that a filter
// lets through.

// Len returns how many rows there are.
func (s *Screen) Len() int {
	if s.filtered != nil {
		return len(s.filtered)
	}
	return s.chain.Rows()
}

// record returns the block of a row, nil when it is not loaded.
func (s *Screen) record(i int) *chain.Block {
	switch {
	case i < 0 || i >= s.Len():
		return nil
	case s.filtered != nil:
		return s.filtered[i]
	}
	return s.chain.InRow(i)
}

// height returns the block height of a row.
func (s *Screen) height(i int) int64 {
	if s.filtered != nil {
		return s.filtered[i].Height
	}
	h, _ := s.chain.Row(i)
	return h
}

// ID of a row: of the height while the chain has one block there, so that a
// row that is loaded meanwhile is the same; of the hash for a replaced block.
func (s *Screen) ID(i int) string {
	if r := s.record(i); r != nil && !r.Canonical {
		return r.ID()
	}
	return strconv.FormatInt(s.height(i), 10)
}

// Find returns the row with an identity.
func (s *Screen) Find(id string) (int, bool) {
	if s.filtered != nil {
		at := slices.IndexFunc(s.filtered, func(r *chain.Block) bool { return rowID(r) == id })
		return at, at >= 0
	}
	if r := s.chain.ByID(id); r != nil && !r.Canonical {
		return s.chain.OrphanRow(r), true
	}
	height, err := strconv.ParseInt(id, 10, 64)
	if err != nil || !s.chain.Started || height > s.chain.Tip || height < s.chain.Floor {
		return 0, false
	}
	return s.chain.RowOf(height), true
}

// rowID returns the identity of the row of a block.
func rowID(r *chain.Block) string {
	if !r.Canonical {
		return r.ID()
	}
	return strconv.FormatInt(r.Height, 10)
}

// Row draws a row without its time.
func (s *Screen) Row(i, width int) string {
	th := s.Theme
	if r := s.record(i); r != nil {
		return s.rows.Row(r.Listed(), width, th)
	}
	height := th.Number.Render(text.PadLeft(text.Count(s.height(i)), 10)) + "  "
	return height + th.Faint.Render(strings.Repeat(th.Glyphs.Skeleton, max(0, min(width-12, 60))))
}

// Tail draws the time of a row.
func (s *Screen) Tail(i int) string {
	var at time.Time
	if r := s.record(i); r != nil {
		at = time.Unix(r.BlockTime, 0)
	}
	return browser.TimeTail(s.Theme, s.env, at)
}

// ShowRows shows some of the loaded blocks, or for nil all there are.
func (s *Screen) ShowRows(rows []int) {
	s.filtered = nil
	if rows != nil {
		loaded := s.chain.Loaded()
		s.filtered = make([]*chain.Block, len(rows))
		for i, row := range rows {
			s.filtered[i] = loaded[row]
		}
	}
	s.List.Changed(nil)
}

// Listing returns what filters and orders work on: the loaded blocks.
func (s *Screen) Listing() query.Table {
	loaded := s.chain.Loaded()
	return s.rows.Kind.Table(len(loaded), func(i int) (resource.Block, bool) { return loaded[i].Listed(), true }, s.env.ChainNow())
}

// RowWords returns how many blocks a filter looks at.
func (s *Screen) RowWords() string {
	return text.Plural(len(s.chain.Loaded()), "loaded block")
}

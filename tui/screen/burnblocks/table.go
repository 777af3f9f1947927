package burnblocks

import "chainscope/tui/query"

// rows returns those of the list that is shown: the burn blocks, or the loaded blocks of one.
func (s *Screen) rows() interface {
	Columns(width int) string
	Listing() query.Table
	RowWords() string
} {
	if s.listing() {
		return s.blocks
	}
	return s.burns
}

// Columns names the columns of the list.
func (s *Screen) Columns(width int) string { return s.rows().Columns(width) }

// Listing returns what filters and orders work on.
func (s *Screen) Listing() query.Table { return s.rows().Listing() }

// RowWords returns how many rows a filter searches.
func (s *Screen) RowWords() string { return s.rows().RowWords() }

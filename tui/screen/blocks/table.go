package blocks

import (
	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// Listing is what filters and orders work on: the loaded blocks.
func (s *Screen) Listing() query.Table {
	loaded := s.chain.loaded()
	return s.source.rows.Kind.Table(len(loaded), func(i int) (resource.Block, bool) { return loaded[i].listed(), true }, s.env.ChainNow())
}

// RowWords says how many blocks a filter looks at.
func (s *Screen) RowWords() string {
	return text.Plural(len(s.chain.at)+len(s.chain.orphans), "loaded block")
}

// ShowRows shows some of the loaded blocks, or for nil all there are.
func (s *Screen) ShowRows(rows []int) {
	s.source.show(rows)
	s.List.Changed(nil)
}

package burnblocks

import (
	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// Listing returns what filters and orders work on: the burn blocks, or the loaded blocks
// of one.
func (s *Screen) Listing() query.Table {
	if s.listing() {
		return s.blocksTable()
	}
	return s.burnsTable()
}

// RowWords returns how many rows a filter looks at.
func (s *Screen) RowWords() string {
	if s.listing() {
		l, _ := s.one.value.Get()
		return text.Plural(len(l.blocks), "loaded block")
	}
	return text.Plural(s.over.depth, "burn block")
}

// burnsTable has the burn blocks of the list. Of one that is not read only the
// height is known.
func (s *Screen) burnsTable() query.Table {
	o := &s.over
	return s.burns.Kind.Table(o.depth, func(i int) (resource.BurnBlock, bool) {
		if l, ok := o.at(o.height(i)); ok {
			return l.burnBlock(), true
		}
		return resource.BurnBlock{Height: o.height(i)}, true
	}, s.env.ChainNow())
}

// blocksTable has the loaded Stacks blocks of a burn block.
func (s *Screen) blocksTable() query.Table {
	l, _ := s.one.value.Get()
	return s.blocks.Kind.Table(len(l.blocks), func(i int) (resource.Block, bool) { return l.blocks[i].Listed(), true }, s.env.ChainNow())
}

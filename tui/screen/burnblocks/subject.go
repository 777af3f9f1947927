package burnblocks

import (
	"fmt"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// Subject returns the block under the cursor, or the burn block.
func (s *Screen) Subject() screen.Subject {
	if !s.listing() {
		if l, ok := s.over.cursor(); ok {
			return s.WithField(s.burnSubject(l, s.exportBurns))
		}
		return s.failedRow()
	}
	l, ok := s.one.value.Get()
	if !ok {
		return browser.FailedSubject(s.asked(), s.one.value.Err())
	}
	b := s.one.cursor()
	if b == nil {
		return s.burnSubject(l, nil)
	}
	sub := s.Block(s.blocks.Kind, b)
	sub.Export = s.exportBlocks
	return sub
}

// failedRow returns the burn block under the cursor that is not read, or what came
// in its place.
func (s *Screen) failedRow() screen.Subject {
	i, ok := s.List.Cursor()
	if _, known := s.over.newest(); !ok || !known {
		return browser.FailedSubject("burn blocks", s.over.tip.Err())
	}
	height := s.over.height(i)
	var err error
	if v := s.over.known[height]; v != nil {
		err = v.Err()
	}
	return browser.FailedSubject("burn block "+text.Count(height), err)
}

func (s *Screen) burnSubject(l listing, export func() screen.Table) screen.Subject {
	sub := screen.Subject{
		Title: "burn block " + text.Count(l.height), Raw: l.raw, ExchangeID: l.id, Export: export, At: nav.BurnBlockAtHeight(l.height),
		Copies: browser.Copies(s.burns.Kind.Fields(l.burnBlock())),
	}
	if l.hash != "" {
		sub.Web = s.env.WebPage("/btcblock/" + l.hash)
	}
	return sub
}

// exportBlocks makes a table of the blocks that the list shows.
func (s *Screen) exportBlocks() screen.Table {
	l, _ := s.one.value.Get()
	t := screen.Table{Name: fmt.Sprintf("burn-block-%d", l.height)}
	var all []resource.Block
	for _, i := range s.one.list.Rows() {
		b := s.one.block(i)
		all = append(all, b.Listed())
		t.JSON = append(t.JSON, b.Raw)
	}
	t.Columns, t.Rows = s.blocks.Kind.Export(all)
	return t
}

// exportBurns makes a table of the burn blocks that the list shows and that are read.
func (s *Screen) exportBurns() screen.Table {
	var all []resource.BurnBlock
	for _, i := range s.over.list.Rows() {
		if l, ok := s.over.at(s.over.height(i)); ok {
			all = append(all, l.burnBlock())
		}
	}
	t := screen.Table{Name: "burn-blocks"}
	t.Columns, t.Rows = s.burns.Kind.Export(all)
	t.JSON = s.burns.Kind.JSON(all)
	return t
}

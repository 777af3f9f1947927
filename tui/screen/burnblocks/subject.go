package burnblocks

import (
	"fmt"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// Subject returns the block under the cursor, or the burn block.
func (s *Screen) Subject() screen.Subject {
	if !s.listing() {
		if l, ok := s.over.cursor(); ok {
			return s.WithField(s.burnSubject(l, s.burns.Export))
		}
		return s.failedRow()
	}
	l, ok := s.one.value.Get()
	if !ok {
		return browser.FailedSubject(s.title(), s.one.value.Err())
	}
	b := s.one.cursor()
	if b == nil {
		return s.burnSubject(l, nil)
	}
	sub := s.Block(s.blocks.Kind, b)
	sub.Export = func() screen.Table {
		t := s.blocks.Export()
		t.Name = fmt.Sprintf("burn-block-%d", l.height)
		return t
	}
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

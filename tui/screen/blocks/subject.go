package blocks

import (
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
)

// Subject returns the block under the cursor, or what came in its place.
func (s *Screen) Subject() screen.Subject {
	r := s.current()
	if r == nil || s.problem != nil {
		err := s.problem
		if err == nil {
			err = s.staleError()
		}
		return browser.FailedSubject("The answer", err)
	}
	subject := s.Block(s.rows.Kind, r)
	subject.Export = s.table
	return subject
}

// table returns what export writes: the loaded blocks that the filter lets through.
func (s *Screen) table() screen.Table {
	t := screen.Table{Name: "blocks"}
	records := s.filtered
	if s.filtered == nil {
		records = s.chain.Loaded()
	}
	var all []resource.Block
	for _, r := range records {
		all = append(all, r.Listed())
		t.JSON = append(t.JSON, r.Raw)
	}
	t.Columns, t.Rows = s.rows.Kind.Export(all)
	return t
}

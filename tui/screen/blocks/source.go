package blocks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/resource"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// source shows what is known to the list: every block there is, or only the
// loaded ones that a filter lets through.
type source struct {
	chain    *chainView
	screen   *Screen
	filtered []*record
	filter   bool
	rows     browser.Rows[resource.Block]
}

// Len is how many rows there are.
func (s *source) Len() int {
	if s.filter {
		return len(s.filtered)
	}
	return s.chain.rows()
}

// record is the block of a row, nil when it is not loaded.
func (s *source) record(i int) *record {
	switch {
	case i < 0 || i >= s.Len():
		return nil
	case s.filter:
		return s.filtered[i]
	}
	return s.chain.record(i)
}

// height is the block height of a row.
func (s *source) height(i int) int64 {
	if s.filter {
		return s.filtered[i].Height
	}
	h, _ := s.chain.row(i)
	return h
}

// ID of a row: of the height while the chain has one block there, so that a
// row that is loaded meanwhile is the same; of the hash for a replaced block.
func (s *source) ID(i int) string {
	if r := s.record(i); r != nil && r.orphaned {
		return r.id()
	}
	return strconv.FormatInt(s.height(i), 10)
}

// Find returns the row with an identity.
func (s *source) Find(id string) (int, bool) {
	if s.filter {
		at := slices.IndexFunc(s.filtered, func(r *record) bool { return rowID(r) == id })
		return at, at >= 0
	}
	if r := s.chain.ids[id]; r != nil && r.orphaned {
		return s.chain.orphanRow(r), true
	}
	height, err := strconv.ParseInt(id, 10, 64)
	if err != nil || !s.chain.started || height > s.chain.tip || height < s.chain.floor {
		return 0, false
	}
	return s.chain.rowOf(height), true
}

// rowID is the identity of the row of a block.
func rowID(r *record) string {
	if r.orphaned {
		return r.id()
	}
	return strconv.FormatInt(r.Height, 10)
}

// Row draws a row without its time.
func (s *source) Row(i, width int) string {
	th := s.screen.Theme
	if r := s.record(i); r != nil {
		return s.rows.Row(r.listed(), width, th)
	}
	height := th.Number.Render(text.PadLeft(text.Count(s.height(i)), 10)) + "  "
	return height + th.Faint.Render(strings.Repeat(th.Glyphs.Skeleton, max(0, min(width-12, 60))))
}

// Tail draws the time of a row.
func (s *source) Tail(i int) string {
	var at time.Time
	if r := s.record(i); r != nil {
		at = time.Unix(r.BlockTime, 0)
	}
	return browser.TimeTail(s.screen.Theme, s.screen.env, at)
}

// show shows some of the loaded blocks, or for nil all blocks there are.
func (s *source) show(rows []int) {
	s.filter, s.filtered = rows != nil, nil
	if !s.filter {
		return
	}
	loaded := s.chain.loaded()
	for _, i := range rows {
		s.filtered = append(s.filtered, loaded[i])
	}
}

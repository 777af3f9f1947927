package listing

import (
	"context"
	"time"

	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen[T]) requestFirst() tea.Cmd {
	return screen.Fetch(s.env, &s.first, s.page(""))
}

func (s *Screen[T]) page(cursor string) func(context.Context) (Page[T], error) {
	of := s.opened
	of.Filter = s.requested
	return func(ctx context.Context) (Page[T], error) { return s.of.Page(ctx, of, cursor) }
}

// request requests all of an item.
func (s *Screen[T]) request(id string) tea.Cmd {
	return s.requestOne(id, func(ctx context.Context) (Row[T], error) { return s.of.One(ctx, id) })
}

func (s *Screen[T]) requestOne(id string, read func(context.Context) (Row[T], error)) tea.Cmd {
	s.wanted, s.ahead = id, false
	s.again = func() tea.Cmd { return s.requestOne(id, read) }
	whole := s.whole(read)
	return screen.Fetch(s.env, &s.one, func(ctx context.Context) (Row[T], error) {
		r, err := whole(ctx)
		if err == nil && s.of.Remember != nil {
			s.of.Remember(s.of.ID(r.Of))
		}
		return r, err
	})
}

// whole returns what reads all of a thing, dated now.
func (s *Screen[T]) whole(read func(context.Context) (Row[T], error)) func(context.Context) (Row[T], error) {
	now := s.env.Now()
	return func(ctx context.Context) (Row[T], error) {
		r, err := read(ctx)
		if r.whole = true; !r.next {
			r.at = now
		}
		return r, err
	}
}

// requestRest requests the next part of the thing under the cursor.
func (s *Screen[T]) requestRest() tea.Cmd {
	r := s.current()
	if r == nil || !r.whole || s.one.Busy() {
		return nil
	}
	s.fill.Cancel() // it would fill in what was known before
	of, at := r.Of, r.at
	return s.requestOne(s.of.ID(of), func(ctx context.Context) (Row[T], error) {
		next, err := s.of.More(ctx, of)
		next.next, next.at = true, at
		return next, err
	})
}

// filling requests what explains a thing.
func (s *Screen[T]) filling(row Row[T]) func(context.Context) (Row[T], error) {
	return func(ctx context.Context) (Row[T], error) {
		var err error
		row.Of, err = s.of.Fill(ctx, row.Of)
		return row, err
	}
}

// fillAgain requests what explains the thing that is read, while that may change: live tail
// has requested the list alone.
func (s *Screen[T]) fillAgain() tea.Cmd {
	r := s.current()
	if r == nil || !s.InDetail || !r.whole || s.of.Fill == nil || s.settled(r.Of) || s.fill.Busy() {
		return nil
	}
	return screen.FetchAhead(s.env, &s.fill, s.filling(*r))
}

// Refresh requests again what is shown.
func (s *Screen[T]) Refresh() tea.Cmd {
	s.StopRetries()
	if id := s.of.IDOf(s.opened); id != "" {
		return s.request(id)
	}
	for i := range s.loaded.Rows {
		if r := &s.loaded.Rows[i]; !s.settled(r.Of) {
			r.at = time.Time{}
		}
	}
	if r := s.current(); r != nil {
		r.at, s.wanted = time.Time{}, ""
	}
	return tea.Batch(s.requestFirst(), s.Moved())
}

// Live requests what may have changed: the list, the thing that is read, and rows of which all
// was read.
func (s *Screen[T]) Live() tea.Cmd {
	cmds := []tea.Cmd{s.readAhead(true)}
	if s.of.IDOf(s.opened) == "" && s.listChanged() && !s.first.Busy() && !s.Waits(&s.first) {
		cmds = append(cmds, screen.FetchAhead(s.env, &s.first, s.page("")))
	}
	if id := s.reads(); id != "" && s.openChanged() && !s.one.Busy() && !s.Waits(&s.one) {
		s.wanted, s.ahead = id, true
		s.again = func() tea.Cmd { return s.request(id) }
		cmds = append(cmds, screen.FetchAhead(s.env, &s.one, s.whole(func(ctx context.Context) (Row[T], error) { return s.of.One(ctx, id) })))
	}
	return tea.Batch(cmds...)
}

func (s *Screen[T]) settled(of T) bool { return s.of.Settled != nil && s.of.Settled(of) }

func (s *Screen[T]) pace() Pace {
	if s.of.Pace == nil {
		return WithBlocks
	}
	return s.of.Pace(s.opened)
}

// listChanged reports whether the list may be another than the one that was read.
func (s *Screen[T]) listChanged() bool {
	switch s.pace() {
	case WithBlocks:
		return s.env.Tip.Outdates(s.first.RequestedAt())
	case WithChains:
		return s.first.RequestedAt().IsZero()
	case Never:
		return false
	}
	return true
}

// reads returns the id of the thing that is read, "" for none: the one that was opened, or the
// one under the cursor once all of it was read.
func (s *Screen[T]) reads() string {
	if id := s.of.IDOf(s.opened); id != "" {
		return id
	}
	if r := s.current(); s.InDetail && s.of.One != nil && r != nil && s.wanted == s.of.ID(r.Of) {
		return s.wanted
	}
	return ""
}

// openChanged reports whether the item that is read may be another by now, and may be read.
func (s *Screen[T]) openChanged() bool {
	at := s.one.RequestedAt()
	if r := s.current(); r != nil && r.whole && s.one.Err() == nil {
		return s.rowChanged(r)
	}
	return at.IsZero() || s.env.Rested(at) && (s.of.Waits || s.env.Tip.Outdates(at))
}

// rowChanged reports whether a row of which all was read may be another by now, and may be read.
func (s *Screen[T]) rowChanged(r *Row[T]) bool {
	return r.at.IsZero() || !s.settled(r.Of) && s.env.Rested(r.at) && (s.of.Waits || s.env.Tip.Outdates(r.at))
}

// rowsRead returns when the row in sight was read that is the oldest of those that may be others
// by now, and reports whether there is one.
func (s *Screen[T]) rowsRead() (oldest time.Time, read bool) {
	for _, i := range s.List.InSight() {
		if r := &s.loaded.Rows[i]; r.whole && !s.settled(r.Of) && (!read || r.at.Before(oldest)) {
			oldest, read = r.at, true
		}
	}
	return oldest, read
}

// requestMore requests the next page.
func (s *Screen[T]) requestMore() tea.Cmd {
	if s.loaded.Next == "" || s.more.Busy() || s.Waits(&s.more) {
		return nil
	}
	return screen.Fetch(s.env, &s.more, s.page(s.loaded.Next))
}

// Moved requests what is missing after the cursor moved: the next page near the end of the
// list, and all of the thing whose detail is read.
func (s *Screen[T]) Moved() tea.Cmd {
	var cmds []tea.Cmd
	if s.List.Place().Top == 0 {
		s.above = 0
	}
	if rows := s.RowsInSight(); s.readsOn() && s.List.Place().Top+rows+rows/2 > s.List.Len() {
		cmds = append(cmds, s.requestMore())
	}
	if r := s.current(); r != nil && s.InDetail && s.of.One != nil && s.wanted != s.of.ID(r.Of) {
		if r.whole && !r.at.IsZero() {
			s.wanted = s.of.ID(r.Of)
		} else if !s.one.Busy() {
			cmds = append(cmds, s.request(s.of.ID(r.Of)))
		}
	}
	return tea.Batch(append(cmds, s.readAhead(false))...)
}

// readAhead requests all of the first row in sight that is not known whole, else of the one that
// was read the longest ago of those that may be others by now. Where the last one failed it does
// so again only for live tail.
func (s *Screen[T]) readAhead(live bool) tea.Cmd {
	if s.of.One == nil || s.of.IDOf(s.opened) != "" || s.rest.Busy() {
		return nil
	}
	ahead, from := 0, s.List.Place().Top
	if s.of.ReadAhead != nil {
		ahead = min(s.RowsInSight(), s.of.ReadAhead(s.opened))
	}
	if ahead == 1 {
		from = s.List.Position()
	}
	var next *Row[T]
	for i, at := range s.List.InSight() {
		row := &s.loaded.Rows[at]
		i += s.List.Place().Top
		switch id := s.of.ID(row.Of); {
		case id == s.wanted && (s.InDetail || s.one.Busy()): // which is read by itself
		case !row.whole && !s.tried[id] && from <= i && i < from+ahead:
			s.tried[id] = true
			return s.readRow(id)
		case row.whole && s.rowChanged(row) && (next == nil || row.at.Before(next.at)):
			next = row
		}
	}
	if next == nil || !next.at.IsZero() && !s.env.Rested(s.rest.RequestedAt()) || s.rest.Err() != nil && !live {
		return nil
	}
	return s.readRow(s.of.ID(next.Of))
}

// readRow requests all of a row, with what explains it.
func (s *Screen[T]) readRow(id string) tea.Cmd {
	read := s.whole(func(ctx context.Context) (Row[T], error) { return s.of.One(ctx, id) })
	return screen.FetchAhead(s.env, &s.rest, func(ctx context.Context) (Row[T], error) {
		r, err := read(ctx)
		if err != nil || s.of.Fill == nil {
			return r, err
		}
		return s.filling(r)(ctx)
	})
}

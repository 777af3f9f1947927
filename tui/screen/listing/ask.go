package listing

import (
	"context"
	"time"

	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen[T]) askFirst() tea.Cmd {
	return screen.Fetch(s.env, &s.first, slotFirst, s.page(""))
}

func (s *Screen[T]) page(cursor string) func(context.Context) (Page[T], error) {
	of := s.opened
	return func(ctx context.Context) (Page[T], error) { return s.of.Page(ctx, of, cursor) }
}

// ask asks for all of a thing.
func (s *Screen[T]) ask(id string) tea.Cmd {
	return s.askOne(id, func(ctx context.Context) (Row[T], error) { return s.of.One(ctx, id) })
}

func (s *Screen[T]) askOne(id string, read func(context.Context) (Row[T], error)) tea.Cmd {
	s.wanted, s.ahead = id, false
	s.again = func() tea.Cmd { return s.askOne(id, read) }
	return screen.Fetch(s.env, &s.one, slotOne, func(ctx context.Context) (Row[T], error) {
		r, err := read(ctx)
		r.whole = true
		return r, err
	})
}

// askRest asks for the next part of the thing under the cursor.
func (s *Screen[T]) askRest() tea.Cmd {
	r := s.current()
	if r == nil || !r.whole || s.one.Busy() {
		return nil
	}
	s.fill.Cancel() // it would fill in what was known before
	of := r.Of
	return s.askOne(s.of.ID(of), func(ctx context.Context) (Row[T], error) {
		next, err := s.of.More(ctx, of)
		next.next = true
		return next, err
	})
}

// filling asks for what explains a thing.
func (s *Screen[T]) filling(row Row[T]) func(context.Context) (Row[T], error) {
	return func(ctx context.Context) (Row[T], error) {
		var err error
		row.Of, err = s.of.Fill(ctx, row.Of)
		return row, err
	}
}

// fillAgain asks for what explains the thing that is read, while that may change: live tail
// has asked for the list alone.
func (s *Screen[T]) fillAgain() tea.Cmd {
	r := s.current()
	if r == nil || !s.InDetail || !r.whole || s.of.Fill == nil || s.of.Settled == nil || s.of.Settled(r.Of) || s.fill.Busy() {
		return nil
	}
	return screen.FetchAhead(s.env, &s.fill, slotFill, s.filling(*r))
}

// Refresh asks again for what is shown.
func (s *Screen[T]) Refresh() tea.Cmd {
	s.StopRetries()
	if id := s.of.IDOf(s.opened); id != "" {
		return s.ask(id)
	}
	cmd := s.askFirst()
	if r := s.current(); r != nil && r.whole {
		r.whole = false
		cmd = tea.Batch(cmd, s.Moved())
	}
	return cmd
}

// Live asks for what may have changed: the list, and the thing that is read.
func (s *Screen[T]) Live() tea.Cmd {
	if s.of.Settled == nil {
		return nil
	}
	var cmds []tea.Cmd
	if s.of.IDOf(s.opened) == "" && s.listChanged() && !s.first.Busy() && !s.Waits(slotFirst) {
		cmds = append(cmds, screen.FetchAhead(s.env, &s.first, slotFirst, s.page("")))
	}
	if id := s.reads(); id != "" && s.thingChanged() && !s.one.Busy() && !s.Waits(slotOne) {
		s.wanted, s.ahead = id, true
		s.again = func() tea.Cmd { return s.ask(id) }
		cmds = append(cmds, screen.FetchAhead(s.env, &s.one, slotOne, func(ctx context.Context) (Row[T], error) {
			r, err := s.of.One(ctx, id)
			r.whole = true
			return r, err
		}))
	}
	return tea.Batch(cmds...)
}

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
		return s.env.Tip.Outdates(s.first.AskedAt())
	case WithChains:
		return s.first.AskedAt().IsZero()
	case Never:
		return false
	}
	return true
}

// reads is the id of the thing that is read, "" for none: the one that was opened, or the
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

// thingPause is the least time between two readings of one thing where the server has a
// limit.
const thingPause = 30 * time.Second

// thingChanged reports whether the thing that is read may be another by now, and may be read.
func (s *Screen[T]) thingChanged() bool {
	asked := s.one.AskedAt()
	if r := s.current(); r == nil || !r.whole || asked.IsZero() {
		return true
	} else if s.of.Settled(r.Of) {
		return false
	}
	rested := s.env.Limit() == 0 || s.env.Now().Sub(asked) >= thingPause
	return rested && (s.of.Waits || s.env.Tip.Outdates(asked))
}

// askMore asks for the next page.
func (s *Screen[T]) askMore() tea.Cmd {
	if s.loaded.Next == "" || s.more.Busy() || s.Waits(slotMore) {
		return nil
	}
	return screen.Fetch(s.env, &s.more, slotMore, s.page(s.loaded.Next))
}

// Moved asks for what is missing after the cursor moved: the next page near the end of the
// list, and all of the thing whose detail is read.
func (s *Screen[T]) Moved() tea.Cmd {
	var cmds []tea.Cmd
	if s.List.Place().Top == 0 {
		s.above = 0
	}
	if rows := s.RowsInSight(); !s.Arranged() && s.List.Place().Top+rows+rows/2 > s.Len() {
		cmds = append(cmds, s.askMore())
	}
	if r := s.current(); r != nil && s.InDetail && s.of.One != nil && s.wanted != s.of.ID(r.Of) {
		if r.whole {
			s.wanted = s.of.ID(r.Of)
		} else if !s.one.Busy() {
			cmds = append(cmds, s.ask(s.of.ID(r.Of)))
		}
	}
	return tea.Batch(append(cmds, s.readAhead())...)
}

// readAhead asks for all of the first row in sight that is not known whole.
func (s *Screen[T]) readAhead() tea.Cmd {
	if s.of.ReadAhead == nil || s.of.IDOf(s.opened) != "" || s.rest.Busy() {
		return nil
	}
	first, rows := s.List.Place().Top, min(s.RowsInSight(), s.of.ReadAhead(s.opened))
	if at, ok := s.List.Cursor(); ok && rows == 1 {
		first = at
	}
	for i := first; i < min(s.Len(), first+rows); i++ {
		row := *s.row(i)
		id := s.of.ID(row.Of)
		if row.whole || s.tried[id] || s.one.Busy() && s.wanted == id {
			continue
		}
		s.tried[id] = true
		return screen.FetchAhead(s.env, &s.rest, slotAhead, func(ctx context.Context) (Row[T], error) {
			r, err := s.of.One(ctx, id)
			r.whole = err == nil
			if err != nil || s.of.Fill == nil {
				return r, err
			}
			return s.filling(r)(ctx)
		})
	}
	return nil
}

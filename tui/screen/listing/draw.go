package listing

import (
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// current returns the thing under the cursor, nil for none.
func (s *Screen[T]) current() *Row[T] {
	i, ok := s.List.Cursor()
	if !ok || i >= s.Len() {
		return nil
	}
	return &s.loaded.Rows[i]
}

// Known returns a thing that was read whole, of the chain as it is.
func (s *Screen[T]) Known(id string) (Row[T], bool) {
	at := s.find(id)
	if at < 0 || !s.loaded.Rows[at].whole || s.loaded.Rows[at].at.IsZero() {
		return Row[T]{}, false
	}
	return s.loaded.Rows[at], true
}

// Len returns how many things are loaded.
func (s *Screen[T]) Len() int { return len(s.loaded.Rows) }

// ID tells rows apart.
func (s *Screen[T]) ID(i int) string { return s.of.ID(s.loaded.Rows[i].Of) }

// Item returns the item of a row.
func (s *Screen[T]) Item(i int) (T, bool) { return s.loaded.Rows[i].Of, true }

// Describe returns what the detail shows.
func (s *Screen[T]) Describe() (string, []detail.Row) {
	r := s.current()
	if r == nil {
		return "", nil
	}
	rows := s.Details(s.of.Kind.Fields(r.Of))
	if s.of.More != nil && r.whole {
		browser.OnEnter(rows, s.of.Rest, "read more", func(string) tea.Cmd { return s.requestRest() })
	}
	return s.of.ID(r.Of), rows
}

// Subject returns the thing under the cursor.
func (s *Screen[T]) Subject() screen.Subject {
	r := s.current()
	if r == nil {
		if err := s.first.Err(); err != nil {
			return browser.FailedSubject(s.of.Title(s.opened), err)
		}
		if err := s.one.Err(); err != nil {
			return browser.FailedSubject(s.of.Title(s.opened), err)
		}
		return screen.Subject{}
	}
	sub := screen.Subject{Title: s.of.Kind.Name + " " + text.Middle(s.of.ID(r.Of), 18), Raw: r.Raw, ExchangeID: r.Exchange, Export: s.Export, Copies: browser.Copies(s.of.Kind.Fields(r.Of))}
	if s.of.At != nil {
		sub.At = s.of.At(r.Of)
	}
	if s.env.Web != "" && s.of.Web != nil {
		sub.Web = s.env.Web + s.of.Web(r.Of) + s.env.WebQuery
	}
	return s.WithField(sub)
}

// Heading returns what is shown, and how much of it there is.
func (s *Screen[T]) Heading(time.Time) string {
	th := s.Theme
	title := " " + th.Strong.Render(text.Line(s.of.Title(s.opened)))
	if called := s.env.Called.Of(s.opened.Principal); called != "" {
		title += "  " + th.Accent.Render(text.Line(called))
	}
	n, total := len(s.loaded.Rows), s.loaded.Total
	if s.of.IDOf(s.opened) != "" || n == 0 && total == 0 || s.requested != "" { // the filter counts
		return title
	}
	of := " of " + text.Count(max(total, int64(n)))
	switch {
	case total == 0 && s.loaded.Next == "":
		of = " of " + text.Count(n)
	case total == 0: // not known
		of = " loaded, there may be more"
	}
	return title + th.Muted.Render("  ") + th.Number.Render(text.Count(n)) + th.Muted.Render(of)
}

// Notice names the keys of the list's own.
func (s *Screen[T]) Notice(time.Time) string {
	if note := s.loaded.Note; note != "" {
		style := s.Theme.Muted
		if s.loaded.Warn {
			style = s.Theme.Warn
		}
		return " " + style.Render(text.TruncateWith(text.Line(note), s.Width-2, s.Theme.Glyphs.Ellipsis))
	}
	var some, always []string // what few things have comes first
	for _, k := range s.of.Keys {
		hint := placeholder.Hint(s.Theme, *k.Binding, k.Binding.Help().Desc)
		switch {
		case k.Named == nil:
			always = append(always, hint)
		case k.Named(s.under()):
			some = append(some, hint)
		}
	}
	return " " + placeholder.Fit(append(some, always...), "  ", s.Width-1)
}

// Failed returns the value whose failure is shown above older data.
func (s *Screen[T]) Failed() browser.Remote {
	switch {
	case s.one.State() == remote.Failed:
		return &s.one
	case s.more.State() == remote.Failed:
		return &s.more
	}
	return &s.first
}

// Instead draws the state of a place that has nothing to show.
func (s *Screen[T]) Instead(now time.Time, width, height int) []string {
	if len(s.loaded.Rows) > 0 {
		return nil
	}
	if s.of.IDOf(s.opened) != "" {
		return s.Waiting(&s.one, "the "+s.of.Kind.Name, now, width, height)
	}
	if s.first.State() == remote.Ready {
		lines := []string{placeholder.Hint(s.Theme, s.env.Keys.Global.Refresh, "loads again")}
		if s.requested != "" {
			lines = append(lines, placeholder.HintOf(s.Theme, "esc", "clears the filter"))
		}
		if s.of.None != "" {
			lines = append([]string{s.Theme.Muted.Render(s.of.None), ""}, lines...)
		}
		return placeholder.Empty(s.Theme, "No "+s.of.Kind.Name+"s", lines, width, height)
	}
	lines := s.Waiting(&s.first, "the "+s.of.Kind.Name+"s", now, width, height)
	if s.of.Progress == nil || !s.first.Busy() {
		return lines
	}
	for i, far := range strings.Split(s.of.Progress(), "\n") {
		if i+1 < len(lines) && far != "" {
			lines[i+1] = "    " + s.Theme.Muted.Render(text.TruncateWith(text.Line(far), width-5, s.Theme.Glyphs.Ellipsis))
		}
	}
	return lines
}

// NoRows is drawn where a filter lets no row through.
func (s *Screen[T]) NoRows(_ time.Time, width, height int) []string {
	th := s.Theme
	return placeholder.Empty(th, "No match in the "+s.Rows.RowWords(), []string{
		"", th.Key.Render("esc") + " " + th.Muted.Render("clears the filter"),
	}, width, height)
}

// Cancel cancels what is loading.
func (s *Screen[T]) Cancel() bool {
	for _, v := range []interface {
		Busy() bool
		Cancel()
	}{&s.one, &s.more, &s.first} {
		if v.Busy() && len(s.loaded.Rows) == 0 {
			v.Cancel()
			return true
		}
	}
	return false
}

// Status returns what the status line shows.
func (s *Screen[T]) Status() screen.Status {
	var exchange uint64
	if r := s.current(); r != nil {
		exchange = r.Exchange
	}
	values := []browser.Remote{&s.first, &s.more, &s.one}
	if s.of.IDOf(s.opened) != "" {
		values = values[2:]
	}
	st := s.StatusOf(exchange, values...)
	reads := s.reads()
	if r := s.current(); reads != "" && r != nil {
		if s.of.IDOf(s.opened) == "" && s.one.State() == remote.Ready {
			st.FetchedAt = r.at
		}
		st.Follows = r.whole && !s.settled(r.Of)
	} else if reads == "" {
		oldest, read := s.rowsRead()
		own := s.pace() == Never
		if read && (own || oldest.Before(st.FetchedAt)) {
			st.FetchedAt = oldest
		}
		if st.Still = own && !read; st.Still { // a list of this program's own
			st.FetchedAt = time.Time{}
		}
		st.Follows = s.pace() == WithBlocks || read
	}
	st.NewRows, st.NewWord = s.above, s.of.Kind.Name
	return st
}

package names

import (
	"context"
	"fmt"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// OwnKey handles the keys of the place.
func (s *Screen) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Names.Unanchored):
		place := s.place
		place.Unanchored, place.Page = !place.Unanchored, min(place.Page, 1)
		return s.show(place), true
	case key.Matches(msg, k.Names.All):
		return s.switchMode(), true
	case key.Matches(msg, k.Names.Namespace):
		return s.env.Visit(nav.Names("")), true
	case s.InDetail:
	case key.Matches(msg, k.List.NextPage):
		return s.page(1), true
	case key.Matches(msg, k.List.PrevPage):
		return s.page(-1), true
	}
	return nil, false
}

// switchMode goes from single pages to all names, or back. Where requests are
// limited it says first what all names cost, and does it when the key is pressed again.
func (s *Screen) switchMode() tea.Cmd {
	place := s.otherMode()
	if place.Page == 0 && s.env.Limit() > 0 && !s.opt.ReadAll && !s.confirmed && !s.prompted && !(s.all != nil && s.all.of(place)) {
		s.prompted = true
		return s.weigh()
	}
	if place.Page == 0 {
		s.confirmed = true
	}
	s.prompted = false
	return s.show(place)
}

// pageNames is the number of names that the API gives at once.
const pageNames = 100

// costWords say what reading all names of the namespace costs.
func (s *Screen) costWords() string {
	words, limit := "All names of ."+s.place.Namespace, max(1, s.env.Limit())
	switch b, known := s.weight.Get(); {
	case known && b.known():
		pages := b.pages()
		minutes := max(1, (pages+limit-1)/limit)
		return words + fmt.Sprintf(": about %s, about %s at %d a minute", text.Plural(pages, "request"), text.Plural(minutes, "minute"), limit)
	case s.weight.Busy():
		return words + ": finding out how many there are"
	}
	return words + fmt.Sprintf(": %s a minute at %d requests", text.Count(pageNames*limit), limit)
}

// weigh finds out how many pages the namespace has: by the catalogue of a mock, else roughly,
// for its cost, by some ten requests, and by none when the server's limit has no room for them.
func (s *Screen) weigh() tea.Cmd {
	namespace, unanchored, api, count := s.place.Namespace, s.place.Unanchored, s.api, s.opt.Count
	return screen.FetchAhead(s.env, &s.weight, func(ctx context.Context) (bracket, error) {
		if count == nil {
			return estimate(ctx, api, namespace, unanchored, bracket{low: 1}), nil
		}
		n, err := count(ctx, namespace)
		pages := (n + pageNames - 1) / pageNames
		return bracket{low: pages, high: pages + 1}, err
	})
}

// page goes to the next or previous page: of the API, or among all names to
// where the next or previous page begins.
func (s *Screen) page(step int) tea.Cmd {
	c, there := s.names.Get()
	if s.place.Page == 0 {
		if i, ok := s.List.Cursor(); ok && there && s.search.shown().query == "" {
			page := c.pageAt(i)
			if step < 0 && int(c.starts[page-1]) < i {
				step = 0 // first to the start of this page
			}
			if to := page - 1 + step; to >= 0 && to < len(c.starts) {
				s.List.Select(int(c.starts[to]))
				s.Fill()
			}
		}
		return nil
	}
	if step < 0 && s.place.Page == 1 {
		return screen.Notice("this is the first page")
	}
	if step > 0 && there && c.page == s.place.Page && c.list.Len() == 0 {
		return screen.Notice("there are no names beyond this page")
	}
	place := s.place
	place.Page += step
	return s.show(place)
}

// otherMode returns the place of the single page around the cursor, or of all names.
func (s *Screen) otherMode() nav.Place {
	place := s.place
	if place.Page > 0 {
		place.Page = 0
		return place
	}
	place.Page = 1
	if c, ok := s.names.Get(); ok {
		if i, ok := s.List.Cursor(); ok {
			place.Page = max(1, c.pageAt(s.index(i)))
		}
	}
	return place
}

// Package listing is a place that is a list of one kind of thing, with the detail of the one
// under the cursor. It is made from the description of the kind and from what requests a page
// and for one; everything else a place does is here or in the frame.
//
// It must not import a screen.
package listing

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Of describes what a place is a list of.
type Of[T any] struct {
	Kind resource.Kind[T]
	// KindAt is the kind with the columns of the list that a place is, nil where all have the
	// same.
	KindAt func(nav.Place) resource.Kind[T]
	// List is the kind of the places of a list that needs nothing but ids; Title, Home, At
	// and IDOf follow from it.
	List nav.Kind
	// Title names the things of the list that a place is: "Transactions".
	Title func(nav.Place) string
	// Ops are the calls of the client, by name.
	Ops []string
	// Home is the place of the list, At that of one thing, nil where it has none, and IDOf the
	// id of the thing that a place is, "" for a list.
	Home nav.Place
	At   func(T) nav.Place
	IDOf func(nav.Place) string
	// ID tells things apart.
	ID func(T) string
	// Page requests a page of the list that a place is, One for all of a thing; nil where
	// the list reports all of it.
	Page func(ctx context.Context, of nav.Place, cursor string) (Page[T], error)
	One  func(ctx context.Context, id string) (Row[T], error)
	// Fill requests what explains a thing, once all of it was read; nil where there is nothing.
	// What it fails to tell stays unknown.
	Fill func(ctx context.Context, of T) (T, error)
	// More requests the next part of a thing that one answer does not hold, when enter is
	// pressed on its field Rest; nil where one answer holds all.
	More func(ctx context.Context, of T) (Row[T], error)
	Rest string
	// Choose returns the words of a filter that go into the requests for pages of a list, which are the
	// Filter of the place that Page is given, and the rest; nil where none are. The error says why
	// nothing can be as the filter wants it: then nothing is requested.
	Choose func(filter string) (requested, rest string, wrong error)
	// FilterHint says what can be typed in such a filter.
	FilterHint string
	// ReadAhead says of how many rows in sight all is read, one after the other, where reading is
	// free: 1 is the one under the cursor. Nil is for none.
	ReadAhead func(nav.Place) int
	// Enter returns the place that enter on a row leads to, and EnterLabel says what that shows; nil for the detail.
	Enter      func(T) nav.Place
	EnterLabel string
	// Find says that "go to" loads the list, to find its rows by their names.
	Find bool
	// Known holds what was just read of a thing with what its row in the list knew besides; nil
	// for a list that knows nothing besides.
	Known func(listed, read T) T
	// Scope is the scope of the key map that Keys belong to, "" for none.
	Scope string
	Keys  []Key[T]
	// Settled reports whether a thing stays as it is unless the chain changes, so that live
	// tail need not request it; nil where none does.
	Settled func(T) bool
	// Remember notes that a thing was opened; nil where nothing is noted. It may wait for a disk.
	Remember func(id string)
	// Waits says that one which is not settled may change without a block.
	Waits bool
	// Pace describes when the list that a place is may have changed; nil for with each block.
	Pace func(nav.Place) Pace
	// Web is the path of a thing in the web explorer, nil where it has none.
	Web func(T) string
	// Progress says how far the reading of a list is that takes long, in lines, "" for nothing; nil where none
	// does.
	Progress func() string
	// None describes what can be done where a list is empty, "" for nothing.
	None string
}

// Pace describes when a list may have changed.
type Pace int

// The paces: with each new block, only with another chain, at any time, and never but by
// what this program does.
const (
	WithBlocks Pace = iota
	WithChains
	AnyTime
	Never
)

// whole fills in what follows from List.
func (of Of[T]) whole() Of[T] {
	if of.List == "" {
		return of
	}
	of.Home = nav.Listed(of.List, "")
	of.At = func(one T) nav.Place { return nav.Listed(of.List, of.ID(one)) }
	of.IDOf = func(p nav.Place) string { return p.ID }
	of.Title = func(p nav.Place) string {
		if p.ID != "" {
			return title(of.Kind.Name) + " " + text.Middle(p.ID, 40)
		}
		return title(of.Kind.Name) + "s"
	}
	return of
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// Row is a thing with the exact JSON it came as.
type Row[T any] struct {
	Of       T
	Raw      json.RawMessage
	Exchange uint64
	// Out says that the filter does not want it: the server could not choose.
	Out   bool
	whole bool      // loaded by itself
	at    time.Time // when; zero where it is to be loaded again
	next  bool      // with a further part of it
}

// Page is a page of a list.
type Page[T any] struct {
	Rows  []Row[T]
	Total int64
	Raw   json.RawMessage // of all of it, where that is printed
	// Next is the cursor of the page after it, "" at the end.
	Next string
	// Where says where Total counts those that the filter wants: "on the chain"; "" where not
	// only they are. Left are the words that the server did not choose by, and Ended says that
	// nothing that the filter wants follows.
	Where string
	Left  []string
	Ended bool
	// Note says above the list what is special about it, "" for nothing; Warn that it is not as it should be.
	Note string
	Warn bool
}

// Screen is the place.
type Screen[T any] struct {
	*browser.Rows[T]
	env *screen.Env
	of  Of[T]

	opened    nav.Place // without the filter, of which requested is what requests carry
	requested string
	loaded    Page[T]
	cache     map[string]Row[T] // of a list of this program's own: what was read of its rows
	first     remote.Value[Page[T]]
	more      remote.Value[Page[T]]
	one       remote.Value[Row[T]]
	fill      remote.Value[Row[T]]
	rest      remote.Value[Row[T]] // of a row in sight that is read ahead
	tried     map[string]bool      // the rows that were read ahead, or could not be
	wanted    string               // the id that was requested
	again     func() tea.Cmd
	ahead     bool // nobody waits for what is requested
	above     int  // rows that came above the window
}

// New returns the place.
func New[T any](env *screen.Env, th *theme.Theme, of Of[T]) *Screen[T] {
	of = of.whole()
	s := &Screen[T]{env: env, of: of, opened: of.Home}
	s.Rows = browser.NewRows(browser.New(env, th, s), of.Kind, s)
	s.Loads(&s.first, &s.more, &s.one, &s.fill, &s.rest)
	s.List.SetSource(s)
	return s
}

// Title returns what the list is called.
func (s *Screen[T]) Title() string { return s.of.Title(s.of.Home) }

// Ops returns the calls of the client that are made here.
func (s *Screen[T]) Ops() []string { return s.of.Ops }

// Open goes to a list or to one thing.
func (s *Screen[T]) Open(p nav.Place, back any) tea.Cmd {
	st, known := back.(browser.State)
	if !known {
		st.Query = p.Filter
	}
	p.Filter = ""
	requested, _, _ := s.choose(p, st.Query)
	same := p == s.opened && requested == s.requested // what is known of it stays while it is read again
	if s.of.KindAt != nil {
		s.SetKind(s.of.KindAt(p))
	}
	s.opened, s.requested, s.InDetail = p, requested, false
	s.Reset(st)
	if !same {
		s.cacheOwn()
		s.loaded = Page[T]{}
		s.first.Reset()
	}
	s.more.Reset()
	s.one.Reset()
	s.fill.Reset()
	s.rest.Reset()
	s.wanted, s.above, s.tried = "", 0, map[string]bool{}
	var cmd tea.Cmd
	if id := s.of.IDOf(p); id != "" {
		s.InDetail = true
		cmd = s.request(id)
	} else if !s.first.Busy() {
		cmd = s.requestFirst()
	}
	s.Arrange()
	if known {
		s.Return(st, func() bool { return len(s.loaded.Rows) > 0 })
	}
	return tea.Batch(cmd, s.Changed())
}

// Place returns the list, or the thing that is open.
func (s *Screen[T]) Place() nav.Place {
	if r := s.current(); s.InDetail && r != nil && s.of.At != nil {
		return s.of.At(r.Of)
	}
	at := s.opened
	at.Filter = s.requested
	return at
}

// Update takes the answers to requests.
func (s *Screen[T]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[Page[T]]:
		return s.pageLoaded(msg)
	case screen.Fetched[Row[T]]:
		return s.oneLoaded(msg)
	case screen.ChainChanged:
		s.expire()
	}
	return nil
}

// expire makes all that was read count as old. The rows of a list of this program's own stay whole
// until each was read again; those of another come with the list.
func (s *Screen[T]) expire() {
	s.first.Expire()
	s.one.Expire()
	s.tried = map[string]bool{}
	own := s.pace() == Never
	if !own {
		s.wanted = ""
	}
	for id, r := range s.cache {
		r.at = time.Time{}
		s.cache[id] = r
	}
	for i := range s.loaded.Rows {
		s.loaded.Rows[i].at = time.Time{}
		s.loaded.Rows[i].whole = own && s.loaded.Rows[i].whole
	}
}

// oneLoaded stores all of an item, or what explains it.
func (s *Screen[T]) oneLoaded(msg screen.Fetched[Row[T]]) tea.Cmd {
	if s.fill.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		if msg.Err == nil {
			s.put(msg.Value)
		}
		return s.Changed()
	}
	if s.rest.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		if msg.Err == nil && s.find(s.of.ID(msg.Value.Of)) >= 0 {
			s.put(msg.Value)
		}
		return s.Changed()
	}
	if !s.one.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	var filled tea.Cmd
	if msg.Err == nil {
		s.put(msg.Value)
		if s.of.Fill != nil && !msg.Value.next {
			fetch := screen.Fetch[Row[T]]
			if s.ahead {
				fetch = screen.FetchAhead[Row[T]]
			}
			filled = fetch(s.env, &s.fill, s.filling(msg.Value))
		}
	}
	return tea.Batch(s.Changed(), filled, s.RetryLater(&s.one, msg.Err, msg.At, s.again))
}

func (s *Screen[T]) pageLoaded(msg screen.Fetched[Page[T]]) tea.Cmd {
	switch {
	case s.first.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		later := s.RetryLater(&s.first, msg.Err, msg.At, s.requestFirst)
		if msg.Err == nil {
			s.join(msg.Value)
			later = tea.Batch(later, s.fillAgain())
		}
		return tea.Batch(s.Changed(), later)
	case s.more.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		later := s.RetryLater(&s.more, msg.Err, msg.At, s.requestMore)
		if msg.Err == nil {
			s.loaded.Rows = append(s.loaded.Rows, s.unknown(msg.Value.Rows)...)
			if msg.Value.Next == s.loaded.Next {
				msg.Value.Next = "" // the same page for ever
			}
			s.loaded.Next, s.loaded.Ended = msg.Value.Next, msg.Value.Ended
			s.Arrange()
		}
		return tea.Batch(s.Changed(), later)
	}
	return nil
}

// OpenRow goes to where the row leads, or to its detail, which requests all of it.
func (s *Screen[T]) OpenRow() tea.Cmd {
	if r := s.current(); r != nil && s.of.Enter != nil {
		return s.Env.Visit(s.of.Enter(r.Of))
	}
	s.Enter(true)
	return s.Changed()
}

// OpenLabel returns where that is.
func (s *Screen[T]) OpenLabel() string { return cmp.Or(s.of.EnterLabel, s.Frame.OpenLabel()) }

// Learn loads the first page, where its rows are to be found by name.
func (s *Screen[T]) Learn() tea.Cmd {
	if !s.of.Find || s.first.State() != remote.Idle || s.of.IDOf(s.opened) != "" {
		return nil
	}
	return screen.FetchAhead(s.env, &s.first, s.page(""))
}

// mostFound bounds the rows that are found at a time, leastQuery is the shortest query.
const mostFound, leastQuery = 5, 2

// Named returns the first loaded rows that a query fits.
func (s *Screen[T]) Named(query string) (found []screen.Named) {
	if len(query) < leastQuery || s.of.At == nil {
		return nil
	}
	rows, _ := s.Kind.Select(s.items(), query, "", s.env.ChainNow())
	for _, at := range rows[:min(len(rows), mostFound)] {
		of := s.loaded.Rows[at].Of
		to := s.of.At
		if s.of.Enter != nil {
			to = s.of.Enter
		}
		found = append(found, screen.Named{Kind: s.of.Kind.Name, Title: s.of.ID(of), Note: "loaded", Words: query, Place: to(of)})
	}
	return found
}

// items returns all that are loaded.
func (s *Screen[T]) items() []T {
	all := make([]T, len(s.loaded.Rows))
	for i, r := range s.loaded.Rows {
		all[i] = r.Of
	}
	return all
}

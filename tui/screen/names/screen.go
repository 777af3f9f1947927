package names

import (
	"context"
	"encoding/json"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Options hold what the screen needs besides its environment.
type Options struct {
	// ReadAll reads all names of a namespace when it is opened, for an API without
	// a rate limit. Without it a namespace opens on its first page, and all names
	// are read on a key, after the cost was shown.
	ReadAll bool
	// Count returns how many names a namespace has, 0 where it is not known; nil where only
	// its pages show that.
	Count func(ctx context.Context, namespace string) (int, error)
	// Remember notes that a namespace was read. It may wait for a disk.
	Remember func(namespace string)
	// Registry is a sentence about which registry the API's names are of; nil for none.
	Registry func() string
}

// collection holds what is loaded of a namespace: all its names, or a page of them.
type collection struct {
	namespace  string
	unanchored bool
	page       int // 0 for all
	list       *apiclient.NameList
	starts     []uint32 // the places of the first names of all pages read
	whole      bool     // there are no more
	past       bool     // the page is one past the end
	raw        []byte   // of a page, as the server sent it
	id         uint64   // the exchange of a page
}

// Screen shows the names of a namespace.
type Screen struct {
	*browser.Rows[resource.Name]
	env *screen.Env
	opt Options
	api API
	// batchEvery is the time that names are gathered before they are shown.
	batchEvery time.Duration

	place nav.Place

	names     remote.Value[*collection]
	key       remote.Key  // of the current reading of all names
	next      *collection // shown as soon as it has as much as what is shown
	all       *collection // all names, kept while single pages are shown
	progress  progress
	stopped   bool // the user ended the reading
	confirmed bool // the user knows what reading all names costs
	prompted  bool // the cost is shown, and the key is waited for once more
	// weight is about how many pages the namespace has, for what all of them cost.
	weight remote.Value[bracket]

	search search
}

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opt Options) *Screen {
	s := &Screen{env: env, opt: opt, api: env.Client, batchEvery: batchEvery}
	s.Rows = browser.NewRows(browser.New(env, th, s), resource.Names(), s)
	s.JSON = func(row int) json.RawMessage { return text.EncodeJSON(s.name(row)) }
	s.Loads(&s.names, &s.weight, &s.search.found)
	s.List.SetSource(s)
	return s
}

// FilterBy searches for what is typed: names are too many to be filtered at once.
func (s *Screen) FilterBy(query string) (tea.Cmd, bool) { return s.find(query), true }

// OwnScopes returns the scopes of the key map that hold here.
func (s *Screen) OwnScopes() []string { return []string{"names"} }

// Ops returns the calls of the client that are made here.
func (s *Screen) Ops() []string { return []string{"names"} }

// Open goes to a namespace, a page of it or a search in it.
func (s *Screen) Open(place nav.Place, from any) tea.Cmd {
	if place.Namespace != s.place.Namespace {
		s.confirmed = false
	}
	loaded, has := s.names.Get()
	if place.Page == 0 && !s.opt.ReadAll && !s.confirmed && !(has && loaded.of(place)) {
		place.Page = 1
	}
	has = has && loaded.of(place)
	s.place, s.InDetail, s.prompted = place, false, false
	st, returns := from.(browser.State)
	s.Reset(browser.State{Query: place.Filter, Order: st.Order})
	var load tea.Cmd
	if !has {
		s.forget()
		load = s.load()
	} else if !s.names.Busy() && !s.stopped && (!loaded.whole || s.names.Err() != nil) {
		load = s.load() // it was left in the middle of its names, or of an outage
	}
	found := s.find(place.Filter)
	if returns {
		s.Return(st, func() bool { return s.here(st) })
	}
	return tea.Batch(load, found, s.Changed())
}

// forget drops what is loaded and searched.
func (s *Screen) forget() {
	s.names.Reset()
	s.weight.Reset()
	s.search.reset()
	s.all = nil
	s.List.SetSource(s)
	s.Fill()
}

// of reports whether a collection is what a place shows.
func (c *collection) of(p nav.Place) bool {
	return c.namespace == p.Namespace && c.unanchored == p.Unanchored && c.page == p.Page
}

// Place returns the namespace with the page and the search.
func (s *Screen) Place() nav.Place { return s.place }

// Update takes the answers to requests.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case batchMsg:
		return s.batchLoaded(msg)
	case screen.Fetched[*collection]:
		return s.settled(msg)
	case screen.Fetched[bracket]:
		s.weight.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	case screen.Fetched[found]:
		return s.foundLoaded(msg)
	case screen.ChainChanged:
		s.names.Expire()
	}
	return nil
}

// Refresh reads again what is shown. What is there stays until there is more.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	return s.load()
}

// Live reads a page again where a block has come since. All names of a namespace are too many.
func (s *Screen) Live() tea.Cmd {
	if s.place.Page == 0 || s.Waits(&s.names) || !s.env.Outdated(&s.names) {
		return nil
	}
	return screen.FetchAhead(s.env, &s.names, s.readPage())
}

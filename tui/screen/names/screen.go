package names

import (
	"context"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/split"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Options are what the screen needs besides its environment. The zero value
// suggests nothing and waits on the real clock.
type Options struct {
	// API is what is asked; nil is the client of the environment.
	API API
	// Suggest lists namespaces to choose from. It may ask a server.
	Suggest func(context.Context) ([]Suggestion, error)
	// Recent lists the namespaces read before, the newest first, and Remember
	// notes one. Both may wait for a disk.
	Recent   func() []string
	Remember func(namespace string)
	// Sleep is the clock that batches of names are gathered by.
	Sleep Sleep
}

// collection is what is loaded of a namespace: all its names, or a page of them.
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

// Screen shows the names of a namespace. It is a plain struct that the root
// model owns; see screen.Screen.
type Screen struct {
	env   *screen.Env
	opt   Options
	api   API
	theme *theme.Theme

	width, height int
	place         nav.Place

	names    remote.Value[*collection]
	key      remote.Key // of the current reading of all names
	ctx      context.Context
	reading  *reading
	coming   *collection // shown as soon as it has as much as what is shown
	all      *collection // all names, kept while single pages are shown
	progress progress
	probing  bool
	stopped  bool // the user ended the reading
	failedAt time.Time

	search search
	typing bool
	input  textinput.Model
	back   *state // what to come back to, once the rows are there

	chooser  chooser
	list     *list.List
	detail   *detail.Detail
	inDetail bool
	split    split.Split
	arranged split.Arrangement
	shown    int // the place of the name that the detail shows, -1 for none
}

// New returns the screen, which asks for a namespace.
func New(env *screen.Env, th *theme.Theme, opt Options) *Screen {
	s := &Screen{
		env: env, opt: opt, api: opt.API, theme: th, place: nav.Names(""), input: newInput(), shown: -1,
		list: list.New(th, env.Keys), detail: detail.New(th, env.Keys),
	}
	if s.api == nil {
		s.api = env.Client
	}
	if s.opt.Sleep == nil {
		s.opt.Sleep = sleep
	}
	s.chooser.input = newInput()
	s.list.SetSource(rows{s})
	return s
}

func newInput() textinput.Model {
	in := textinput.New()
	in.Prompt, in.CharLimit = "", 256
	in.Focus()
	return in
}

// sleep is Sleep in real time.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state is what the screen comes back to.
type state struct {
	list     list.Place
	detail   detail.Place
	inDetail bool
}

// Open goes to a namespace, a page of it or a search in it; without a
// namespace it asks for one.
func (s *Screen) Open(place nav.Place, from any) tea.Cmd {
	loaded, there := s.names.Get()
	there = there && loaded.of(place)
	s.place, s.typing, s.inDetail, s.back, s.chooser.asks = place, false, false, nil, false
	if place.Namespace == "" {
		return s.ask(nil) // what is loaded stays, for whoever comes back
	}
	if st, ok := from.(state); ok {
		s.back, s.inDetail = &st, st.inDetail
	}
	var load tea.Cmd
	if !there {
		s.forget()
		load = s.load()
	} else if !loaded.whole && !s.names.Busy() && !s.stopped {
		load = s.load() // it was left in the middle of its names
	}
	return tea.Batch(load, s.find(place.Filter))
}

// forget drops what is loaded and searched.
func (s *Screen) forget() {
	s.names.Reset()
	s.search.reset()
	s.all, s.shown = nil, -1
	s.list.SetSource(rows{s})
	s.detail.SetRows(nil)
}

// of reports whether a collection is what a place shows.
func (c *collection) of(p nav.Place) bool {
	return c.namespace == p.Namespace && c.unanchored == p.Unanchored && c.page == p.Page
}

// Place is the namespace with the page and the search.
func (s *Screen) Place() nav.Place { return s.place }

// State is the cursor in the list and in the detail.
func (s *Screen) State() any {
	return state{list: s.list.Place(), detail: s.detail.Place(), inDetail: s.inDetail}
}

// Leave gives up what is being read. What has come stays.
func (s *Screen) Leave() {
	s.names.Cancel()
	s.search.stop()
	s.chooser.stop()
}

// SetSize tells the cells that View fills.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.layout()
}

// Redraw forgets what was drawn.
func (s *Screen) Redraw() { s.SetTheme(s.theme) }

// SetTheme changes the colours.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme = th
	s.list.SetTheme(th)
	s.detail.SetTheme(th)
}

// Update takes the answers of what was asked.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case batchCame:
		return s.take(msg)
	case bracketCame:
		s.narrow(msg)
	case screen.Fetched[*collection]:
		return s.takePage(msg)
	case hitsCame:
		return s.takeHits(msg)
	case suggestionsCame:
		s.chooser.take(msg)
	}
	return nil
}

// Refresh reads again what is shown. What is there stays until there is more.
func (s *Screen) Refresh() tea.Cmd {
	if s.asking() {
		return s.suggest()
	}
	return s.load()
}

// Live asks again when the server asked to wait and that time is over.
func (s *Screen) Live() tea.Cmd {
	if s.names.State() != remote.Failed || s.asking() {
		return nil
	}
	if at := s.retryAt(); !at.IsZero() && !s.env.Now().Before(at) {
		return s.load()
	}
	return nil
}

// asking reports whether the screen asks for a namespace: because it has none,
// or because there is none of that name.
func (s *Screen) asking() bool { return s.place.Namespace == "" || s.chooser.asks }

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return s.typing || s.asking() }

// Scopes are the scopes of the key map that hold here.
func (s *Screen) Scopes() []string {
	if s.inDetail {
		return []string{"detail", "names"}
	}
	return []string{"list", "names"}
}

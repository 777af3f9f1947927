package tokens

import (
	"context"
	"maps"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/jsonview"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/picker"
	"chainscope/tui/widget/picture"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
)

// Options are what the screen needs besides the frame's Env.
type Options struct {
	// Catalogue asks the mock which tokens it has; nil when the API is no mock.
	Catalogue func(context.Context) (Catalogue, error)
	// Store remembers the tokens that were shown; nil remembers nothing.
	Store Store
	// Source names the API in the Store, so that tokens of one are not offered
	// at another.
	Source string
	// Picture fetches a picture, see picture.Fetcher.Load.
	Picture func(ctx context.Context, address string) (*picture.Picture, error)
	// Colors is what the terminal can show of a picture.
	Colors colorprofile.Profile
	// Sleep waits or returns the context's error; nil waits in real time.
	Sleep func(context.Context, time.Duration) error
}

// The slots of the screen's requests.
const (
	catalogueSlot = "tokens.catalogue"
	recentSlot    = "tokens.recent"
	tokenSlot     = "tokens.token"
	pictureSlot   = "tokens.picture"
	waitSlot      = "tokens.wait"
)

// Screen is the Tokens place.
type Screen struct {
	env   *screen.Env
	opts  Options
	theme *theme.Theme

	width, height int
	place         nav.Place // where one is
	onDetail      bool      // the detail has the keys
	sizing        sizing
	context       contextPane

	catalogue remote.Value[Catalogue]
	recent    remote.Value[[]visit]
	source    picked
	list      *list.List
	moved     bool // somebody has moved in the list
	filter    editor
	filtering bool // the filter is being typed

	token  remote.Value[answer]
	wait   remote.Value[tick]
	retry  retry
	detail *detail.Detail
	rows   []rowRef
	open   map[int]bool  // long values shown whole, by the number of their field
	back   *detail.Place // where the detail was left, until its rows are there

	picture remote.Value[*picture.Picture]
	wanted  []string // the addresses the picture was asked from

	json *jsonview.View // of the third column

	form    *form          // a token is being typed
	locales *picker.Picker // a locale is being chosen
}

var _ screen.Screen = (*Screen)(nil)

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opts Options) *Screen {
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	s := &Screen{
		env: env, opts: opts, theme: th, place: nav.Tokens(),
		list: list.New(th, env.Keys), detail: detail.New(th, env.Keys), json: jsonview.New(th, env.Keys), open: map[int]bool{},
	}
	s.source.theme = th
	s.list.SetSource(&s.source)
	return s
}

// sleep waits in real time.
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

// state is what Open needs to come back.
type state struct {
	list     list.Place
	moved    bool
	detail   detail.Place
	filter   string
	onDetail bool
	open     map[int]bool
}

// State returns what Open needs to come back.
func (s *Screen) State() any {
	return state{s.list.Place(), s.moved, s.detail.Place(), s.filter.String(), s.onDetail, maps.Clone(s.open)}
}

// Open goes to the list or to a token.
func (s *Screen) Open(place nav.Place, back any) tea.Cmd {
	s.form, s.locales, s.back = nil, nil, nil
	cmds := []tea.Cmd{s.askLists()}
	same := sameToken(place, s.place) && isToken(place)
	s.place = place
	if !same {
		s.token.Reset()
		s.hidePicture()
		s.open = map[int]bool{}
		s.showRows(true)
	}
	s.stopWaiting()
	s.onDetail = isToken(place)
	switch {
	case place.Kind == nav.KindNFT && place.TokenID == "":
		s.onDetail = false
		s.form = &form{}
		s.form.fill(place)
	case isToken(place):
		s.list.SelectID(withoutLocale(place).String())
		cmds = append(cmds, s.ask())
	}
	if st, ok := back.(state); ok {
		s.filter.set(st.filter)
		s.filterList()
		s.list.Restore(st.list)
		s.moved = st.moved
		s.open, s.onDetail, s.back = maps.Clone(st.open), st.onDetail, &st.detail
		s.showRows(false)
	}
	s.focus()
	return tea.Batch(cmds...)
}

// isToken tells places that show a token.
func isToken(p nav.Place) bool {
	return p.Kind == nav.KindFT || p.Kind == nav.KindNFT && p.TokenID != ""
}

func withoutLocale(p nav.Place) nav.Place {
	p.Locale = ""
	return p
}

func sameToken(a, b nav.Place) bool { return withoutLocale(a) == withoutLocale(b) }

// Place is where the screen stands.
func (s *Screen) Place() nav.Place { return s.place }

// Leave gives up what was asked for.
func (s *Screen) Leave() {
	s.catalogue.Cancel()
	s.recent.Cancel()
	s.token.Cancel()
	if s.picture.Busy() {
		s.hidePicture()
		s.showRows(false)
	}
	s.stopWaiting()
}

// askLists asks for what the list is made of.
func (s *Screen) askLists() tea.Cmd {
	var cmds []tea.Cmd
	if s.opts.Catalogue != nil && !s.catalogue.Busy() {
		cmds = append(cmds, screen.Fetch(s.env, &s.catalogue, catalogueSlot, s.opts.Catalogue))
	}
	if s.opts.Store != nil && !s.recent.Busy() {
		store, source := s.opts.Store, s.opts.Source
		cmds = append(cmds, screen.Fetch(s.env, &s.recent, recentSlot, func(context.Context) ([]visit, error) {
			return readRecent(store, source)
		}))
	}
	return tea.Batch(cmds...)
}

// relist shows what is known of tokens to pick.
func (s *Screen) relist() {
	c, _ := s.catalogue.Get()
	r, _ := s.recent.Get()
	s.source.all = picks(c, r)
	s.filterList()
	switch {
	case isToken(s.place) && s.onDetail:
		s.list.SelectID(withoutLocale(s.place).String())
	case !s.moved:
		// The parts of the list come one after the other; nobody has chosen a
		// row, so it begins with its first.
		s.list.Restore(list.Place{})
	}
}

// filterList shows the rows that the filter leaves.
func (s *Screen) filterList() {
	filter := s.filter.String()
	if filter == "" {
		s.list.Changed(nil)
		return
	}
	s.list.Changed(func(i int) bool { return s.source.all[i].matches(filter) })
}

// Refresh asks again for what is shown.
func (s *Screen) Refresh() tea.Cmd {
	if isToken(s.place) {
		s.stopWaiting()
		s.retry.tries = 0
		return tea.Batch(s.askLists(), s.ask())
	}
	return s.askLists()
}

// Live is nil: tokens do not change by themselves.
func (s *Screen) Live() tea.Cmd { return nil }

// Redraw forgets what was drawn.
func (s *Screen) Redraw() { s.SetTheme(s.theme) }

// SetTheme changes the colours.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme, s.source.theme = th, th
	s.list.SetTheme(th)
	s.detail.SetTheme(th)
	s.json.SetTheme(th)
	if s.locales != nil {
		s.locales.SetTheme(th)
	}
	s.showRows(false)
}

// Scopes are the scopes of the key map that hold here.
func (s *Screen) Scopes() []string {
	if s.onDetail {
		return []string{"tokens", "detail"}
	}
	return []string{"list", "tokens"}
}

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return s.form != nil || s.filtering || s.locales != nil }

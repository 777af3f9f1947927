package tokens

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/picker"
	"chainscope/tui/widget/picture"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
)

// Options hold what the screen needs besides the frame's Env.
type Options struct {
	// Catalogue requests the tokens of the mock; nil when the API is no mock.
	Catalogue func(context.Context) (Catalogue, error)
	// List shows what the server lists of its fungible tokens when the place is opened: for a
	// mock, which has few. Another server gets one request, which shows whether it has token metadata.
	List bool
	// Store remembers the tokens that were shown; nil remembers nothing.
	Store *state.Store
	// Source names the API in the Store, so that tokens of one are not offered
	// at another.
	Source string
	// Owner reads the owner of a non-fungible token from its contract, "" for nobody; nil reads none.
	Owner func(ctx context.Context, contract, id string) (string, error)
	// Picture fetches a picture, see picture.Fetcher.Load.
	Picture func(ctx context.Context, address string) (*picture.Picture, error)
	// Own reports whether a picture is the mock's own, so that it is fetched without
	// being requested; nil: none is.
	Own func(address string) bool
	// Colors holds what the terminal can show of a picture.
	Colors colorprofile.Profile
}

// Screen is the place of the tokens: a list to pick from, and one token.
type Screen struct {
	*browser.Rows[resource.Token]
	env  *screen.Env
	opts Options

	place nav.Place // where one is

	catalogue remote.Value[Catalogue]
	listed    remote.Value[[]apiclient.ListedToken]
	recent    remote.Value[[]visit]
	search    search
	known     []pick // all tokens that can be picked
	tests     bool   // the list is of the test cases, not of the ordinary tokens
	picks     []pick // those that the list shows
	chose     bool   // the user has moved in the list

	token remote.Value[answer]
	owner remote.Value[owner]
	tries int          // requests that were made by themselves since the user's
	open  map[int]bool // long values shown whole, by the number of their field

	peek   remote.Value[pictured] // beside the list
	peekOf string                 // the address that was requested last

	picture remote.Value[*picture.Picture]
	wanted  []string // the addresses of the picture that were requested

	entry   *entry         // where a token is typed, nil before the first
	typing  bool           // the entry is open
	locales *picker.Picker // a locale is being chosen
}

var _ screen.Screen = (*Screen)(nil)

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opts Options) *Screen {
	s := &Screen{env: env, opts: opts, place: nav.Tokens(), open: map[int]bool{}}
	s.Rows = browser.NewRows(browser.New(env, th, s), resource.Tokens(false), s)
	s.JSON = func(row int) json.RawMessage { return text.EncodeJSON(s.picks[row].Token) }
	s.Loads(&s.catalogue, &s.listed, &s.recent, &s.search.found, &s.token, &s.owner)
	s.List.SetSource(s)
	return s
}

// Third returns what the third column of a wide window can show.
func (s *Screen) Third() []browser.Third {
	return []browser.Third{{Title: "Picture", There: s.hasPicture, Draw: s.thirdPicture, WithJSON: true}}
}

// OpenLabel returns what enter does on a row.
func (s *Screen) OpenLabel() string { return "the token" }

// OwnScopes returns the scopes of the key map that hold here.
func (s *Screen) OwnScopes() []string { return []string{"tokens"} }

// Ops returns the calls of the client that are made here.
func (s *Screen) Ops() []string {
	return []string{"fungible token", "non-fungible token", "list of tokens", "read-only call"}
}

// left holds what Open needs to come back.
type left struct {
	frame browser.State
	chose bool
	tests bool
	open  map[int]bool
}

// State returns what Open needs to come back.
func (s *Screen) State() any { return left{s.Save(), s.chose, s.tests, maps.Clone(s.open)} }

// Open goes to the list or to a token.
func (s *Screen) Open(place nav.Place, back any) tea.Cmd {
	s.typing, s.locales = false, nil
	cmds := []tea.Cmd{s.requestLists()}
	same := sameToken(place, s.place) && isToken(place)
	s.place = place
	if !same {
		s.token.Reset()
		s.owner.Reset()
		s.hidePicture()
		s.open = map[int]bool{}
	}
	s.StopRetries()
	s.InDetail = isToken(place)
	s.choose()
	switch {
	case place.Kind == nav.KindNFT && place.TokenID == "":
		s.InDetail = false
		s.typeToken(&place)
	case isToken(place):
		s.List.SelectID(withoutLocale(place).String())
		cmds = append(cmds, s.load())
	}
	if st, ok := back.(left); ok {
		s.chose, s.tests, s.open = st.chose, st.tests, maps.Clone(st.open)
		s.Reset(st.frame)
		s.choose()
		s.Restore(st.frame)
		s.Return(st.frame, s.shown)
	}
	return tea.Batch(append(cmds, s.Changed())...)
}

// isToken reports whether a place shows a token.
func isToken(p nav.Place) bool {
	return p.Kind == nav.KindFT || p.Kind == nav.KindNFT && p.TokenID != ""
}

func withoutLocale(p nav.Place) nav.Place {
	p.Locale = ""
	return p
}

func sameToken(a, b nav.Place) bool { return withoutLocale(a) == withoutLocale(b) }

// Place returns the current place.
func (s *Screen) Place() nav.Place { return s.place }

// Leave cancels the requests under way.
func (s *Screen) Leave() {
	s.Frame.Leave()
	if s.peek.Busy() {
		s.peek.Cancel()
		s.peekOf = ""
	}
	if s.picture.Busy() {
		s.hidePicture()
		s.Fill()
	}
}

// requestLists requests what the list is made of.
func (s *Screen) requestLists() tea.Cmd {
	return tea.Batch(s.requestCatalogue(), s.requestListed(), s.requestRecent())
}

// requestRecent reads which tokens were shown before.
func (s *Screen) requestRecent() tea.Cmd {
	if s.opts.Store == nil || s.recent.Busy() {
		return nil
	}
	store, source := s.opts.Store, s.opts.Source
	return screen.Fetch(s.env, &s.recent, func(context.Context) ([]visit, error) {
		return readRecent(store, source)
	})
}

func (s *Screen) requestCatalogue() tea.Cmd {
	if s.opts.Catalogue == nil || s.catalogue.Busy() {
		return nil
	}
	return screen.Fetch(s.env, &s.catalogue, s.opts.Catalogue)
}

func (s *Screen) requestListed() tea.Cmd {
	_, known := s.env.Client.About().Services[apiclient.TokenMetadata]
	switch {
	case s.listed.Busy() || known && !s.opts.List:
		return nil
	case isToken(s.place) && !s.opts.List: // the token itself shows it
		return nil
	case !s.opts.List:
		return screen.FetchAhead(s.env, &s.listed, s.probe)
	}
	return screen.Fetch(s.env, &s.listed, s.requestList)
}

// relist shows what is known of tokens to pick.
func (s *Screen) relist() {
	c, _ := s.catalogue.Get()
	r, _ := s.recent.Get()
	l, _ := s.listed.Get()
	found, _ := s.search.found.Get()
	s.known = picks(c, r, slices.Concat(found.Tokens, l))
	s.choose()
	if isToken(s.place) && s.InDetail {
		s.List.SelectID(withoutLocale(s.place).String())
	}
}

// requestList requests the server's list.
func (s *Screen) requestList(ctx context.Context) ([]apiclient.ListedToken, error) {
	a, err := s.env.Client.FungibleTokens(ctx, apiclient.TokenQuery{})
	return a.Value.Results, err
}

// probe checks whether the server has token metadata.
func (s *Screen) probe(ctx context.Context) ([]apiclient.ListedToken, error) {
	_, err := s.env.Client.FungibleTokens(ctx, apiclient.TokenQuery{Limit: 1})
	return nil, err
}

// choose puts the ordinary tokens into the list, or the test cases. The token that is
// open is among them.
func (s *Screen) choose() {
	s.picks = nil
	if i := slices.IndexFunc(s.known, func(p pick) bool { return sameToken(p.place(), s.place) }); i >= 0 {
		s.tests = s.known[i].tests()
	}
	for _, p := range s.known {
		if p.tests() == s.tests {
			p.id = p.place().String()
			s.picks = append(s.picks, p)
		}
	}
	s.SetKind(resource.Tokens(s.tests))
	s.Arrange()
	if !s.chose && (!isToken(s.place) || !s.InDetail) {
		// The parts of the list come one after the other; while the user has chosen
		// no row, the cursor is on the first.
		s.List.Restore(list.Place{})
	}
}

// testCases returns how many tokens are there only to test clients with.
func (s *Screen) testCases() int {
	n := 0
	for _, p := range s.known {
		if p.tests() {
			n++
		}
	}
	return n
}

// toggleTests shows the test cases in place of the ordinary tokens, and back.
func (s *Screen) toggleTests() tea.Cmd {
	if s.testCases() == 0 {
		return screen.Notice("This API has no tokens to test clients with: a mock has.")
	}
	s.tests, s.chose = !s.tests, false
	if isToken(s.place) {
		return s.env.Visit(nav.Tokens())
	}
	s.choose()
	return s.Changed()
}

// Moved notes that the user has chosen a row, fetches its picture, and looks for what
// the filter names.
func (s *Screen) Moved() tea.Cmd {
	s.chose = s.chose || s.List.Position() > 0
	return tea.Batch(s.peekAt(false), s.searchFilter())
}

// Refresh requests again what is shown.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	if isToken(s.place) {
		s.tries = 0
		return tea.Batch(s.requestLists(), s.load())
	}
	return tea.Batch(s.requestLists(), s.searchNow())
}

// Live reads the token again, or the server's list, where a block has come since.
func (s *Screen) Live() tea.Cmd {
	switch {
	case isToken(s.place) && !s.Waits(&s.token) && s.env.Outdated(&s.token):
		return screen.FetchAhead(s.env, &s.token, s.reading())
	case !isToken(s.place) && s.opts.List && !s.Waits(&s.listed) && s.env.Outdated(&s.listed):
		return screen.FetchAhead(s.env, &s.listed, s.requestList)
	}
	return nil
}

// SetTheme changes the colors.
func (s *Screen) SetTheme(th *theme.Theme) {
	if s.locales != nil {
		s.locales.SetTheme(th)
	}
	s.Frame.SetTheme(th)
}

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return s.typing || s.locales != nil || s.Frame.Typing() }

// Click puts the cursor where the mouse is, in the list or in what is typed over it.
func (s *Screen) Click(x, y int) tea.Cmd {
	switch {
	case s.typing:
		return s.clickEntry(y)
	case s.locales != nil:
		return nil
	}
	return s.Frame.Click(x, y)
}

package burnblocks

import (
	"context"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/split"

	tea "github.com/charmbracelet/bubbletea"
)

// Options are what the screen needs besides its environment.
type Options struct {
	// API is what is asked; nil is the client of the environment.
	API API
	// Limits are what costs are shown as shares of; the zero value is mainnet's.
	Limits cost.Limits
}

// Screen shows the newest burn blocks, or the Stacks blocks of one. It is a
// plain struct that the root model owns; see screen.Screen.
type Screen struct {
	env    *screen.Env
	api    API
	limits cost.Limits
	theme  *theme.Theme

	width, height int
	place         nav.Place

	over overview
	one  single

	detail    *detail.Detail
	described string // what the detail shows
	inDetail  bool
	split     split.Split
	arranged  split.Arrangement
}

// Slots of requests.
const (
	slotTip   = "tip"   // the newest burn block, for the list of them
	slotFirst = "first" // the first page of one burn block
	slotMore  = "more"  // a further page
	slotLive  = "live"  // the first page again
	slotWalk  = "walk"
	slotBurn  = "burn " // and a height: a row of the list of burn blocks
)

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opt Options) *Screen {
	s := &Screen{env: env, api: opt.API, limits: opt.Limits, theme: th, place: nav.BurnBlocks(), detail: detail.New(th, env.Keys)}
	if s.api == nil {
		s.api = env.Client
	}
	if s.limits == (cost.Limits{}) {
		s.limits = cost.Mainnet()
	}
	s.over.list, s.one.list = list.New(th, env.Keys), list.New(th, env.Keys)
	s.over.known = map[int64]*remote.Value[listing]{}
	s.over.list.SetSource(burnRows{s})
	s.one.list.SetSource(blockRows{s})
	return s
}

// state is what the screen comes back to.
type state struct {
	list     list.Place
	detail   detail.Place
	inDetail bool
	query    string
}

// listing reports whether one burn block is shown, not the list of them.
func (s *Screen) listing() bool { return s.place.Ref.By != nav.ByNone }

// current is the list in sight.
func (s *Screen) current() *list.List {
	if s.listing() {
		return s.one.list
	}
	return s.over.list
}

// Open goes to the newest burn blocks or to one burn block.
func (s *Screen) Open(place nav.Place, from any) tea.Cmd {
	st, back := from.(state)
	s.place, s.inDetail, s.described = place, st.inDetail, ""
	s.one.typing, s.one.looked = false, looked{}
	var cmd tea.Cmd
	if s.listing() {
		cmd = s.openOne(place.Ref, st.query)
	} else {
		cmd = s.openOverview()
	}
	if back {
		s.current().Restore(st.list)
	}
	s.describe()
	if back {
		s.detail.Restore(st.detail)
	}
	s.layout()
	return tea.Batch(cmd, s.need())
}

// Place is where the screen stands.
func (s *Screen) Place() nav.Place { return s.place }

// State is the cursor, the filter and the scroll.
func (s *Screen) State() any {
	return state{list: s.current().Place(), detail: s.detail.Place(), inDetail: s.inDetail, query: s.one.query}
}

// Leave gives up what was asked for. What has come stays.
func (s *Screen) Leave() {
	s.over.leave()
	s.one.leave()
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
	s.over.list.SetTheme(th)
	s.one.list.SetTheme(th)
	s.detail.SetTheme(th)
	s.described = ""
	s.describe()
}

// Update takes the answers of what was asked.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[listing]:
		cmd := s.take(msg)
		s.describe()
		return tea.Batch(cmd, s.need())
	case screen.Fetched[walked]:
		return s.arrived(msg)
	}
	return nil
}

func (s *Screen) take(msg screen.Fetched[listing]) tea.Cmd {
	height, row := strings.CutPrefix(msg.Key.Slot, slotBurn)
	switch {
	case row:
		if h, err := strconv.ParseInt(height, 10, 64); err == nil {
			s.takeBurn(h, msg)
		}
	case msg.Key.Slot == slotTip:
		return s.takeTip(msg)
	default:
		s.takeOne(msg)
	}
	return nil
}

// Refresh asks again for what is shown.
func (s *Screen) Refresh() tea.Cmd {
	if s.listing() {
		return s.fetchOne(slotFirst, 0)
	}
	s.over.halted = nil
	s.over.retry()
	return tea.Batch(s.fetchTip(), s.need())
}

// Live asks for what is new: the newest burn block while the list of them is
// shown, or the burn block that is still the newest.
func (s *Screen) Live() tea.Cmd {
	switch {
	case s.listing():
		return s.liveOne()
	case s.env.Now().Before(s.over.retryAt()):
		return nil
	}
	return s.fetchTip()
}

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return s.listing() && s.one.typing }

// Scopes are the scopes of the key map that hold here.
func (s *Screen) Scopes() []string {
	first := "list"
	if s.inDetail {
		first = "detail"
	}
	return []string{first, "burn", "blocks"}
}

// describe shows what is under the cursor in the detail.
func (s *Screen) describe() {
	id, rows := "", []detail.Row(nil)
	now := s.env.Now()
	if s.listing() {
		if b := s.one.cursor(); b != nil {
			id, rows = b.id(), fields(b, s.limits, s.env, s.theme, now)
		}
	} else if l, ok := s.over.cursor(); ok {
		before, _ := s.over.at(l.height - 1)
		id, rows = slotBurn+strconv.FormatInt(l.height, 10), summary(l, before, s.env, now)
	}
	switch {
	case id == "":
		s.detail.SetRows(nil)
	case id == s.described:
		s.detail.Update(rows)
	default:
		s.detail.SetRows(rows)
	}
	s.described = id
}

// readRow reads one burn block for the list of them; one that the server does not
// know as one with Stacks blocks is empty.
func readRow(ctx context.Context, api API, height int64) (listing, error) {
	l, err := read(ctx, api, strconv.FormatInt(height, 10), 0, listing{})
	if notFound(err) || err == nil && len(l.blocks) == 0 {
		return listing{height: height, empty: true}, nil
	}
	return l, err
}

// when writes a time for a header, "" for the zero time.
func (s *Screen) when(now, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return s.env.Times.Short(now, at)
}

package burnblocks

import (
	"encoding/json"
	"strconv"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// Options hold what the screen needs besides its environment.
type Options struct {
	// ReadAhead reads all burn blocks in sight, one request each, for an API
	// without a rate limit. Without it only those near the cursor are read.
	ReadAhead bool
}

// Screen shows the newest burn blocks, or the Stacks blocks of one.
type Screen struct {
	*browser.Frame
	env   *screen.Env
	ahead bool

	burns  *burnRows
	blocks *blockRows

	place nav.Place
	over  overview
	one   single
}

// New returns the screen.
func New(env *screen.Env, th *theme.Theme, opt Options) *Screen {
	s := &Screen{env: env, ahead: opt.ReadAhead, place: nav.BurnBlocks()}
	s.Frame = browser.New(env, th, s)
	s.Loads(&s.over.tip, &s.over.page, &s.one.value)
	s.burns, s.blocks = &burnRows{s: s}, &blockRows{s: s}
	s.burns.Rows = browser.NewRows(s.Frame, resource.BurnBlocks(), s.burns)
	s.blocks.Rows = browser.NewRows(s.Frame, resource.Blocks().Without("burn"), s.blocks)
	s.blocks.JSON = func(row int) json.RawMessage { return s.one.block(row).Raw }
	s.over.list, s.one.list = s.List, list.New(th, env.Keys)
	s.over.known = map[int64]*remote.Value[listing]{}
	s.over.list.SetSource(s.burns)
	s.one.list.SetSource(s.blocks)
	return s
}

// OwnScopes returns the scopes of the key map that hold here.
func (s *Screen) OwnScopes() []string { return []string{"burn", "blocks"} }

// Ops returns the calls of the client that are made here.
func (s *Screen) Ops() []string { return []string{"burn-blocks"} }

// listing reports whether one burn block is shown, not the list of them.
func (s *Screen) listing() bool { return s.place.Ref.By != nav.ByNone }

// Open goes to the newest burn blocks or to one burn block.
func (s *Screen) Open(place nav.Place, from any) tea.Cmd {
	st, back := from.(browser.State)
	s.place, s.InDetail = place, false
	s.Reset(st)
	var cmd tea.Cmd
	if s.listing() {
		s.ShowList(s.one.list)
		cmd = s.openOne(place.Ref)
	} else {
		s.ShowList(s.over.list)
		cmd = s.openOverview()
	}
	if back {
		s.Restore(st)
	}
	return tea.Batch(cmd, s.Changed())
}

// Place returns the current place.
func (s *Screen) Place() nav.Place { return s.place }

// Leave cancels the requests under way. What has come stays.
func (s *Screen) Leave() {
	s.Frame.Leave()
	for _, v := range s.over.known {
		v.Cancel()
	}
}

// SetTheme changes the colors.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.over.list.SetTheme(th)
	s.one.list.SetTheme(th)
	s.Frame.SetTheme(th)
}

// Update takes the answers to requests.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[listing]:
		cmd := s.loaded(msg)
		return tea.Batch(cmd, s.Changed())
	case screen.ChainChanged:
		s.forget(msg.Burn)
	}
	return nil
}

// forget forgets what is known of burn blocks from a height on, since their Stacks blocks
// are no longer what they were. What is open is read anew when it is looked at.
func (s *Screen) forget(from int64) {
	o := &s.over
	for h, v := range o.known {
		if h >= from {
			v.Cancel()
			delete(o.known, h)
		}
	}
	for h, row := range o.counts {
		if h >= from {
			delete(o.counts, h)
			if !row.empty {
				o.listed--
			}
		}
	}
	if len(o.counts) == 0 {
		o.counts, o.ended = nil, false
	}
	if l, ok := s.one.value.Get(); ok {
		s.one.anew = s.one.anew || l.height >= from
	}
	o.rescale()
}

func (s *Screen) loaded(msg screen.Fetched[listing]) tea.Cmd {
	switch {
	case s.over.tip.Current(msg.Key):
		return s.tipLoaded(msg)
	case s.over.page.Current(msg.Key):
		return s.countsLoaded(msg)
	case s.one.value.Current(msg.Key):
		return s.oneLoaded(msg)
	}
	return s.burnLoaded(msg)
}

// Refresh requests again what is shown.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	if s.listing() {
		return s.fetchOne(firstPage)
	}
	s.over.retryRows()
	s.over.allowance = atOnce
	return tea.Batch(s.fetchTip(), s.need())
}

// Live requests what is new: the newest burn block while the list of them is
// shown, or the burn block that is still the newest.
func (s *Screen) Live() tea.Cmd {
	switch {
	case s.listing():
		return s.liveOne()
	case s.over.tip.Busy(), s.Waits(&s.over.tip):
		return nil
	}
	return screen.FetchAhead(s.env, &s.over.tip, s.requestNewest())
}

// Describe returns what the detail shows: the block or burn block under the
// cursor.
func (s *Screen) Describe() (string, []detail.Row) {
	if s.listing() {
		if b := s.one.cursor(); b != nil {
			return b.ID(), s.fields(b)
		}
		return "", nil
	}
	l, ok := s.over.cursor()
	if !ok {
		return "", nil
	}
	return "burn " + strconv.FormatInt(l.height, 10), s.Details(s.burns.Kind.Fields(s.over.whole(l)))
}

// Moved is called after the cursor went elsewhere or rows came.
func (s *Screen) Moved() tea.Cmd {
	if !s.listing() {
		s.markSeen()
		return tea.Batch(s.need(), s.rest())
	}
	if s.one.list.Position() == 0 {
		s.one.fresh = 0
	}
	return s.moreOne()
}

// Cancel cancels a request that is under way.
func (s *Screen) Cancel() bool {
	switch {
	case s.Query() != "":
		return false
	case s.listing() && s.one.value.Busy():
		s.one.value.Cancel()
	case !s.listing() && s.over.tip.Busy():
		s.over.tip.Cancel()
	default:
		return false
	}
	return true
}

// when writes a time for a heading, "" for the zero time.
func (s *Screen) when(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return s.env.Times.Short(s.env.ChainNow(), at)
}

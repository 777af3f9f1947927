package blocks

import (
	"context"
	"fmt"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/jsonview"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the place for recent blocks and for one block.
type Screen struct {
	env    *screen.Env
	api    API
	theme  *theme.Theme
	limits cost.Limits

	known  known
	source *source
	list   *list.List
	detail *detail.Detail
	json   *jsonview.View
	filter list.Filter

	tip   remote.Value[page]   // the first page, which live tail asks for
	more  remote.Value[page]   // the page that is being scrolled to
	block remote.Value[single] // a block by its burn block
	// wanted is the height that more was asked for; holes are heights that the
	// server's list does not have.
	wanted int64
	holes  map[int64]bool
	retry  time.Time // more is not asked for before
	// tipRetry is when the server wants to be asked for the first page again.
	tipRetry time.Time
	// after brings a message when a time has passed.
	after func(time.Duration, tea.Msg) tea.Cmd

	opened  nav.Place // the place that was opened
	target  nav.Place // still to be reached; zero when it was
	problem error     // why it cannot be
	saved   *state    // to be restored when there are blocks
	seen    int64     // the newest height that was on screen

	focus   focus
	sizing  sizing
	compact bool
	context contextPane

	width, height int
	listRect      rect
	detailRect    rect
	shown         string // id of the block in the detail
	shownAt       int64  // second that its ages were written for
}

// focus is which half has the keys.
type focus int

const (
	onList focus = iota
	onDetail
)

// state brings the screen back to where it was.
type state struct {
	list    list.Place
	detail  detail.Place
	focus   focus
	sizing  sizing
	filter  string
	context contextPane
}

// New returns the screen.
func New(env *screen.Env, api API, th *theme.Theme) *Screen {
	s := &Screen{env: env, api: api, theme: th, limits: cost.Mainnet(), holes: map[int64]bool{}, opened: nav.Blocks()}
	s.source = &source{known: &s.known, theme: th, limits: s.limits, times: env.Times}
	s.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		return tea.Tick(d, func(time.Time) tea.Msg { return msg })
	}
	s.list = list.New(th, env.Keys)
	s.list.SetSource(s.source)
	s.detail = detail.New(th, env.Keys)
	s.json = jsonview.New(th, env.Keys)
	return s
}

// unreachable is a place that cannot be shown, and why.
type unreachable struct{ title, why string }

func (u unreachable) Error() string { return u.title + ": " + u.why }

// Open implements screen.Screen.
func (s *Screen) Open(p nav.Place, back any) tea.Cmd {
	s.opened, s.target, s.problem, s.saved = p, nav.Place{}, nil, nil
	s.block.Reset()
	s.focus, s.sizing = onList, sizeAuto
	s.narrow("")
	if p.Kind == nav.KindBlock {
		s.target, s.focus = p, onDetail
	}
	if saved, ok := back.(state); ok {
		s.saved = &saved
	}
	var cmds []tea.Cmd
	switch p.Ref.By {
	case nav.ByBurnHeight, nav.ByBurnHash:
		cmds = append(cmds, s.askBlock())
	}
	s.restore()
	beyond := p.Ref.By == nav.ByHeight && p.Ref.Height > s.known.tip
	if beyond || s.env.Now().Sub(s.tip.FetchedAt()) > freshFor {
		cmds = append(cmds, s.askTip())
	}
	return tea.Batch(append(cmds, s.reach())...)
}

// freshFor is how old the first page may be for it not to be asked for again
// when the screen is opened.
const freshFor = 2 * time.Second

func (s *Screen) askTip() tea.Cmd {
	return screen.Fetch(s.env, &s.tip, "tip", func(ctx context.Context) (page, error) { return read(ctx, s.api, 0) })
}

func (s *Screen) askBlock() tea.Cmd {
	ref := s.opened.Ref
	return screen.Fetch(s.env, &s.block, "block", func(ctx context.Context) (single, error) {
		if ref.By == nav.ByBurnHash {
			return one(s.api.BlockByBurnHash(ctx, ref.Hash))
		}
		return one(s.api.BlockByBurnHeight(ctx, ref.Height))
	})
}

// restore goes back to a saved state as soon as there are blocks.
func (s *Screen) restore() {
	if s.saved == nil || !s.known.started {
		return
	}
	saved := *s.saved
	s.saved = nil
	s.focus, s.sizing, s.context = saved.focus, saved.sizing, saved.context
	s.narrow(saved.filter)
	s.layout()
	s.list.Restore(saved.list)
	s.target = nav.Place{}
	s.fill(s.env.Now())
	s.detail.Restore(saved.detail)
}

// reach goes on towards the target, with the rows that have to be loaded.
func (s *Screen) reach() tea.Cmd {
	if s.target != (nav.Place{}) && s.known.started {
		ref := s.target.Ref
		switch ref.By {
		case nav.ByIndexHash:
			if r := s.known.ids[ref.Hash]; r != nil {
				s.selectRecord(r)
			} else {
				s.fail(unreachable{"This block is not loaded", "the API has no lookup by index block hash; a block that is scrolled to once is found again"})
			}
		case nav.ByHeight:
			switch {
			case ref.Height > s.known.tip && s.tip.Busy():
				// Whoever asked may know of a newer block than this list.
			case ref.Height > s.known.tip:
				s.fail(unreachable{"There is no block " + text.Count(ref.Height) + " yet", "the newest is " + text.Count(s.known.tip)})
			case ref.Height < s.known.floor:
				s.fail(unreachable{"Block " + text.Count(ref.Height) + " is not in the list", "it begins at " + text.Count(s.known.floor)})
			default:
				s.list.Select(s.known.rowOf(ref.Height))
				if s.known.at[ref.Height] != nil {
					s.target = nav.Place{}
				}
			}
		default:
			if v, ok := s.block.Get(); ok {
				if s.known.at[v.record.Height] == nil || s.known.at[v.record.Height].id() != v.record.id() {
					s.known.insert(v.record)
					s.changed()
				}
				s.selectRecord(s.known.ids[v.record.id()])
			} else if err := s.block.Err(); err != nil && !s.block.Busy() {
				s.fail(err)
			}
		}
	}
	return s.load()
}

func (s *Screen) fail(err error) { s.problem, s.target = err, nav.Place{} }

func (s *Screen) selectRecord(r *record) {
	s.target = nav.Place{}
	if r == nil {
		return
	}
	if r.orphaned {
		s.list.SelectID(r.id())
		return
	}
	s.list.Select(s.known.rowOf(r.Height))
}

// load asks for the page of the first row in sight that is not loaded.
func (s *Screen) load() tea.Cmd {
	if !s.known.started || s.more.Busy() || s.source.filter || s.env.Now().Before(s.retry) {
		return nil
	}
	top := s.list.Place().Top
	h := max(1, s.listRect.height)
	for i := top; i < min(top+h+h/2, s.source.Len()); i++ {
		height := s.source.height(i)
		if s.source.record(i) != nil || s.holes[height] {
			continue
		}
		offset := s.known.tip - height
		if i == top {
			// The rows above are likely to be looked at next.
			offset = max(0, offset-pageSize/3)
		}
		return s.askMore(height, int(offset))
	}
	return nil
}

func (s *Screen) askMore(height int64, offset int) tea.Cmd {
	s.wanted = height
	return screen.Fetch(s.env, &s.more, "page", func(ctx context.Context) (page, error) { return read(ctx, s.api, offset) })
}

// Update implements screen.Screen.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[page]:
		switch {
		case s.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At):
			s.tipRetry = time.Time{}
			if msg.Err != nil {
				return s.tipLater(msg.Err, msg.At)
			}
			return s.joined(msg.Value)
		case s.more.Settle(msg.Key, msg.Value, msg.Err, msg.At):
			if msg.Err != nil {
				return s.retryLater(msg.Err, msg.At)
			}
			return s.joined(msg.Value)
		}
	case screen.Fetched[single]:
		if s.block.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return s.reach()
		}
	case retryMsg:
		switch {
		case msg.tip && msg.at.Equal(s.tipRetry):
			s.tipRetry = time.Time{}
			return s.askTip()
		case !msg.tip && msg.at.Equal(s.retry):
			s.retry = time.Time{}
			return s.load()
		}
	}
	return nil
}

// retryMsg says that the time for asking again has come: for the first page,
// or for the one that is scrolled to.
type retryMsg struct {
	at  time.Time
	tip bool
}

// tipLater asks for the first page again when the server said when. Without
// that the live tail does.
func (s *Screen) tipLater(err error, at time.Time) tea.Cmd {
	s.tipRetry = placeholder.RetryAfter(err, at)
	if s.tipRetry.IsZero() {
		return nil
	}
	return s.after(s.tipRetry.Sub(at), retryMsg{s.tipRetry, true})
}

// retryPause is how long a failed page is left alone when the server does not
// say how long.
const retryPause = 3 * time.Second

func (s *Screen) retryLater(err error, at time.Time) tea.Cmd {
	if apiclient.KindOf(err) == apiclient.Canceled {
		return nil
	}
	s.retry = placeholder.RetryAfter(err, at)
	if s.retry.IsZero() {
		s.retry = at.Add(retryPause)
	}
	return s.after(s.retry.Sub(at), retryMsg{s.retry, false})
}

// joined takes a page into the list.
func (s *Screen) joined(p page) tea.Cmd {
	j := s.known.page(p.records, p.total, p.offset)
	if i, ok := s.list.Cursor(); ok && !s.source.filter {
		s.known.trim(s.source.height(i))
	}
	if n := len(p.records); p.offset > 0 && n > 0 && s.wanted <= p.records[0].Height && s.wanted >= p.records[n-1].Height && s.known.at[s.wanted] == nil {
		s.holes[s.wanted] = true
	}
	s.changed()
	s.restore()
	cmd := s.reach()
	if j.replaced > 0 {
		words := text.Plural(j.replaced, "block") + " replaced: see orphaned in the list"
		cmd = tea.Batch(cmd, screen.Notice(words))
	}
	return cmd
}

// changed tells the list that rows came or went. At the top of the list new
// rows come into view; elsewhere everything stays where it stands.
func (s *Screen) changed() {
	before := s.list.Place()
	s.source.narrow(s.filter.Query())
	s.list.Changed(nil)
	if after := s.list.Place(); before.Top == 0 && after.Top > 0 {
		after.Top = 0
		s.list.Restore(after)
	}
	s.shownAt = 0
}

// narrow filters the loaded blocks.
func (s *Screen) narrow(query string) {
	s.filter.Set(query)
	s.changed()
}

// Leave implements screen.Screen.
func (s *Screen) Leave() {
	s.tip.Cancel()
	s.more.Cancel()
	s.block.Cancel()
	s.retry, s.tipRetry = time.Time{}, time.Time{}
}

// State implements screen.Screen.
func (s *Screen) State() any {
	return state{s.list.Place(), s.detail.Place(), s.focus, s.sizing, s.filter.Query(), s.context}
}

// Place implements screen.Screen.
func (s *Screen) Place() nav.Place {
	if s.focus == onList {
		return nav.Blocks()
	}
	r := s.current()
	if s.target != (nav.Place{}) || s.problem != nil || r == nil {
		return s.opened
	}
	if v, ok := s.block.Get(); ok && v.record.id() == r.id() {
		return s.opened
	}
	if s.opened.Ref.By == nav.ByHeight && s.opened.Ref.Height == r.Height && !r.orphaned {
		return s.opened
	}
	if r.IndexBlockHash == "" {
		return nav.BlockAtHeight(r.Height)
	}
	return nav.BlockByIndexHash(r.IndexBlockHash)
}

// current is the block under the cursor, nil when it is not loaded.
func (s *Screen) current() *record {
	i, ok := s.list.Cursor()
	if !ok {
		return nil
	}
	return s.source.record(i)
}

// Refresh implements screen.Screen.
func (s *Screen) Refresh() tea.Cmd {
	s.retry, s.tipRetry, s.problem = time.Time{}, time.Time{}, nil
	clear(s.holes)
	cmds := []tea.Cmd{s.askTip()}
	if by := s.opened.Ref.By; s.opened.Kind == nav.KindBlock && (by == nav.ByBurnHeight || by == nav.ByBurnHash) && s.block.Err() != nil {
		s.target = s.opened
		cmds = append(cmds, s.askBlock())
	}
	if i, ok := s.list.Cursor(); ok && s.known.started && !s.source.filter {
		// The page in sight too, when it is not the first.
		if offset := s.known.tip - s.source.height(i) - pageSize/2; offset > 0 {
			cmds = append(cmds, s.askMore(s.source.height(i), int(offset)))
		}
	}
	return tea.Batch(cmds...)
}

// Live implements screen.Screen.
func (s *Screen) Live() tea.Cmd {
	if s.tip.Busy() || s.env.Now().Before(s.tipRetry) {
		return nil
	}
	return tea.Batch(s.askTip(), s.load())
}

// Loaded finds the loaded blocks that a hash belongs to, for "go to".
func (s *Screen) Loaded(hash string) []nav.Loaded {
	var found []nav.Loaded
	for _, r := range s.known.loaded() {
		for _, h := range []struct{ what, hash string }{
			{"block hash", r.Hash}, {"index block hash", r.IndexBlockHash}, {"burn block hash", r.BurnBlockHash}, {"miner transaction", r.MinerTxID},
		} {
			if h.hash == hash {
				found = append(found, nav.Loaded{What: fmt.Sprintf("%s of block %s", h.what, text.Count(r.Height)), Place: nav.BlockByIndexHash(r.IndexBlockHash)})
			}
		}
		for _, tx := range r.Txs {
			if tx == hash {
				found = append(found, nav.Loaded{What: "transaction in block " + text.Count(r.Height), Place: nav.BlockByIndexHash(r.IndexBlockHash)})
			}
		}
	}
	return found
}

// Tips are the newest heights known, 0 for unknown.
func (s *Screen) Tips() (height, burnHeight int64) {
	if !s.known.started {
		return 0, 0
	}
	if r := s.known.at[s.known.tip]; r != nil {
		burnHeight = r.BurnBlockHeight
	}
	return s.known.tip, burnHeight
}

package blocks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the place for recent blocks and for one block.
type Screen struct {
	*browser.Frame
	env    *screen.Env
	api    API
	limits cost.Limits

	chain  chainView
	source *source

	tip   remote.Value[page]   // the first page, which live tail asks for
	more  remote.Value[page]   // the page that is being scrolled to
	block remote.Value[single] // a block by its burn block
	rest  remote.Value[single] // what the list does not tell of a block
	// wanted is the height that more was asked for; holes are heights that the
	// server's list does not have.
	wanted int64
	holes  map[int64]bool

	// calls finds the call of this program's wallet that signed a transaction.
	calls func(txid string) (service.Call, bool)

	opened  nav.Place // the place that was opened
	target  nav.Place // still to be reached; zero when it was
	problem error     // why it cannot be
	saved   *browser.State
	seen    int64 // the newest height that was on screen
}

// Slots of requests.
const (
	slotTip   = "tip"
	slotMore  = "page"
	slotBlock = "block"
	slotRest  = "rest"
)

// New returns the screen.
func New(env *screen.Env, api API, th *theme.Theme) *Screen {
	s := &Screen{env: env, api: api, limits: cost.Mainnet(), holes: map[int64]bool{}, opened: nav.Blocks()}
	s.Frame = browser.New(env, th, browser.Parts{
		Heading: s.heading, Chart: s.chart, Notice: s.notice, Failed: s.failed, Columns: s.columns, Describe: s.describe,
		Instead: s.instead, NoRows: s.noRows, NoDetail: s.noDetail, Subject: s.Subject,
		Third: []browser.Third{{Title: "Same burn block", Draw: s.group}},
		Table: s.rows, Show: s.show, Rows: s.rowWords, Moved: s.moved, Own: s.ownKey, Cancel: s.cancel, Leaves: s.leavesOnUp,
		Scopes: []string{"blocks"}, Ops: []string{"blocks", "block by burn height", "block by burn hash", "block"},
	})
	s.source = &source{chain: &s.chain, screen: s}
	s.calls = env.CallOf
	s.List.SetSource(s.source)
	return s
}

// unreachable is a place that cannot be shown, and why.
type unreachable struct{ title, why string }

func (u unreachable) Error() string { return u.title + ": " + u.why }

// Open goes to the list or to a block.
func (s *Screen) Open(p nav.Place, back any) tea.Cmd {
	s.opened, s.target, s.problem, s.saved = p, nav.Place{}, nil, nil
	s.block.Reset()
	s.InDetail = false
	s.Reset(browser.State{})
	s.changed()
	if p.Kind == nav.KindBlock {
		s.target, s.InDetail = p, true
	}
	if saved, ok := back.(browser.State); ok {
		s.saved = &saved
	}
	var cmds []tea.Cmd
	switch p.Ref.By {
	case nav.ByBurnHeight, nav.ByBurnHash:
		cmds = append(cmds, s.askBlock())
	case nav.ByIndexHash:
		if s.chain.ids[p.Ref.Hash] == nil {
			cmds = append(cmds, s.askBlock())
		}
	}
	s.restore()
	beyond := p.Ref.By == nav.ByHeight && p.Ref.Height > s.chain.tip
	if beyond || s.env.Now().Sub(s.tip.FetchedAt()) > freshFor {
		cmds = append(cmds, s.askTip())
	}
	s.resolveTarget()
	return tea.Batch(append(cmds, s.Changed())...)
}

// freshFor is how old the first page may be for it not to be asked for again
// when the screen is opened.
const freshFor = 2 * time.Second

func (s *Screen) askTip() tea.Cmd {
	return screen.Fetch(s.env, &s.tip, slotTip, func(ctx context.Context) (page, error) { return read(ctx, s.api, 0) })
}

func (s *Screen) askBlock() tea.Cmd {
	ref := s.opened.Ref
	return screen.Fetch(s.env, &s.block, slotBlock, func(ctx context.Context) (single, error) { return find(ctx, s.api, ref) })
}

// restore goes back to a saved state as soon as there are blocks.
func (s *Screen) restore() {
	if s.saved == nil || !s.chain.started {
		return
	}
	saved := *s.saved
	s.saved, s.target = nil, nav.Place{}
	s.Reset(saved)
	s.changed()
	s.Restore(saved)
}

// load asks for the page of the first row that is wanted and not loaded.
func (s *Screen) load() tea.Cmd {
	if !s.chain.started || s.more.Busy() || s.source.filter || s.Waits(slotMore) {
		return nil
	}
	top, end := s.wantedRows()
	for i := top; i < end; i++ {
		if !s.missing(i) {
			continue
		}
		last := i
		for last < end && last < i+pageSize && s.missing(last) {
			last++
		}
		height, first := s.source.height(i), i
		if spare := pageSize - (last - i); i == top {
			// The rows above are likely to be looked at next, as those below.
			if s.source.record(last) == nil {
				spare /= 2
			}
			first = max(0, i-spare)
		}
		return s.askMore(height, int(s.chain.tip-s.source.height(first)))
	}
	return nil
}

// wantedRows are the rows from one to before another that are to be loaded next: those in
// sight, and half as many below for who scrolls. The row of an open block comes first: a
// list that has no room has not scrolled to it, and a high one takes several pages.
func (s *Screen) wantedRows() (top, end int) {
	h := max(1, s.RowsInSight())
	top = s.List.Place().Top
	end = top + h + h/2
	at, ok := s.List.Cursor()
	switch {
	case !ok || !s.InDetail:
	case s.missing(at) && (at < top || at >= top+max(h, pageSize)):
		top, end = at, at+1
	case s.missing(at):
		top = max(top, min(at-pageSize/2, top+h-pageSize))
		end = min(top+pageSize, max(top+h, at+1))
	case s.opened.Ref.By == nav.ByHeight && s.opened.Ref.Height == s.source.height(at):
		end = top + h // nobody has scrolled
	}
	return top, min(end, s.source.Len())
}

// missing reports whether a row is not loaded, and may be asked for.
func (s *Screen) missing(row int) bool {
	return s.source.record(row) == nil && !s.holes[s.source.height(row)]
}

func (s *Screen) askMore(height int64, offset int) tea.Cmd {
	s.wanted = height
	return screen.Fetch(s.env, &s.more, slotMore, func(ctx context.Context) (page, error) {
		p, err := read(ctx, s.api, offset)
		p.wanted = true
		return p, err
	})
}

// Update takes the answers of what was asked.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if cmd, ok := s.Retry(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case screen.Fetched[page]:
		return s.tookPage(msg)
	case screen.Fetched[single]:
		switch {
		case s.block.Settle(msg.Key, msg.Value, msg.Err, msg.At):
			if msg.Err == nil && s.chain.started {
				s.chain.insert(msg.Value.record)
				s.changed()
			}
			s.resolveTarget()
			return tea.Batch(s.Changed(), s.RetryLater(slotBlock, msg.Err, msg.At, s.askBlock))
		case s.rest.Settle(msg.Key, msg.Value, msg.Err, msg.At):
			s.chain.complete(msg.Value.record, msg.Err)
			return s.Changed()
		}
	}
	return nil
}

func (s *Screen) tookPage(msg screen.Fetched[page]) tea.Cmd {
	switch {
	case s.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		if msg.Err != nil {
			return s.RetryLater(slotTip, msg.Err, msg.At, s.askTip)
		}
		return s.merge(msg.Value)
	case s.more.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		if msg.Err != nil {
			if cmd, beyond := s.beyondList(msg.Err); beyond {
				return cmd
			}
			return s.moreLater(msg.Err, msg.At)
		}
		return s.merge(msg.Value)
	}
	return nil
}

// retryPause is how long a failed page is left alone when the server does not
// say how long.
const retryPause = 3 * time.Second

func (s *Screen) moreLater(err error, at time.Time) tea.Cmd {
	if apiclient.KindOf(err) == apiclient.Canceled {
		return nil
	}
	if cmd := s.RetryLater(slotMore, err, at, s.load); cmd != nil {
		return cmd
	}
	return s.RetryAt(slotMore, at.Add(retryPause), s.load)
}

// merge takes a page into the list. A block that is being read stays under the
// cursor, also when it was replaced.
func (s *Screen) merge(p page) tea.Cmd {
	reading := s.current()
	j := s.chain.page(p.records, p.total, p.offset)
	if p.wanted {
		s.markHoles(p, j)
	}
	if i, ok := s.List.Cursor(); ok && !s.source.filter {
		s.chain.trim(s.source.height(i))
	}
	s.changed()
	if reading != nil && (s.InDetail || s.List.Position() > 0) {
		if now := s.chain.again(reading); now != nil && now.orphaned {
			s.List.SelectID(now.id())
		}
	}
	s.restore()
	s.resolveTarget()
	cmd := s.Changed()
	if j.replaced > 0 {
		words := text.Plural(j.replaced, "block") + " replaced: /state:orphaned shows what stood there"
		cmd = tea.Batch(cmd, screen.Notice(words))
	}
	return cmd
}

// markHoles notes which rows a page was to bring and did not, so that they are not
// asked for again and again. Where the chain grew meanwhile the first page brings
// other blocks than it would have, and the row is asked for once more.
func (s *Screen) markHoles(p page, j mergeResult) {
	if s.source.filter {
		return
	}
	first := s.chain.tip - int64(p.offset)
	for h := first; h > first-int64(len(p.records)); h-- {
		if s.chain.at[h] == nil {
			s.holes[h] = true
		}
	}
	if s.chain.at[s.wanted] != nil || p.offset == 0 && j.fresh > 0 {
		return
	}
	s.holes[s.wanted] = true
	if len(p.records) > 0 {
		return
	}
	top := s.List.Place().Top
	for i := top; i < min(top+2*max(1, s.RowsInSight()), s.source.Len()); i++ {
		if h := s.source.height(i); h <= s.wanted {
			s.holes[h] = true // past the end of the server's list
		}
	}
}

// changed tells the list that rows came or went. At the top of the list new
// rows come into view; elsewhere everything stays where it stands.
func (s *Screen) changed() {
	before := s.List.Place()
	s.Arrange()
	if after := s.List.Place(); before.Top == 0 && after.Top > 0 {
		after.Top = 0
		s.List.Restore(after)
	}
}

// moved is called after the cursor or the window moved.
func (s *Screen) moved() tea.Cmd {
	if s.List.Place().Top == 0 && s.chain.started {
		s.seen = s.chain.tip
	}
	return tea.Batch(s.load(), s.readMicroblocks())
}

// readMicroblocks asks for the single record of an opened block of the era of
// microblocks: what the list says of them is not always so.
func (s *Screen) readMicroblocks() tea.Cmd {
	r := s.current()
	if r == nil || !s.InDetail || !r.hasMicroblocks() {
		return nil
	}
	if failed, ok := s.rest.Get(); s.rest.Err() != nil && ok && failed.record.id() == r.id() {
		return nil
	}
	height := r.BurnBlockHeight
	return s.readRest(r, func(ctx context.Context) (single, error) { return one(s.api.BlockByBurnHeight(ctx, height)) })
}

// readUntold asks for what the route that listed a block does not tell of it.
func (s *Screen) readUntold(r *record) tea.Cmd {
	b, raw, exchange := r.Block, r.raw, r.exchange
	return s.readRest(r, func(ctx context.Context) (single, error) {
		whole, err := s.api.Complete(ctx, b)
		return single{&record{Block: whole, raw: raw, exchange: exchange}}, err
	})
}

// readRest asks for the rest of a block, once.
func (s *Screen) readRest(r *record, ask func(context.Context) (single, error)) tea.Cmd {
	if r.single || r.orphaned || s.rest.Busy() {
		return nil
	}
	r.single = true
	return screen.Fetch(s.env, &s.rest, slotRest, ask)
}

// Leave cancels what was asked for.
func (s *Screen) Leave() {
	s.StopRetries()
	s.tip.Cancel()
	s.more.Cancel()
	s.block.Cancel()
	s.rest.Cancel()
}

// State is cursor, scroll and filter.
func (s *Screen) State() any { return s.Keep() }

// Place is the list, or the block that is open.
func (s *Screen) Place() nav.Place {
	if !s.InDetail {
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
	i, ok := s.List.Cursor()
	if !ok {
		return nil
	}
	return s.source.record(i)
}

// Refresh asks again for what is shown.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	s.problem = nil
	clear(s.holes)
	cmds := []tea.Cmd{s.askTip()}
	if by := s.opened.Ref.By; s.opened.Kind == nav.KindBlock && (by == nav.ByBurnHeight || by == nav.ByBurnHash) && s.block.Err() != nil {
		s.target = s.opened
		cmds = append(cmds, s.askBlock())
	}
	if i, ok := s.List.Cursor(); ok && s.chain.started && !s.source.filter {
		// The page in sight too, when it is not the first.
		if offset := s.chain.tip - s.source.height(i) - pageSize/2; offset > 0 {
			cmds = append(cmds, s.askMore(s.source.height(i), int(offset)))
		}
	}
	return tea.Batch(cmds...)
}

// Live asks for the newest blocks.
func (s *Screen) Live() tea.Cmd {
	if s.tip.Busy() || s.Waits(slotTip) {
		return nil
	}
	tip := screen.FetchAhead(s.env, &s.tip, slotTip, func(ctx context.Context) (page, error) { return read(ctx, s.api, 0) })
	return tea.Batch(tip, s.load())
}

// Loaded finds the loaded blocks that a hash belongs to, for "go to".
func (s *Screen) Loaded(hash string) []nav.Loaded {
	var found []nav.Loaded
	for _, r := range s.chain.loaded() {
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
	if !s.chain.started {
		return 0, 0
	}
	if r := s.chain.at[s.chain.tip]; r != nil {
		burnHeight = r.BurnBlockHeight
	}
	return s.chain.tip, burnHeight
}

// staleError is why what is shown is not the newest; nil when it is.
func (s *Screen) staleError() error {
	if err := s.tip.Err(); err != nil {
		return err
	}
	return s.more.Err()
}

func isUnreachable(err error) (u unreachable, ok bool) { return u, errors.As(err, &u) }

package blocks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the place for recent blocks and for one block.
type Screen struct {
	*browser.Rows[resource.Block]
	env *screen.Env

	chain chain.Chain

	tip   remote.Value[chain.Page]   // the first page, which live tail requests
	more  remote.Value[chain.Page]   // the page that is being scrolled to
	block remote.Value[*chain.Block] // a block by its burn block
	rest  remote.Value[*chain.Block] // what the list does not say of a block
	// blockRef holds the reference by which block was requested, requestRest requests rest again.
	blockRef    nav.Ref
	requestRest func() tea.Cmd
	restOf      *chain.Block // the block whose rest was requested last
	// wanted is the height from which more was requested; holes are heights that the
	// server's list does not have.
	wanted int64
	holes  map[int64]bool

	// calls finds the call of this program's wallet that signed a transaction.
	calls func(txid string) (service.Call, bool)

	opened  nav.Place    // the place that was opened
	target  nav.Place    // still to be reached; zero when it was
	problem error        // why it cannot be
	gone    *chain.Block // the open block that the chain no longer has, nil for none
	seen    int64        // the newest height that was on screen
}

// New returns the screen.
func New(env *screen.Env, th *theme.Theme) *Screen {
	s := &Screen{env: env, holes: map[int64]bool{}, opened: nav.Blocks()}
	s.Rows = browser.NewRows(browser.New(env, th, s), resource.Blocks(), s)
	s.JSON = func(row int) json.RawMessage { return s.chain.InRow(row).Raw }
	s.Loads(&s.tip, &s.more, &s.block, &s.rest)
	s.calls = env.CallOf
	s.List.SetSource(s)
	return s
}

// Leave cancels the requests under way. A block whose rest was being read is read again when
// it is opened again.
func (s *Screen) Leave() {
	if s.rest.Busy() && s.restOf != nil {
		s.restOf.Requested = false
	}
	s.Frame.Leave()
}

// OwnScopes returns the scopes of the key map that hold here.
func (s *Screen) OwnScopes() []string { return []string{"blocks"} }

// Ops returns the calls of the client that are made here.
func (s *Screen) Ops() []string {
	return []string{"blocks", "block by burn height", "block by burn hash", "block"}
}

// unreachable is a place that cannot be shown, and why.
type unreachable struct{ title, why string }

func (u unreachable) Error() string { return u.title + ": " + u.why }

// Open goes to the list or to a block.
func (s *Screen) Open(p nav.Place, from any) tea.Cmd {
	s.opened, s.target, s.problem, s.gone = p, nav.Place{}, nil, nil
	s.block.Reset()
	s.InDetail = false
	saved, back := from.(browser.State)
	s.Reset(saved)
	s.changed()
	if p.Kind == nav.KindBlock {
		s.target, s.InDetail = p, true
	}
	var cmds []tea.Cmd
	switch p.Ref.By {
	case nav.ByBurnHeight, nav.ByBurnHash:
		cmds = append(cmds, s.requestBlock(p.Ref))
	case nav.ByIndexHash:
		if s.chain.ByID(p.Ref.Hash) == nil {
			cmds = append(cmds, s.requestBlock(p.Ref))
		}
	}
	if back {
		s.target = nav.Place{}
		s.Return(saved, func() bool { return s.chain.Started })
	}
	beyond := p.Ref.By == nav.ByHeight && p.Ref.Height > s.chain.Tip
	if beyond || s.env.Now().Sub(s.tip.FetchedAt()) > freshFor {
		cmds = append(cmds, s.requestTip())
	}
	s.resolveTarget()
	return tea.Batch(append(cmds, s.Changed())...)
}

// freshFor is the age up to which the first page is not requested again
// when the screen is opened.
const freshFor = 2 * time.Second

func (s *Screen) requestTip() tea.Cmd {
	return screen.Fetch(s.env, &s.tip, s.readTip)
}

func (s *Screen) readTip(ctx context.Context) (chain.Page, error) {
	return chain.Read(ctx, s.env.Client, 0, chain.PageSize)
}

func (s *Screen) requestBlock(ref nav.Ref) tea.Cmd {
	s.blockRef = ref
	return screen.Fetch(s.env, &s.block, func(ctx context.Context) (*chain.Block, error) { return find(ctx, s.env.Client, ref) })
}

// load requests the page of the first row that is wanted and not loaded.
func (s *Screen) load() tea.Cmd {
	if !s.chain.Started || s.more.Busy() || s.Arranged() || s.Waits(&s.more) {
		return nil
	}
	top, end := s.visibleRows()
	for i := top; i < end; i++ {
		if !s.missing(i) {
			continue
		}
		last := i
		for last < end && last < i+chain.PageSize && s.missing(last) {
			last++
		}
		height, first := s.height(i), i
		if spare := chain.PageSize - (last - i); i == top {
			// The rows above are likely to be looked at next, as those below.
			if s.chain.InRow(last) == nil {
				spare /= 2
			}
			first = max(0, i-spare)
		}
		return s.requestMore(height, int(s.chain.Tip-s.height(first)))
	}
	return nil
}

// visibleRows returns the range of rows to load next: those in sight, and half as many below them
// for scrolling. The row of an open block comes first: a list without room has not scrolled to
// it, and one far above takes several pages.
func (s *Screen) visibleRows() (top, end int) {
	h := max(1, s.RowsInSight())
	top = s.List.Place().Top
	end = top + h + h/2
	at, ok := s.List.Cursor()
	switch {
	case !ok || !s.InDetail:
	case s.missing(at) && (at < top || at >= top+max(h, chain.PageSize)):
		top, end = at, at+1
	case s.missing(at):
		top = max(top, min(at-chain.PageSize/2, top+h-chain.PageSize))
		end = min(top+chain.PageSize, max(top+h, at+1))
	case s.opened.Ref.By == nav.ByHeight && s.opened.Ref.Height == s.height(at):
		end = top + h // nobody has scrolled
	}
	return top, min(end, s.Len())
}

// missing reports whether a row is not loaded, and may be requested.
func (s *Screen) missing(row int) bool {
	return s.chain.InRow(row) == nil && !s.holes[s.height(row)]
}

func (s *Screen) requestMore(height int64, offset int) tea.Cmd {
	s.wanted = height
	return screen.Fetch(s.env, &s.more, func(ctx context.Context) (chain.Page, error) {
		return chain.Read(ctx, s.env.Client, offset, chain.PageSize)
	})
}

// Update takes the answers to requests.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[chain.Page]:
		return s.pageLoaded(msg)
	case screen.ChainChanged:
		if msg.Newest == "" || s.chain.ByID(msg.Newest) == nil {
			s.tip.Expire()
		}
	case screen.Fetched[*chain.Block]:
		switch {
		case s.block.Settle(msg.Key, msg.Value, msg.Err, msg.At):
			if msg.Err == nil && s.chain.Started {
				s.chain.Insert(msg.Value)
				s.changed()
			}
			s.resolveTarget()
			return tea.Batch(s.Changed(), s.RetryLater(&s.block, msg.Err, msg.At, s.requestBlockAgain))
		case s.rest.Settle(msg.Key, msg.Value, msg.Err, msg.At):
			s.chain.Complete(msg.Value, msg.Err)
			return tea.Batch(s.Changed(), s.RetryLater(&s.rest, msg.Err, msg.At, s.requestRest))
		}
	}
	return nil
}

func (s *Screen) pageLoaded(msg screen.Fetched[chain.Page]) tea.Cmd {
	switch {
	case s.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		later := s.RetryLater(&s.tip, msg.Err, msg.At, s.requestTip)
		if msg.Err != nil {
			return later
		}
		msg.Value.Requested = s.tip.Since()
		return s.merge(msg.Value, false)
	case s.more.Settle(msg.Key, msg.Value, msg.Err, msg.At):
		later := s.RetryLater(&s.more, msg.Err, msg.At, s.requestMoreAgain)
		if msg.Err == nil {
			return s.merge(msg.Value, true)
		}
		if cmd, beyond := s.beyondList(msg.Err); beyond {
			return cmd
		}
		return later
	}
	return nil
}

// requestMoreAgain requests the rows that are missing, else once more for those in sight,
// whose page failed. At the top the first page has them.
func (s *Screen) requestMoreAgain() tea.Cmd {
	if cmd := s.load(); cmd != nil {
		return cmd
	}
	if cmd := s.requestInSight(); cmd != nil {
		return cmd
	}
	s.more.Reset()
	return nil
}

// requestInSight requests the page around the cursor, unless the first page has it.
func (s *Screen) requestInSight() tea.Cmd {
	i, ok := s.List.Cursor()
	if !ok || !s.chain.Started || s.Arranged() {
		return nil
	}
	height := s.height(i)
	offset := s.chain.Tip - height - chain.PageSize/2
	if offset <= 0 {
		return nil
	}
	return s.requestMore(height, int(offset))
}

// Moved is called after the cursor or the window moved.
func (s *Screen) Moved() tea.Cmd {
	if s.List.Place().Top == 0 && s.chain.Started {
		s.seen = s.chain.Tip
	}
	return tea.Batch(s.load(), s.readMicroblocks())
}

// readMicroblocks requests the single record of an opened block of the era of
// microblocks: what the list says of them is not always so.
func (s *Screen) readMicroblocks() tea.Cmd {
	r := s.current()
	if r == nil || !s.InDetail || !hasMicroblocks(r) {
		return nil
	}
	if failed, ok := s.rest.Get(); s.rest.Err() != nil && ok && failed.ID() == r.ID() {
		return nil
	}
	height := r.BurnBlockHeight
	return s.readRest(r, func(ctx context.Context) (*chain.Block, error) {
		return one(s.env.Client.BlockByBurnHeight(ctx, height))
	})
}

// readUnreported requests what the route that listed a block does not say of it.
func (s *Screen) readUnreported(r *chain.Block) tea.Cmd {
	b := *r
	return s.readRest(r, func(ctx context.Context) (*chain.Block, error) {
		var err error
		b.Block, err = s.env.Client.Complete(ctx, b.Block)
		return &b, err
	})
}

// readRest requests the rest of a block, once.
func (s *Screen) readRest(r *chain.Block, load func(context.Context) (*chain.Block, error)) tea.Cmd {
	if r.Requested || !r.Canonical || s.rest.Busy() {
		return nil
	}
	r.Requested, s.restOf = true, r
	s.requestRest = func() tea.Cmd { return screen.Fetch(s.env, &s.rest, load) }
	return s.requestRest()
}

// Place returns the list, or the block that is open.
func (s *Screen) Place() nav.Place {
	if !s.InDetail {
		return nav.Blocks()
	}
	r := s.current()
	if s.target != (nav.Place{}) || s.problem != nil || r == nil {
		return s.opened
	}
	if v, ok := s.block.Get(); ok && v.ID() == r.ID() {
		return s.opened
	}
	if s.opened.Ref.By == nav.ByHeight && s.opened.Ref.Height == r.Height && r.Canonical {
		return s.opened
	}
	if r.IndexBlockHash == "" {
		return nav.BlockAtHeight(r.Height)
	}
	return nav.BlockByIndexHash(r.IndexBlockHash)
}

// current returns the block under the cursor, nil when it is not loaded.
func (s *Screen) current() *chain.Block {
	if i, ok := s.List.Cursor(); ok {
		return s.chain.InRow(i)
	}
	return nil
}

// Refresh requests again what is shown.
func (s *Screen) Refresh() tea.Cmd {
	s.StopRetries()
	s.problem, s.gone = nil, nil
	clear(s.holes)
	cmds := []tea.Cmd{s.requestTip()}
	if s.block.Err() != nil {
		cmds = append(cmds, s.requestBlockAgain())
	}
	inSight := s.requestInSight()
	if inSight == nil {
		s.more.Reset()
	}
	return tea.Batch(append(cmds, inSight)...)
}

// requestBlockAgain requests the block once more that could not be read.
func (s *Screen) requestBlockAgain() tea.Cmd {
	if s.blockRef == s.opened.Ref {
		s.target, s.problem = s.opened, nil
	}
	return s.requestBlock(s.blockRef)
}

// Live requests the newest blocks.
func (s *Screen) Live() tea.Cmd {
	if s.tip.Busy() || s.Waits(&s.tip) {
		return nil
	}
	tip := screen.FetchAhead(s.env, &s.tip, s.readTip)
	return tea.Batch(tip, s.load())
}

// Loaded finds the loaded blocks that a hash belongs to, and their transaction that has it, for
// "go to".
func (s *Screen) Loaded(hash string) []nav.Loaded {
	var found []nav.Loaded
	for _, r := range s.chain.Loaded() {
		for _, h := range []struct{ what, hash string }{
			{"block hash", r.Hash}, {"index block hash", r.IndexBlockHash}, {"burn block hash", r.BurnBlockHash}, {"miner transaction", r.MinerTxID},
		} {
			if h.hash == hash {
				found = append(found, nav.Loaded{What: fmt.Sprintf("%s of block %s", h.what, text.Count(r.Height)), Place: nav.BlockByIndexHash(r.IndexBlockHash)})
			}
		}
		for _, tx := range r.Txs {
			if tx == hash {
				found = append(found, nav.Loaded{What: "transaction", Place: nav.Transaction(tx)},
					nav.Loaded{What: "its block " + text.Count(r.Height), Place: nav.BlockByIndexHash(r.IndexBlockHash)})
			}
		}
	}
	return found
}

// Tips returns the newest heights known, 0 for unknown.
func (s *Screen) Tips() (height, burnHeight int64) {
	return s.chain.Tip, s.chain.Newest().BurnBlockHeight
}

// staleError returns why what is shown is not the newest; nil when it is.
func (s *Screen) staleError() error {
	if err := s.tip.Err(); err != nil {
		return err
	}
	return s.more.Err()
}

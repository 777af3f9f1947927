package burnblocks

import (
	"context"
	"slices"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// overview is the list of the newest burn blocks.
type overview struct {
	tip   remote.Value[listing]
	known map[int64]*remote.Value[listing]
	// counts are burn blocks of the server's list, as far down as floor; listed of
	// them have Stacks blocks. The list has ended, or there is none (uncounted).
	counts           map[int64]listing
	page             remote.Value[listing]
	floor            int64
	listed           int
	uncounted, ended bool
	depth            int   // how many burn blocks the list has
	halted           error // why no more are requested, until a retry or the user
	seen             int64 // the newest burn block when the cursor was on it last
	list             *list.List

	allowance int   // how many more burn blocks may be requested, see need
	moves     int   // of the cursor, to tell when it rests
	restsAt   int   // the row that the cursor rested on last
	scaled    scale // of the chart, for a width in cells
	scaledFor int
}

// How many burn blocks the list has at first and gets at its end; how many are
// requested at a time, and after how long a rest of the cursor.
const (
	depthStep = 40
	atOnce    = 3
	restPause = 400 * time.Millisecond
)

// newest returns the height of the newest burn block; false before it is known.
func (o *overview) newest() (int64, bool) {
	l, ok := o.tip.Get()
	return l.height, ok && (l.height > 0 || len(l.blocks) > 0 || l.counted)
}

// height returns the burn height of a row.
func (o *overview) height(row int) int64 {
	tip, _ := o.newest()
	return tip - int64(row)
}

// at returns what is known of a burn block: what was read of it, and its counts.
func (o *overview) at(height int64) (listing, bool) {
	counted, ok := o.counts[height]
	l, read := o.read(height)
	if !read {
		return counted, ok
	}
	if counted.hash == l.hash && counted.total == l.total {
		l.txs = counted.txs
	}
	return l, true
}

// read returns what was read of a burn block and its blocks.
func (o *overview) read(height int64) (listing, bool) {
	if v := o.known[height]; v != nil {
		return v.Get()
	}
	return listing{}, false
}

// cursor returns the burn block under the cursor, if something is known of it.
func (o *overview) cursor() (listing, bool) {
	if i, there := o.list.Cursor(); there {
		return o.at(o.height(i))
	}
	return listing{}, false
}

// whole returns all that is known of a burn block.
func (o *overview) whole(l listing) resource.BurnBlock {
	b := l.burnBlock()
	if before, ok := o.at(l.height - 1); ok && !before.empty {
		b.Before = before.time
	}
	for i := range l.blocks {
		b.Stacks = append(b.Stacks, l.blocks[i].Listed())
	}
	return b
}

// value returns the holder of a burn block.
func (o *overview) value(height int64) *remote.Value[listing] {
	v := o.known[height]
	if v == nil {
		v = &remote.Value[listing]{}
		o.known[height] = v
	}
	return v
}

// retryRows forgets failures, so that what failed is requested again.
func (o *overview) retryRows() {
	o.halted = nil
	for h, v := range o.known {
		if v.State() == remote.Failed {
			delete(o.known, h)
		}
	}
}

func (s *Screen) openOverview() tea.Cmd {
	s.over.allowance = atOnce
	s.Arrange()
	if s.over.tip.Busy() {
		return nil
	}
	return s.fetchTip()
}

func (s *Screen) fetchTip() tea.Cmd {
	return screen.Fetch(s.env, &s.over.tip, s.requestNewest())
}

// requestNewest returns what requests the newest burn blocks.
func (s *Screen) requestNewest() func(context.Context) (listing, error) {
	api, listed := s.env.Client, !s.over.uncounted
	return func(ctx context.Context) (listing, error) { return readNewest(ctx, api, listed) }
}

// tipLoaded joins a new burn block. The cursor stays on its row.
func (s *Screen) tipLoaded(msg screen.Fetched[listing]) tea.Cmd {
	o := &s.over
	before, had := o.newest()
	if !o.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	if later := s.RetryLater(&s.over.tip, msg.Err, msg.At, s.fetchTip); msg.Err != nil {
		return later
	}
	o.retryRows()
	tip, ok := o.newest()
	if !ok {
		return nil // a chain without a block
	}
	if !msg.Value.counted {
		s.store(msg.Value)
	}
	if !had {
		o.seen, o.depth = tip, depthStep
	} else if tip != before {
		o.moveTip(before, tip)
	}
	o.depth = int(min(int64(o.depth), tip+1))
	o.count(msg.Value.counts)
	if msg.Value.counted {
		o.allowance = min(o.allowance, 1) // the counts of the others are known
		o.rescale()
	}
	s.Arrange()
	return nil
}

// moveTip makes room for newer burn blocks, and forgets what may have changed.
func (o *overview) moveTip(before, tip int64) {
	o.depth += int(min(max(0, tip-before), depthStep))
	for h := range o.known {
		if h > tip || h == before {
			delete(o.known, h) // it may have got blocks since it was the newest
		}
	}
	if o.uncounted {
		delete(o.counts, before)
	}
	for h := tip + 1; h <= before && h-tip <= maxCounts; h++ {
		delete(o.counts, h)
	}
}

// maxListings bounds how many burn blocks stay read, some 60 kB each; a window with
// more rows keeps them all.
const maxListings = 100

// trim forgets the burn blocks that are farthest from the cursor when there are too
// many. The newest one stays.
func (o *overview) trim(inSight int) {
	kept := max(maxListings, 2*inSight)
	if len(o.known) <= kept {
		return
	}
	tip, _ := o.newest()
	farthest := chain.ByDistance(o.known, o.height(o.list.Position()))
	for _, h := range farthest[:len(farthest)-kept*3/4] {
		if h != tip && !o.known[h].Busy() {
			delete(o.known, h)
		}
	}
}

// store holds a listing that was read otherwise.
func (s *Screen) store(l listing) {
	v := s.over.value(l.height)
	if old, ok := v.Get(); ok && old.hash == l.hash && len(old.blocks) > len(l.blocks) {
		l.blocks = join(old.following(l.blocks), l.blocks)
	}
	_, key := v.Start(s.env.Context, s.env.Now())
	v.Settle(key, l, nil, s.env.Now())
	s.over.trim(s.RowsInSight())
	s.over.rescale()
}

// burnLoaded stores a burn block of the list.
func (s *Screen) burnLoaded(msg screen.Fetched[listing]) tea.Cmd {
	for _, v := range s.over.known {
		if v.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.over.trim(s.RowsInSight())
			s.over.rescale()
			return s.halt(msg.Err, msg.At)
		}
	}
	return nil
}

// halt requests no more rows after a failure, until the time for what failed has come.
func (s *Screen) halt(err error, at time.Time) tea.Cmd {
	if err == nil || s.over.halted != nil && s.Waits(&s.over.page) {
		return nil // another row has failed with it, and says already when they are requested
	}
	s.over.halted = err
	return s.RetryLater(&s.over.page, err, at, func() tea.Cmd {
		s.over.retryRows()
		s.over.allowance = atOnce
		return s.need()
	})
}

// scale describes how the chart is drawn: one scale for all rows.
type scale struct {
	perCell int     // Stacks blocks in a cell
	full    float64 // transactions of a full column
	capped  bool    // some columns are higher
}

// mostBlocks bounds the scale, whatever a server counts.
const mostBlocks = 100_000

// scaleFor returns the scale at which the longest loaded row fits into a number of cells.
func (o *overview) scaleFor(cells int) scale {
	if cells == o.scaledFor && o.scaled.perCell > 0 {
		return o.scaled
	}
	var most int64
	for _, l := range o.counts {
		most = max(most, min(l.total, mostBlocks))
	}
	for _, v := range o.known {
		if l, ok := v.Get(); ok {
			most = max(most, min(l.total, mostBlocks), int64(len(l.blocks)))
		}
	}
	cells = max(1, cells)
	c := scale{perCell: max(1, (int(most)+cells-1)/cells)}
	var sums []float64
	for _, v := range o.known {
		if l, ok := v.Get(); ok {
			sums = append(sums, chart.Sums(l.weights(), c.perCell)...)
		}
	}
	c.fit(sums)
	o.scaled, o.scaledFor = c, cells
	return c
}

// fit chooses the height of a full column for the sums that are drawn.
func (c *scale) fit(sums []float64) {
	c.full = chart.Top(sums)
	c.capped = slices.ContainsFunc(sums, func(sum float64) bool { return sum > c.full })
}

// rescale chooses the scale again: another burn block is known.
func (o *overview) rescale() {
	o.scaled = scale{}
	o.list.Forget()
}

// need requests the burn blocks in sight that are not read, those at the cursor
// first: all of them where requests are free, else as many as are allowed since
// the list was opened or the cursor came to rest.
func (s *Screen) need() tea.Cmd {
	o := &s.over
	tip, ok := o.newest()
	if s.listing() || !ok || o.halted != nil || s.Waits(&s.over.page) {
		return nil
	}
	if o.list.AtEnd() && int64(o.depth) < tip+1 && o.list.Position() > 0 && !s.Arranged() {
		o.depth = int(min(int64(o.depth)+depthStep, tip+1))
		o.list.Changed(nil)
	}
	free := atOnce - o.busy()
	if !s.ahead {
		free = min(free, o.allowance)
	}
	place, height := o.list.Place(), s.RowsInSight()
	cmds := []tea.Cmd{s.needCounts()}
	for d := range height + 1 {
		for _, row := range [2]int{place.Cursor + d, place.Cursor - d} {
			h := o.height(row)
			if free <= 0 || row < place.Top || row >= min(place.Top+height, o.list.Len()) || h < 0 || s.Arranged() {
				continue
			}
			if v := o.known[h]; v != nil && v.State() != remote.Idle {
				continue
			}
			if l, known := o.counts[h]; known && l.empty || !known && o.page.Busy() {
				continue
			}
			cmds = append(cmds, s.fetchBurn(h, row == place.Cursor))
			free--
			o.allowance--
		}
	}
	return tea.Batch(cmds...)
}

// busy returns how many burn blocks are being read.
func (o *overview) busy() int {
	n := 0
	for _, v := range o.known {
		if v.Busy() {
			n++
		}
	}
	return n
}

// rest waits for the cursor to come to rest on a row that is not read.
func (s *Screen) rest() tea.Cmd {
	o := &s.over
	i, there := o.list.Cursor()
	if _, read := o.read(o.height(i)); s.ahead || !there || read || o.restsAt == o.list.Position() {
		return nil
	}
	o.restsAt = o.list.Position()
	o.moves++
	moves := o.moves
	return s.After(restPause, func() tea.Cmd { return s.rested(moves) })
}

// rested requests what is in sight, unless the cursor has moved again.
func (s *Screen) rested(moves int) tea.Cmd {
	if moves != s.over.moves || s.listing() {
		return nil
	}
	allowed := atOnce
	if i, ok := s.over.list.Cursor(); ok && s.over.counts[s.over.height(i)].counted {
		allowed = 1
	}
	s.over.allowance = max(s.over.allowance, allowed)
	return s.need()
}

// fetchBurn reads a burn block. Those beside the cursor are read ahead.
func (s *Screen) fetchBurn(height int64, awaited bool) tea.Cmd {
	api, fetch := s.env.Client, screen.FetchAhead[listing]
	if awaited {
		fetch = screen.Fetch[listing]
	}
	return fetch(s.env, s.over.value(height), func(ctx context.Context) (listing, error) {
		return readRow(ctx, api, height)
	})
}

// markSeen notes that the newest row is under the cursor, so that later ones
// are new.
func (s *Screen) markSeen() {
	if tip, ok := s.over.newest(); ok && s.over.list.Position() == 0 {
		s.over.seen = tip
	}
}

// unseen returns how many burn blocks came above the cursor.
func (o *overview) unseen() int {
	tip, ok := o.newest()
	if !ok {
		return 0
	}
	return int(max(0, tip-o.seen))
}

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

// Pauses between two requests for the newest blocks: while they are answered, at most
// while they are not, and while the server pushes blocks. A channel may be silent for
// another reason than a quiet chain.
const (
	followPause    = 5 * time.Second
	maxFollowPause = time.Minute
	pushedPause    = time.Minute
)

const (
	// followPage is how many blocks are read at a time, mostFollowed how many at most
	// because they came during one pause.
	followPage, mostFollowed = 30, 9_000
	// followMemory is how many blocks are remembered, to see one replaced.
	followMemory = 200
)

// follower prints blocks as they come.
type follower struct {
	app     *app
	client  *apiclient.Client
	rows    *rowWriter       // nil prints lines for people
	printed map[int64]string // the hash of each height
	newest  int64            // the greatest height
	lowest  int64            // the least height that is remembered
	began   bool
	titled  bool // the titles of the columns are printed
	pushed  <-chan apiclient.Pushed
	open    bool // blocks are pushed
	// generation is that of the route that lists blocks.
	generation int
	// silent keeps the blocks that are there from being printed.
	silent bool
}

// followBlocks prints the newest blocks, at most limit, and then each new one, the oldest
// first, until the context ends.
func followBlocks(ctx context.Context, app *app, limit int) error {
	app.endless = true
	c, err := app.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	app.sayMock(c)
	pushed, stopPushing := app.follow(ctx, c.client)
	defer stopPushing()
	f := &follower{app: app, client: c.client, printed: map[int64]string{}, pushed: pushed, silent: limit == 0}
	limit = max(limit, 1)
	if app.rows() || app.json() {
		f.rows = app.newRowWriter(apiclient.Block{})
		f.rows.lines = true
	}
	return app.keepAsking(ctx, &f.began, func() error { return f.poll(ctx, limit) }, func(pause time.Duration) error { return f.wait(ctx, pause) })
}

// keepAsking asks and waits in turn until the context ends. An error ends it before the first
// answer; later ones are said, and the pauses grow until there is an answer again.
func (a *app) keepAsking(ctx context.Context, began *bool, poll func() error, wait func(time.Duration) error) error {
	for pause := followPause; ; {
		err := poll()
		switch {
		case ctx.Err() != nil:
			return context.Canceled
		case err != nil && !*began:
			return err
		case err != nil:
			pause = min(2*pause, maxFollowPause)
			a.notice(fmt.Sprintf("%v; trying again in %s", err, pause))
		default:
			pause, *began = followPause, true
		}
		switch err := wait(pause); {
		case ctx.Err() != nil:
			return context.Canceled
		case err != nil:
			return err
		}
	}
}

// wait prints what is pushed until the list is to be read: after a pause, when the
// channel opened or was lost, and when a block does not follow on what was printed.
func (f *follower) wait(ctx context.Context, pause time.Duration) error {
	if f.open {
		pause = max(pause, pushedPause)
	}
	sleeping, wake := context.WithCancel(ctx)
	defer wake()
	slept := make(chan error, 1)
	f.app.guard.Go(func() { slept <- f.app.streams.sleep(sleeping, pause) })
	for {
		select {
		case err := <-slept:
			return err
		case p := <-f.pushed:
			f.open = p.Open
			if p.Block != nil && f.known(p.Block) {
				continue
			}
			if !f.follows(p.Block) {
				return nil
			}
			if err := f.print(ctx, followed{Height: p.Block.Height, Hash: p.Block.Hash, Canonical: true, raw: p.Raw, block: *p.Block}); err != nil {
				return err
			}
		}
	}
}

// known reports whether a pushed block says nothing new: it was printed, or it competes
// with one that was, and the block after it tells which one won.
func (f *follower) known(b *apiclient.Block) bool {
	return !b.Canonical || f.printed[b.Height] == b.Hash
}

// follows reports whether a pushed block is the next one, in the form in which the list
// has blocks.
func (f *follower) follows(b *apiclient.Block) bool {
	if b == nil || !b.Canonical || b.Height != f.newest+1 || b.ParentBlockHash != f.printed[f.newest] {
		return false
	}
	return f.generation == 1
}

// followed is what following needs of a block.
type followed struct {
	Height    int64  `json:"height"`
	Hash      string `json:"hash"`
	Canonical bool   `json:"canonical"`
	raw       json.RawMessage
	block     apiclient.Block
}

// poll reads the newest blocks, back to one that was printed, and prints what is new.
func (f *follower) poll(ctx context.Context, limit int) error {
	var came []followed
	if f.began {
		limit = followPage
	}
	w := apiclient.Walk[followed]{
		Op: "blocks", Size: limit, ID: func(b followed) (id, version string) { return b.Hash, "" },
		Read: func(ctx context.Context, _ string, at int64) (apiclient.Stretch[followed], error) {
			return f.page(ctx, limit, at)
		},
		Anew: func() { came = nil },
		Yield: func(b followed, _ bool) error {
			if f.began && (b.Canonical && f.printed[b.Height] == b.Hash || b.Height < f.lowest) || len(came) == mostFollowed {
				return apiclient.ErrEnough
			}
			if came = append(came, b); !f.began && len(came) == limit {
				return apiclient.ErrEnough
			}
			return nil
		},
	}
	if err := w.Run(ctx); err != nil {
		return err
	}
	sort.SliceStable(came, func(i, j int) bool { return came[i].Height < came[j].Height })
	for _, b := range came {
		if err := f.print(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// page reads a page of blocks.
func (f *follower) page(ctx context.Context, limit int, at int64) (page apiclient.Stretch[followed], err error) {
	answer, err := f.client.Blocks(ctx, apiclient.Page{Limit: &limit, Offset: int(at)})
	if err != nil {
		return page, err
	}
	f.generation = answer.Generation
	raw, err := contractJSON(answer)
	if err != nil {
		return page, err
	}
	rows, err := rowsOf(raw)
	if err != nil || len(rows) != len(answer.Value.Results) {
		return page, fmt.Errorf("the list of blocks cannot be read: %w", err)
	}
	page.ByOffset = true // whatever the server counts, what it lists is printed
	for i, block := range answer.Value.Results {
		page.Rows = append(page.Rows, followed{Height: block.Height, Hash: block.Hash, Canonical: block.Canonical, raw: rows[i], block: block})
	}
	return page, nil
}

// print prints a block that is new, and says which one it replaced, and what was left out
// before it.
func (f *follower) print(ctx context.Context, b followed) error {
	old, known := f.printed[b.Height]
	if !b.Canonical || old == b.Hash || f.began && !known && b.Height <= f.newest {
		return nil
	}
	if known {
		f.app.notice(fmt.Sprintf("block %d was replaced: %s by %s", b.Height, old, b.Hash))
	}
	if f.began && b.Height > f.newest+1 {
		f.app.notice(fmt.Sprintf("blocks %d to %d were left out: more came than are read at once; chainscope block height:%[1]d shows the first of them", f.newest+1, b.Height-1))
	}
	if len(f.printed) == 0 {
		f.lowest = b.Height
	}
	f.printed[b.Height] = b.Hash
	f.newest = max(f.newest, b.Height)
	if delete(f.printed, b.Height-followMemory); f.lowest <= b.Height-followMemory {
		f.lowest = b.Height - followMemory + 1
	}
	hidden := f.silent && !f.began
	switch {
	case f.rows != nil && hidden:
		return f.rows.checkColumns(b.raw)
	case f.rows != nil:
		return f.rows.write(ctx, b.raw)
	case hidden:
		return nil
	}
	return f.line(b.block)
}

// line prints a block for people.
func (f *follower) line(b apiclient.Block) error {
	cells := func(height, hash, burn, txs, at string) error {
		return f.app.print(strings.Join([]string{
			text.PadLeft(height, 10), text.Pad(text.Line(hash), 66), text.PadLeft(burn, 9), text.PadLeft(txs, 4), at,
		}, "  "))
	}
	if !f.titled {
		f.titled = true
		if err := cells("HEIGHT", "BLOCK HASH", "BURN", "TXS", "TIME (UTC)"); err != nil {
			return err
		}
	}
	return cells(f.app.number(b.Height), b.Hash, f.app.number(b.BurnBlockHeight), f.app.transactions(&b), utc(b.BlockTime))
}

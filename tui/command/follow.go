package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
)

// Pauses between two requests for the newest rows: while they are answered, at most while
// they are not, and while the server pushes blocks. A channel may be silent for another
// reason than a quiet chain.
const (
	followPause    = 5 * time.Second
	maxFollowPause = time.Minute
	pushedPause    = time.Minute
)

// followMemory is the number of rows that are remembered, and read at most because they came during one
// pause.
const followMemory = 10_000

// following describes how the rows of a list are followed.
type following[T any] struct {
	// pushed is a row that a server pushes with a block, nil where it pushes none. Waits says
	// that rows come without a block.
	pushed func(*apiclient.Block) T
	waits  bool
	// gap returns which rows may have been left out, after a block and before or in another, and
	// what would list them.
	gap func(after, before int64) string
}

// mark holds what is remembered of a row.
type mark struct {
	// id stays the same, version changes with a reorg.
	id, version string
	// height and hash are those of its block, received is when it was received; nil, "" and 0
	// where there is none.
	height   *int64
	hash     string
	received int64
	// orphaned rows are not printed.
	orphaned bool
	gone     bool // it was said that it is in no block any more
}

// follower prints rows as they come.
type follower[T any] struct {
	app    *cli.App
	client *apiclient.Client
	flags  *listFlags
	list   *list[T]
	print  func(context.Context, []row[T]) error

	seen   map[string]mark
	order  []string         // the ids of those that are seen, the oldest first
	blocks map[int64]string // the hashes of their blocks, by their heights
	// oldest is the last row of the first page where the list continued: what is as old is not
	// new, however it comes into the first page later.
	oldest mark
	began  bool
	pushed <-chan apiclient.Pushed
	open   bool // blocks are pushed
	// generation is that of the route that answers.
	generation int
}

// followList prints the newest rows that match, at most those of --limit, and then each new
// one, the oldest first, until the context ends.
func followList[T any](ctx context.Context, c *apiclient.Client, flags *listFlags, l *list[T], app *cli.App, print func(context.Context, []row[T]) error) error {
	f := &follower[T]{app: app, client: c, flags: flags, list: l, print: print, seen: map[string]mark{}, blocks: map[int64]string{}}
	if !l.follow.waits {
		pushed, stopPushing := followPushed(ctx, app, c)
		defer stopPushing()
		f.pushed = pushed
	}
	return pollRepeatedly(ctx, app, &f.began, func() error { return f.poll(ctx) }, func(pause time.Duration) error { return f.wait(ctx, pause) })
}

// pollRepeatedly polls and waits in turn until the context ends. An error ends it before the first
// answer; later ones are said, and the pauses grow until there is an answer again.
func pollRepeatedly(ctx context.Context, a *cli.App, began *bool, poll func() error, wait func(time.Duration) error) error {
	for pause := followPause; ; {
		err := poll()
		switch {
		case ctx.Err() != nil:
			return context.Canceled
		case err != nil && !*began:
			return err
		case err != nil:
			pause = min(2*pause, maxFollowPause)
			a.Notice(fmt.Sprintf("%v; trying again in %s", err, pause))
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
func (f *follower[T]) wait(ctx context.Context, pause time.Duration) error {
	if f.open {
		pause = max(pause, pushedPause)
	}
	sleeping, wake := context.WithCancel(ctx)
	defer wake()
	slept := make(chan error, 1)
	f.app.Guard.Go(func() { slept <- f.app.Streams.Wait(sleeping, pause) })
	for {
		select {
		case err := <-slept:
			return err
		case p := <-f.pushed:
			f.open = p.Open
			b := p.Block
			switch {
			case b != nil && (!b.Canonical || f.blocks[b.Height] == b.Hash):
				// Printed, or it competes with one that was: the block after it reports which won.
			case b != nil && f.list.follow.pushed != nil && f.generation == 1 && f.blocks[b.Height-1] == b.ParentBlockHash && f.blocks[b.Height] == "":
				rows := []row[T]{{of: f.list.follow.pushed(b), line: p.Raw}}
				f.remember(rows, nil)
				if err := f.print(ctx, rows); err != nil {
					return err
				}
			default:
				return nil
			}
		}
	}
}

// poll reads the newest rows, back to one that is known and in its block still, and prints
// those that are new and match.
func (f *follower[T]) poll(ctx context.Context) error {
	var rows []row[T]
	known := -1 // where the newest is in order of those that are in their blocks still
	w := apiclient.Walk[row[T]]{
		Op: f.list.noun(), Size: f.list.size(), ID: f.list.identity,
		Read: f.page,
		Anew: func() { rows, known = nil, -1 },
		Yield: func(r row[T], _ bool) error {
			m := f.list.mark(r.of)
			switch {
			case m.orphaned:
				return nil
			case f.known(m):
				known = slices.Index(f.order, m.id)
				return apiclient.ErrEnough
			case f.began && f.passed(m), len(rows) == followMemory:
				return apiclient.ErrEnough
			}
			if rows = append(rows, r); !f.began && len(rows) == f.list.size() {
				f.oldest = m
				return apiclient.ErrEnough
			}
			return nil
		},
	}
	if err := w.Run(ctx); err != nil {
		return err
	}
	slices.Reverse(rows)
	above := f.order[known+1:]
	if known < 0 && f.reportGap(rows) {
		above = nil
	}
	f.remember(rows, above)
	if !f.began {
		rows = rows[len(rows)-f.flags.most(len(rows)):]
	}
	return f.print(ctx, rows)
}

// page reads a page.
func (f *follower[T]) page(ctx context.Context, cursor string, offset int64) (apiclient.Stretch[row[T]], error) {
	p, err := f.list.page(ctx, f.client, position{apiclient.Page{Limit: f.list.size(), Offset: int(offset)}, cursor})
	if err == nil {
		f.generation = p.generation
	}
	return p.stretch(), err
}

// known reports whether a row was printed, and is where it was.
func (f *follower[T]) known(m mark) bool {
	before, seen := f.seen[m.id]
	return seen && before.version == m.version && (m.height == nil || f.blocks[*m.height] == m.hash)
}

// passed reports whether a row was there before the first page was read.
func (f *follower[T]) passed(m mark) bool {
	if height := f.oldest.height; height != nil && m.height != nil {
		return *m.height <= *height
	}
	return f.oldest.id != "" && m.height == nil && m.received <= f.oldest.received && m.received != 0
}

// reportGap warns that new rows, the oldest first, do not reach back to what was
// printed before: a list may be cut off below its newest rows.
func (f *follower[T]) reportGap(rows []row[T]) bool {
	if len(f.order) == 0 || len(rows) == 0 {
		return false
	}
	last, next := f.seen[f.order[len(f.order)-1]].height, f.list.mark(rows[0].of).height
	if last == nil || next == nil || *next <= *last+1 {
		return false
	}
	f.app.Notice(f.list.follow.gap(*last, *next))
	return true
}

// remember adds rows that came, the oldest first. It says which blocks they replace, and which
// of those before, that were above all that the list still has, are in no block any more.
func (f *follower[T]) remember(rows []row[T], above []string) {
	above = slices.Clone(above)
	var arrived []string
	for _, r := range rows {
		now := f.list.mark(r.of)
		if now.height != nil {
			if passed := f.blocks[*now.height]; passed != "" && now.hash != "" && passed != now.hash {
				f.app.Notice(fmt.Sprintf("block %d was replaced: %s by %s", *now.height, passed, now.hash))
			}
			f.blocks[*now.height] = now.hash
		}
		if _, seen := f.seen[now.id]; seen {
			isIt := func(id string) bool { return id == now.id }
			f.order, above = slices.DeleteFunc(f.order, isIt), slices.DeleteFunc(above, isIt)
		}
		f.seen[now.id] = now
		arrived = append(arrived, now.id)
	}
	if !f.list.follow.waits {
		f.reportGone(above)
	}
	f.order = append(f.order, arrived...)
	for len(f.order) > followMemory {
		if height := f.seen[f.order[0]].height; height != nil {
			delete(f.blocks, *height)
		}
		delete(f.seen, f.order[0])
		f.order = f.order[1:]
	}
}

// reportGone prints which rows are not in the list any more: their block was replaced, and the one
// in its place does not have them.
func (f *follower[T]) reportGone(ids []string) {
	var gone []string
	for _, id := range ids {
		one := f.seen[id]
		if one.gone || one.hash == id {
			continue // of a block it is said that it was replaced
		}
		one.gone = true
		f.seen[id] = one
		words := id
		if one.height != nil {
			words = fmt.Sprintf("%s of block %d", id, *one.height)
		}
		gone = append(gone, words)
	}
	if len(gone) > 0 {
		f.app.Notice("in no block any more, as theirs was replaced: " + strings.Join(gone[:min(len(gone), 10)], ", ") + more(len(gone)-10))
	}
}

// more returns how many there are besides those that are named.
func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

// Pauses between two requests for the newest blocks: while they are answered, and
// at most while they are not.
const (
	followPause    = 5 * time.Second
	maxFollowPause = time.Minute
)

const (
	// followPages bounds how many pages are read to find the blocks that came
	// during one pause.
	followPages = 10
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
	began   bool
}

// followBlocks prints the newest blocks and then each new one, the oldest first,
// until the context ends.
func followBlocks(ctx context.Context, app *app, limit int) error {
	c, err := app.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	app.sayMock(c)
	f := &follower{app: app, client: c.client, printed: map[int64]string{}}
	if app.rows() || app.json() {
		f.rows = app.newRowWriter()
		f.rows.lines = true
	}
	for pause := followPause; ; {
		err := f.poll(ctx, limit)
		switch {
		case ctx.Err() != nil:
			return context.Canceled
		case err != nil && !f.began:
			return err
		case err != nil:
			pause = min(2*pause, maxFollowPause)
			app.notice(fmt.Sprintf("%v; trying again in %s", err, pause))
		default:
			pause, f.began = followPause, true
		}
		if err := app.streams.sleep(ctx, pause); err != nil {
			return context.Canceled
		}
	}
}

// followed is what following needs of a block.
type followed struct {
	Height    int64  `json:"height"`
	Hash      string `json:"hash"`
	Canonical bool   `json:"canonical"`
	raw       json.RawMessage
	block     apiclient.Block
}

// poll reads the newest blocks, back to those that are known, and prints what is
// new.
func (f *follower) poll(ctx context.Context, limit int) error {
	var came []followed
	for page := range followPages {
		answer, err := f.client.Blocks(ctx, apiclient.Page{Limit: &limit, Offset: page * limit})
		if err != nil {
			return err
		}
		rows, err := rowsOf(answer.Raw)
		if err != nil || len(rows) != len(answer.Value.Results) {
			return fmt.Errorf("the list of blocks cannot be read: %w", err)
		}
		oldest := int64(0)
		for i, block := range answer.Value.Results {
			came = append(came, followed{Height: block.Height, Hash: block.Hash, Canonical: block.Canonical, raw: rows[i], block: block})
			oldest = block.Height
		}
		if !f.began || len(rows) < limit || oldest <= f.newest+1 {
			break
		}
	}
	// The oldest first; a list may have shifted between two pages.
	sort.Slice(came, func(i, j int) bool { return came[i].Height < came[j].Height })
	came = slices.CompactFunc(came, func(a, b followed) bool { return a.Hash == b.Hash })
	for _, b := range came {
		if err := f.print(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// print prints a block that is new, and says which one it replaced.
func (f *follower) print(ctx context.Context, b followed) error {
	old, known := f.printed[b.Height]
	if !b.Canonical || old == b.Hash || f.began && !known && b.Height <= f.newest {
		return nil
	}
	if known {
		f.app.notice(fmt.Sprintf("block %d was replaced: %s by %s", b.Height, old, b.Hash))
	}
	f.printed[b.Height] = b.Hash
	f.newest = max(f.newest, b.Height)
	delete(f.printed, b.Height-followMemory)
	if f.rows != nil {
		return f.rows.write(ctx, b.raw)
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
	if len(f.printed) == 1 {
		if err := cells("HEIGHT", "BLOCK HASH", "BURN", "TXS", "TIME (UTC)"); err != nil {
			return err
		}
	}
	return cells(f.app.number(b.Height), b.Hash, f.app.number(b.BurnBlockHeight), f.app.transactions(&b), utc(b.BlockTime))
}

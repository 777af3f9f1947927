package burnblocks

import (
	"context"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// counts is a page of the server's own list of burn blocks: how many Stacks blocks
// and transactions each has, without the blocks themselves.
type counts struct {
	rows []listing // the highest first
	// none reports that the server has no such list.
	none bool
}

// maxCounts bounds how many counted burn blocks are kept, some 200 bytes each.
const maxCounts = 5000

// readNewest reads the newest burn blocks in one request where the server lists them,
// else the newest one alone.
func readNewest(ctx context.Context, api *apiclient.Client, listed bool) (listing, error) {
	if listed {
		l, err := readCounts(ctx, api, 0)
		notListed := apiclient.RouteGone(err) || apiclient.KindOf(err) == apiclient.NotFound
		if !notListed && (err != nil || len(l.counts.rows) > 0) {
			return l, err
		}
	}
	l, err := read(ctx, api, "latest", 0, listing{})
	l.counts = &counts{none: true}
	return l, err
}

// readCounts reads a page of the list of burn blocks. The listing is that of its
// first row.
func readCounts(ctx context.Context, api *apiclient.Client, offset int) (listing, error) {
	a, err := api.BurnBlocks(ctx, apiclient.Page{Limit: pageSize, Offset: offset})
	if err != nil {
		return listing{}, err
	}
	c := &counts{}
	for _, b := range a.Value.Results {
		// Texts of an answer are parts of it: one that stays would keep them all.
		row := listing{height: b.Height, hash: strings.Clone(b.Hash), time: unix(b.Time), counted: true}
		if b.Blocks != nil {
			row.total = *b.Blocks
		}
		row.txs = b.Transactions
		row.empty = b.Blocks != nil && row.total == 0
		c.rows = append(c.rows, row)
	}
	l := listing{counts: c}
	if len(c.rows) > 0 {
		l = c.rows[0]
		l.counts, l.raw, l.id = c, a.Raw, a.ExchangeID
	}
	return l, nil
}

// count takes a page of the list of burn blocks. A height between two of its rows has
// no Stacks block. What was read of a burn block that has got more is forgotten.
func (o *overview) count(c *counts) {
	if c == nil || c.none {
		o.uncounted = o.uncounted || c != nil
		return
	}
	if o.counts == nil || len(o.counts) > maxCounts {
		o.counts, o.floor, o.listed = map[int64]listing{}, 0, 0
	}
	for i, row := range c.rows {
		if old, known := o.counts[row.height]; !known || old.empty != row.empty {
			o.listed++
		}
		o.counts[row.height] = row
		if v := o.known[row.height]; v != nil && !v.Busy() {
			if l, ok := v.Get(); ok && (l.hash != row.hash || l.total != row.total) {
				delete(o.known, row.height)
			}
		}
		if i > 0 {
			for h := row.height + 1; h < c.rows[i-1].height && h > c.rows[i-1].height-maxCounts; h++ {
				o.counts[h] = listing{height: h, empty: true, counted: true, txs: new(int64)}
			}
		}
		if o.floor == 0 || row.height < o.floor {
			o.floor = row.height
		}
	}
	o.ended = o.ended || len(c.rows) == 0
}

// needCounts requests the next page of the list when the last row in sight lies below
// those that are counted.
func (s *Screen) needCounts() tea.Cmd {
	o := &s.over
	if o.uncounted || o.ended || len(o.counts) == 0 || o.page.Busy() || s.Query() != "" {
		return nil
	}
	last := min(o.list.Place().Top+s.RowsInSight(), o.list.Len()) - 1
	if o.height(last) >= o.floor {
		return nil
	}
	api, offset := s.env.Client, o.listed
	return screen.Fetch(s.env, &o.page, func(ctx context.Context) (listing, error) {
		return readCounts(ctx, api, offset)
	})
}

// countsLoaded adds a further page of the list. Where the server cannot continue, rows are
// read one by one.
func (s *Screen) countsLoaded(msg screen.Fetched[listing]) tea.Cmd {
	o := &s.over
	if !o.page.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	switch kind := apiclient.KindOf(msg.Err); {
	case msg.Err == nil:
		o.count(msg.Value.counts)
		o.rescale()
		s.Arrange()
		return nil
	case kind == apiclient.InvalidInput || apiclient.RouteGone(msg.Err):
		o.ended = true
		return nil
	}
	return s.halt(msg.Err, msg.At)
}

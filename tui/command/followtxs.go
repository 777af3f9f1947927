package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// seenTransactions is how many transactions that were printed are remembered.
const seenTransactions = 10_000

// txFollower prints transactions as they come.
type txFollower struct {
	app    *app
	client *apiclient.Client
	flags  *txFlags
	rows   *rowWriter // nil prints lines for people
	seen   map[string]seenTransaction
	order  []string         // those that are seen, the oldest first
	blocks map[int64]string // the hashes of the blocks of those, by their heights
	// oldest is that of the first page where the list went on: what stands before it is not new,
	// however it comes into the first page later.
	oldest apiclient.ListedTransaction
	began  bool
}

// seenTransaction holds what is remembered of a transaction: its block, and whether it left it.
type seenTransaction struct {
	height int64
	block  string
	gone   bool
}

// old reports whether a transaction was there before the first page was read.
func (t *txFollower) old(one *apiclient.ListedTransaction) bool {
	if height := t.oldest.BlockHeight; height != nil && one.BlockHeight != nil {
		return *one.BlockHeight <= *height
	}
	return t.oldest.ID != "" && one.BlockHeight == nil && one.ReceiptTime <= t.oldest.ReceiptTime
}

// follow prints the newest transactions that match, and then each new one, the oldest first,
// until the context ends.
func (f *txFlags) follow(ctx context.Context, app *app) error {
	if f.among.Block != "" {
		return usagef("txs: use --follow or --block, not both")
	}
	if f.limit < 1 || f.limit > pageOfHistory {
		return &Error{Kind: KindInvalidInput, Message: fmt.Sprintf("txs: --limit must be 1 to %d", pageOfHistory)}
	}
	if _, err := f.left(nil, time.Time{}); err != nil {
		return err
	}
	app.endless = true
	c, err := app.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	app.sayMock(c)
	if err := f.settle(ctx, app, c.client); err != nil {
		return err
	}
	t := &txFollower{app: app, client: c.client, flags: f, seen: map[string]seenTransaction{}, blocks: map[int64]string{}}
	if app.rows() || app.json() {
		t.rows = app.newRowWriter(apiclient.TransactionPage{})
		t.rows.lines = true
	}
	return app.keepAsking(ctx, &t.began, func() error { return t.poll(ctx) }, func(pause time.Duration) error { return app.streams.sleep(ctx, pause) })
}

// poll reads the newest transactions, back to one that is known and in its block still, and
// prints those that are new and match.
func (t *txFollower) poll(ctx context.Context) error {
	var came []apiclient.ListedTransaction
	known := -1 // where the newest is in order of those that are in their blocks still
	w := apiclient.Walk[apiclient.ListedTransaction]{
		Op: "transactions", Size: pageOfHistory, ID: apiclient.ListedTransaction.Identity,
		Read: func(ctx context.Context, cursor string, _ int64) (apiclient.Stretch[apiclient.ListedTransaction], error) {
			page, err := t.client.Transactions(ctx, t.flags.among, pageOfHistory, cursor)
			stretch := page.Value.Stretch()
			stretch.Total = 0 // whatever the server counts, what it lists is printed
			return stretch, err
		},
		Anew: func() { came, known = nil, -1 },
		Yield: func(one apiclient.ListedTransaction, _ bool) error {
			if before, seen := t.seen[one.ID]; seen && before.block == one.BlockHash {
				known = slices.Index(t.order, one.ID)
				return apiclient.ErrEnough
			}
			if t.began && t.old(&one) || len(came) == seenTransactions {
				return apiclient.ErrEnough
			}
			came = append(came, one)
			if !t.began && len(came) == pageOfHistory {
				t.oldest = one
				return apiclient.ErrEnough
			}
			return nil
		},
	}
	if err := w.Run(ctx); err != nil {
		return err
	}
	slices.Reverse(came)
	above := t.order[known+1:]
	if known < 0 && t.sayGap(came) {
		above = nil
	}
	t.remember(came, above)
	if !t.began {
		came = came[max(0, len(came)-t.flags.limit):]
	}
	left, err := t.flags.left(came, t.client.ChainTime(time.Now()))
	if err != nil {
		return err
	}
	for i := range left {
		if err := t.print(ctx, &left[i]); err != nil {
			return err
		}
	}
	return nil
}

// sayGap says of transactions that came, the oldest first, that they do not reach back to what
// was printed before: a list may be cut off below its newest rows.
func (t *txFollower) sayGap(came []apiclient.ListedTransaction) bool {
	if len(t.order) == 0 || len(came) == 0 || came[0].BlockHeight == nil {
		return false
	}
	last, next := t.seen[t.order[len(t.order)-1]].height, *came[0].BlockHeight
	if next <= last+1 {
		return false
	}
	t.app.notice(fmt.Sprintf("transactions of the blocks %d to %d may have been left out: the list does not reach back to what was printed; chainscope txs --block %d lists those of a block", last+1, next, last+1))
	return true
}

// remember adds transactions that came, the oldest first. It says which blocks they replace,
// and which of those before, that were above all that the list still has, are in no block any
// more.
func (t *txFollower) remember(came []apiclient.ListedTransaction, above []string) {
	above = slices.Clone(above)
	for i := range came {
		one := &came[i]
		now := seenTransaction{block: one.BlockHash}
		if one.BlockHeight != nil {
			now.height = *one.BlockHeight
			if old := t.blocks[now.height]; old != "" && one.BlockHash != "" && old != one.BlockHash {
				t.app.notice(fmt.Sprintf("block %d was replaced: %s by %s", now.height, old, one.BlockHash))
			}
			t.blocks[now.height] = one.BlockHash
		}
		if _, seen := t.seen[one.ID]; seen {
			isIt := func(id string) bool { return id == one.ID }
			t.order, above = slices.DeleteFunc(t.order, isIt), slices.DeleteFunc(above, isIt)
		}
		t.seen[one.ID] = now
	}
	if !t.flags.among.Mempool {
		t.sayGone(above)
	}
	for i := range came {
		t.order = append(t.order, came[i].ID)
	}
	for len(t.order) > seenTransactions {
		delete(t.blocks, t.seen[t.order[0]].height)
		delete(t.seen, t.order[0])
		t.order = t.order[1:]
	}
}

// sayGone says which transactions are not in the list any more: their block was replaced, and
// the one in its place does not have them.
func (t *txFollower) sayGone(ids []string) {
	var gone []string
	for _, id := range ids {
		if one := t.seen[id]; !one.gone {
			one.gone = true
			t.seen[id] = one
			gone = append(gone, fmt.Sprintf("%s of block %d", id, one.height))
		}
	}
	if len(gone) > 0 {
		t.app.notice("in no block any more, as theirs was replaced: " + strings.Join(gone[:min(len(gone), 10)], ", ") + more(len(gone)-10))
	}
}

// more says how many there are besides those that are named.
func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

// print prints a transaction: a row, or a line for people.
func (t *txFollower) print(ctx context.Context, one *apiclient.ListedTransaction) error {
	if t.rows != nil {
		raw, err := json.Marshal(one)
		if err != nil {
			return err
		}
		return t.rows.write(ctx, raw)
	}
	tx := resource.Transaction{Transaction: &one.Transaction}
	at := one.BlockTime
	if at == 0 {
		at = one.ReceiptTime
	}
	return t.app.print(strings.Join([]string{utc(at), text.Line(one.ID), text.Pad(text.Line(tx.State()), 22), text.Line(one.Sender), text.Line(tx.What())}, "  "))
}

// left are those of the transactions that the filter lets through at a time of the chain.
func (f *txFlags) left(all []apiclient.ListedTransaction, now time.Time) ([]apiclient.ListedTransaction, error) {
	if f.filter == "" {
		return all, nil
	}
	rows, err := resource.Transactions().Matching(listedTransactions(apiclient.TransactionPage{Results: all}), f.filter, now)
	if err != nil {
		return nil, usagef("--filter: %v", err).tryFlag("filter", filterMeant(f.filter))
	}
	left := make([]apiclient.ListedTransaction, len(rows))
	for i, row := range rows {
		left[i] = all[row]
	}
	return left, nil
}

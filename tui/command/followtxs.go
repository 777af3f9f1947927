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
	seen   map[string]bool
	order  []string // those that are seen, the oldest first
	// oldest is that of the first page where the list went on: what stands before it is not new,
	// however it comes into the first page later.
	oldest apiclient.ListedTransaction
	began  bool
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
	t := &txFollower{app: app, client: c.client, flags: f, seen: map[string]bool{}}
	if app.rows() || app.json() {
		t.rows = app.newRowWriter(apiclient.TransactionPage{})
		t.rows.lines = true
	}
	return app.keepAsking(ctx, &t.began, func() error { return t.poll(ctx) }, func(pause time.Duration) error { return app.streams.sleep(ctx, pause) })
}

// poll reads the newest transactions, back to those that are known, and prints those that
// are new and match.
func (t *txFollower) poll(ctx context.Context) error {
	var came []apiclient.ListedTransaction
	fresh, cursor := map[string]bool{}, ""
	for range followPages {
		page, err := t.client.Transactions(ctx, t.flags.among, pageOfHistory, cursor)
		if err != nil {
			return err
		}
		met := !t.began
		for _, one := range page.Value.Results {
			switch {
			case t.seen[one.ID]:
				met = true
			case !fresh[one.ID] && !t.old(&one): // a list may have shifted between two pages
				fresh[one.ID] = true
				came = append(came, one)
			}
		}
		if last := len(page.Value.Results) - 1; !t.began && page.Value.Next != "" && last >= 0 {
			t.oldest = page.Value.Results[last]
		}
		if cursor = page.Value.Next; met || cursor == "" {
			break
		}
	}
	slices.Reverse(came)
	for _, one := range came {
		t.seen[one.ID] = true
		t.order = append(t.order, one.ID)
	}
	for len(t.order) > seenTransactions {
		delete(t.seen, t.order[0])
		t.order = t.order[1:]
	}
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

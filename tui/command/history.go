package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// pageOfHistory is how many transactions are read at a time.
const pageOfHistory = 50

// historyFlags select the history of an account.
type historyFlags struct {
	transactions, all bool
	limit             int
	after             string
}

func (f *historyFlags) register(fs *pflag.FlagSet) {
	fs.BoolVar(&f.transactions, "transactions", false, "print its transactions, the newest first, a row for each asset that one brought or took")
	fs.BoolVar(&f.all, "all", false, "with --transactions, all of them")
	fs.IntVar(&f.limit, "limit", 20, "with --transactions, the `number` of them")
	fs.StringVar(&f.after, "after", "", "with --transactions, begin with the one below this `TXID`: goes on where a run ended")
}

// check refuses flags of a line that do not go together.
func (f *historyFlags) check(given map[string]bool) error {
	switch {
	case !f.transactions && (given["all"] || given["after"] || given["limit"]):
		e := usagef("account: --limit, --all and --after go with --transactions")
		e.mend = func(typed []string) []string { return append(slices.Clone(typed), "--transactions") }
		return e
	case given["all"] && given["limit"]:
		return usagef("account: give --limit or --all, not both")
	case f.limit < 1:
		return usagef("--limit must be 1 or more")
	case f.after == "":
		return nil
	}
	f.after = "0x" + strings.TrimPrefix(strings.ToLower(f.after), "0x")
	if err := apiclient.ValidHash(f.after); err != nil {
		return &Error{Kind: KindInvalidInput, Message: "--after: " + err.Error()}
	}
	return nil
}

// history walks the transactions of an account.
type history struct {
	app    *app
	client *apiclient.Client
	of     string
	known  *tui.Backgrounds
	left   int // transactions that are wanted
	after  string
	last   string // the transaction that was printed last
	print  func(context.Context, []resource.Entry) error
}

// printHistory prints the transactions of an account. It says first what that costs, and in
// the end how to go on.
func printHistory(ctx context.Context, app *app, c *apiclient.Client, principal string, flags historyFlags) error {
	h := &history{app: app, client: c, of: principal, known: tui.NewBackgrounds(c), left: flags.limit, after: flags.after}
	var all []resource.Entry
	kind := resource.Entries()
	h.print = func(_ context.Context, entries []resource.Entry) error { all = append(all, entries...); return nil }
	rows := app.newRowWriter(kind.Sheet(nil))
	if app.rows() {
		h.print = func(ctx context.Context, entries []resource.Entry) error {
			for _, raw := range kind.JSON(entries) {
				if err := rows.write(ctx, raw); err != nil {
					return err
				}
			}
			return nil
		}
	}
	err := h.walk(ctx, flags.all)
	switch {
	case err != nil && h.last != "":
		app.notice("to go on: --after " + h.last)
		return err
	case err != nil:
		return err
	case app.rows():
		return rows.end()
	case app.json():
		raw, err := json.Marshal(append([]json.RawMessage{}, kind.JSON(all)...))
		if err != nil {
			return err
		}
		return app.printRaw(ctx, raw)
	case len(all) == 0:
		return app.noRows("transactions", 0)
	}
	return tableOf(app, kind, all, func(resource.Entry) string { return "" }).write(app.streams.Out)
}

// walk reads page after page.
func (h *history) walk(ctx context.Context, all bool) error {
	done := int64(0)
	for cursor, begun := "", false; ; begun = true {
		page, err := patiently(ctx, h.app, func() (apiclient.Answer[apiclient.TransactionPage], error) {
			return h.client.Transactions(ctx, apiclient.Among{Principal: h.of}, pageOfHistory, cursor)
		})
		if err != nil {
			return err
		}
		if !begun {
			if all {
				h.left = int(max(page.Value.Total, int64(len(page.Value.Results))))
			}
			h.sayCost(page.Value.Total)
		}
		for i := range page.Value.Results {
			t := &page.Value.Results[i].Transaction
			done++
			if h.after != "" {
				if t.ID == h.after {
					h.after = ""
				}
				continue
			}
			if h.left == 0 {
				return nil
			}
			h.left--
			if err := h.one(ctx, t); err != nil {
				return err
			}
		}
		if cursor = page.Value.Next; cursor == "" || h.left == 0 {
			break
		}
		h.app.notice(fmt.Sprintf("%s of %s transactions", h.app.number(done), h.app.number(page.Value.Total)))
	}
	if h.after != "" {
		return &Error{Kind: KindNotFound, Message: fmt.Sprintf("--after: %s is no transaction of %s", h.after, h.of)}
	}
	return nil
}

// sayCost says how many requests the walk takes.
func (h *history) sayCost(total int64) {
	many := min(int64(h.left), total)
	if h.after != "" {
		many = total
	}
	pages := (many + pageOfHistory - 1) / pageOfHistory
	h.app.notice(fmt.Sprintf("%s of %s transactions: %s for the list, and one for each call that moved something and for each token",
		h.app.number(min(int64(h.left), total)), h.app.number(total), text.Plural(int(max(1, pages)), "request")))
}

// one prints the entries of a transaction.
func (h *history) one(ctx context.Context, t *apiclient.Transaction) error {
	whole := resource.Transaction{Transaction: t}
	if !whole.TellsMoves() {
		a, err := patiently(ctx, h.app, func() (apiclient.Answer[apiclient.Transaction], error) { return h.client.Transaction(ctx, t.ID) })
		if err != nil {
			return err
		}
		if whole.Transaction, err = allEvents(ctx, h.app, h.client, &a.Value); err != nil {
			return err
		}
		whole.Units = h.known.ReadUnitsOf(ctx, whole.Transaction)
	}
	if err := h.print(ctx, whole.EntriesOf(h.of)); err != nil {
		return err
	}
	h.last = t.ID
	return nil
}

// patiently asks again while the server limits requests, and says until when it waits.
func patiently[T any](ctx context.Context, app *app, call func() (T, error)) (T, error) {
	for {
		value, err := call()
		var limited *apiclient.Error
		if !errors.As(err, &limited) || limited.Kind != apiclient.RateLimited {
			return value, err
		}
		wait := max(limited.RetryAfter, time.Second)
		app.notice(fmt.Sprintf("the server limits requests; reading goes on in %s", wait.Round(time.Second)))
		if err := app.streams.sleep(ctx, wait); err != nil {
			return value, err
		}
	}
}

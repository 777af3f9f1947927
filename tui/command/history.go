package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

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
	fs.StringVar(&f.after, "after", "", "with --transactions, begin with the one below this `TXID`, without the header line of csv: goes on where a run ended")
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
	if err := apiclient.CheckHash(f.after); err != nil {
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
	flags  historyFlags
	print  func(context.Context, []resource.Entry) error
	// all are the entries, the newest first, where nothing is printed before the end; late those
	// that came to the top of the list meanwhile.
	all, late []resource.Entry
	after     string // what the rows that are not printed end with
	left      int    // transactions that are to be printed
	came      int    // transactions that came, or moved, after the walk had passed
	cut       bool   // a page could not be read
	blank     map[string]int
}

// printHistory prints the transactions of an account. It says first what that costs, and in
// the end how to go on. Rows of ndjson and csv are printed as they come, others in the end.
func printHistory(ctx context.Context, app *app, c *apiclient.Client, principal string, flags historyFlags) error {
	h := &history{app: app, client: c, of: principal, known: tui.NewBackgrounds(c), flags: flags, blank: map[string]int{}}
	kind := resource.Entries()
	rows := app.newRowWriter(kind.Sheet(nil))
	rows.headless = flags.after != "" // the lines go below those of another run
	write := func(ctx context.Context, entries []resource.Entry) error {
		for _, raw := range kind.JSON(entries) {
			if err := rows.write(ctx, raw); err != nil {
				return err
			}
		}
		return nil
	}
	streams := app.settings.output == formatNDJSON || app.settings.output == formatCSV
	if streams {
		h.print = write
	}
	if err := h.walk(ctx); err != nil {
		return err
	}
	all := append(h.late, h.all...)
	var err error
	switch {
	case app.rows():
		if err = write(ctx, all); err == nil {
			err = rows.end()
		}
	case app.json():
		var raw json.RawMessage
		if raw, err = json.Marshal(append([]json.RawMessage{}, kind.JSON(all)...)); err == nil {
			err = app.printRaw(ctx, raw)
		}
	case len(all) == 0:
		err = app.noRows("transactions", 0)
	default:
		err = tableOf(app, kind, all, func(resource.Entry) string { return "" }).write(app.streams.Out)
	}
	return errors.Join(err, h.sayBlank())
}

// walk reads page after page.
func (h *history) walk(ctx context.Context) error {
	begun := false
	w := &apiclient.Walk[apiclient.ListedTransaction]{
		Op: "transactions", Size: pageOfHistory, ID: apiclient.ListedTransaction.Identity,
		Read: func(ctx context.Context, cursor string, at int64) (apiclient.Stretch[apiclient.ListedTransaction], error) {
			page, err := patiently(ctx, h.app, begun, func() (apiclient.Answer[apiclient.TransactionPage], error) {
				return h.client.Transactions(ctx, apiclient.Among{Principal: h.of}, pageOfHistory, cursor)
			})
			total := max(page.Value.Total, at+int64(len(page.Value.Results)))
			switch {
			case err != nil:
				h.cut = true
			case !begun:
				h.sayCost(total)
				begun = true
			case at > 0 && h.left > 0:
				h.app.notice(fmt.Sprintf("%s of %s transactions", h.app.number(at), h.app.number(total)))
			}
			return page.Value.Stretch(), err
		},
		Yield: func(t apiclient.ListedTransaction, late bool) error { return h.one(ctx, &t.Transaction, late) },
	}
	h.begin()
	if h.print == nil {
		w.Anew = h.begin
	}
	err := w.Run(ctx)
	switch {
	case err != nil && h.cut && h.print != nil && w.Last() != "" && h.after == "":
		h.app.notice("to go on: --after " + w.Last())
		return err
	case err != nil:
		return err
	case h.after != "":
		return &Error{Kind: KindNotFound, Message: fmt.Sprintf("--after: %s is no transaction of %s", h.after, h.of)}
	}
	if h.came > 0 {
		h.app.notice(fmt.Sprintf("%s came, or moved in a reorg, while the list was read: %s", text.Plural(h.came, "transaction"), h.lateWords()))
	}
	return nil
}

// lateWords says where the transactions are that came meanwhile.
func (h *history) lateWords() string {
	switch {
	case h.flags.after != "":
		return "not printed, as they are above --after"
	case h.print != nil:
		return "the last that are printed"
	}
	return "printed first"
}

// begin forgets what was read.
func (h *history) begin() {
	h.all, h.late, h.after, h.left, h.came = nil, nil, h.flags.after, h.flags.limit, 0
	clear(h.blank)
	if h.flags.all {
		h.left = math.MaxInt
	}
}

// sayCost says how many requests the walk takes.
func (h *history) sayCost(total int64) {
	many := min(int64(h.left), total)
	read := many
	if h.after != "" {
		read = total
	}
	pages := (read + pageOfHistory - 1) / pageOfHistory
	h.app.notice(fmt.Sprintf("%s of %s transactions: %s for the list, and one for each call that moved something and for each token",
		h.app.number(many), h.app.number(total), text.Plural(int(max(1, pages)), "request")))
}

// one prints the entries of a transaction, or keeps them.
func (h *history) one(ctx context.Context, t *apiclient.Transaction, late bool) error {
	switch {
	case late && h.flags.after != "":
		h.came++
		return nil
	case h.after != "":
		if t.ID == h.after {
			h.after = ""
		}
		return nil
	case h.left == 0:
		return apiclient.ErrEnough
	}
	whole, err := h.read(ctx, t)
	if err != nil {
		h.cut = true
		return err
	}
	entries := whole.EntriesOf(h.of)
	for _, e := range entries {
		if e.Unknown() {
			h.blank[e.Asset]++
		}
	}
	h.left--
	if late {
		h.came++
	}
	switch {
	case h.print != nil:
		err = h.print(ctx, entries)
	case late:
		h.late = append(h.late, entries...)
	default:
		h.all = append(h.all, entries...)
	}
	if err == nil && h.left == 0 {
		err = apiclient.ErrEnough
	}
	return err
}

// read reads what a row of the list does not say of a transaction.
func (h *history) read(ctx context.Context, t *apiclient.Transaction) (resource.Transaction, error) {
	whole := resource.Transaction{Transaction: t}
	if whole.TellsMoves() {
		return whole, nil
	}
	var err error
	if whole.Transaction, err = wholeTransaction(ctx, h.app, h.client, t.ID); err != nil {
		return whole, err
	}
	whole.Units, err = patiently(ctx, h.app, true, func() (map[string]resource.Unit, error) {
		return h.known.ReadUnitsOf(ctx, whole.Transaction)
	})
	return whole, err
}

// sayBlank is the error of amounts that are not printed, as their units are not known.
func (h *history) sayBlank() error {
	if len(h.blank) == 0 {
		return nil
	}
	var words []string
	for _, asset := range slices.Sorted(maps.Keys(h.blank)) {
		words = append(words, fmt.Sprintf("%s of %s", text.Plural(h.blank[asset], "amount"), asset))
	}
	return &Error{Kind: KindTokenError, Message: "not known, and left blank: " + strings.Join(words, ", ") +
		"; neither the metadata of the token nor its contract says by how many decimals it is divided"}
}

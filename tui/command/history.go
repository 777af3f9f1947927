package command

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// historyFlags select the history of an account.
type historyFlags struct {
	listFlags
	timeFlags
	transactions, all bool
	after             string
}

func (f *historyFlags) register(cmd *cobra.Command) {
	f.listFlags.register(cmd, 20, "transactions, with --transactions", resource.Entries().Sortable())
	fs := cmd.Flags()
	fs.BoolVar(&f.transactions, "transactions", false, "print its transactions, the newest first, a row for each asset that one moved")
	fs.BoolVar(&f.all, "all", false, "with --transactions, all of them")
	f.timeFlags.register(cmd, "with --transactions, ")
	fs.StringVar(&f.after, "after", "", "with --transactions, begin with the one below this `TXID`, without the header line of csv: continues where a run ended")
}

// check refuses flags of a line that do not go together.
func (f *historyFlags) check(cmd *cobra.Command, app *cli.App) error {
	given := app.FromCommandLine
	switch {
	case !f.transactions && (given["all"] || given["after"] || given["since"] || given["until"] || f.given(app) != ""):
		e := cli.Usagef("account: --all, --after, --since, --until and the flags of a list go with --transactions")
		e.Suggest = func(typed []string) []string { return append(slices.Clone(typed), "--transactions") }
		return e
	case given["all"] && given["limit"]:
		return cli.Usagef("account: give --limit or --all, not both")
	case f.follow && (given["all"] || given["after"]):
		return cli.Usagef("account: --follow begins with the newest: give it without --all and --after")
	case f.transactions && f.limit < 1:
		return cli.Usagef("--limit must be 1 or more")
	}
	if err := errors.Join(f.listFlags.check(cmd, 0, 0), f.timeFlags.check(cmd, f.follow)); err != nil || f.after == "" {
		return err
	}
	f.after = "0x" + strings.TrimPrefix(strings.ToLower(f.after), "0x")
	if err := apiclient.CheckHash(f.after); err != nil {
		return &cli.Error{Kind: cli.KindInvalidInput, Message: "--after: " + err.Error()}
	}
	return nil
}

// history walks the transactions of an account.
type history struct {
	app    *cli.App
	client *apiclient.Client
	of     string
	known  *tui.Backgrounds
	flags  historyFlags
	print  func(context.Context, []row[resource.Entry]) error // nil where all is printed in the end
	// all are the entries, the newest first, where nothing is printed before the end; late those
	// that came to the top of the list meanwhile.
	all, late []row[resource.Entry]
	after     string // what the rows that are not printed end with
	skip      int    // transactions that are left out first
	left      int    // transactions that are to be printed
	arrived   int    // transactions that came, or moved, after the walk had passed
	cut       bool   // a page could not be read
	blank     map[string]int
	// wanted is the time that they are of.
	wanted apiclient.Chosen
	more   bool // of that time, there are others
}

// printHistory prints the transactions of an account. It says first what that costs, and in
// the end how to continue. Rows of ndjson and csv are printed as they come, others in the end.
func printHistory(ctx context.Context, app *cli.App, c *apiclient.Client, principal string, flags historyFlags) error {
	h := &history{app: app, client: c, of: principal, known: tui.NewBackgrounds(c), flags: flags, blank: map[string]int{}}
	l := list[resource.Entry]{kind: resource.Entries(), of: "transactions", fixed: true}
	p := newPrinter(app, &h.flags.listFlags, &l, c)
	if err := p.check(); err != nil {
		return err
	}
	var err error
	if h.wanted.Since, h.wanted.Until, err = flags.on(ctx, c); err != nil {
		return err
	}
	if flags.follow {
		return h.follow(ctx, p)
	}
	if app.Settings.Output == cli.FormatNDJSON || app.Settings.Output == cli.FormatCSV {
		p.rows.headless = flags.after != "" // the lines go below those of another run
		if flags.sort == "" {
			h.print = p.write
		}
	}
	if err := h.walk(ctx); err != nil {
		return err
	}
	if h.print != nil {
		err = p.end()
	} else {
		err = p.print(ctx, page[resource.Entry]{rows: append(h.late, h.all...), total: notCounted})
	}
	return errors.Join(err, h.printBlank())
}

// follow prints the entries of the newest transactions, and then of each that comes.
func (h *history) follow(ctx context.Context, p *printer[resource.Entry]) error {
	l := transactionsAmong(h.app, apiclient.Among{Principal: h.of, Chosen: h.wanted})
	h.app.Endless = true
	return followList(ctx, h.client, &h.flags.listFlags, &l, h.app, func(ctx context.Context, arrived []row[resource.Transaction]) error {
		var all []row[resource.Entry]
		for _, r := range arrived {
			if r.out {
				continue
			}
			whole, err := h.read(ctx, r.of.Transaction)
			if err != nil {
				return err
			}
			all = append(all, h.entries(whole)...)
		}
		return p.write(ctx, all)
	})
}

// walk reads page after page.
func (h *history) walk(ctx context.Context) error {
	begun := false
	w := &apiclient.Walk[apiclient.ListedTransaction]{
		Op: "transactions", Size: transactionPage, ID: apiclient.ListedTransaction.Identity,
		Read: func(ctx context.Context, cursor string, at int64) (apiclient.Stretch[apiclient.ListedTransaction], error) {
			page, err := patiently(ctx, h.app, begun, func() (apiclient.Answer[apiclient.TransactionPage], error) {
				return h.client.Transactions(ctx, apiclient.Among{Principal: h.of}, transactionPage, cursor)
			})
			total := max(page.Value.Total, at+int64(len(page.Value.Results)))
			switch {
			case err != nil:
				h.cut = true
			case !begun:
				h.reportCost(total)
				begun = true
			case at > 0 && h.left > 0:
				h.app.Notice(fmt.Sprintf("%s of %s transactions", h.app.Number(at), h.app.Number(total)))
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
		h.app.Notice("to go on: --after " + w.Last())
		return err
	case err != nil:
		return err
	case h.after != "":
		return &cli.Error{Kind: cli.KindNotFound, Message: fmt.Sprintf("--after: %s is no transaction of %s", h.after, h.of)}
	}
	if h.more {
		h.app.Notice("others of that time are not printed: --all prints them too")
	}
	if h.arrived > 0 {
		h.app.Notice(fmt.Sprintf("%s came, or moved in a reorg, while the list was read: %s", text.Plural(h.arrived, "transaction"), h.lateWords()))
	}
	return nil
}

// lateWords returns where the transactions are that came meanwhile.
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
	h.all, h.late, h.after, h.skip, h.left, h.arrived = nil, nil, h.flags.after, h.flags.offset, h.flags.limit, 0
	clear(h.blank)
	if h.flags.all {
		h.left = math.MaxInt
	}
}

// reportCost returns how many requests the walk takes.
func (h *history) reportCost(total int64) {
	many := min(int64(h.left), max(0, total-int64(h.skip)))
	read := min(total, many+int64(h.skip))
	if h.after != "" {
		read = total
	}
	if h.wanted != (apiclient.Chosen{}) {
		h.app.Notice(fmt.Sprintf("%s transactions in all: an account cannot be requested by time, so its list is read from the newest%s; a request for each %d, for each call that moved something and for each token",
			h.app.Number(total), h.ends(), transactionPage))
		return
	}
	pages := (read + transactionPage - 1) / transactionPage
	h.app.Notice(fmt.Sprintf("%s of %s transactions: %s for the list, and one for each call that moved something and for each token",
		h.app.Number(many), h.app.Number(total), text.Plural(int(max(1, pages)), "request")))
}

// ends returns where a list ends that begins with the newest, "" for its own end.
func (h *history) ends() string {
	if h.wanted.Since == 0 {
		return ""
	}
	return " down to " + text.UTC(time.Unix(h.wanted.Since, 0))
}

// one prints the entries of a transaction, or keeps them.
func (h *history) one(ctx context.Context, t *apiclient.Transaction, late bool) error {
	switch {
	case h.wanted.Ends(t) && h.after != "":
		return cli.Usagef("--after %s: the history does not reach back to it, but ends with --since %s", h.after, h.flags.since)
	case h.wanted.Ends(t):
		return apiclient.ErrEnough
	case late && h.flags.after != "":
		h.arrived++
		return nil
	case h.after != "":
		if t.ID == h.after {
			h.after = ""
		}
		return nil
	case !h.wanted.Matches(t):
		return nil
	case h.left == 0:
		h.more = h.wanted.Since != 0
		return apiclient.ErrEnough
	case h.skip > 0 && !late:
		h.skip--
		return nil
	}
	whole, err := h.read(ctx, t)
	if err != nil {
		h.cut = true
		return err
	}
	entries := h.entries(whole)
	for _, r := range entries {
		if r.of.Unknown() {
			h.blank[r.of.Asset]++
		}
	}
	h.left--
	if late {
		h.arrived++
	}
	switch {
	case h.print != nil:
		err = h.print(ctx, entries)
	case late:
		h.late = append(h.late, entries...)
	default:
		h.all = append(h.all, entries...)
	}
	if err == nil && h.left == 0 && h.wanted.Since == 0 {
		err = apiclient.ErrEnough
	}
	return err
}

// entries returns a row for each asset that a transaction moved.
func (h *history) entries(of resource.Transaction) (rows []row[resource.Entry]) {
	for _, e := range of.EntriesOf(h.of) {
		rows = append(rows, row[resource.Entry]{of: e})
	}
	return rows
}

// read reads what a row of the list does not say of a transaction.
func (h *history) read(ctx context.Context, t *apiclient.Transaction) (resource.Transaction, error) {
	whole := resource.Transaction{Transaction: t}
	if whole.ListsMoves() {
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

// printBlank returns the error of amounts that are not printed, as their units are not known.
func (h *history) printBlank() error {
	if len(h.blank) == 0 {
		return nil
	}
	var words []string
	for _, asset := range slices.Sorted(maps.Keys(h.blank)) {
		words = append(words, fmt.Sprintf("%s of %s", text.Plural(h.blank[asset], "amount"), asset))
	}
	return &cli.Error{Kind: cli.KindTokenError, Message: "not known, and left blank: " + strings.Join(words, ", ") +
		"; neither the metadata of the token nor its contract says by how many decimals it is divided"}
}

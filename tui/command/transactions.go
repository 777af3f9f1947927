package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/resource"
	"chainscope/tui/text"
	"chainscope/wallet/outcome"
)

func newTx(app *app) *cobra.Command {
	why, all, traced := false, false, false
	cmd := &cobra.Command{
		Use:         "tx TXID [--why | --trace | --all]",
		Annotations: map[string]string{withRows: "true"},
		Short:       "Show a transaction: what it is, what it did, why it failed",
		Long: `Show a transaction: what it is, what it did, and why it failed.

--why says in a sentence why it ended as it did, and exits with 1 if it failed. What the
chain says is a fact; what is read from the source of the contract is likely.

--trace prints the tree of the calls that it made, private functions too, with the place of each
call; of a mock whose contracts run (--clarity).

A transaction comes with its first 100 events. When there are more, how many is said on
standard error; --all reads them, with one request for each 100.`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			read := func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Transaction], error) {
				answer, err := c.Transaction(ctx, args[0])
				return answer, wrongThing("tx", "the id of a transaction, 64 hex digits", args[0], notFound("transaction "+args[0], err))
			}
			switch {
			case why && all, traced && (why || all):
				return usagef("tx: use one of --why, --trace and --all")
			case traced:
				return traceTransaction(cmd.Context(), app, args[0])
			case why:
				return explainTransaction(cmd.Context(), app, read)
			}
			var known resource.Background
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Transaction], error) {
					answer, err := read(ctx, c)
					if err == nil && !app.rows() {
						answer, err = app.events(ctx, c, answer, all)
					}
					if err == nil && !app.rows() && !app.json() {
						known = app.background(ctx, c, &answer.Value)
					}
					return answer, err
				},
				func(t apiclient.Transaction) error {
					whole := resource.Transaction{Transaction: &t, Whole: all}.With(known)
					f := app.newFields()
					f.add("what", whole.Sentence())
					f.rows = append(f.rows, app.fieldsOf(resource.Transactions().Fields(whole)).rows...)
					return f.write(app.streams.Out)
				})
		},
	}
	cmd.Flags().BoolVar(&why, "why", false, "say why it ended as it did; exit with 1 if it failed")
	cmd.Flags().BoolVar(&traced, "trace", false, "print the tree of its calls")
	cmd.Flags().BoolVar(&all, "all", false, "read all of its events, with a request for each 100")
	return cmd
}

// events reads the events that did not come with a transaction, or says how many there are.
// As JSON a transaction with all of them has the names of v1: no answer of an API has all.
func (a *app) events(ctx context.Context, c *apiclient.Client, answer apiclient.Answer[apiclient.Transaction], all bool) (apiclient.Answer[apiclient.Transaction], error) {
	missing := answer.Value.MissingEvents()
	switch {
	case missing == 0:
		return answer, nil
	case !all:
		a.notice(fmt.Sprintf("%s of %s events were not read; --all reads them too, with %s",
			a.number(missing), a.number(*answer.Value.EventCount), text.Plural(int((missing-1)/apiclient.MaxEvents+1), "request")))
		return answer, nil
	}
	whole, err := allEvents(ctx, a, c, &answer.Value)
	if err != nil {
		return answer, err
	}
	answer.Value = *whole
	answer.Raw, err = whole.MarshalJSON()
	return answer, err
}

// allEvents reads a transaction's events as far as they are not known. Where a reorg changed
// them meanwhile it reads the transaction again.
func allEvents(ctx context.Context, app *app, c *apiclient.Client, t *apiclient.Transaction) (*apiclient.Transaction, error) {
	for changed := 1; t.MissingEvents() > 0; {
		more, err := patiently(ctx, app, true, func() (apiclient.Answer[apiclient.Transaction], error) { return c.MoreEvents(ctx, t) })
		switch {
		case !errors.Is(err, apiclient.ErrChanged):
			t = &more.Value
		case changed == changesRead:
			return nil, &Error{Kind: KindServer, Message: fmt.Sprintf("transaction %s: %v", t.ID, err), err: err}
		default:
			changed++
			var again apiclient.Answer[apiclient.Transaction]
			if again, err = c.Transaction(ctx, t.ID); err == nil {
				t = &again.Value
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// changesRead is how often a transaction is read that changes between two pages of its events.
const changesRead = 3

// wholeTransaction reads a transaction with all of its events.
func wholeTransaction(ctx context.Context, app *app, c *apiclient.Client, id string) (*apiclient.Transaction, error) {
	a, err := patiently(ctx, app, true, func() (apiclient.Answer[apiclient.Transaction], error) { return c.Transaction(ctx, id) })
	if err != nil {
		return nil, err
	}
	return allEvents(ctx, app, c, &a.Value)
}

// explainTransaction prints why a transaction ended as it did.
func explainTransaction(ctx context.Context, app *app, read func(context.Context, *apiclient.Client) (apiclient.Answer[apiclient.Transaction], error)) error {
	var w outcome.Why
	err := ask(ctx, app,
		func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[outcome.Why], error) {
			answer, err := read(ctx, c)
			if err != nil {
				return apiclient.Answer[outcome.Why]{}, err
			}
			of := resource.Transaction{Transaction: &answer.Value}
			if of.Status != apiclient.StatusSuccess {
				of.Background = app.background(ctx, c, &answer.Value)
			}
			w = outcome.Explain(of.Ended())
			raw, err := json.Marshal(w)
			return apiclient.Answer[outcome.Why]{Value: w, Raw: raw}, err
		},
		func(w outcome.Why) error {
			f := app.newFields()
			f.add("status", w.Status)
			f.add("why", w.Sentence)
			f.add("certainty", w.Certainty)
			f.add("condition", w.Condition)
			f.add("fix", w.Fix)
			return f.write(app.streams.Out)
		})
	if err == nil && w.Failed() {
		err = &Error{Kind: KindUnexpected, Message: "the transaction failed"}
	}
	return err
}

// background reads what explains a transaction, as far as that can be read.
func (a *app) background(ctx context.Context, c *apiclient.Client, t *apiclient.Transaction) resource.Background {
	known, err := tui.NewBackgrounds(c).Read(ctx, t)
	if err != nil {
		a.notice("what explains the transaction could not be read: " + err.Error())
	}
	return known
}

// txFlags select a list of transactions.
type txFlags struct {
	among  apiclient.Among
	limit  int
	filter string
	live   bool
}

func (f *txFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.among.Block, "block", "", "those of the block at a `HEIGHT` or with a hash")
	fs.StringVar(&f.among.Principal, "of", "", "those that concern an account or a contract, by its `ADDRESS` or name")
	fs.BoolVar(&f.among.Mempool, "mempool", false, "pending ones")
	fs.IntVar(&f.limit, "limit", 20, "`number` of transactions, 1 to 50")
	fs.BoolVarP(&f.live, "follow", "f", false, "print the newest, the oldest of them first, then each new one, until interrupted")
	fs.StringVar(&f.filter, "filter", "", "of those of --limit, print the ones that match a `QUERY` of the explorer, such as status:failed or fee:>0.01")
}

func newTxs(app *app) *cobra.Command {
	var flags txFlags
	cmd := &cobra.Command{
		Use:         "txs [--block HEIGHT|HASH | --of PRINCIPAL] [--mempool] [--limit N] [--follow] [--filter QUERY]",
		Annotations: map[string]string{withRows: "true"},
		Short:       "List transactions: the newest, of a block, of an account, or pending",
		Args:        noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.live {
				return flags.follow(cmd.Context(), app)
			}
			read := 0
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.TransactionPage], error) {
					if err := flags.settle(ctx, app, c); err != nil {
						return apiclient.Answer[apiclient.TransactionPage]{}, err
					}
					answer, err := c.Transactions(ctx, flags.among, flags.limit, "")
					if err != nil {
						return answer, err
					}
					read = len(answer.Value.Results)
					return flags.matching(app, answer, c.ChainTime(time.Now()))
				},
				func(page apiclient.TransactionPage) error { return flags.write(app, page, read) })
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// settle finds the account whose name was given, and refuses what the API would.
func (f *txFlags) settle(ctx context.Context, app *app, c *apiclient.Client) (err error) {
	if f.among.Principal != "" {
		if f.among.Principal, err = owner(ctx, app, c, f.among.Principal); err != nil {
			return err
		}
	}
	return rowsWithin(f.limit, 1, 50)
}

// matching leaves the transactions that the filter lets through, and makes rows of them.
func (f *txFlags) matching(app *app, a apiclient.Answer[apiclient.TransactionPage], now time.Time) (apiclient.Answer[apiclient.TransactionPage], error) {
	var err error
	if a.Value.Results, err = f.left(a.Value.Results, now); err != nil {
		return a, err
	}
	if f.filter == "" && !app.rows() {
		return a, nil
	}
	raw, err := json.Marshal(struct {
		Total   int64                         `json:"total"`
		Results []apiclient.ListedTransaction `json:"results"`
	}{a.Value.Total, a.Value.Results})
	a.Raw, a.Generation = raw, 0
	return a, err
}

// filterMeant is a filter with the nearest column in place of one that there is not; an
// example where none is near.
func filterMeant(filter string) string {
	var columns []string
	for _, c := range resource.Transactions().Columns {
		columns = append(columns, c.Name)
	}
	for word := range strings.FieldsSeq(filter) {
		if end := strings.IndexAny(word, ":<>="); end > 0 {
			if meant := nearest(word[:end], columns); meant != "" {
				return strings.Replace(filter, word, meant+word[end:], 1)
			}
		}
	}
	return "status:failed"
}

// listedTransactions are the rows of a page as the explorer has them.
func listedTransactions(page apiclient.TransactionPage) []resource.Transaction {
	all := make([]resource.Transaction, len(page.Results))
	for i := range page.Results {
		t := &page.Results[i]
		all[i] = resource.Transaction{Transaction: &t.Transaction, Sent: t.Sent, Received: t.Received}
	}
	return all
}

// write prints transactions for people: those left of the ones that were read.
func (f *txFlags) write(app *app, page apiclient.TransactionPage, read int) error {
	kind := resource.TransactionsOf(f.among.Principal, f.among.Mempool)
	t := tableOf(app, kind, listedTransactions(page), func(resource.Transaction) string { return "" })
	if read == 0 {
		return app.noRows("transactions", 0)
	}
	if len(t.rows) > 0 {
		if err := t.write(app.streams.Out); err != nil {
			return err
		}
	}
	line := fmt.Sprintf("%s of %s", app.number(int64(read)), app.number(page.Total))
	if f.filter != "" {
		line += fmt.Sprintf(" were read, and %d of them match %s", len(t.rows), text.Line(f.filter))
	}
	return app.print(line)
}

// readTransaction reads a row of a list of transactions.
func readTransaction(raw json.RawMessage) (resource.Transaction, error) {
	var t apiclient.ListedTransaction
	err := t.UnmarshalJSON(raw)
	return resource.Transaction{Transaction: &t.Transaction, Sent: t.Sent, Received: t.Received}, err
}

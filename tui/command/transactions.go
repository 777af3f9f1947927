package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
	"chainscope/tui/text"
	"chainscope/wallet/outcome"
)

func newTx(app *cli.App) *cobra.Command {
	why, all, traced, again := false, false, false, replayFlags{}
	cmd := &cobra.Command{
		Use:         "tx TXID [--why | --trace | --all]",
		Annotations: map[string]string{cli.WithRows: strings.Join(transactionColumns().known, ",")},
		Short:       "Show a transaction: what it is, what it did, why it failed",
		Long: `Show a transaction: what it is, what it did, and why it failed.

--why says in a sentence why it ended as it did, and exits with 1 if it failed. What the
chain says is a fact; what is read from the source of the contract is likely.

--trace prints the tree of the calls that it made, private functions too, with the place of each
call. A mock has it whose contracts run (--clarity). A call of a live chain is run again on the state
of the block before it, after what came before it in its block: in chainscope-clarity, on this
machine. What that needs is read from the API once and kept; --fork-offline reads nothing else.

A transaction comes with its first 100 events. When there are more, how many is said on
standard error; --all reads them, with one request for each 100.`,
		Args: cli.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			read := func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Transaction], error) {
				answer, err := c.Transaction(ctx, args[0])
				return answer, wrongArgument("tx", "the id of a transaction, 64 hex digits", args[0], notFound("transaction "+args[0], err))
			}
			switch {
			case why && all, traced && (why || all):
				return cli.Usagef("tx: use one of --why, --trace and --all")
			case !traced && (again.offline || again.cache != ""):
				return cli.Usagef("tx: --fork-cache and --fork-offline need --trace")
			case traced:
				return traceTransaction(cmd.Context(), app, args[0], again)
			case why:
				return explainTransaction(cmd.Context(), app, read)
			}
			var known resource.Background
			return requestAndShow(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Transaction], error) {
					answer, err := read(ctx, c)
					if err == nil && !app.Rows() {
						answer, err = readEvents(ctx, app, c, answer, all)
					}
					if err == nil && !app.Rows() && !app.JSON() {
						known = readBackground(ctx, app, c, &answer.Value)
					}
					return answer, err
				},
				func(t apiclient.Transaction) error {
					whole := resource.Transaction{Transaction: &t, Whole: all}.With(known)
					f := app.NewFields()
					f.Add("what", whole.Sentence())
					f.Join(fieldsOf(app, resource.Transactions().Fields(whole)))
					return f.Write(app.Streams.Out)
				})
		},
	}
	cmd.Flags().BoolVar(&why, "why", false, "say why it ended as it did; exit with 1 if it failed")
	cmd.Flags().BoolVar(&traced, "trace", false, "print the tree of its calls")
	cmd.Flags().StringVar(&again.cache, "fork-cache", "", "with --trace: keep what is read of a live chain in a `folder` (default fork in the state folder)")
	cmd.Flags().BoolVar(&again.offline, "fork-offline", false, "with --trace: read nothing but what --fork-cache keeps")
	cmd.Flags().BoolVar(&all, "all", false, "read all of its events, with a request for each 100")
	return cmd
}

// readEvents reads the events that did not come with a transaction, or says how many there are.
// As JSON a transaction with all of them has the names of v1: no answer of an API has all.
func readEvents(ctx context.Context, a *cli.App, c *apiclient.Client, answer apiclient.Answer[apiclient.Transaction], all bool) (apiclient.Answer[apiclient.Transaction], error) {
	missing := answer.Value.MissingEvents()
	switch {
	case missing == 0:
		return answer, nil
	case !all:
		a.Notice(fmt.Sprintf("%s of %s events were not read; --all reads them too, with %s",
			a.Number(missing), a.Number(*answer.Value.EventCount), text.Plural(int((missing-1)/apiclient.MaxEvents+1), "request")))
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
func allEvents(ctx context.Context, app *cli.App, c *apiclient.Client, t *apiclient.Transaction) (*apiclient.Transaction, error) {
	for changed := 1; t.MissingEvents() > 0; {
		more, err := patiently(ctx, app, true, func() (apiclient.Answer[apiclient.Transaction], error) { return c.MoreEvents(ctx, t) })
		switch {
		case !errors.Is(err, apiclient.ErrChanged):
			t = &more.Value
		case changed == changesRead:
			return nil, &cli.Error{Kind: cli.KindServer, Message: fmt.Sprintf("transaction %s: %v", t.ID, err), Err: err}
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

// changesRead limits the readings of a transaction that changes between two pages of its events.
const changesRead = 3

// wholeTransaction reads a transaction with all of its events.
func wholeTransaction(ctx context.Context, app *cli.App, c *apiclient.Client, id string) (*apiclient.Transaction, error) {
	a, err := patiently(ctx, app, true, func() (apiclient.Answer[apiclient.Transaction], error) { return c.Transaction(ctx, id) })
	if err != nil {
		return nil, err
	}
	return allEvents(ctx, app, c, &a.Value)
}

// explainTransaction prints why a transaction ended as it did.
func explainTransaction(ctx context.Context, app *cli.App, read func(context.Context, *apiclient.Client) (apiclient.Answer[apiclient.Transaction], error)) error {
	var w outcome.Why
	err := requestAndShow(ctx, app,
		func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[outcome.Why], error) {
			answer, err := read(ctx, c)
			if err != nil {
				return apiclient.Answer[outcome.Why]{}, err
			}
			of := resource.Transaction{Transaction: &answer.Value}
			if of.Status != apiclient.StatusSuccess {
				of.Background = readBackground(ctx, app, c, &answer.Value)
			}
			w = outcome.Explain(of.Ended())
			raw, err := json.Marshal(w)
			return apiclient.Answer[outcome.Why]{Value: w, Raw: raw}, err
		},
		func(w outcome.Why) error {
			f := app.NewFields()
			f.Add("status", w.Status)
			f.Add("why", w.Sentence)
			f.Add("certainty", w.Certainty)
			f.Add("condition", w.Condition)
			f.Add("fix", w.Fix)
			return f.Write(app.Streams.Out)
		})
	if err == nil && w.Failed() {
		err = &cli.Error{Kind: cli.KindUnexpected, Message: "the transaction failed"}
	}
	return err
}

// readBackground reads what explains a transaction, as far as that can be read.
func readBackground(ctx context.Context, a *cli.App, c *apiclient.Client, t *apiclient.Transaction) resource.Background {
	known, err := tui.NewBackgrounds(c).Read(ctx, t)
	if err != nil {
		a.Notice("what explains the transaction could not be read: " + err.Error())
	}
	return known
}

func newTxs(app *cli.App) *cobra.Command {
	var flags listFlags
	var chosen chosenFlags
	var among apiclient.Among
	cmd := &cobra.Command{
		Use:         "txs [--block HEIGHT|HASH | --of PRINCIPAL] [--mempool]" + chosenUsage + listUsage,
		Annotations: map[string]string{cli.WithRows: strings.Join(transactionColumns().known, ",")},
		Short:       "List transactions: the newest, of a block, of an account, or pending",
		Long: `List transactions: the newest, those of a block or of an account, or pending ones.

--type, --from, --to, --contract, --function, --since and --until choose among them. The API is
asked for what it can choose; the rest is chosen from what is read, which is said on standard
error: of the newest all are asked for, of pending ones --from and --to, after the sunset of the
routes of v1 --type alone, and of a block or an account none. Then at most 500 are read, or all
down to the time of --since. A time is so long ago (2d, 12h), a day or a time of day, in UTC.`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := flags.check(cmd, 1, transactionPage)
			if err == nil && among.Block != "" {
				err = flags.cannotFollow(cmd, "no transaction is added to a block")
			}
			if err == nil {
				err = chosen.check(cmd, flags.follow)
			}
			if err != nil {
				return err
			}
			return printList(cmd.Context(), app, &flags, func(ctx context.Context, c *apiclient.Client) (list[resource.Transaction], error) {
				if among.Principal != "" {
					if among.Principal, err = owner(ctx, app, c, among.Principal); err != nil {
						return list[resource.Transaction]{}, err
					}
				}
				among.Chosen, err = chosen.on(ctx, app, c)
				return transactionsAmong(app, among), err
			})
		},
	}
	flags.register(cmd, 20, "transactions", resource.Transactions().Sortable())
	fs := cmd.Flags()
	fs.StringVar(&among.Block, "block", "", "those of the block at a `HEIGHT` or with a hash")
	fs.StringVar(&among.Principal, "of", "", "those that concern an account or a contract, by its `ADDRESS` or name")
	fs.BoolVar(&among.Mempool, "mempool", false, "pending ones")
	chosen.register(cmd)
	return cmd
}

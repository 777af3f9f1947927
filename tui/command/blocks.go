package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

// rowFlags select a page of a list of blocks.
type rowFlags struct {
	limit, offset int
	flags         *pflag.FlagSet
}

func (r *rowFlags) register(fs *pflag.FlagSet) {
	r.flags = fs
	fs.IntVar(&r.limit, "limit", 20, "`number` of blocks, at most 30")
	fs.IntVar(&r.offset, "offset", 0, "`number` of newest blocks to skip")
}

// page returns the query; it leaves out what the flags do not give.
func (r *rowFlags) page() apiclient.Page {
	p := apiclient.Page{Offset: r.offset}
	if r.flags.Changed("limit") {
		p.Limit = &r.limit
	}
	return p
}

func newBlocks(app *app) *cobra.Command {
	var rows rowFlags
	var follow bool
	cmd := &cobra.Command{
		Use:         "blocks [--limit N] [--offset N | --follow]",
		Annotations: map[string]string{withRows: "true"},
		Short:       "List recently mined blocks",
		Args:        noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if follow {
				return rows.follow(cmd.Context(), app)
			}
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.BlockList[apiclient.Block]], error) {
					return c.Blocks(ctx, rows.page())
				},
				func(list apiclient.BlockList[apiclient.Block]) error {
					t := blockTable(app)
					for _, b := range list.Results {
						addBlock(app, t, b.Height, b.Hash, b.BurnBlockHeight, app.transactions(&b), b.BlockTime, b.Canonical)
					}
					return writeBlocks(app, t, list.Offset, list.Total)
				})
		},
	}
	rows.register(cmd.Flags())
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "print each new block as a line, until interrupted")
	return cmd
}

// follow follows the newest blocks.
func (r *rowFlags) follow(ctx context.Context, app *app) error {
	if r.offset != 0 {
		return usagef("blocks: use --follow or --offset, not both")
	}
	if r.limit < 1 || r.limit > 30 {
		return &Error{Kind: KindInvalidInput, Message: fmt.Sprintf("limit must be 1-30 with --follow, got %d", r.limit)}
	}
	return followBlocks(ctx, app, r.limit)
}

func newBurnBlocks(app *app) *cobra.Command {
	var rows rowFlags
	cmd := &cobra.Command{
		Use:               "burn-blocks HEIGHT|HASH|latest [--limit N] [--offset N]",
		Annotations:       map[string]string{withRows: "true"},
		Short:             "List the Stacks blocks of a burn block",
		Args:              exactArgs(1),
		ValidArgsFunction: app.completer(completeBurnBlock),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.BlockList[apiclient.ListedBlock]], error) {
					answer, err := c.BurnBlockBlocks(ctx, args[0], rows.page())
					return answer, notFound("burn block "+args[0], err)
				},
				func(list apiclient.BlockList[apiclient.ListedBlock]) error {
					t := blockTable(app)
					for _, b := range list.Results {
						addBlock(app, t, b.Height, b.Hash, b.BurnBlockHeight, app.listedTransactions(&b), b.BlockTime, b.Canonical)
					}
					return writeBlocks(app, t, list.Offset, list.Total)
				})
		},
	}
	rows.register(cmd.Flags())
	return cmd
}

func blockTable(app *app) *table {
	return &table{bold: app.color(), columns: []column{
		{"HEIGHT", right}, {"BLOCK HASH", left}, {"BURN HEIGHT", right}, {"TXS", right}, {"TIME (UTC)", left}, {"", left},
	}}
}

// transactions returns the number of a block's transactions for people, and
// says so when the route that answered does not tell it.
func (a *app) transactions(b *apiclient.Block) string {
	if n, known := b.Transactions(); known {
		return a.number(n)
	}
	return text.Unknown
}

func (a *app) listedTransactions(b *apiclient.ListedBlock) string {
	if b.Lacks["tx_count"] {
		return text.Unknown
	}
	return a.number(b.TxCount)
}

func addBlock(app *app, t *table, height int64, hash string, burnHeight int64, txs string, unix int64, canonical bool) {
	note := ""
	if !canonical {
		note = orphaned
	}
	t.add(app.number(height), hash, app.number(burnHeight), txs, utc(unix), note)
}

func writeBlocks(app *app, t *table, offset, total int64) error {
	if len(t.rows) == 0 {
		return app.print(fmt.Sprintf("no blocks from offset %d on", offset))
	}
	if err := t.write(app.streams.Out); err != nil {
		return err
	}
	return app.print(fmt.Sprintf("%s to %s of %s", text.Count(offset+1), text.Count(offset+int64(len(t.rows))), text.Count(total)))
}

func newBlock(app *app) *cobra.Command {
	return &cobra.Command{
		Use:               "block BURN_HEIGHT|BURN_HASH",
		Annotations:       map[string]string{withRows: "true"},
		Short:             "Show the newest Stacks block of a burn block",
		Args:              exactArgs(1),
		ValidArgsFunction: app.completer(completeBurnHeight),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Block], error) {
					answer, err := ofBurnBlock(ctx, c, args[0])
					if err != nil || app.json() && !app.rows() {
						return answer, err
					}
					return completed(ctx, c, answer)
				},
				func(b apiclient.Block) error { return blockFields(app, b).write(app.streams.Out) })
		},
	}
}

// ofBurnBlock reads the newest block of a burn block.
func ofBurnBlock(ctx context.Context, c *apiclient.Client, which string) (apiclient.Answer[apiclient.Block], error) {
	// 64 digits are a hash, even if all are decimal.
	if len(which) < 64 && strings.Trim(which, "0123456789") == "" || strings.HasPrefix(which, "-") {
		height, err := strconv.ParseInt(which, 10, 64)
		if err != nil {
			return apiclient.Answer[apiclient.Block]{}, &Error{Kind: KindInvalidInput, Message: fmt.Sprintf("%q is not a burn height", which), err: err}
		}
		answer, err := c.BlockByBurnHeight(ctx, height)
		return answer, notFound("burn height "+which, err)
	}
	answer, err := c.BlockByBurnHash(ctx, which)
	return answer, notFound("burn hash "+which, err)
}

// completed returns a block with what the route that answered does not tell, as far as
// another one does. What cannot be read stays unknown.
func completed(ctx context.Context, c *apiclient.Client, a apiclient.Answer[apiclient.Block]) (apiclient.Answer[apiclient.Block], error) {
	if len(a.Value.Lacks) == 0 {
		return a, nil
	}
	b, _ := c.Complete(ctx, a.Value)
	if ctx.Err() != nil {
		return a, context.Canceled
	}
	raw, err := json.Marshal(b)
	a.Value, a.Raw = b, raw
	return a, err
}

// notFound says in the error of a server that has not found something what was
// asked for.
func notFound(what string, err error) error {
	if apiclient.KindOf(err) != apiclient.NotFound {
		return err
	}
	e := asError(err)
	e.Message = what + ": " + e.Message
	return e
}

func blockFields(app *app, b apiclient.Block) *fields {
	f := app.newFields()
	status := "yes"
	if !b.Canonical {
		status = "no (orphaned)"
	}
	number := app.number
	f.add("height", number(b.Height))
	f.add("canonical", status)
	told := func(field, name, value string) {
		if b.Lacks[field] {
			value = text.Unknown
		}
		f.add(name, value)
	}
	f.add("hash", b.Hash)
	f.add("index block hash", b.IndexBlockHash)
	told("parent_block_hash", "parent block hash", b.ParentBlockHash)
	f.add("block time", utc(b.BlockTime))
	if b.TenureHeight != nil {
		f.add("tenure height", number(*b.TenureHeight))
	}
	f.add("burn block height", number(b.BurnBlockHeight))
	f.add("burn block hash", b.BurnBlockHash)
	f.add("burn block time", utc(b.BurnBlockTime))
	told("miner_txid", "miner transaction", b.MinerTxID)
	told("execution_cost_runtime", "cost: runtime", number(b.Runtime))
	told("execution_cost_read_count", "cost: read count", number(b.ReadCount))
	told("execution_cost_read_length", "cost: read length", number(b.ReadLength))
	told("execution_cost_write_count", "cost: write count", number(b.WriteCount))
	told("execution_cost_write_length", "cost: write length", number(b.WriteLength))
	f.add("transactions", app.transactions(&b))
	for _, tx := range b.Txs {
		f.add("", tx)
	}
	if b.Lacks["microblocks_accepted"] {
		f.add("microblocks", text.Unknown)
	}
	if b.ParentMicroblockHash != "" {
		f.add("parent microblock", b.ParentMicroblockHash)
		f.add("parent microblock sequence", number(b.ParentMicroblockSequence))
	}
	for _, hash := range b.MicroblocksAccepted {
		value := hash
		if n, ok := b.MicroblockTxCount[hash]; ok {
			value += " (" + text.Plural(int(n), "transaction") + ")"
		}
		f.add("microblock accepted", value)
	}
	for _, hash := range b.MicroblocksStreamed {
		f.add("microblock streamed", hash)
	}
	return f
}

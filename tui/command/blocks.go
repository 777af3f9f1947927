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
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// rowFlags select a page of a list of blocks.
type rowFlags struct {
	limit, offset int
	flags         *pflag.FlagSet
}

func (r *rowFlags) register(fs *pflag.FlagSet) {
	r.flags = fs
	fs.IntVar(&r.limit, "limit", 20, "`number` of blocks, 0 to 30")
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

// none takes the rows out of an answer where the flags ask for none: the first version of
// the API takes 0 for its own number of rows. JSON is what the API answered.
func none[T any](app *app, r *rowFlags, a apiclient.Answer[apiclient.List[T]], err error) (apiclient.Answer[apiclient.List[T]], error) {
	if err != nil || r.limit != 0 || app.json() && !app.rows() || len(a.Value.Results) == 0 {
		return a, err
	}
	a.Value.Limit, a.Value.Results = 0, []T{}
	a.Raw, err = json.Marshal(a.Value)
	return a, err
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
			if err := rowsWithin(rows.limit, 0, 30); err != nil {
				return err
			}
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.List[apiclient.Block]], error) {
					answer, err := c.Blocks(ctx, rows.page())
					return none(app, &rows, answer, err)
				},
				func(list apiclient.List[apiclient.Block]) error {
					return writeBlocks(app, list.Results, list.Offset, list.Total)
				})
		},
	}
	rows.register(cmd.Flags())
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "print the newest blocks, the oldest of them first, then each new one, until interrupted")
	return cmd
}

// follow follows the newest blocks.
func (r *rowFlags) follow(ctx context.Context, app *app) error {
	if r.offset != 0 {
		return usagef("blocks: use --follow or --offset, not both")
	}
	if err := rowsWithin(r.limit, 0, 30); err != nil {
		return err
	}
	return followBlocks(ctx, app, r.limit)
}

func newBurnBlocks(app *app) *cobra.Command {
	var rows rowFlags
	cmd := &cobra.Command{
		Use:         "burn-blocks [HEIGHT|HASH|latest] [--limit N] [--offset N]",
		Annotations: map[string]string{withRows: "true"},
		Short:       "List burn blocks, or the Stacks blocks of one",
		Long: `List the newest burn blocks, or the Stacks blocks of one.

Only burn blocks with a Stacks block in the chain are listed, and latest is the newest of
them. For another one the list is empty, or it is not found (exit code 3), as the API
answers.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactArgs(1)(cmd, args)
		},
		ValidArgsFunction: app.completer(completeBurnBlock),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := rowsWithin(rows.limit, 0, 30); err != nil {
				return err
			}
			if len(args) == 0 {
				return listBurnBlocks(cmd.Context(), app, &rows)
			}
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.List[apiclient.ListedBlock]], error) {
					answer, err := c.BurnBlockBlocks(ctx, args[0], rows.page())
					return none(app, &rows, answer, notFound("burn block "+args[0], err))
				},
				func(list apiclient.List[apiclient.ListedBlock]) error {
					blocks := make([]apiclient.Block, len(list.Results))
					for i, b := range list.Results {
						blocks[i] = b.Block()
					}
					return writeBlocks(app, blocks, list.Offset, list.Total)
				})
		},
	}
	rows.register(cmd.Flags())
	return cmd
}

// listBurnBlocks lists the burn blocks that have Stacks blocks.
func listBurnBlocks(ctx context.Context, app *app, rows *rowFlags) error {
	return ask(ctx, app,
		func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.List[apiclient.BurnBlock]], error) {
			answer, err := c.BurnBlocks(ctx, rows.page())
			return none(app, rows, answer, err)
		},
		func(list apiclient.List[apiclient.BurnBlock]) error {
			blocks := make([]resource.BurnBlock, len(list.Results))
			for i, b := range list.Results {
				blocks[i] = listedBurnBlock(b)
			}
			t := tableOf(app, resource.BurnBlocks(), blocks, func(resource.BurnBlock) string { return "" })
			if len(t.rows) == 0 {
				return app.noRows("burn blocks", list.Offset)
			}
			return t.write(app.streams.Out)
		})
}

// transactions returns the number of a block's transactions for people, and
// says so when the route that answered does not tell it.
func (a *app) transactions(b *apiclient.Block) string {
	if n, known := b.Transactions(); known {
		return a.number(n)
	}
	return text.Unknown
}

func writeBlocks(app *app, list []apiclient.Block, offset, total int64) error {
	blocks := make([]resource.Block, len(list))
	for i := range list {
		blocks[i] = resource.BlockOf(&list[i])
	}
	t := tableOf(app, resource.Blocks(), blocks, func(b resource.Block) string {
		if b.Orphaned {
			return orphaned
		}
		return ""
	})
	if len(t.rows) == 0 {
		return app.noRows("blocks", offset)
	}
	if err := t.write(app.streams.Out); err != nil {
		return err
	}
	rest := " of " + text.Count(total)
	if total < offset+int64(len(t.rows)) { // no total in the answer
		rest = "; there may be more"
	}
	return app.print(text.Count(offset+1) + " to " + text.Count(offset+int64(len(t.rows))) + rest)
}

// noRows says that a list is empty.
func (a *app) noRows(of string, offset int64) error {
	if offset == 0 {
		return a.print("no " + of)
	}
	return a.print(fmt.Sprintf("no %s from offset %d on", of, offset))
}

func newBlock(app *app) *cobra.Command {
	return &cobra.Command{
		Use:         "block BURN_HEIGHT|HASH|height:N|latest",
		Annotations: map[string]string{withRows: "true"},
		Short:       "Show the newest Stacks block of a burn block, or a Stacks block",
		Long: `Show the newest Stacks block of a burn block, by its height or hash.

A hash that no burn block has may be that of a Stacks block, or its index block hash, and
a height above the newest burn block that of a Stacks block. height:N is a Stacks block,
whatever N is, and latest the newest one.

A burn block may have no Stacks block in the chain: then nothing is found (exit code 3),
or what the API still has of it is shown, an orphaned block that says so.`,
		Args:              exactArgs(1),
		ValidArgsFunction: app.completer(completeBurnHeight),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Block], error) {
					answer, err := app.block(ctx, c, args[0])
					if err != nil || app.json() && !app.rows() {
						return answer, err
					}
					return completed(ctx, c, answer)
				},
				func(b apiclient.Block) error { return blockFields(app, b).write(app.streams.Out) })
		},
	}
}

// stacksHeight begins the height of a Stacks block where a burn height could be meant, as
// places of the explorer write it.
const stacksHeight = "height:"

// block reads the block that an argument names. Where a number is both, a burn height and
// the height of a Stacks block, it says so.
func (a *app) block(ctx context.Context, c *apiclient.Client, which string) (apiclient.Answer[apiclient.Block], error) {
	if height, explicit := strings.CutPrefix(which, stacksHeight); explicit || which == "latest" {
		answer, err := c.Block(ctx, height)
		return answer, notFound("block "+height, err)
	}
	answer, ofBurnBlock, err := c.FindBlock(ctx, which)
	height, notHeight := strconv.ParseInt(which, 10, 64)
	if notHeight != nil {
		if _, other := c.Transaction(ctx, which); apiclient.KindOf(err) == apiclient.NotFound && other == nil {
			e := &Error{Kind: KindNotFound, Message: "no block has this hash: it is that of a transaction", err: err}
			return answer, e.try("tx", which)
		}
		if err == nil {
			return answer, nil
		}
		err = wrongThing("block", "a height or a hash", which, notFound("hash "+which, err))
		if e := asError(err); e.Kind == KindInvalidInput && e.mend == nil {
			e.Message += "\nblock takes a burn height, a hash, height:N or latest"
			return answer, e
		}
		return answer, err
	}
	other := fmt.Sprintf("for the Stacks block at height %d: chainscope block %s%d", height, stacksHeight, height)
	if apiclient.KindOf(err) == apiclient.NotFound {
		failure := asError(notFound("burn height "+which, err))
		failure.Message += "\n" + other
		return answer, failure
	}
	if err == nil && ofBurnBlock && height <= answer.Value.Height && !a.json() {
		a.notice(other)
	}
	return answer, err
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

// fieldsOf returns the fields of a thing for people.
func (a *app) fieldsOf(of []resource.Field) *fields {
	f := a.newFields()
	for _, field := range of {
		switch {
		case field.Section != "":
			f.section(field.Section)
		case field.LinkOnly:
		case field.Untold, !field.Value.Known() && field.Type == resource.Number:
			f.add(field.Label, text.Unknown)
		default:
			words := a.cell(field.Value, field.Type)
			switch {
			case field.Note == "":
			case field.Type == resource.Amount:
				words += " " + field.Note
			default:
				words += " (" + field.Note + ")"
			}
			f.add(field.Label, words)
		}
	}
	return f
}

func blockFields(app *app, b apiclient.Block) *fields {
	f := app.fieldsOf(resource.Blocks().Fields(resource.BlockOf(&b)))
	f.section("Transactions")
	if _, known := b.Transactions(); !known || b.Txs != nil {
		f.add("transactions", app.transactions(&b))
	}
	for _, tx := range b.Txs {
		f.add("", tx)
	}
	f.section("Microblocks")
	if b.Lacks["microblocks_accepted"] {
		f.add("microblocks", text.Unknown)
	}
	if b.ParentMicroblockHash != "" {
		f.add("parent microblock", b.ParentMicroblockHash)
		f.add("parent microblock sequence", app.number(b.ParentMicroblockSequence))
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

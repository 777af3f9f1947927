package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// transactionsOf returns the number of a block's transactions for people, and
// says so when the route that answered does not say it.
func transactionsOf(a *cli.App, b *apiclient.Block) string {
	if n, known := b.Transactions(); known {
		return a.Number(n)
	}
	return text.Unknown
}

// noRows says that a list is empty.
func noRows(a *cli.App, of string, offset int64) error {
	if offset == 0 {
		return a.Print("no " + of)
	}
	return a.Print(fmt.Sprintf("no %s from offset %d on", of, offset))
}

func newBlock(app *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:         "block BURN_HEIGHT|HASH|height:N|latest",
		Annotations: map[string]string{cli.WithRows: strings.Join(blockColumns().known, ",")},
		Short:       "Show the newest Stacks block of a burn block, or a Stacks block",
		Long: `Show the newest Stacks block of a burn block, by its height or hash.

A hash that no burn block has may be that of a Stacks block, or its index block hash, and
a height above the newest burn block that of a Stacks block. height:N is a Stacks block,
whatever N is, and latest the newest one.

A burn block may have no Stacks block in the chain: then nothing is found (exit code 3),
or what the API still has of it is shown, an orphaned block that says so.`,
		Args:              cli.ExactArgs(1),
		ValidArgsFunction: completer(app, completeBurnHeight),
		RunE: func(cmd *cobra.Command, args []string) error {
			return requestAndShow(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Block], error) {
					answer, err := readBlock(ctx, app, c, args[0])
					if err != nil || app.JSON() && !app.Rows() {
						return answer, err
					}
					return completed(ctx, c, answer)
				},
				func(b apiclient.Block) error { return blockFields(app, b).Write(app.Streams.Out) })
		},
	}
}

// stacksHeight begins the height of a Stacks block where a burn height could be meant, as
// places of the explorer write it.
const stacksHeight = "height:"

// readBlock reads the block that an argument names. Where a number is both, a burn height and
// the height of a Stacks block, it says so.
func readBlock(ctx context.Context, a *cli.App, c *apiclient.Client, which string) (apiclient.Answer[apiclient.Block], error) {
	if height, explicit := strings.CutPrefix(which, stacksHeight); explicit || which == "latest" {
		answer, err := c.Block(ctx, height)
		return answer, notFound("block "+height, err)
	}
	answer, ofBurnBlock, err := c.FindBlock(ctx, which)
	height, notHeight := strconv.ParseInt(which, 10, 64)
	if notHeight != nil {
		if _, other := c.Transaction(ctx, which); apiclient.KindOf(err) == apiclient.NotFound && other == nil {
			e := &cli.Error{Kind: cli.KindNotFound, Message: "no block has this hash: it is that of a transaction", Err: err}
			return answer, e.Try("tx", which)
		}
		if err == nil {
			return answer, nil
		}
		err = wrongArgument("block", "a height or a hash", which, notFound("hash "+which, err))
		if e := cli.AsError(err); e.Kind == cli.KindInvalidInput && e.Suggest == nil {
			e.Message += "\nblock takes a burn height, a hash, height:N or latest"
			return answer, e
		}
		return answer, err
	}
	other := fmt.Sprintf("for the Stacks block at height %d: chainscope block %s%d", height, stacksHeight, height)
	if apiclient.KindOf(err) == apiclient.NotFound {
		failure := cli.AsError(notFound("burn height "+which, err))
		failure.Message += "\n" + other
		return answer, failure
	}
	if err == nil && ofBurnBlock && height <= answer.Value.Height && !a.JSON() {
		a.Notice(other)
	}
	return answer, err
}

// completed returns a block with what the route that answered does not say, as far as
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
// requested.
func notFound(what string, err error) error {
	if apiclient.KindOf(err) != apiclient.NotFound {
		return err
	}
	e := cli.AsError(err)
	e.Message = what + ": " + e.Message
	return e
}

// fieldsOf returns the fields of a thing for people.
func fieldsOf(a *cli.App, of []resource.Field) *cli.Fields {
	f := a.NewFields()
	for _, field := range of {
		switch {
		case field.Section != "":
			f.Section(field.Section)
		case field.LinkOnly:
		case field.Unreported, !field.Value.Known() && field.Type == resource.Number:
			f.Add(field.Label, text.Unknown)
		default:
			words := strings.TrimRight(a.Cell(field.Value, field.Type)+" "+a.Naming().Of(field.Principal()), " ")
			switch {
			case field.Note == "":
			case field.Type == resource.Amount:
				words += " " + field.Note
			default:
				words += " (" + field.Note + ")"
			}
			f.Add(field.Label, words)
		}
	}
	return f
}

func blockFields(app *cli.App, b apiclient.Block) *cli.Fields {
	f := fieldsOf(app, resource.Blocks().Fields(resource.BlockOf(&b)))
	f.Section("Transactions")
	if _, known := b.Transactions(); !known || b.Txs != nil {
		f.Add("transactions", transactionsOf(app, &b))
	}
	for _, tx := range b.Txs {
		f.Add("", tx)
	}
	f.Section("Microblocks")
	if b.Lacks["microblocks_accepted"] {
		f.Add("microblocks", text.Unknown)
	}
	if b.ParentMicroblockHash != "" {
		f.Add("parent microblock", b.ParentMicroblockHash)
		f.Add("parent microblock sequence", app.Number(b.ParentMicroblockSequence))
	}
	for _, hash := range b.MicroblocksAccepted {
		value := hash
		if n, ok := b.MicroblockTxCount[hash]; ok {
			value += " (" + text.Plural(int(n), "transaction") + ")"
		}
		f.Add("microblock accepted", value)
	}
	for _, hash := range b.MicroblocksStreamed {
		f.Add("microblock streamed", hash)
	}
	return f
}

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// transactions returns the number of a block's transactions for people, and
// says so when the route that answered does not say it.
func (a *app) transactions(b *apiclient.Block) string {
	if n, known := b.Transactions(); known {
		return a.number(n)
	}
	return text.Unknown
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
		Annotations: map[string]string{withRows: strings.Join(blockColumns().known, ",")},
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
		if e := asError(err); e.Kind == KindInvalidInput && e.suggest == nil {
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
		case field.Unreported, !field.Value.Known() && field.Type == resource.Number:
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

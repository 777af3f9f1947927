package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
)

// leftOut says of rows that they were not followed.
const leftOut = "may have been left out: the list does not reach back to what was printed; chainscope "

// blockPage is the number of blocks that a page has at most, transactionPage that of transactions.
const blockPage, transactionPage = 30, 50

// pageOfList returns a page of a list that is found by its offset. Its rows have the names of the
// contract.
func pageOfList[A, T any](a apiclient.Answer[apiclient.List[A]], err error, of func(*A) T) (p page[T], _ error) {
	if err != nil {
		return p, err
	}
	p = page[T]{raw: a.Raw, total: a.Value.Total, byOffset: true, generation: a.Generation}
	contract, err := contractJSON(a)
	if err != nil {
		return p, err
	}
	lines, own := apiclient.Results(contract, len(a.Value.Results)), apiclient.Results(a.Raw, len(a.Value.Results))
	for i := range a.Value.Results {
		p.rows = append(p.rows, row[T]{of: of(&a.Value.Results[i]), line: lines[i], own: own[i]})
	}
	return p, nil
}

// remarkOf says of a block that it is not of the chain.
func remarkOf(b resource.Block) string {
	if b.Orphaned {
		return cli.Orphaned
	}
	return ""
}

func newBlocks(app *cli.App) *cobra.Command {
	var flags listFlags
	columns := blockColumns()
	cmd := &cobra.Command{
		Use:         "blocks" + listUsage,
		Annotations: map[string]string{cli.WithRows: strings.Join(columns.known, ",")},
		Short:       "List recently mined blocks",
		Args:        cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(cmd, 0, blockPage); err != nil {
				return err
			}
			return printList(cmd.Context(), app, &flags, func(context.Context, *apiclient.Client) (list[resource.Block], error) {
				l := list[resource.Block]{
					mark: func(b resource.Block) mark {
						return mark{id: b.Hash, height: &b.Height, hash: b.Hash, orphaned: !b.Canonical}
					},
					kind: resource.Blocks(), columns: columns.first, members: columns.known, most: blockPage, skips: true, remark: remarkOf,
					page: func(ctx context.Context, c *apiclient.Client, at position) (page[resource.Block], error) {
						a, err := c.Blocks(ctx, at.Page)
						return pageOfList(a, err, func(b *apiclient.Block) resource.Block { return resource.BlockOf(b) })
					},
				}
				l.follow = following[resource.Block]{
					pushed: resource.BlockOf,
					gap: func(after, before int64) string {
						return fmt.Sprintf("blocks %d to %d "+leftOut+"block height:%[1]d shows the first of them", after+1, before-1)
					},
				}
				return l, nil
			})
		},
	}
	flags.register(cmd, 20, "blocks", resource.Blocks().Sortable())
	return cmd
}

func newBurnBlocks(app *cli.App) *cobra.Command {
	var flags listFlags
	listed, single := burnBlockColumns(), columnsOf(resource.Blocks(), columnsOfJSON(apiclient.ListedBlock{}), namedColumnsOf(apiclient.ListedBlock{}))
	cmd := &cobra.Command{
		Use: "burn-blocks [HEIGHT|HASH|latest]" + listUsage,
		Annotations: map[string]string{
			cli.WithRows: strings.Join(listed.known, ","), cli.WithRowsOfOne: strings.Join(single.known, ","),
		},
		Short: "List burn blocks, or the Stacks blocks of one",
		Long: `List the newest burn blocks, or the Stacks blocks of one.

Only burn blocks with a Stacks block in the chain are listed, and latest is the newest of
them. For another one the list is empty, or it is not found (exit code 3), as the API
answers.`,
		Args:              oneArgAtMost,
		ValidArgsFunction: completer(app, completeBurnBlock),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd, 0, blockPage); err != nil {
				return err
			}
			if len(args) == 0 {
				return printList(cmd.Context(), app, &flags, burnBlocks)
			}
			if err := flags.cannotFollow(cmd, "one burn block has an end; chainscope blocks --follow prints new blocks, each with its burn block"); err != nil {
				return err
			}
			return printList(cmd.Context(), app, &flags, func(context.Context, *apiclient.Client) (list[resource.Block], error) {
				return list[resource.Block]{
					kind: resource.Blocks(), columns: single.first, members: single.known, most: blockPage, skips: true, remark: remarkOf,
					page: func(ctx context.Context, c *apiclient.Client, at position) (page[resource.Block], error) {
						a, err := c.BurnBlockBlocks(ctx, args[0], at.Page)
						return pageOfList(a, notFound("burn block "+args[0], err), func(b *apiclient.ListedBlock) resource.Block {
							of := b.Block()
							return resource.BlockOf(&of)
						})
					},
				}, nil
			})
		},
	}
	flags.register(cmd, 20, "blocks", resource.BurnBlocks().Sortable())
	return cmd
}

// oneArgAtMost requires no argument, or one.
func oneArgAtMost(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return cli.ExactArgs(1)(cmd, args)
}

func burnBlockColumns() columnSet {
	return columnsOf(resource.BurnBlocks(), columnsOfJSON(apiclient.BurnBlock{}), namedColumnsOf(apiclient.BurnBlock{}))
}

// burnBlocks describes the list of the burn blocks that have Stacks blocks.
func burnBlocks(context.Context, *apiclient.Client) (list[resource.BurnBlock], error) {
	columns := burnBlockColumns()
	l := list[resource.BurnBlock]{
		mark: func(b resource.BurnBlock) mark { return mark{id: b.Hash, height: &b.Height, hash: b.Hash} },
		kind: resource.BurnBlocks(), columns: columns.first, members: columns.known, most: blockPage, skips: true,
		page: func(ctx context.Context, c *apiclient.Client, at position) (page[resource.BurnBlock], error) {
			a, err := c.BurnBlocks(ctx, at.Page)
			p, err := pageOfList(a, err, listedBurnBlock)
			p.total = 0 // it is not that of burn blocks
			return p, err
		},
	}
	l.follow = following[resource.BurnBlock]{
		gap: func(after, before int64) string {
			return fmt.Sprintf("burn blocks %d to %d "+leftOut+"burn-blocks %[1]d lists the blocks of the first", after+1, before-1)
		},
	}
	return l, nil
}

func listedBurnBlock(b *apiclient.BurnBlock) resource.BurnBlock {
	listed := resource.BurnBlock{Height: b.Height, Hash: b.Hash, Blocks: resource.NumberAt(b.Blocks), Transactions: resource.NumberAt(b.Transactions)}
	if b.Time != 0 {
		listed.Time = time.Unix(b.Time, 0)
	}
	return listed
}

// transactionsAmong describes a list of transactions.
func transactionsAmong(app *cli.App, among apiclient.Among) list[resource.Transaction] {
	read := func(ctx context.Context, c *apiclient.Client, at position) (apiclient.Answer[apiclient.TransactionPage], error) {
		ask := func() (apiclient.Answer[apiclient.TransactionPage], error) {
			return c.Transactions(ctx, among, at.Limit, at.cursor)
		}
		if at.cursor == "" || among.Chosen == (apiclient.Chosen{}) {
			return ask()
		}
		return patiently(ctx, app, true, ask) // it may take many pages to find some
	}
	return list[resource.Transaction]{
		kind: resource.TransactionsOf(among.Principal, among.Mempool), members: transactionColumns().known, most: transactionPage,
		page: func(ctx context.Context, c *apiclient.Client, at position) (p page[resource.Transaction], err error) {
			a, err := read(ctx, c, at)
			if err != nil {
				return p, err
			}
			p = page[resource.Transaction]{raw: a.Raw, total: a.Value.Total, next: a.Value.Next, byOffset: a.Value.ByOffset, generation: a.Generation}
			own := apiclient.Results(a.Raw, len(a.Value.Results))
			p.searched = searchedFor(among, a.Value.Left)
			for i := range a.Value.Results {
				t := &a.Value.Results[i]
				r := row[resource.Transaction]{of: resource.TransactionOf(t), own: own[i]}
				r.out, r.past = !a.Value.Left.Matches(&t.Transaction), among.Block == "" && a.Value.Left.Ends(&t.Transaction)
				p.rows = append(p.rows, r)
			}
			return p, nil
		},
		line: func(t resource.Transaction) (json.RawMessage, error) {
			return json.Marshal(&apiclient.ListedTransaction{Transaction: *t.Transaction, Sent: t.Sent, Received: t.Received})
		},
		mark: func(t resource.Transaction) mark {
			return mark{id: t.ID, version: t.BlockHash, height: t.BlockHeight, hash: t.BlockHash, received: t.ReceiptTime}
		},
		follow: following[resource.Transaction]{
			waits: among.Mempool,
			gap: func(after, before int64) string {
				return fmt.Sprintf("transactions of the blocks %d to %d "+leftOut+"txs --block %[1]d lists those of a block", after+1, before)
			},
		},
	}
}

// newLists returns the commands of the places that are a list of one kind of thing.
func newLists(app *cli.App) []*cobra.Command {
	return []*cobra.Command{
		newPlaces(app, "List the namespaces, or show one", tui.Namespaces), newNameOwner(app),
		newPlaces(app, "List the signers with whom accounts stake, or show one", tui.Signers),
		newPlaces(app, "List the protocol bonds, or show one", tui.Bonds),
	}
}

// newPlaces returns the command that prints a list of the explorer, or one thing of it.
func newPlaces[T any](app *cli.App, help string, of func(*tui.Options) listing.Of[T]) *cobra.Command {
	var flags listFlags
	place := of(&tui.Options{})
	name, target := string(place.List), place.Kind.Name
	cmd := &cobra.Command{
		Use:         fmt.Sprintf("%s [%s]%s", name, strings.ToUpper(target), listUsage),
		Annotations: map[string]string{cli.WithRows: strings.Join(columnsOf(place.Kind, nil, nil).known, ",")},
		Short:       help,
		GroupID:     groupExplore,
		Args:        oneArgAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch given := flags.given(app); {
			case len(args) == 1 && given != "":
				return cli.Usagef("%s: give --%s or one %s, not both", name, given, target)
			case len(args) == 1:
				return printOne(cmd.Context(), app, of, args[0])
			}
			err := flags.check(cmd, 0, 0)
			if err == nil {
				err = flags.cannotFollow(cmd, "what is new does not come first in this list")
			}
			if err != nil {
				return err
			}
			return printList(cmd.Context(), app, &flags, func(_ context.Context, c *apiclient.Client) (list[T], error) {
				return placeList(of(&tui.Options{Client: c}), nav.Listed(place.List, "")), nil
			})
		},
	}
	flags.register(cmd, 0, target+"s", place.Kind.Sortable())
	return cmd
}

// placeList describes the list of a place. Its rows are those of the API, where all of them are.
func placeList[T any](of listing.Of[T], place nav.Place) list[T] {
	return list[T]{
		kind: of.Kind, mark: func(t T) mark { return mark{id: of.ID(t)} },
		page: func(ctx context.Context, _ *apiclient.Client, at position) (page[T], error) {
			read, err := of.Page(ctx, place, at.cursor)
			p := page[T]{raw: read.Raw, total: read.Total, next: read.Next}
			own, wrong := rowsOf(read.Raw)
			for i, r := range read.Rows {
				p.rows = append(p.rows, row[T]{of: r.Of})
				if wrong == nil && len(own) == len(read.Rows) {
					p.rows[i].line, p.rows[i].own = own[i], own[i]
				}
			}
			return p, err
		},
	}
}

// printOne prints one thing of a place.
func printOne[T any](ctx context.Context, app *cli.App, of func(*tui.Options) listing.Of[T], id string) error {
	read := func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[oneOf[T]], error) {
		place := of(&tui.Options{Client: c})
		row, err := place.One(ctx, id)
		a := apiclient.Answer[oneOf[T]]{Value: oneOf[T]{place.Kind, row.Of}, Raw: row.Raw}
		if err == nil && app.Rows() {
			a.Raw = place.Kind.JSON([]T{row.Of})[0]
		}
		return a, notFound(place.Kind.Name+" "+id, err)
	}
	return requestAndShow(ctx, app, read, func(one oneOf[T]) error {
		return fieldsOf(app, one.kind.Fields(one.of)).Write(app.Streams.Out)
	})
}

// oneOf is one thing with its description.
type oneOf[T any] struct {
	kind resource.Kind[T]
	of   T
}

func (o oneOf[T]) columns() columnSet     { return columnsOf(o.kind, nil, nil) }
func (o oneOf[T]) member(name string) any { return o.kind.Member(o.of, name) }

func newNameOwner(app *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:         "name NAME",
		Annotations: map[string]string{cli.WithRows: strings.Join(columnsOf(resource.RegisteredNames(), nil, nil).known, ",")},
		Short:       "Show who owns a name, and until when",
		GroupID:     groupExplore,
		Args:        cli.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := registeredName(app, args[0])
			if err != nil {
				return err
			}
			return printOne(cmd.Context(), app, tui.RegisteredNames, name)
		},
	}
}

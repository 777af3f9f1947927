package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
)

// list holds what a list command prints, made from the description of the rows.
type list[T any] struct {
	kind resource.Kind[T]
	// of holds what its rows are called, where that is not what the explorer calls them.
	of string
	// columns are those of csv, beside what else the rows have; nil for those of the description.
	// Members hold what else there can be.
	columns, members []string
	// fixed says that a file has no other columns unless they are requested.
	fixed bool
	// most limits how many rows a page of the API has at most, 0 where all of them are one.
	most int
	// pageSize is the number of rows of a page that the flags do not choose, to know what followed.
	pageSize int
	// mark returns what is remembered of a row; nil where a page is all that is read.
	mark func(T) mark
	// line returns a row as ndjson and csv have it, where its page does not; nil for an object of
	// its columns.
	line func(T) (json.RawMessage, error)
	// page reads a page.
	page func(ctx context.Context, c *apiclient.Client, at position) (page[T], error)
	// skips says that the API finds a page by its offset, so that nothing before it is read.
	skips bool
	// remark is at the end of a row for people; nil is for none.
	remark func(T) string
	follow following[T]
}

// notCounted is the total of a list of which one row of the API becomes several.
const notCounted = -1

// position says which page of a list is read: by the cursor of the page before it, or by an
// offset, whichever the route takes.
type position struct {
	apiclient.Page
	cursor string
}

// row is a row of a list.
type row[T any] struct {
	of T
	// line is the row as ndjson and csv have it, under the names of the contract; nil for that
	// of the list. Own is that of the API, nil for the same.
	line, own json.RawMessage
	// out says that it is not among those that the flags choose, past that it and all below are
	// older than those.
	out, past bool
}

// page is a page of a list.
type page[T any] struct {
	rows  []row[T]
	raw   json.RawMessage // the answer of the API
	total int64           // 0 where the server does not say, or notCounted
	next  string
	// byOffset says that pages are found by how many rows are before them.
	byOffset   bool
	generation int
	searched
}

// noun returns what the rows are called.
func (l *list[T]) noun() string {
	if l.of != "" {
		return l.of
	}
	return l.kind.Name + "s"
}

// size returns how many rows a page has at most.
func (l *list[T]) size() int { return max(l.most, l.pageSize) }

// columnSet returns the columns that the rows have.
func (l *list[T]) columnSet() columnSet {
	return columnsOf(l.kind, l.columns, l.members)
}

// listFlags are the flags of every list command.
type listFlags struct {
	limit, offset int
	filter, sort  string
	follow        bool
	// limited says that --limit is given.
	limited bool
}

// listUsage describes how the usage of a list command names them.
const listUsage = " [--limit N] [--offset N] [--filter QUERY] [--sort COLUMN] [--follow]"

// listFlagNames are their names.
var listFlagNames = []string{"limit", "offset", "filter", "sort", "follow"}

// register adds the flags to a command that lists some things, by default so many.
func (f *listFlags) register(cmd *cobra.Command, limit int, of string, columns []string) {
	fs := cmd.Flags()
	fs.IntVar(&f.limit, "limit", limit, "`number` of "+of+map[bool]string{true: "; without it a page of the API"}[limit == 0])
	fs.IntVar(&f.offset, "offset", 0, "`number` of "+of+" to skip, from the first of the list")
	fs.StringVar(&f.filter, "filter", "", "of those of --limit, print the ones that match a `QUERY` of the explorer, such as "+columns[0]+":WORD")
	fs.StringVar(&f.sort, "sort", "", "print them in the order of a `COLUMN` of the explorer; COLUMN:desc begins with the greatest")
	fs.BoolVarP(&f.follow, "follow", "f", false, "print the newest, the oldest of them first, then each new one, until interrupted")
	_ = cmd.RegisterFlagCompletionFunc("sort", func(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var words []cobra.Completion
		for _, name := range columns {
			words = append(words, name, name+":desc")
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

// given returns the flag of a list that is on the command line, "" for none.
func (f *listFlags) given(app *cli.App) string {
	for _, name := range listFlagNames {
		if app.FromCommandLine[name] {
			return name
		}
	}
	return ""
}

// check refuses flags that do not go together, and a page that the API does not give.
func (f *listFlags) check(cmd *cobra.Command, least, most int) error {
	f.limited = cmd.Flags().Changed("limit")
	switch name := cli.CommandName(cmd); {
	case f.follow && f.offset != 0:
		return cli.Usagef("%s: use --follow or --offset, not both: --follow begins with the newest", name)
	case f.follow && f.sort != "":
		return cli.Usagef("%s: use --follow or --sort, not both: --follow prints rows as they come", name)
	case f.offset < 0:
		return &cli.Error{Kind: cli.KindInvalidInput, Message: "--offset must be 0 or more"}
	case most == 0 && f.limit < least:
		return &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("--limit must be %d or more", least)}
	case most == 0:
		return nil
	}
	return rowsWithin(f.limit, least, most)
}

// cannotFollow returns the error of --follow for a list to which nothing is added in front.
func (f *listFlags) cannotFollow(cmd *cobra.Command, because string) error {
	if !f.follow {
		return nil
	}
	return cli.Usagef("%s: no --follow: %s", cli.CommandName(cmd), because)
}

// printList reads a list that open describes, and prints it, or follows it.
func printList[T any](ctx context.Context, app *cli.App, f *listFlags, open func(context.Context, *apiclient.Client) (list[T], error)) error {
	app.Endless = f.follow
	c, err := app.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	l, err := open(ctx, c.Client)
	if err != nil {
		return err
	}
	p := newPrinter(app, f, &l, c.Client)
	if err := p.check(); err != nil { // before anything is read
		return err
	}
	app.PrintMock(c)
	if f.follow {
		return followList(ctx, c.Client, f, &l, p.app, p.writeChosen)
	}
	found, err := l.read(ctx, c.Client, f)
	if err != nil {
		return err
	}
	return p.print(ctx, found)
}

// most returns how many of some rows are printed: without --limit those of a page, where all
// pages have the same size.
func (f *listFlags) most(rows int) int {
	if f.limit == 0 && !f.limited {
		return rows
	}
	return min(rows, f.limit)
}

// read reads the rows that the flags request, a page after the other. A row of two pages is
// read once.
func (l *list[T]) read(ctx context.Context, c *apiclient.Client, f *listFlags) (found page[T], err error) {
	if l.skips {
		found, err = l.page(ctx, c, position{Page: apiclient.Page{Limit: cmp.Or(f.limit, apiclient.NoRows), Offset: f.offset}})
		found.rows = found.rows[:f.most(len(found.rows))] // of 0 a server may give 20
		return found, err
	}
	need := f.offset + max(f.most(1), f.limit)
	walk := apiclient.Walk[row[T]]{
		Op: l.noun(), Size: l.size(), ID: l.identity, Anew: func() { found = page[T]{} },
		Read: func(ctx context.Context, cursor string, offset int64) (apiclient.Stretch[row[T]], error) {
			if found.raw != nil && (len(found.rows) >= need || found.next == "" || found.enough()) {
				return apiclient.Stretch[row[T]]{}, apiclient.ErrEnough
			}
			limit := min(max(need, 1), l.size()) // a later page has room for rows that came meanwhile
			if found.left != nil {
				limit = l.size()
			}
			p, err := l.page(ctx, c, position{apiclient.Page{Limit: limit, Offset: int(offset)}, cursor})
			if found.raw == nil {
				found.raw, found.total = p.raw, p.total
			}
			found.next = p.next
			found.among(p.searched)
			return p.stretch(), err
		},
		Yield: func(r row[T], late bool) error {
			if late {
				return nil
			}
			if found.many++; r.past {
				found.next = ""
				return apiclient.ErrEnough
			}
			if !r.out {
				found.rows = append(found.rows, r)
			}
			return nil
		},
	}
	if err := walk.Run(ctx); err != nil {
		return found, err
	}
	if found.left != nil { // the server counts others too
		found.total = 0
	}
	if found.total == 0 && found.next == "" { // not counted, but these are all
		found.total = int64(len(found.rows))
	}
	found.rows = found.rows[min(f.offset, len(found.rows)):]
	found.rows = found.rows[:f.most(len(found.rows))]
	return found, nil
}

func (l *list[T]) identity(r row[T]) (id, version string) {
	m := l.mark(r.of)
	return m.id, m.version
}

// stretch returns the page as a walk reads it: whatever the server counts, what it lists is
// printed.
func (p page[T]) stretch() apiclient.Stretch[row[T]] {
	return apiclient.Stretch[row[T]]{Rows: p.rows, Next: p.next, ByOffset: p.byOffset}
}

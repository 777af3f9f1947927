package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
)

// namesFlags select names of a namespace.
type namesFlags struct {
	listFlags
	page            int
	all, unanchored bool
}

func newNames(app *cli.App) *cobra.Command {
	var flags namesFlags
	cmd := &cobra.Command{
		Use:               "names NAMESPACE [--page N | --all] [--unanchored]" + listUsage,
		Annotations:       map[string]string{cli.WithRows: strings.Join(columnsOf(resource.Names(), nil, nil).known, ",")},
		Short:             "List the names of a namespace (of the first registry, BNS v1)",
		Args:              cli.ExactArgs(1),
		ValidArgsFunction: completer(app, completeNamespace),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd, app); err != nil {
				return err
			}
			if flags.all {
				return allNames(cmd.Context(), app, args[0], &flags)
			}
			return printList(cmd.Context(), app, &flags.listFlags, func(context.Context, *apiclient.Client) (list[resource.Name], error) {
				return namesOf(args[0], &flags), nil
			})
		},
	}
	flags.register(cmd, 0, "names", resource.Names().Sortable())
	cmd.Flags().IntVar(&flags.page, "page", 1, "`page` of 100 names, counted from 1")
	cmd.Flags().BoolVar(&flags.all, "all", false, "all pages")
	cmd.Flags().BoolVar(&flags.unanchored, "unanchored", false, "include names that are only in microblocks")
	return cmd
}

// check refuses flags that do not go together.
func (f *namesFlags) check(cmd *cobra.Command, app *cli.App) error {
	paged, given := cmd.Flags().Changed("page"), app.FromCommandLine
	switch {
	case f.all && paged && given["page"] && given["all"]:
		return cli.Usagef("names: give --page or --all, not both")
	case f.all && given["all"] && (given["limit"] || given["offset"]):
		return cli.Usagef("names: --all prints all names: give it without --limit and --offset")
	case f.all && (paged && given["page"] || given["limit"] || given["offset"]):
		f.all = false
	}
	if f.page < 1 {
		return &cli.Error{Kind: cli.KindInvalidInput, Message: "--page must be 1 or more"}
	}
	if err := f.cannotFollow(cmd, "a new name can be anywhere in the list"); err != nil {
		return err
	}
	return f.listFlags.check(cmd, 0, 0)
}

// pageOfNames is the number of names that a page of the API has.
const pageOfNames = 100

// namesOf describes the names of a namespace.
func namesOf(namespace string, f *namesFlags) list[resource.Name] {
	return list[resource.Name]{
		kind: resource.Names(),
		page: func(ctx context.Context, c *apiclient.Client, at position) (p page[resource.Name], err error) {
			number := f.page
			if at.cursor != "" {
				number, _ = strconv.Atoi(at.cursor)
			}
			a, err := c.Names(ctx, namespace, apiclient.NamesQuery{Page: number, Unanchored: f.unanchored})
			if number > f.page && isInvalidPage(err) { // the page before was the last one
				return p, nil
			}
			if err != nil {
				return p, wrongPage(number, wrongNamespace(namespace, err))
			}
			p = page[resource.Name]{raw: a.Raw, rows: namesFrom(a.Value, (number-1)*pageOfNames)}
			if len(a.Value) > 0 {
				p.next = strconv.Itoa(number + 1)
			}
			return p, nil
		},
		mark: func(n resource.Name) mark { return mark{id: n.Name} },
		line: func(n resource.Name) (json.RawMessage, error) { return json.Marshal(n.Name) },
	}
}

// namesFrom returns the rows of names after so many others.
func namesFrom(names []string, before int) []row[resource.Name] {
	rows := make([]row[resource.Name], len(names))
	for i, name := range names {
		rows[i].of = resource.Name{Name: name, Position: before + i + 1}
	}
	return rows
}

// isInvalidPage reports whether a server says that it has the namespace, but not the page.
func isInvalidPage(err error) bool {
	var from *apiclient.Error
	return errors.As(err, &from) && from.Detail() == "Invalid page"
}

// wrongNamespace says of what is no namespace what it may be: a name, with the namespace after
// its dot or without.
func wrongNamespace(namespace string, err error) error {
	if kind := apiclient.KindOf(err); kind != apiclient.InvalidInput && kind != apiclient.NotFound || isInvalidPage(err) {
		return err
	}
	err = wrongArgument("names", "a namespace", namespace, err)
	e := cli.AsError(err)
	if what, line := cli.ShownBy(namespace); what == "a name" {
		e.Message = fmt.Sprintf("%s is a name; names takes the namespace after its dot", namespace)
		return e.Try(line...)
	}
	if e.Suggest == nil {
		e.Message += fmt.Sprintf("\nno namespace is called %q; a name has its namespace after a dot, as %[1]s.btc", namespace)
		return e.Try("namespaces")
	}
	return e
}

// wrongPage says of a page that there is not where the pages are.
func wrongPage(page int, err error) error {
	if !isInvalidPage(err) {
		return err
	}
	e := cli.AsError(err)
	e.Message += fmt.Sprintf("\nthe namespace has no page %d: a page has 100 names, and --all prints those of all pages", page)
	return e.TryFlag("page", "1")
}

// allNames prints all names of a namespace; row by row as they come, otherwise nothing before
// it has them all.
func allNames(ctx context.Context, app *cli.App, namespace string, f *namesFlags) error {
	c, err := app.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	l := namesOf(namespace, f)
	p := newPrinter(app, &f.listFlags, &l, c.Client)
	if err := p.check(); err != nil {
		return err
	}
	app.PrintMock(c)
	query := apiclient.AllNamesQuery{Unanchored: f.unanchored}
	if !app.JSON() {
		query.OnWait = func(until time.Time) {
			wait := time.Until(until).Round(time.Second)
			fmt.Fprintf(app.Streams.Err, "chainscope: the server limits requests; reading continues in %s\n", max(wait, time.Second))
		}
	}
	walk := &namesWalk{app: app, client: c.Client, namespace: namespace, query: query}
	var all page[resource.Name]
	streams, came := app.Rows() && f.sort == "", 0
	give := func(names []string) error {
		rows := namesFrom(names, came)
		came += len(names)
		if streams {
			return p.write(ctx, rows)
		}
		all.rows = append(all.rows, rows...)
		return nil
	}
	if streams {
		if err := walk.run(ctx, give); err != nil {
			return err
		}
		return p.end()
	}
	for range changesRead { // nothing is printed yet: one that changes is read again
		all.rows, came = nil, 0
		if err = walk.run(ctx, give); err == nil || cli.AsError(err).Err != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	all.total = int64(came)
	return p.print(ctx, all)
}

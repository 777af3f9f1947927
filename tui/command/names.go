package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

func newNames(app *app) *cobra.Command {
	var (
		page            int
		all, unanchored bool
	)
	cmd := &cobra.Command{
		Use:               "names NAMESPACE [--page N | --all] [--unanchored]",
		Annotations:       map[string]string{withRows: "true"},
		Short:             "List the names of a namespace (of the first registry, BNS v1)",
		Args:              exactArgs(1),
		ValidArgsFunction: app.completer(completeNamespace),
		RunE: func(cmd *cobra.Command, args []string) error {
			paged := cmd.Flags().Changed("page")
			switch {
			case all && paged && app.fromCommandLine["page"] && app.fromCommandLine["all"]:
				return usagef("names: give --page or --all, not both")
			case all && paged && app.fromCommandLine["page"]:
				all = false
			}
			if page < 1 {
				return &Error{Kind: KindInvalidInput, Message: "--page must be 1 or more"}
			}
			if all {
				return allNames(cmd.Context(), app, args[0], unanchored)
			}
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[[]string], error) {
					answer, err := c.Names(ctx, args[0], apiclient.NamesQuery{Page: page, Unanchored: unanchored})
					return answer, wrongPage(page, wrongNamespace(args[0], err))
				},
				func(names []string) error {
					w := bufio.NewWriter(app.streams.Out)
					for _, name := range names {
						w.WriteString(text.Line(name))
						w.WriteByte('\n')
					}
					return w.Flush()
				})
		},
	}
	cmd.Flags().IntVar(&page, "page", 1, "`page` of 100 names, counted from 1")
	cmd.Flags().BoolVar(&all, "all", false, "all pages")
	cmd.Flags().BoolVar(&unanchored, "unanchored", false, "include names that are only in microblocks")
	return cmd
}

// wrongNamespace says of what is no namespace what it may be: a name, with the namespace after
// its dot or without.
func wrongNamespace(namespace string, err error) error {
	if kind := apiclient.KindOf(err); kind != apiclient.InvalidInput && kind != apiclient.NotFound {
		return err
	}
	var from *apiclient.Error
	if errors.As(err, &from) && from.Detail() == invalidPage {
		return err
	}
	err = wrongThing("names", "a namespace", namespace, err)
	e := asError(err)
	if what, line := shownBy(namespace); what == "a name" {
		e.Message = fmt.Sprintf("%s is a name; names takes the namespace after its dot", namespace)
		return e.try(line...)
	}
	if e.mend == nil {
		e.Message += fmt.Sprintf("\nno namespace is called %q; a name has its namespace after a dot, as %[1]s.btc", namespace)
		return e.try("namespaces")
	}
	return e
}

// invalidPage is what a server says of a page that it does not have, of a namespace that it has.
const invalidPage = "Invalid page"

// wrongPage says of a page that there is not where the pages are.
func wrongPage(page int, err error) error {
	var from *apiclient.Error
	if !errors.As(err, &from) || from.Detail() != invalidPage {
		return err
	}
	e := asError(err)
	e.Message += fmt.Sprintf("\nthe namespace has no page %d: a page has 100 names, and --all prints those of all pages", page)
	return e.tryFlag("page", "1")
}

// allNames prints all names of a namespace; row by row as they come, otherwise
// nothing before it has them all.
func allNames(ctx context.Context, app *app, namespace string, unanchored bool) error {
	c, err := app.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	app.sayMock(c)
	query := apiclient.AllNamesQuery{Unanchored: unanchored}
	if !app.json() {
		query.OnWait = func(until time.Time) {
			wait := time.Until(until).Round(time.Second)
			fmt.Fprintf(app.streams.Err, "chainscope: the server limits requests; reading goes on in %s\n", max(wait, time.Second))
		}
	}
	walk := &namesWalk{app: app, client: c.client, namespace: namespace, query: query}
	if app.rows() {
		return streamNames(ctx, app, walk)
	}
	var names *apiclient.NameList
	for range changesRead { // nothing is printed yet: one that changes is read again
		names = &apiclient.NameList{}
		if err = walk.run(ctx, func(page []string) error { return addNames(names, page) }); err == nil || asError(err).err != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	names.Compact()
	if app.json() {
		return app.printNames(ctx, names)
	}
	w := bufio.NewWriterSize(app.streams.Out, 64<<10)
	for i := range names.Len() {
		w.WriteString(text.Line(names.At(i)))
		w.WriteByte('\n')
	}
	return w.Flush()
}

// addNames adds a page of names to a list.
func addNames(to *apiclient.NameList, page []string) error {
	for _, name := range page {
		if !to.Append(name) {
			return &Error{Kind: KindServer, Message: "the names take more than 4 GiB"}
		}
	}
	return nil
}

// streamNames prints names page by page, as they come.
func streamNames(ctx context.Context, app *app, walk *namesWalk) error {
	rows := app.newRowWriter(nil)
	buffered := bufio.NewWriterSize(app.streams.Out, 64<<10)
	if !isTerminal(app.streams.Out) {
		rows.out = buffered
	}
	err := walk.run(ctx, func(names []string) error {
		for _, name := range names {
			quoted, err := json.Marshal(name)
			if err != nil {
				return err
			}
			if err := rows.write(ctx, quoted); err != nil {
				return err
			}
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	if err := rows.end(); err != nil {
		return err
	}
	return buffered.Flush()
}

// printNames prints names as one array.
func (a *app) printNames(ctx context.Context, names *apiclient.NameList) error {
	var b bytes.Buffer
	b.Grow(16 * names.Len())
	b.WriteByte('[')
	for i := range names.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		quoted, err := json.Marshal(names.At(i))
		if err != nil {
			return err
		}
		b.Write(quoted)
	}
	b.WriteByte(']')
	return a.printRaw(ctx, b.Bytes())
}

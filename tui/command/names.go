package command

import (
	"bufio"
	"context"
	"encoding/json"
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
		Use:   "names NAMESPACE [--page N | --all] [--unanchored]",
		Short: "List the names of a namespace",
		Args:  exactArgs(1),
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
					return c.Names(ctx, args[0], apiclient.NamesQuery{Page: page, Unanchored: unanchored})
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

// allNames prints all names of a namespace, and nothing before it has them all.
func allNames(ctx context.Context, app *app, namespace string, unanchored bool) error {
	c, err := app.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	query := apiclient.AllNamesQuery{Unanchored: unanchored}
	if !app.json() {
		query.OnWait = func(until time.Time) {
			wait := time.Until(until).Round(time.Second)
			fmt.Fprintf(app.streams.Err, "chainscope: the server limits requests; reading goes on in %s\n", max(wait, time.Second))
		}
	}
	names, err := c.client.AllNames(ctx, namespace, query)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(app.streams.Out, 64<<10)
	if !app.json() {
		for i := range names.Len() {
			w.WriteString(text.Line(names.At(i)))
			w.WriteByte('\n')
		}
		return w.Flush()
	}
	onTerminal := isTerminal(app.streams.Out)
	w.WriteByte('[')
	for i := range names.Len() {
		if i > 0 {
			w.WriteByte(',')
		}
		quoted, err := json.Marshal(names.At(i))
		if err != nil {
			return err
		}
		if onTerminal {
			quoted = plainJSON(quoted)
		}
		w.Write(quoted)
	}
	w.WriteString("]\n")
	return w.Flush()
}

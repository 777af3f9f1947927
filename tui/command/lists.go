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
	"chainscope/tui/nav"
	"chainscope/tui/resource"
)

// newLists returns the commands of the lists of the explorer.
func newLists(app *app) (all []*cobra.Command) {
	for _, l := range tui.Lists() {
		all = append(all, newList(app, l))
	}
	return all
}

// newList returns the command that prints a list of the explorer, or one thing of it.
func newList(app *app, l tui.List) *cobra.Command {
	filter, use := "", fmt.Sprintf("%s [%s] [--filter QUERY]", l.Kind, strings.ToUpper(l.Thing))
	if l.OneOnly {
		use = fmt.Sprintf("%s %s", l.Kind, strings.ToUpper(l.Thing))
	}
	cmd := &cobra.Command{
		Use:         use,
		Annotations: map[string]string{withRows: "true"},
		Short:       l.Help,
		GroupID:     groupExplore,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1, l.OneOnly && len(args) == 0:
				return exactArgs(1)(cmd, args)
			case len(args) == 1 && filter != "":
				return usagef("%s: give --filter or one %s, not both", l.Kind, l.Thing)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[resource.Sheet], error) {
					if len(args) == 1 {
						if l.Kind == nav.KindName {
							name, err := registeredName(app, args[0])
							if err != nil {
								return apiclient.Answer[resource.Sheet]{}, err
							}
							args[0] = name
						}
						sheet, err := l.One(ctx, c, args[0])
						return app.sheet(sheet, false, notFound(l.Thing+" "+args[0], err))
					}
					sheet, err := l.Read(ctx, c, filter)
					return app.sheet(sheet, filter != "", err)
				},
				func(s resource.Sheet) error { return app.writeSheet(s, string(l.Kind)) })
		},
	}
	if l.OneOnly {
		return cmd
	}
	cmd.Flags().StringVar(&filter, "filter", "", "print those that match a `QUERY` of the explorer")
	return cmd
}

// sheet is what is printed of a list as an answer: rows of its columns, or JSON as the API
// answered it. Of what was filtered there is no such answer.
func (a *app) sheet(s resource.Sheet, filtered bool, err error) (apiclient.Answer[resource.Sheet], error) {
	if wrong, ok := errors.AsType[resource.FilterError](err); ok {
		err = usagef("--filter: %v", wrong)
	}
	answer := apiclient.Answer[resource.Sheet]{Value: s, Raw: s.Raw}
	if err == nil && (a.rows() || filtered) {
		answer.Raw, err = json.Marshal(struct {
			Total   int64             `json:"total"`
			Results []json.RawMessage `json:"results"`
		}{s.Total, append([]json.RawMessage{}, s.Records...)})
	}
	return answer, err
}

// writeSheet prints a list, or one thing, for people.
func (a *app) writeSheet(s resource.Sheet, what string) error {
	if s.Fields != nil {
		return a.fieldsOf(s.Fields).write(a.streams.Out)
	}
	if len(s.Rows) == 0 {
		return a.noRows(what, 0)
	}
	t := &table{bold: a.color(), cut: isTerminal(a.streams.Out)}
	for i, title := range s.Titles {
		t.columns = append(t.columns, column{title, align(s.Types[i].Right())})
	}
	for _, row := range s.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			if v.Known() || !s.Blanks[i] {
				cells[i] = a.cell(v, s.Types[i])
			}
		}
		t.add(cells...)
	}
	if err := t.write(a.streams.Out); err != nil {
		return err
	}
	if n := int64(len(s.Rows)); s.Total < n { // not told
		return a.print(a.number(n) + "; there may be more")
	}
	return a.print(fmt.Sprintf("%s of %s", a.number(int64(len(s.Rows))), a.number(s.Total)))
}

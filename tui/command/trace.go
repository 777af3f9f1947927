package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// replayFlags say how a transaction of a live chain is done again.
type replayFlags struct {
	cache   string
	offline bool
}

// traceTransaction prints what a transaction called. One of a live chain is done again for that.
func traceTransaction(ctx context.Context, app *cli.App, id string, flags replayFlags) error {
	return requestAndShow(ctx, app,
		func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.Trace], error) {
			f, err := newForks(app, c, flags.cache, flags.offline)
			if err != nil {
				return apiclient.Answer[apiclient.Trace]{}, err
			}
			if f.offline { // not even whether the API has it
				return f.trace(ctx, id)
			}
			answer, err := c.Trace(ctx, id)
			if noTraces(c, err) {
				return f.trace(ctx, id)
			}
			return answer, wrongArgument("tx", "the id of a transaction, 64 hex digits", id, err)
		},
		func(t apiclient.Trace) error {
			for i := range t.Root {
				if err := writeCall(app.Streams.Out, &t.Root[i], "", ""); err != nil {
					return err
				}
			}
			return nil
		})
}

// shown returns a text of a trace for people: its addresses are cut.
func shown(s string) string { return text.Line(resource.CutAddresses(s, text.Ellipsis)) }

// writeCall prints a call, and below it what happened in it, in its order.
func writeCall(w io.Writer, c *apiclient.Call, lead, below string) error {
	_, name, _ := strings.Cut(c.Contract, ".")
	line := fmt.Sprintf("%s%s.%s(%s)", lead, text.Line(name), text.Line(c.Function), shown(strings.Join(c.Arguments, ", ")))
	switch {
	case c.Result != "":
		line += " → " + shown(c.Result)
	case c.Error != "":
		line += " failed: " + text.Line(c.Error)
	}
	if c.At != nil {
		_, at, _ := strings.Cut(c.At.Contract, ".")
		line += fmt.Sprintf("   %s:%d:%d", text.Line(at), c.At.Line, c.At.Column)
	}
	if _, err := fmt.Fprintln(w, line); err != nil {
		return err
	}
	events := c.Events
	for i := 0; i <= len(c.Calls); i++ {
		for ; len(events) > 0 && events[0].After <= i; events = events[1:] {
			words := shown(events[0].Text)
			if events[0].RolledBack {
				words += "   rolled back"
			}
			if _, err := fmt.Fprintln(w, below+"· "+words); err != nil {
				return err
			}
		}
		if i == len(c.Calls) {
			break
		}
		branch, further := "├─ ", "│  "
		if i == len(c.Calls)-1 && len(events) == 0 {
			branch, further = "└─ ", "   "
		}
		if err := writeCall(w, &c.Calls[i], below+branch, below+further); err != nil {
			return err
		}
	}
	return nil
}

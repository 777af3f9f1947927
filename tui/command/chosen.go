package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/query"
	"chainscope/tui/text"
)

// chosenFlags are the flags that choose transactions.
type chosenFlags struct {
	timeFlags
	types                        []string
	from, to, contract, function string
}

// timeFlags choose what is of a time.
type timeFlags struct{ since, until string }

// chosenUsage describes how the usage of a command names them, timeUsage those of a time.
const (
	chosenUsage = " [--type T] [--from P] [--to P] [--contract P] [--function NAME]" + timeUsage
	timeUsage   = " [--since TIME] [--until TIME]"
)

func (f *chosenFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.types, "type", nil, "those of a `type`: "+strings.Join(apiclient.TransactionTypes(), ", ")+"; of several with commas")
	fs.StringVar(&f.from, "from", "", "those that an account sent, by its `ADDRESS` or name")
	fs.StringVar(&f.to, "to", "", "transfers of STX to an account or a contract, by its `ADDRESS` or name")
	fs.StringVar(&f.contract, "contract", "", "calls of a `CONTRACT`")
	fs.StringVar(&f.function, "function", "", "calls of a function, by its `NAME`")
	cli.CompleteFlag(cmd, "type", apiclient.TransactionTypes())
	f.timeFlags.register(cmd, "")
}

func (f *timeFlags) register(cmd *cobra.Command, with string) {
	fs := cmd.Flags()
	fs.StringVar(&f.since, "since", "", with+"those of a `TIME` or later: 2d, 12h, 2026-03-01, 2026-03-01T12:00 (UTC)")
	fs.StringVar(&f.until, "until", "", with+"those of a `TIME` or before, a day as a whole")
	for _, name := range []string{"since", "until"} {
		cli.CompleteFlag(cmd, name, []string{"12h", "2d", "7d", "30d"})
	}
}

// check refuses times that are none, and flags that do not go together. A time before now and one
// of the calendar are compared where the time of the chain is known.
func (f *timeFlags) check(cmd *cobra.Command, follows bool) error {
	now := time.Now()
	_, _, err := query.Between(f.since, "", now)
	if err == nil && f.since != "" && query.Relative(f.since) != query.Relative(f.until) {
		_, _, err = query.Between("", f.until, now)
	} else if err == nil {
		_, _, err = query.Between(f.since, f.until, now)
	}
	switch {
	case err != nil:
		return cli.Usagef("%s: %v", cli.CommandName(cmd), err)
	case follows && f.until != "":
		return cli.Usagef("%s: use --follow or --until, not both: --follow prints what comes", cli.CommandName(cmd))
	}
	return nil
}

// relative reports whether a time is so long before now.
func (f *timeFlags) relative() bool { return query.Relative(f.since) || query.Relative(f.until) }

// on returns the times on the chain of a server: a mock may have another clock, which is
// requested where nothing else was.
func (f *timeFlags) on(ctx context.Context, c *apiclient.Client) (since, until int64, err error) {
	now := time.Now()
	if f.relative() {
		if now, err = c.TimeOnChain(ctx); err != nil {
			return 0, 0, err
		}
	}
	from, to, err := query.Between(f.since, f.until, now)
	if err != nil {
		return 0, 0, cli.Usagef("%v", err)
	}
	return query.Seconds(from), query.Seconds(to), nil
}

// check refuses what chooses nothing.
func (f *chosenFlags) check(cmd *cobra.Command, follows bool) error {
	for _, word := range f.types {
		if wrong := apiclient.CheckType(word); wrong != nil {
			e := cli.Usagef("--type: %v", wrong)
			if suggestion := cli.Nearest(word, apiclient.TransactionTypes()); suggestion != "" {
				e = e.TryFlag("type", suggestion)
			}
			return e
		}
	}
	return f.timeFlags.check(cmd, follows)
}

// on returns what is chosen, with the owners of names.
func (f *chosenFlags) on(ctx context.Context, app *cli.App, c *apiclient.Client) (chosen apiclient.Chosen, err error) {
	chosen = apiclient.Chosen{Types: strings.Join(f.types, ","), Function: f.function, Contract: f.contract}
	for _, one := range []struct {
		named string
		to    *string
	}{{f.from, &chosen.From}, {f.to, &chosen.To}} {
		if one.named != "" {
			if *one.to, err = owner(ctx, app, c, one.named); err != nil {
				return chosen, err
			}
		}
	}
	chosen.Since, chosen.Until, err = f.timeFlags.on(ctx, c)
	return chosen, err
}

// searched holds among which rows a list was chosen.
type searched struct {
	// where says where those that are wanted are counted, "" where all are; left what of it was
	// not requested of the API, nil for nothing.
	where string
	left  []string
	many  int // rows that were read
	since bool
}

// searchedFor describes what is wanted, and what of it is left to be chosen from what was read.
func searchedFor(among apiclient.Among, left apiclient.Chosen) searched {
	l := searched{left: left.Names(), since: left.Since != 0}
	if among.Chosen != (apiclient.Chosen{}) && l.left == nil {
		l.where = map[bool]string{true: " in the mempool", false: " on the chain"}[among.Mempool]
	}
	return l
}

// maxSearched bounds how many rows are read for those that are wanted, unless a time ends the list.
const maxSearched = 500

// enough reports whether as many rows were read as are without an end.
func (l *searched) enough() bool { return l.left != nil && !l.since && l.many >= maxSearched }

// among takes what a page says.
func (l *searched) among(p searched) {
	l.where, l.since = p.where, p.since
	if p.left != nil {
		l.left = p.left
	}
}

// stopped reports whether rows of the list were not looked at.
func (p *page[T]) stopped() bool { return p.left != nil && p.next != "" }

// searched returns how many rows of a list were read.
func (p *printer[T]) searched(found *page[T]) string {
	return text.Plural(found.many, strings.TrimSuffix(p.list.noun(), "s")) + " that were read"
}

// reportSearched prints what was chosen here, and among how many rows.
func (p *printer[T]) reportSearched(found *page[T]) {
	if found.left == nil {
		return
	}
	words := fmt.Sprintf("this list of the API does not choose by %s: they were chosen from the %s", strings.Join(found.left, ", "), p.searched(found))
	if found.stopped() {
		words += "; what is below them in the list was not searched"
	}
	p.app.Notice(words)
}

// writeChosen prints rows as they come, but those that are not wanted.
func (p *printer[T]) writeChosen(ctx context.Context, rows []row[T]) error {
	return p.write(ctx, slices.DeleteFunc(slices.Clone(rows), func(r row[T]) bool { return r.out }))
}

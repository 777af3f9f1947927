package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// printer prints rows in the format of the flags: people read a table, and the rest are lines
// of ndjson or csv as they come, or one text of JSON.
type printer[T any] struct {
	app   *cli.App
	flags *listFlags
	list  *list[T]
	now   func() time.Time
	rows  *rowWriter // nil for a table of the description
	table *cli.Table
	// those of the description that the table has
	shown []resource.Column[T]
	read  int
	left  int // of those that were read, by the filter
}

func newPrinter[T any](app *cli.App, f *listFlags, l *list[T], c *apiclient.Client) *printer[T] {
	l.kind.Called = app.Naming()
	p := &printer[T]{app: app, flags: f, list: l, now: func() time.Time { return c.ChainTime(time.Now()) }}
	if app.Rows() || app.JSON() {
		p.rows = newRowWriter(app, l.columnSet())
		if app.Labelled && !l.fixed {
			p.rows.columns.last = l.kind.LabelColumns()
		}
		p.rows.follows = f.follow
	}
	return p
}

// check refuses a filter and an order that there are not.
func (p *printer[T]) check() error {
	_, err := p.selected(nil)
	return err
}

// selected returns the rows that are printed, in their order.
func (p *printer[T]) selected(rows []row[T]) ([]row[T], error) {
	p.read += len(rows)
	if p.flags.filter == "" && p.flags.sort == "" {
		p.left += len(rows)
		return rows, nil
	}
	things := make([]T, len(rows))
	for i, r := range rows {
		things[i] = r.of
	}
	at, err := p.list.kind.Select(things, p.flags.filter, p.flags.sort, p.now())
	if wrong, ok := errors.AsType[resource.SelectError](err); ok {
		err = cli.Usagef("--%s: %v", wrong.Part, wrong)
	}
	left := make([]row[T], len(at))
	for i, n := range at {
		left[i] = rows[n]
	}
	p.left += len(left)
	return left, err
}

// write prints rows as they come.
func (p *printer[T]) write(ctx context.Context, rows []row[T]) error {
	rows, err := p.selected(rows)
	switch {
	case err != nil:
		return err
	case p.rows != nil:
		return p.writeRows(ctx, rows)
	case len(rows) == 0:
		return nil
	}
	p.add(rows)
	return p.table.Write(p.app.Streams.Out)
}

// writeRows prints rows as ndjson, csv or a table of columns.
func (p *printer[T]) writeRows(ctx context.Context, rows []row[T]) error {
	if len(rows) == 0 && !p.rows.checked {
		return p.rows.checkColumns(nil)
	}
	for _, r := range rows {
		line, err := p.line(r)
		if err == nil {
			err = p.rows.write(ctx, line, func(name string) any { return p.list.kind.Member(r.of, name) })
		}
		if err != nil {
			return err
		}
	}
	return p.rows.flush()
}

// line returns a row of ndjson and csv.
func (p *printer[T]) line(r row[T]) (json.RawMessage, error) {
	switch {
	case r.line != nil:
		return r.line, nil
	case p.list.line != nil:
		return p.list.line(r.of)
	}
	return p.list.kind.JSON([]T{r.of})[0], nil
}

// add puts rows into the table. A blank column of which nothing is known is left out, unless a
// later row may have it.
func (p *printer[T]) add(rows []row[T]) {
	if p.table == nil {
		p.table = p.app.NewTable()
		own := p.app.Config.Columns[p.list.kind.Plural()]
		kind := p.list.kind.With(own)
		for _, c := range kind.Titled() {
			if !c.Blank || len(own) > 0 || p.flags.follow || slices.ContainsFunc(rows, func(r row[T]) bool { return c.Value(r.of).Known() }) {
				p.shown = append(p.shown, c)
				p.table.Columns = append(p.table.Columns, cli.Column{Title: c.Heading(), Right: c.Right()})
			}
		}
		if p.list.remark != nil {
			p.table.Columns = append(p.table.Columns, cli.Column{})
		}
	}
	for _, r := range rows {
		var cells []string
		for _, c := range p.shown {
			value, cell := c.Value(r.of), ""
			if value.Known() || !c.Blank {
				cell = strings.TrimRight(p.app.Cell(value, c.Type)+" "+p.list.kind.CalledIn(c, r.of), " ")
			}
			cells = append(cells, cell)
		}
		if p.list.remark != nil {
			cells = append(cells, p.list.remark(r.of))
		}
		p.table.Add(cells...)
	}
}

// print prints a list that was read.
func (p *printer[T]) print(ctx context.Context, found page[T]) error {
	rows, err := p.selected(found.rows)
	switch {
	case err != nil:
		return err
	case p.app.Rows():
		if err := p.writeRows(ctx, rows); err != nil {
			return err
		}
		p.reportSearched(&found)
		return p.end()
	case p.app.JSON():
		raw, err := p.envelope(found.raw, rows)
		if err == nil {
			err = p.app.PrintRaw(ctx, raw)
		}
		if err != nil {
			return err
		}
	default:
		if err := p.printText(found, rows); err != nil {
			return err
		}
	}
	p.printNone()
	p.reportSearched(&found)
	return nil
}

// end ends what write printed.
func (p *printer[T]) end() error {
	if err := p.rows.end(); err != nil {
		return err
	}
	p.printNone()
	return nil
}

// printNone prints among how many rows a filter found nothing.
func (p *printer[T]) printNone() {
	if p.read > 0 && p.left == 0 {
		p.app.Notice(fmt.Sprintf("none of the %s that were read matches %s", text.Plural(p.read, strings.TrimSuffix(p.list.noun(), "s")), p.flags.filter))
	}
}

// printText prints a table, and which of how many rows it has.
func (p *printer[T]) printText(found page[T], rows []row[T]) error {
	if len(found.rows) == 0 {
		if found.stopped() {
			return p.app.Print("none of the " + p.searched(&found))
		}
		return noRows(p.app, p.list.noun(), int64(p.flags.offset))
	}
	if len(rows) > 0 {
		p.add(rows)
		if err := p.table.Write(p.app.Streams.Out); err != nil {
			return err
		}
	}
	from := int64(p.flags.offset)
	to := from + int64(len(found.rows))
	if found.total == notCounted {
		return nil
	}
	line := text.Count(from+1) + " to " + text.Count(to)
	if found.total < to { // no total in the answer
		line += "; there may be more"
	} else {
		line += " of " + text.Count(found.total) + found.where
	}
	if p.flags.filter != "" {
		match := "match"
		if len(rows) == 1 {
			match = "matches"
		}
		line += fmt.Sprintf("; %s %s %s", text.Count(int64(len(rows))), match, text.Line(p.flags.filter))
	}
	return p.app.Print(line)
}

// envelope returns the answer of the API with the rows that are printed in the place of its
// own: the very answer where these are the same, and for --limit 0, which a server may answer
// with 20 rows.
func (p *printer[T]) envelope(raw json.RawMessage, rows []row[T]) (json.RawMessage, error) {
	printed := []json.RawMessage{}
	for _, r := range rows {
		if r.own == nil {
			line, err := p.line(r)
			if err != nil {
				return nil, err
			}
			r.own = line
		}
		printed = append(printed, r.own)
	}
	own, err := rowsOf(raw)
	same := slices.EqualFunc(own, printed, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
	if err != nil || same || p.list.skips && p.flags.limit == 0 {
		return raw, err
	}
	return replaceRows(raw, printed), nil
}

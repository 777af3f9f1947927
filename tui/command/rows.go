package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/text"
)

// rowMembers hold what the API calls the rows of a list.
var rowMembers = []string{"results", "namespaces"}

// rowsOf returns the rows of an answer of the API: the results of a list, the
// elements of an array, or the answer itself.
func rowsOf(raw json.RawMessage) ([]json.RawMessage, error) {
	var rows []json.RawMessage
	switch raw = bytes.TrimSpace(raw); {
	case bytes.HasPrefix(raw, []byte("[")):
		return rows, json.Unmarshal(raw, &rows)
	case bytes.HasPrefix(raw, []byte("{")):
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		for _, name := range rowMembers {
			if json.Unmarshal(members[name], &rows) == nil && rows != nil {
				return rows, nil
			}
		}
	}
	return []json.RawMessage{raw}, nil
}

// replaceRows returns an answer of the API with other rows in the place of its own.
func replaceRows(raw json.RawMessage, rows []json.RawMessage) json.RawMessage {
	list := []byte{'['}
	for i, row := range rows {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, row...)
	}
	list = append(list, ']')
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return list
	}
	var out []byte
	for _, name := range columnsOfRow(raw) {
		quoted, _ := json.Marshal(name)
		value := members[name]
		if slices.Contains(rowMembers, name) {
			value = list
		}
		out = append(append(append(append(out, ','), quoted...), ':'), value...)
	}
	out[0] = '{'
	return append(out, '}')
}

// rowWriter prints rows of JSON in the format of the flags, as they come.
type rowWriter struct {
	app     *cli.App
	out     *bufio.Writer // flushed after the rows that came together
	fields  []string      // columns; nil are those that are always there, and those of the first row
	columns columnSet
	filter  *cli.JQFilter
	// follows says that rows are printed as they come: JSON is one line a row, whatever the
	// format, and a table begins with the first rows.
	follows bool
	// headless leaves out the header line of csv.
	headless bool
	began    bool
	// checked is set once the columns are known to be there.
	checked bool
	table   *cli.Table // for people, printed by end
	csv     *csv.Writer
}

// newRowWriter returns a writer of rows that have some columns.
func newRowWriter(a *cli.App, columns columnSet) *rowWriter {
	return &rowWriter{app: a, out: bufio.NewWriterSize(a.Streams.Out, 64<<10), fields: a.Settings.Columns(), columns: columns, filter: a.Settings.Filter}
}

// contractJSON returns what the rows of an answer are printed from: the API's own JSON,
// but where its names are not those of the contract.
func contractJSON[T any](a apiclient.Answer[T]) (json.RawMessage, error) {
	if a.Generation < 3 {
		return a.Raw, nil
	}
	return json.Marshal(a.Value)
}

// write prints a row. Member returns what its description has under a name, nil for nothing.
func (w *rowWriter) write(ctx context.Context, row json.RawMessage, member func(name string) any) (err error) {
	defer func() {
		if err != nil {
			_ = w.out.Flush() // the rows before it are printed
		}
	}()
	if !w.checked {
		if err := w.checkColumns(row); err != nil {
			return err
		}
	}
	if o := w.app.Settings.Output; o == cli.FormatNDJSON || o == cli.FormatJSON || w.filter != nil {
		return w.writeLine(ctx, row, member)
	}
	value, err := cli.DecodeJSON(row)
	if err != nil {
		return err
	}
	if !w.began {
		w.begin(row)
	}
	cells := make([]string, len(w.fields))
	for i, path := range w.fields {
		cells[i] = cellText(field(value, path, member))
	}
	if w.table != nil {
		w.table.Add(cells...)
		return nil
	}
	return w.writeCSV(cells)
}

// begin prints the header line.
func (w *rowWriter) begin(first json.RawMessage) {
	w.began = true
	if w.fields == nil {
		w.fields = slices.Clone(w.columns.first)
		for _, name := range columnsOfRow(first) {
			if !w.columns.only && !slices.Contains(w.fields, name) {
				w.fields = append(w.fields, name)
			}
		}
		w.fields = append(w.fields, w.columns.last...)
	}
	if w.app.Settings.Output == cli.FormatTable {
		w.table = w.app.NewTable()
		for _, name := range w.fields {
			w.table.Columns = append(w.table.Columns, cli.Column{Title: text.Line(strings.ToUpper(title(name)))})
		}
		return
	}
	w.csv = csv.NewWriter(w.out)
	if w.headless {
		return
	}
	titles := make([]string, len(w.fields))
	for i, name := range w.fields {
		titles[i] = title(name)
	}
	_ = w.writeCSV(titles)
}

// title returns the title of a column.
func title(path string) string {
	if path == "." {
		return "value"
	}
	return path
}

// writeCSV prints a line; on a terminal without anything that it would obey.
func (w *rowWriter) writeCSV(cells []string) error {
	if cli.IsTerminal(w.app.Streams.Out) {
		for i := range cells {
			cells[i] = text.Line(cells[i])
		}
	}
	return w.csv.Write(cells) // its buffer is w.out
}

// writeLine prints a row as a line of JSON, with the columns alone if there are
// some.
func (w *rowWriter) writeLine(ctx context.Context, row json.RawMessage, member func(string) any) error {
	if w.filter != nil {
		return w.filter.Run(ctx, &w.app.Guard, row, func(line string) error {
			if cli.IsTerminal(w.app.Streams.Out) {
				line = string(cli.PlainJSON([]byte(line)))
			}
			_, err := fmt.Fprintln(w.out, line)
			return err
		})
	}
	if w.fields != nil {
		value, err := cli.DecodeJSON(row)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		b.WriteByte('{')
		for i, path := range w.fields {
			if i > 0 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(title(path))
			inner, err := json.Marshal(field(value, path, member))
			if err != nil {
				return err
			}
			b.Write(name)
			b.WriteByte(':')
			b.Write(inner)
		}
		b.WriteByte('}')
		row = b.Bytes()
	}
	var line bytes.Buffer
	if err := json.Compact(&line, row); err != nil {
		return err
	}
	out := line.Bytes()
	if cli.IsTerminal(w.app.Streams.Out) {
		out = cli.PlainJSON(out)
	}
	_, err := w.out.Write(append(out, '\n'))
	return err
}

// flush prints the rows that came, but those of a table that does not continue.
func (w *rowWriter) flush() error {
	if w.table != nil && w.follows {
		if err := w.table.Write(w.out); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

// end prints what is printed only when all rows are known.
func (w *rowWriter) end() error {
	if !w.checked {
		if err := w.checkColumns(nil); err != nil {
			return err
		}
	}
	if !w.began && w.app.Settings.Output == cli.FormatCSV && (w.fields != nil || w.columns.first != nil) {
		w.begin([]byte("{}"))
	}
	if w.table != nil {
		if err := w.table.Write(w.out); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

// columnsOfRow returns the members of a row in its own order. What is no object has
// one column.
func columnsOfRow(row json.RawMessage) []string {
	d := json.NewDecoder(bytes.NewReader(row))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return []string{"."}
	}
	var names []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		names = append(names, name.(string))
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			break
		}
	}
	return names
}

// field returns the value of a column: at its path in the answer, else that of the
// description.
func field(value any, path string, member func(string) any) any {
	if v := at(value, path); v != nil || member == nil {
		return v
	}
	return member(path)
}

// at returns the value at a path such as a.b.0, nil where there is none. The
// path "." is the value itself.
func at(value any, path string) any {
	if path == "." {
		return value
	}
	// A member may have a dot in its name.
	if object, ok := value.(map[string]any); ok {
		if inner, ok := object[path]; ok {
			return inner
		}
	}
	name, rest, more := strings.Cut(path, ".")
	var inner any
	switch v := value.(type) {
	case map[string]any:
		inner = v[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			inner = v[i]
		}
	}
	if !more || inner == nil {
		return inner
	}
	return at(inner, rest)
}

// cellText returns a value as a cell: strings as they are, nothing for null,
// everything else as JSON.
func cellText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(raw)
}

// printRows prints the rows of an answer in the format of the flags.
func printRows[T any](ctx context.Context, a *cli.App, answer apiclient.Answer[T]) error {
	raw, err := contractJSON(answer)
	if err != nil {
		return err
	}
	rows, err := rowsOf(raw)
	if err != nil {
		return err
	}
	columns, member := described(answer.Value)
	w := newRowWriter(a, columns)
	for _, row := range rows {
		if err := w.write(ctx, row, member); err != nil {
			return err
		}
	}
	return w.end()
}

// requestAndShow makes one call of the API and prints its answer: the exact body as JSON, or
// for people with show.
func requestAndShow[T any](ctx context.Context, a *cli.App, call func(context.Context, *apiclient.Client) (apiclient.Answer[T], error), show func(T) error) error {
	c, err := a.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	a.PrintMock(c)
	answer, err := call(ctx, c.Client)
	if err != nil {
		return err
	}
	switch {
	case a.Rows():
		return printRows(ctx, a, answer)
	case a.JSON():
		return a.PrintRaw(ctx, answer.Raw)
	}
	return show(answer.Value)
}

package command

import (
	"encoding/json"
	"slices"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// rowKind is a kind of thing whose rows come as JSON under the names of the API.
type rowKind interface {
	// names are those of the columns that the explorer has for it, files those in its files.
	names() []string
	files() []string
	// value returns what a row has in a column of either name, nil for unknown.
	value(row json.RawMessage, name string) any
}

// kindOf returns the kind of the rows of a value of the API, nil for none.
func kindOf(of any) rowKind {
	switch of.(type) {
	case apiclient.Block, apiclient.List[apiclient.Block], apiclient.List[apiclient.ListedBlock]:
		return readKind[resource.Block]{resource.Blocks(), readBlock}
	case apiclient.List[apiclient.BurnBlock]:
		return readKind[resource.BurnBlock]{resource.BurnBlocks(), readBurnBlock}
	case apiclient.Transaction, apiclient.TransactionPage:
		return readKind[resource.Transaction]{resource.Transactions(), readTransaction}
	}
	return nil
}

// readKind is a kind and how one of it is read from JSON.
type readKind[T any] struct {
	kind resource.Kind[T]
	read func(json.RawMessage) (T, error)
}

func (k readKind[T]) names() []string {
	var names []string
	for _, c := range k.kind.Columns {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

func (k readKind[T]) files() []string { return k.kind.Files() }

func (k readKind[T]) value(row json.RawMessage, name string) any {
	of, err := k.read(row)
	if err != nil {
		return nil
	}
	if column, ok := k.kind.Column(name); ok {
		return column.Value(of).JSON(column.Type)
	}
	return k.kind.InFile(of, name)
}

// readBlock reads a block. What the route that answered does not tell is not known.
func readBlock(raw json.RawMessage) (resource.Block, error) {
	var b apiclient.Block
	if err := json.Unmarshal(raw, &b); err != nil {
		return resource.Block{}, err
	}
	b.Lacks = apiclient.Lacks{}
	members := columnsOf(raw)
	for _, name := range namedColumnsOf(b) {
		if !slices.Contains(members, name) {
			b.Lacks[name] = true
		}
	}
	return resource.BlockOf(&b), nil
}

func readBurnBlock(raw json.RawMessage) (resource.BurnBlock, error) {
	var b apiclient.BurnBlock
	if err := json.Unmarshal(raw, &b); err != nil {
		return resource.BurnBlock{}, err
	}
	if b.Blocks == nil && b.StacksBlocks != nil { // the answers of older versions have no number
		n := int64(len(b.StacksBlocks))
		b.Blocks = &n
	}
	return listedBurnBlock(b), nil
}

func listedBurnBlock(b apiclient.BurnBlock) resource.BurnBlock {
	listed := resource.BurnBlock{Height: b.Height, Hash: b.Hash, Blocks: resource.NumberAt(b.Blocks), Transactions: resource.NumberAt(b.Transactions)}
	if b.Time != 0 {
		listed.Time = time.Unix(b.Time, 0)
	}
	return listed
}

// tableOf returns a table of all columns of a kind that have a title, with a remark at the
// end of each row.
func tableOf[T any](app *app, kind resource.Kind[T], of []T, remark func(T) string) *table {
	t := &table{bold: app.color(), cut: isTerminal(app.streams.Out)}
	columns := kind.Titled()
	for _, c := range columns {
		t.columns = append(t.columns, column{c.Heading(), align(c.Right())})
	}
	t.columns = append(t.columns, column{"", left})
	for _, one := range of {
		cells := make([]string, 0, len(t.columns))
		for _, c := range columns {
			value, cell := c.Value(one), ""
			if value.Known() || !c.Blank {
				cell = app.cell(value, c.Type)
			}
			cells = append(cells, cell)
		}
		t.add(append(cells, remark(one))...)
	}
	return t
}

// cell writes a value for people; on a terminal with thousands separated.
func (a *app) cell(v resource.Value, t resource.Type) string {
	switch {
	case !v.Known() && t != resource.Moment:
		return text.Unknown
	case t == resource.Number && !isTerminal(a.streams.Out):
		return v.File(t)
	}
	return v.People(t)
}

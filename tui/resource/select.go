package resource

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/query"
)

// SelectError reports why rows cannot be selected: by Part, which is "filter" or "sort".
type SelectError struct {
	Part string
	error
}

// Select returns the indexes of the things that a filter lets through, in the order of a column
// such as height or fee:desc, "" for the order in which they are; or a SelectError.
func (k Kind[T]) Select(of []T, filter, order string, now time.Time) ([]int, error) {
	table := k.Table(len(of), func(row int) (T, bool) { return of[row], true }, now)
	parsed, err := query.Parse(filter, table)
	if err == nil && parsed.Remark != "" {
		err = errors.New(parsed.Remark)
	}
	if err != nil {
		return nil, SelectError{"filter", err}
	}
	by, err := orderOf(order, table)
	if err != nil {
		return nil, SelectError{"sort", err}
	}
	return query.Select(table, parsed, by), nil
}

// orderOf reads a column, and whether its greatest values come first.
func orderOf(order string, table query.Table) (query.Order, error) {
	name, direction, directed := strings.Cut(order, ":")
	column, there := table.Find(name)
	switch {
	case order == "":
		return query.Order{}, nil
	case directed && direction != "asc" && direction != "desc":
		return query.Order{}, fmt.Errorf("%q is neither asc nor desc", direction)
	case !there || column.Hidden:
		return query.Order{}, fmt.Errorf("no column %q: %s", name, strings.Join(shown(table), ", "))
	}
	return query.Order{Column: column.Name, Descending: direction == "desc"}, nil
}

func shown(table query.Table) (names []string) {
	for _, c := range table.Shown() {
		names = append(names, c.Name)
	}
	return names
}

// Sortable returns the names of the columns by which Select can order.
func (k Kind[T]) Sortable() []string {
	return shown(k.Table(0, nil, time.Time{}))
}

// Files returns the names of the columns in a file.
func (k Kind[T]) Files() []string {
	columns, _ := k.Export(nil)
	return columns
}

// Names returns those by which the explorer calls its columns.
func (k Kind[T]) Names() []string {
	var names []string
	for _, c := range k.Columns {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

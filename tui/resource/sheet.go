package resource

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"chainscope/tui/query"
)

// Sheet is what is printed of a list, or of one thing.
type Sheet struct {
	// Raw is the answer of the API.
	Raw json.RawMessage
	// Titles and Types are those of the columns of a table for people, Rows its values.
	Titles []string
	Types  []Type
	Blanks []bool // columns that are empty where a value is not known
	Rows   [][]Value
	// Records are the rows as objects of the columns of a file, which Columns names.
	Records []json.RawMessage
	Columns []string
	// Fields are those of one thing.
	Fields []Field
	Total  int64
}

// Sheet makes a sheet of things. A blank column of which nothing is known is left out.
func (k Kind[T]) Sheet(of []T) Sheet {
	columns := slices.DeleteFunc(k.Titled(), func(c Column[T]) bool {
		return c.Blank && !slices.ContainsFunc(of, func(one T) bool { return c.Value(one).known })
	})
	s := Sheet{Records: k.JSON(of), Columns: k.Files(), Total: int64(len(of))}
	for _, c := range columns {
		s.Titles, s.Types, s.Blanks = append(s.Titles, c.Heading()), append(s.Types, c.Type), append(s.Blanks, c.Blank)
	}
	for _, one := range of {
		row := make([]Value, len(columns))
		for i, c := range columns {
			row[i] = c.Value(one)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// FilterError says why a filter cannot be applied.
type FilterError struct{ error }

// Matching returns the indexes of the things that a filter lets through, or a FilterError.
func (k Kind[T]) Matching(of []T, filter string, now time.Time) ([]int, error) {
	table := k.Table(len(of), func(row int) (T, bool) { return of[row], true }, now)
	parsed, err := query.Parse(filter, table)
	if err == nil && parsed.Remark != "" {
		err = errors.New(parsed.Remark)
	}
	if err != nil {
		return nil, FilterError{err}
	}
	return query.Select(table, parsed, query.Order{}), nil
}

// Files are the names of the columns in a file.
func (k Kind[T]) Files() []string {
	columns, _ := k.Export(nil)
	return columns
}

package screen

import (
	"chainscope/tui/query"

	tea "github.com/charmbracelet/bubbletea"
)

// Tabular is a screen whose list can be filtered, sorted and counted by columns.
type Tabular interface {
	// Table returns the rows; false when there is no list now.
	Table() (query.Table, bool)
	// Passing returns those of the rows that the filter in force leaves.
	Passing(query.Table) []int
	Order() query.Order
	SortBy(query.Order) tea.Cmd
	// Query is the filter in force; Narrow puts another in force.
	Query() string
	Narrow(query string) tea.Cmd
}

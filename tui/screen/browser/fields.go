package browser

import (
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
)

// unreported is said of what the route that answered does not have.
const unreported = text.Unknown + ": not reported by this API"

// Unreported returns the row of something that the route which answered does not have.
func Unreported(label string) detail.Row {
	return detail.Row{Label: label, Value: unreported, Role: detail.Muted}
}

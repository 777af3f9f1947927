package resource

import "chainscope/tui/nav"

// Field is one labelled value of a thing where all of it is shown.
type Field struct {
	// Section is the heading of what follows; such a field has nothing else.
	Section string

	Label string
	Type  Type
	Value Value
	Note  string
	// Exact is the server's own text of the value, to be copied; "" is the value.
	Exact string
	Mark  Mark
	// To holds what it names, nil for nothing.
	To *nav.Place
	// LinkOnly reports that the value says no more than where To leads: it is of no use where
	// nothing can be opened.
	LinkOnly bool
	// Unreported reports that the route which answered does not have the field.
	Unreported bool
	// Limit holds what a number may be at most, 0 for no limit.
	Limit int64
	// Picture reports that it is the address of a picture, Page which page the web explorer
	// has of it.
	Picture bool
	Page    Page
	// Key is its letter in the menu of what can be copied, "" for none.
	Key string
}

// Page is a kind of page of the web explorer.
type Page int

// The kinds of pages; most values have none.
const (
	NoPage Page = iota
	TransactionPage
	AddressPage
	ContractPage
)

// Mark describes what is special about a value.
type Mark int

// The marks of values.
const (
	Plain  Mark = iota
	Good        // a state as it should be
	Bad         // one as it should not be
	Struck      // of something that is no longer valid
	Remark      // words about what is not there
)

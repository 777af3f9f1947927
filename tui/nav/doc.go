// Package nav holds the places of the explorer, the history of visited places, and the
// recogniser that turns typed or pasted text into places.
//
// Everything here is pure: no I/O, no clock, no terminal. The package is
// shared by the root model, the screens and the command line, and must not
// import bubbletea, lipgloss, the REST client's transport or any other part
// of the user interface.
package nav

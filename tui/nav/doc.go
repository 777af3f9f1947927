// Package nav knows where one can be in the explorer and how to get there:
// places, the history of places, and the recogniser that turns what a person
// typed or pasted into places.
//
// Everything here is pure: no I/O, no clock, no terminal. The package is
// shared by the root model, the screens and the command line, and must not
// import bubbletea, lipgloss, the REST client's transport or any other part
// of the user interface.
package nav

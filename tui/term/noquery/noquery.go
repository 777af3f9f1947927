// Package noquery keeps bubbletea from querying the terminal for its background
// color while the program is being initialized.
//
// bubbletea v1 sends the query in a package init, before main runs: every command of the
// program would write the query to the terminal, and where nothing answers the
// start would be black for five seconds. lipgloss does not query when it was given
// the answer, and Go initialises packages that are ready in the order of their
// import paths. This package needs nothing but lipgloss, which bubbletea needs
// too, and its path sorts before github.com/charmbracelet/bubbletea: it runs
// first. That is why the module is called chainscope, and why this package must
// not import anything else.
//
// Whether the background is really dark is found out by package term while the
// explorer runs.
package noquery

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }

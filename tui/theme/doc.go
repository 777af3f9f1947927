// Package theme gives every color and glyph on screen a role: screens request
// "the style of a link" and never for a color.
//
// A Theme is a value made once per terminal and choice; the package has no
// state of its own, reads no environment and must not import a screen, a
// widget, bubbletea or any I/O.
package theme

// Package film draws what a terminal shows for places without one: a frame as an SVG
// picture, and a sequence of frames as a film, for asciinema or as an SVG that moves.
//
// It takes frames as text with escape sequences, whatever made them, and must not import
// anything else of the project.
package film

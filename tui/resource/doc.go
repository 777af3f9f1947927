// Package resource describes each kind of thing that chainscope lists, once: its
// columns, what their values are, how they are drawn and in which order they give way
// to each other. The list on screen, filter, sort, counts and export, and on the command
// line table and --fields, are made from that description.
//
// It requests nothing and keeps nothing. It must not import bubbletea, a screen
// or a list.
package resource

// Package form knows what each method of the wallet takes: its fields in the
// order in which one thinks of them, what is right in each, an example that a
// wallet takes, and how fields become params and params fields.
//
// It is pure: texts in, JSON and words out. It must not import bubbletea or
// anything that draws, and does no I/O: what comes from a file is handed in.
package form

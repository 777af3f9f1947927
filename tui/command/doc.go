// Package command is the command line: the cobra commands, what each prints, and how
// the explorer is opened. Package cli is what all of them are made of.
//
// Everything untrusted that it prints for people goes through package text.
package command

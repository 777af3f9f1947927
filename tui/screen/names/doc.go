// Package names is the explorer's place for the names of a namespace: it reads
// all of them, several pages at once, and searches them while the user types;
// or it shows single pages.
//
// It draws and decides only. What is requested of the API happens in commands,
// whose answers come back as messages with the key of their request. The
// package must not import mockserver, the command line or another screen.
package names

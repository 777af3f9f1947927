// Package blocks is the explorer's place for recently mined Stacks blocks: a
// list of all of them, of which only what is looked at is loaded, and the
// detail of the one under the cursor.
//
// It draws and decides only. What is requested of the API happens in commands,
// whose answers come back as messages with the key of their request. The
// package must not import mockserver, the command line or another screen.
package blocks

// Package burnblocks is the explorer's place for burn blocks: the newest ones
// as groups of the Stacks blocks they confirmed, and the listing of one of
// them, from which one walks to the burn block before or after.
//
// It draws and decides only. What is requested of the API happens in commands,
// whose answers come back as messages with the key of their request. The
// package must not import mockserver, the command line or another screen.
package burnblocks

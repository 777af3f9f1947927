// Package fork reads the state of a live chain at one block, for a chain that goes on from there.
//
//   - Open finds the block, which is the Tip. It never changes, nor does what is read of it.
//   - Source.Read answers a path of the API, each once in the Source's life, and keeps it on disk.
//   - What could not be read is an *UnreadError, never an absent value: only a node that says
//     that it has no such value is believed.
//
// The package must not import the mock, whose worlds are built on it.
package fork

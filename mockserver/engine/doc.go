// Package engine lets contracts run: it starts the process of a virtual machine, speaks to
// it in lines of JSON, and keeps a session of it in step with a chain that can go back.
//
//   - Process is one run of the program; it ends with whoever started it.
//   - Engine starts a Process when one is needed, and another when that dies or hangs.
//   - Point is what happened on a chain up to some transaction, an immutable value. A
//     Session takes its virtual machine to any Point: forward by doing what is missing,
//     back by making it anew.
//
// docs/engine.md describes the lines. The folder chainscope-clarity has the program that
// speaks them, under a licence of its own: nothing of it is in the binary, and no Go code
// is taken from it. The package must not import anything of HTTP.
package engine

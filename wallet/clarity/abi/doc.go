// Package abi reads the interface of a contract, as a node writes it: its functions, data
// variables, maps and tokens with their types. A type checks values and reads them as
// people type them.
//
// An interface comes from a server and may be wrong in every way: what cannot be
// understood of it is a type of its own, and everything is bounded.
//
// The package is pure; it imports wallet/clarity and the standard library.
package abi

// Package fault decides what goes wrong with an answer of the mock server:
// scenarios for people, rules for tests, and the Prefer header for one request.
//
// It decides only; the server carries the decision out. Decisions are a
// function of the seed, the rules and the number of requests before, so that a
// test that requests the same in the same order sees the same faults. The
// package does no I/O and imports nothing of this module.
package fault

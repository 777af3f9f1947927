// Package e2e holds the tests and benchmarks of the built binary in a real
// terminal: a pseudo-terminal that answers no query, whose every byte is read by
// a strict parser. Its tests may import anything to know what to expect, and reach the
// program only by its terminal, its command line and HTTP. Its only code is a shell with
// one job, which the tests of package term use, too.
package e2e

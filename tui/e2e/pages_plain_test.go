//go:build unix && !docs

package e2e

import "testing"

// gate says that programs other than chainscope are there.
const gate = false

// prepare makes the folder of a page ready; what a page needs beside its own lines is for
// the gate.
func prepare(*testing.T, *reader, string) {}

// Command promises counts what a rule holds and nothing else does: what slips a little
// with each change until somebody looks. A bound that is broken fails the gate. A bound is
// changed here, with the reason in the commit.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// promise is a number that stays within a bound.
type promise struct {
	what  string
	count func(*tree) (n int, where string, err error)
	most  int
}

// promises are the bounds that the gate checks.
var promises = []promise{
	{"lines of Go, without tests and .ci", goLines, 138_700}, // as before, and a fork of a live chain, transactions of one that are run again in the explorer, and the chain of today with its staking, walks over lists that change, projects of strangers, names, what is pasted, transactions that are stuck and what became of them, another chain without a restart, who holds a token, trees of calls, impersonation, labels and names beside addresses, lists asked of the server; 118,000 when what is said twice has gone
	{"lines of the largest file, without tests", largestFile, 475},
	{"lines of the largest function, without tests", largestFunction, 60},
	{"packages", packages, 102}, // 87, and the state of a live chain, and dated facts of the network, files that a user names, staking, Engine.IO, what is pasted, what the mock shows of a world, what commands are made of, the commands of the wallet
	{"methods of the root model", methods("tui", "Model"), 40},
	{"golden files", files("*.golden"), 200},
	{"compiler directives against inlining", lines("//go:noinline"), 0},
	{"descriptions of a release beside .ci/packaging/build", files(".goreleaser*"), 0},
	{"MB of the program, as a release has it", programSize, 34},
	{"MB of the same by `go build`, as docs/performance.md has it, differing by", sizeInDocs, 1},
}

func main() {
	t, err := read("../..")
	if err != nil {
		fmt.Fprintln(os.Stderr, "promises:", err)
		os.Exit(1)
	}
	broken := 0
	for _, p := range promises {
		n, where, err := p.count(t)
		switch {
		case err != nil:
			fmt.Printf("%8s %8d  %s: %v\n", "?", p.most, p.what, err)
		case n > p.most:
			fmt.Printf("%8d %8d  %s: BROKEN %s\n", n, p.most, p.what, where)
		default:
			fmt.Printf("%8d %8d  %s\n", n, p.most, p.what)
			continue
		}
		broken++
	}
	if broken > 0 {
		fmt.Fprintf(os.Stderr, "promises: %d of %d are broken\n", broken, len(promises))
		os.Exit(1)
	}
}

// files counts the files whose names match a pattern.
func files(pattern string) func(*tree) (int, string, error) {
	return func(t *tree) (n int, where string, err error) {
		for _, f := range t.files {
			if ok, _ := filepath.Match(pattern, filepath.Base(f)); ok {
				n, where = n+1, f
			}
		}
		return n, where, nil
	}
}

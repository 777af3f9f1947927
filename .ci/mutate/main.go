// Command mutate reports whether the tests notice code that is wrong. Each change is one operator,
// condition, number or answer, chosen at random: a condition turned round, a bound moved by one.
// It is laid over the code while the tests are built; no file of the repository is written.
//
//	go run . -changes 10    ten changes, others with each commit
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	changes := flag.Int("changes", 10, "make so many changes, chosen by the number of commits")
	survive := flag.Float64("survive", 0.8, "the share of the changes that may pass unnoticed")
	root := flag.String("root", "../..", "the directory of the module")
	flag.Parse()
	if err := byOperator(*root, *changes, *survive); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

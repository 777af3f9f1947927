// Chainscope explores the Stacks chain in a terminal, mocks the API it uses,
// and is a wallet made for testing.
package main

import (
	"os"

	"chainscope/tui/command"
)

func main() {
	os.Exit(command.Main(os.Args[1:]))
}

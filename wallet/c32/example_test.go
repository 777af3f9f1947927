package c32_test

import (
	"fmt"

	"chainscope/wallet/c32"
)

func ExampleParseAddress() {
	a, err := c32.ParseAddress("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("version %d, hash160 %x\n", a.Version, a.Hash160)

	// The same key has another address on the test network.
	a.Version = c32.TestnetP2PKH
	fmt.Println(a)
	// Output:
	// version 22, hash160 1859c6840c4dc8ab3a3d39c6b5003fb36c5e7232
	// STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ
}

package clarity_test

import (
	"fmt"

	"chainscope/wallet/clarity"
)

func ExampleParseLiteral() {
	v, err := clarity.ParseLiteral(`{amount: u42, memo: (some 0x6869)}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	hex, err := clarity.EncodeHex(v)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(clarity.TypeOf(v))
	fmt.Println(hex)
	// Output:
	// (tuple (amount uint) (memo (optional (buff 2))))
	// 0c0000000206616d6f756e74010000000000000000000000000000002a046d656d6f0a02000000026869
}

func ExampleDecodeHex() {
	v, err := clarity.DecodeHex("0x0701000000000000000000000000000003e8")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(clarity.Repr(v))
	// Bytes that end too early are refused, with the place.
	_, err = clarity.DecodeHex("0x0701")
	fmt.Println(err)
	// Output:
	// (ok u1000)
	// clarity: byte 2: the bytes end inside the value: 16 bytes are needed, 0 are left
}

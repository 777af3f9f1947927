package contracts

import (
	"cmp"

	"chainscope/wallet/clarity/abi"
)

// ParseInterface reads an interface as a node writes it.
func ParseInterface(text []byte) (abi.Interface, error) {
	of, err := abi.Parse(text)
	usual := newInterface(0)
	of.Epoch, of.ClarityVersion = cmp.Or(of.Epoch, usual.Epoch), cmp.Or(of.ClarityVersion, usual.ClarityVersion)
	return of, err
}

package nav

import (
	"fmt"
	"strconv"
)

// checkRequest returns what keeps s from being the number of a request, or nil.
func checkRequest(s string) error {
	if n, err := strconv.ParseUint(s, 10, 64); err != nil || n == 0 {
		return fmt.Errorf("request %q is not a number from 1", s)
	}
	return nil
}

// checkBond returns what keeps s from being the number of a bond, or nil.
func checkBond(s string) error {
	if n, err := strconv.ParseInt(s, 10, 32); err != nil || n < 0 {
		return fmt.Errorf("bond %q is not a number from 0", s)
	}
	return nil
}

// Listed returns a list, or one thing of it; "" is the list.
func Listed(of Kind, id string) Place { return Place{Kind: of, ID: id} }

// Decoded returns the explanation of pasted bytes, an address or a literal.
func Decoded(pasted string) Place { return Listed(KindDecoded, pasted) }

// checkPasted bounds what is kept in the history; a file of any size goes to the command.
func checkPasted(s string) error {
	if len(s) > maxPasted {
		return fmt.Errorf("%d bytes long; what is longer than %d is explained by chainscope wallet decode @FILE", len(s), maxPasted)
	}
	return nil
}

// maxPasted is the most bytes of a pasted text that the explorer explains.
const maxPasted = 32 << 10

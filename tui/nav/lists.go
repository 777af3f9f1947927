package nav

import (
	"cmp"
	"fmt"
	"strconv"
)

// listed are the kinds of place that are a list, or one thing of it by its id: what one is
// called, the tab that it belongs to, and what is wrong with an id. The word for such a place
// is that of its kind.
var listed = map[Kind]struct {
	thing string
	tab   Kind
	check func(id string) error
}{
	KindNamespaces: {"namespace", KindNamespaces, checkNamespace},
	KindName:       {"name", KindNamespaces, CheckFullName},
	KindDecoded:    {"pasted thing", KindTransactions, checkPasted},
	KindSigners:    {"signer", KindAccounts, CheckPrincipal},
	KindBonds:      {"bond", KindAccounts, checkBond},
	KindRequests:   {"request", KindHome, checkRequest},
}

// checkRequest says what keeps s from being the number of a request, or nil.
func checkRequest(s string) error {
	if n, err := strconv.ParseUint(s, 10, 64); err != nil || n == 0 {
		return fmt.Errorf("request %q is not a number from 1", s)
	}
	return nil
}

// checkBond says what keeps s from being the number of a bond, or nil.
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

// listedCommand is Command of a list, and of what has no command of its own.
func (p Place) listedCommand() (args []string, exact bool) {
	if _, ok := listed[p.Kind]; !ok {
		return []string{"blocks"}, p.Kind == KindBlocks
	}
	switch p.Kind {
	case KindDecoded:
		return []string{"wallet", "decode", cmp.Or(p.ID, "HEX")}, p.ID != ""
	case KindRequests: // those of a command are in --log-file
		return []string{"blocks"}, false
	}
	if p.ID != "" {
		return []string{string(p.Kind), p.ID}, true
	}
	return []string{string(p.Kind)}, true
}

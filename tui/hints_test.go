package tui

import (
	"testing"

	"chainscope/tui/nav"
)

// The line of keys above a list ends with a whole key, and begins with those of what is under the
// cursor: that a pending transaction of one's own can be replaced is said first.
func TestTheKeysOfAPendingTransactionComeFirst(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	s.run(s.m.visit(nav.Transactions()))
	s.sees(" a pending, or in blocks  x what it goes to\n")
	call := s.sent()
	s.run(s.m.visit(nav.Transaction(call.TxID)))
	s.sees(" f pay a higher fee  X cancel it  a pending, or in blocks  x what it goes to\n")
}

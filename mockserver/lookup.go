package mockserver

import (
	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
)

// find returns a transaction of a block or of the mempool.
func (t *transactions) find(id chain.Hash) (*ledger.Tx, bool) { return t.Transaction(id.Bytes()) }

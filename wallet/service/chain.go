package service

import (
	"context"
	"errors"

	"chainscope/wallet/node"
)

// ErrNoChain says that there is no API to ask about a transaction.
var ErrNoChain = errors.New("the wallet has no API to ask")

// Transaction asks the API what became of a transaction. It waits for the
// answer.
func (s *Service) Transaction(ctx context.Context, txid string) (node.Transaction, error) {
	if s.options.Node == nil {
		return node.Transaction{}, ErrNoChain
	}
	return s.options.Node.Transaction(ctx, txid)
}

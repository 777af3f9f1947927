package service

import (
	"context"
	"errors"
	"strings"

	"chainscope/wallet/node"
)

// ErrNoChain says that there is no API to ask about a transaction.
var ErrNoChain = errors.New("the wallet has no API to ask")

// Transaction asks the API what became of a transaction, and remembers the
// answer. It waits for it.
func (s *Service) Transaction(ctx context.Context, txid string) (node.Transaction, error) {
	if s.options.Node == nil {
		return node.Transaction{}, ErrNoChain
	}
	tx, err := s.options.Node.Transaction(ctx, txid)
	if err == nil {
		s.mu.Lock()
		if len(s.transactions) >= maxCalls {
			clear(s.transactions)
		}
		s.transactions[bareID(txid)] = tx
		s.mu.Unlock()
	}
	return tx, err
}

// LastKnown returns what the API last said of a transaction, and reports whether
// it was asked.
func (s *Service) LastKnown(txid string) (node.Transaction, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, known := s.transactions[bareID(txid)]
	return tx, known
}

// CallOf returns the call that signed a transaction, and reports whether the
// timeline has one.
func (s *Service) CallOf(txid string) (Call, bool) {
	return s.timeline.signed(bareID(txid))
}

// bareID is a transaction id in lower case, without 0x.
func bareID(txid string) string { return strings.ToLower(strings.TrimPrefix(txid, "0x")) }

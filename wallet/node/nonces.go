package node

import (
	"context"
	"sync"

	"chainscope/wallet/c32"
)

// Nonces assigns the nonces of accounts whose transactions this process sends: a
// transaction that a node accepted counts although no block has it yet. It is
// safe for concurrent use.
type Nonces struct {
	client *Client

	mu   sync.Mutex
	sent map[[20]byte]sent
}

type sent struct {
	nonce uint64
	txid  string
}

// NewNonces returns the nonces that an API gives.
func NewNonces(c *Client) *Nonces { return &Nonces{client: c, sent: map[[20]byte]sent{}} }

// Next requests the nonce of an account's next transaction. Addresses of one
// key on two networks are one account.
func (n *Nonces) Next(ctx context.Context, address string) (uint64, error) {
	a, err := c32.ParseAddress(address)
	if err != nil {
		return 0, err
	}
	next, err := n.client.NextNonce(ctx, address)
	if err != nil {
		return 0, err
	}
	n.mu.Lock()
	last, there := n.sent[a.Hash160]
	n.mu.Unlock()
	if !there || last.nonce < next {
		return next, nil
	}
	// The node may have forgotten it: a mock that was reset, another server.
	if tx, err := n.client.Transaction(ctx, last.txid); err != nil || tx.Status != "pending" {
		n.mu.Lock()
		if n.sent[a.Hash160] == last {
			delete(n.sent, a.Hash160)
		}
		n.mu.Unlock()
		return next, nil
	}
	return last.nonce + 1, nil
}

// Accepted notes a transaction that a node accepted.
func (n *Nonces) Accepted(address string, nonce uint64, txid string) {
	a, err := c32.ParseAddress(address)
	if err != nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if last, there := n.sent[a.Hash160]; !there || nonce >= last.nonce {
		n.sent[a.Hash160] = sent{nonce, txid}
	}
}

package node

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"

	"chainscope/wallet/c32"
)

// TransactionStatus asks for the status of a transaction: pending, success,
// abort_by_response, …; "" when the API does not know the transaction.
func (c *Client) TransactionStatus(ctx context.Context, txid string) (string, error) {
	tx, err := c.Transaction(ctx, txid)
	return tx.Status, err
}

// Transaction is what an API knows of a transaction.
type Transaction struct {
	// Status is pending, success, abort_by_response, …; "" when the API does not
	// know the transaction.
	Status string `json:"tx_status"`
	// The block that has it; zero and "" while none does.
	BlockHeight     int64  `json:"block_height"`
	BlockHash       string `json:"block_hash"`
	BurnBlockHeight int64  `json:"burn_block_height"`
}

// Transaction asks what became of a transaction (GET /extended/v1/tx/{txid}, or
// /extended/v3/transactions/{txid}). One that the API does not know is no error.
func (c *Client) Transaction(ctx context.Context, txid string) (Transaction, error) {
	var tx struct {
		Transaction
		StatusV3 string `json:"status"`
		Block    struct {
			Height int64
			Hash   string
		}
		BitcoinBlock struct{ Height int64 } `json:"bitcoin_block"`
	}
	id := "0x" + url.PathEscape(strings.TrimPrefix(txid, "0x"))
	err := c.getFirst(ctx, "read the transaction", &tx,
		route{"v1 transaction", "/extended/v1/tx/" + id}, route{"v3 transaction", "/extended/v3/transactions/" + id})
	var answered *Error
	switch {
	case errors.As(err, &answered) && answered.Status == 404 && !routeGone(err):
		return Transaction{}, nil
	case err == nil && tx.Status == "":
		return Transaction{tx.StatusV3, tx.Block.Height, tx.Block.Hash, tx.BitcoinBlock.Height}, nil
	}
	return tx.Transaction, err
}

// Nonces hands out the nonces of accounts whose transactions this process sends: a
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

// Next asks for the nonce of an account's next transaction. Addresses of one
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
	if status, err := n.client.TransactionStatus(ctx, last.txid); err != nil || status != "pending" {
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

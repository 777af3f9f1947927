package node

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"chainscope/wallet/outcome"
)

// Transaction is a transaction as an API returns it.
type Transaction struct {
	// Status is pending, success, abort_by_response, …; "" when the API does not
	// know the transaction.
	Status      string
	BlockHeight int64 // of the block that has it, 0 while none does
	// Result holds what the transaction returned as a Clarity literal, such as (ok true);
	// "" while no block has it.
	Result string
	// ReplacedBy is the transaction that took its place, "" for none that is known.
	ReplacedBy string
	// Reason is the reason why one did not succeed, as a mock has it; the zero value of any other server.
	Reason outcome.Why
	// Called has what one called that failed in a block, a line a call, where a mock runs contracts.
	Called string
}

// Waits reports whether the next block may take the transaction.
func (t Transaction) Waits() bool { return t.Status == "pending" && t.Reason.Fix == "" }

// Why returns why the transaction is as it is.
func (t Transaction) Why() outcome.Why {
	if t.Reason.Sentence != "" {
		return t.Reason
	}
	return outcome.Explain(outcome.Ended{Status: t.Status, Result: t.Result, ReplacedBy: t.ReplacedBy})
}

// Replaced reports whether another transaction with the same nonce took its place.
func (t Transaction) Replaced() bool { return strings.HasPrefix(t.Status, "dropped_replace") }

// Settled reports whether nothing more is to come: a block has the transaction, or none will.
func (t Transaction) Settled() bool { return t.Status != "" && t.Status != "pending" }

// Mined reports whether a block is known to have the transaction.
func (t Transaction) Mined() bool { return t.BlockHeight > 0 }

// transactionBody is a transaction as v1 writes it, and as v3 does.
type transactionBody struct {
	Status      string                `json:"tx_status"`
	BlockHeight int64                 `json:"block_height"`
	TxResult    struct{ Repr string } `json:"tx_result"`
	ReplacedBy  string                `json:"replaced_by_tx_id"`

	StatusV3 string                 `json:"status"`
	Block    struct{ Height int64 } `json:"block"`
	Result   struct{ Repr string }  `json:"result"`
}

func (b *transactionBody) transaction() Transaction {
	if b.Status == "" {
		return Transaction{Status: b.StatusV3, BlockHeight: b.Block.Height, Result: b.Result.Repr, ReplacedBy: b.ReplacedBy}
	}
	return Transaction{Status: b.Status, BlockHeight: b.BlockHeight, Result: b.TxResult.Repr, ReplacedBy: b.ReplacedBy}
}

// Transaction requests what became of a transaction (GET /extended/v1/tx/{txid}, or
// /extended/v3/transactions/{txid}). One that the API does not know is no error.
func (c *Client) Transaction(ctx context.Context, txid string) (Transaction, error) {
	var body transactionBody
	id := url.PathEscape(withPrefix(txid))
	err := c.getFirst(ctx, "read the transaction", &body,
		route{"v1 transaction", "/extended/v1/tx/" + id}, route{"v3 transaction", "/extended/v3/transactions/" + id + "?include=result"})
	if answered, is := errors.AsType[*Error](err); is && answered.Status == 404 && !routeGone(err) {
		body, err = transactionBody{}, nil
	}
	tx := body.transaction()
	if err == nil {
		c.requestReason(ctx, txid, &tx)
	}
	return tx, err
}

// requestReason requests from a mock why a transaction did not succeed. Of a server that is no mock nothing
// more is known.
func (c *Client) requestReason(ctx context.Context, txid string, tx *Transaction) {
	if tx.Status == "success" || c.Local() == nil {
		return
	}
	var why outcome.Why
	if c.getFirst(ctx, "read why the transaction did not succeed", &why, route{"mock", "/mock/v1/tx/" + url.PathEscape(withPrefix(txid)) + "/why"}) == nil {
		tx.Reason = why
	}
	var tree struct{ Trace []Call }
	if tx.Mined() && c.getFirst(ctx, "read what the transaction called", &tree, route{"mock", "/mock/v1/transactions/" + url.PathEscape(withPrefix(txid)) + "/trace"}) == nil && len(tree.Trace) > 0 {
		tx.Called = strings.Join(tree.Trace[0].Lines(mostCalled), "\n")
	}
}

// mostCalled bounds the lines of what a transaction called.
const mostCalled = 200

// Transactions requests what became of several transactions with one request (GET
// /extended/v1/tx/multiple), or one each where the server has no such route. The answers
// have the ids that were given.
func (c *Client) Transactions(ctx context.Context, txids []string) (map[string]Transaction, error) {
	query := url.Values{}
	for _, id := range txids {
		query.Add("tx_id", withPrefix(id))
	}
	var found map[string]struct {
		Found  bool
		Result transactionBody
	}
	err := c.getFirst(ctx, "read the transactions", &found, route{"v1 transactions", "/extended/v1/tx/multiple?" + query.Encode()})
	out := make(map[string]Transaction, len(txids))
	for _, id := range txids {
		switch answer := found[withPrefix(id)]; {
		case routeGone(err):
			tx, err := c.Transaction(ctx, id)
			if err != nil {
				return nil, err
			}
			out[id] = tx
		case err != nil:
			return nil, err
		case answer.Found:
			tx := answer.Result.transaction()
			c.requestReason(ctx, id, &tx)
			out[id] = tx
		default:
			out[id] = Transaction{}
		}
	}
	return out, nil
}

func withPrefix(txid string) string { return "0x" + strings.ToLower(strings.TrimPrefix(txid, "0x")) }

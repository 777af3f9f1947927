package node

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"chainscope/wallet/stxtx"
)

// Raw reads a transaction with its signatures (GET /extended/v1/tx/{txid}/raw, or of a node
// /v2/transactions/unconfirmed/{txid}). The bytes are those of the id, whatever the server says.
func (c *Client) Raw(ctx context.Context, txid string) ([]byte, error) {
	const op = "read the bytes of the transaction"
	var body struct {
		Raw string `json:"raw_tx"`
		Tx  string
	}
	id := url.PathEscape(withPrefix(txid))
	err := c.getFirst(ctx, op, &body,
		route{"v1 raw transaction", "/extended/v1/tx/" + id + "/raw"},
		route{"unconfirmed transaction", "/v2/transactions/unconfirmed/" + strings.TrimPrefix(id, "0x")})
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(body.Raw+body.Tx, "0x"))
	if err != nil || withPrefix(stxtx.ID(raw)) != withPrefix(txid) {
		return nil, &Error{Op: op, Err: fmt.Errorf("the answer is not that of %s", txid)}
	}
	return raw, nil
}

// Account holds the nonces of an account at an API.
type Account struct {
	Next     uint64            // of the next transaction
	Executed *uint64           // of the last transaction in a block, nil for none
	Waiting  map[uint64]string // the transactions in the mempool, by their nonces
	Missing  []uint64          // nonces that others wait for
}

// Account requests the nonces of an account and what of it is in the mempool (GET
// /extended/v1/address/…, or /extended/v3/principals/…).
func (c *Client) Account(ctx context.Context, address string) (Account, error) {
	var nonces struct {
		Next     uint64   `json:"possible_next_nonce"`
		Executed *uint64  `json:"last_executed_tx_nonce"`
		Missing  []uint64 `json:"detected_missing_nonces"`

		NextV3     uint64  `json:"next_nonce"`
		ExecutedV3 *uint64 `json:"last_confirmed_nonce"`
		Mempool    struct {
			Missing []uint64 `json:"missing_nonces"`
		}
	}
	escaped := url.PathEscape(address)
	if err := c.getFirst(ctx, "read the nonces", &nonces,
		route{"v1 nonces", "/extended/v1/address/" + escaped + "/nonces"},
		route{"v3 nonces", "/extended/v3/principals/" + escaped + "/nonces"}); err != nil {
		return Account{}, err
	}
	var mempool struct {
		Results []struct {
			TxID   string `json:"tx_id"`
			Nonce  *uint64
			Of     string `json:"sender_address"`
			Sender struct {
				Address string
				Nonce   uint64
			}
		}
	}
	if err := c.getFirst(ctx, "read what waits of the account", &mempool,
		route{"v1 mempool", "/extended/v1/address/" + escaped + "/mempool?limit=50"},
		route{"v3 mempool", "/extended/v3/principals/" + escaped + "/mempool/transactions?limit=50"}); err != nil {
		return Account{}, err
	}
	a := Account{Next: max(nonces.Next, nonces.NextV3), Executed: nonces.Executed, Missing: append(nonces.Missing, nonces.Mempool.Missing...), Waiting: map[uint64]string{}}
	if a.Executed == nil {
		a.Executed = nonces.ExecutedV3
	}
	for _, tx := range mempool.Results {
		switch address { // what is sent to the account waits among them
		case tx.Of:
			if tx.Nonce != nil {
				a.Waiting[*tx.Nonce] = tx.TxID
			}
		case tx.Sender.Address:
			a.Waiting[tx.Sender.Nonce] = tx.TxID
		}
	}
	return a, nil
}

package apiclient

import (
	"context"
	"encoding/json"
	"strconv"
)

// STXBalance holds what a principal has of STX. Amounts are decimal numbers of micro-STX,
// which may be negative where a server lacks the beginning of the chain; "" is unknown.
type STXBalance struct {
	// Balance is all of it, with what is locked.
	Balance string `json:"balance"`
	Locked  string `json:"locked"`
	// UnlockHeight is the burn block height at which Locked becomes free, 0 for none.
	UnlockHeight int64 `json:"burnchain_unlock_height"`
	// Estimated is Balance after what waits in the memory pool: Inbound and Outbound.
	Estimated string `json:"estimated_balance"`
	Inbound   string `json:"pending_balance_inbound"`
	Outbound  string `json:"pending_balance_outbound"`
	// Mined is its reward for blocks in all, in micro-STX, "" where the server does not have it.
	Mined string                     `json:"total_miner_rewards_received"`
	Extra map[string]json.RawMessage `json:",embed"`
}

var stxBalanceNames = guess{
	names: map[string]string{
		"locked_amount": "locked", "locked_burn_unlock_height": "burnchain_unlock_height",
		"inbound": "pending_balance_inbound", "outbound": "pending_balance_outbound",
	},
	objects: map[string]string{"locked": "locked_", "mempool": ""},
}

// AccountBalance reads what a principal has of STX. One that was never used has nothing,
// which is no error.
func (c *Client) AccountBalance(ctx context.Context, principal string) (Answer[STXBalance], error) {
	return ofAccount[STXBalance](ctx, c, "balance", principal, "?include_mempool=true",
		route{2, "/extended/v2/addresses/{principal}/balances/stx"}, route{3, "/extended/v3/principals/{principal}/balances/stx"})
}

// ofAccount reads what a route before v3, with a query, says of an account, or a route of v3.
func ofAccount[T any](ctx context.Context, c *Client, op, principal, query string, before, v3 route) (Answer[T], error) {
	if err := CheckAccount(principal); err != nil {
		return Answer[T]{}, invalid(op, err)
	}
	return firstServed(ctx, c, op, by(c, before, principal, query, decode[T]), by(c, v3, principal, "", func(body []byte) (T, error) {
		return decodeWith[T](body, lenientV3)
	}))
}

// Nonces hold what is known of an account's nonces. Numbers that are not known are nil.
type Nonces struct {
	// Next is the nonce of the next transaction.
	Next int64 `json:"possible_next_nonce"`
	// LastExecuted is that of the last transaction in a block, LastPending that of the last
	// one that waits.
	LastExecuted *int64 `json:"last_executed_tx_nonce"`
	LastPending  *int64 `json:"last_mempool_tx_nonce"`
	// Pending wait; Missing lie between them, so that what follows cannot be mined.
	Pending []int64                    `json:"detected_mempool_nonces"`
	Missing []int64                    `json:"detected_missing_nonces"`
	Extra   map[string]json.RawMessage `json:",embed"`
}

var nonceNames = guess{
	names: map[string]string{
		"next_nonce": "possible_next_nonce", "last_confirmed_nonce": "last_executed_tx_nonce", "last_nonce": "last_mempool_tx_nonce",
		"pending_nonces": "detected_mempool_nonces", "missing_nonces": "detected_missing_nonces",
	},
	objects: map[string]string{"mempool": ""},
}

// AccountNonces reads the nonces of an account. The routes of v3 refuse a contract, which
// has none.
func (c *Client) AccountNonces(ctx context.Context, address string) (Answer[Nonces], error) {
	return ofAccount[Nonces](ctx, c, "nonces", address, "",
		route{1, "/extended/v1/address/{principal}/nonces"}, route{3, "/extended/v3/principals/{principal}/nonces"})
}

// Holding is a token that a principal has.
type Holding struct {
	// AssetID is ADDRESS.contract::name.
	AssetID string `json:"asset_identifier"`
	// Balance is a decimal number in the token's smallest unit; "" for a non-fungible token.
	Balance string `json:"balance"`
	// Value is that of a non-fungible token, nil for a fungible one.
	Value *ClarityValue              `json:"value"`
	TxID  string                     `json:"tx_id"` // that brought it, "" where it is not known
	Extra map[string]json.RawMessage `json:",embed"`
}

// maxHoldings limits how many tokens a page of holdings has.
const maxHoldings = 200

// FungibleHoldings reads the first 200 fungible tokens of a principal; Total counts all.
func (c *Client) FungibleHoldings(ctx context.Context, principal string) (Answer[List[Holding]], error) {
	return c.holdings(ctx, "fungible tokens of an account", principal,
		route{2, "/extended/v2/addresses/{principal}/balances/ft"}, "", route{3, "/extended/v3/principals/{principal}/balances/ft"})
}

// NonFungibleHoldings reads the first 200 non-fungible tokens of a principal; Total counts
// all.
func (c *Client) NonFungibleHoldings(ctx context.Context, principal string) (Answer[List[Holding]], error) {
	return c.holdings(ctx, "non-fungible tokens of an account", principal,
		route{1, "/extended/v1/tokens/nft/holdings"}, principal, route{3, "/extended/v3/principals/{principal}/balances/nft"})
}

// holdings reads a list of tokens by a route and, where that is gone, by one of v3. The
// principal is in the query of the first if it is not in its path.
func (c *Client) holdings(ctx context.Context, op, principal string, first route, inQuery string, second route) (Answer[List[Holding]], error) {
	if err := CheckAccount(principal); err != nil {
		return Answer[List[Holding]]{}, invalid(op, err)
	}
	all := addQuery("", "limit", strconv.Itoa(maxHoldings))
	return firstServed(ctx, c, op,
		by(c, first, principal, addQuery(all, "principal", inQuery), listOf(func(h *Holding) {
			if token := h.Extra["token"]; h.AssetID == "" && token != nil {
				_ = json.Unmarshal(token, &h.AssetID)
				delete(h.Extra, "token")
			}
		})),
		by(c, second, principal, all, listOf[Holding](nil)))
}

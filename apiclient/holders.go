package apiclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// RowPage is a page of a list of rows.
type RowPage[T any] struct {
	Results []T
	Total   int64
	// Next is the cursor of the page after this one, "" at the end.
	Next string
	// ByOffset reports whether pages are found by how many rows are before them.
	ByOffset bool
	Extra    map[string]json.RawMessage
}

// rowPage decodes a page of rows that are read by row.
func rowPage[T, R any](paged bool, row func(T) R) decoder[RowPage[R]] {
	return func(body []byte) (RowPage[R], error) {
		list, err := listWith[T](lenient, nil)(body)
		page := RowPage[R]{Total: list.Total, Next: nextV3(list.Extra), ByOffset: paged, Extra: list.Extra, Results: make([]R, len(list.Results))}
		for i, r := range list.Results {
			page.Results[i] = row(r)
		}
		if after := list.Offset + int64(len(list.Results)); paged && len(list.Results) > 0 && after < list.Total {
			page.Next = offsetCursor(after)
		}
		return page, err
	}
}

// Holder is an owner of a fungible token.
type Holder struct {
	Principal string
	// Balance is a decimal number in the token's smallest unit.
	Balance string
}

// MaxHolders is the most rows that a page of holders may have.
const MaxHolders = 100

// CheckAsset returns what is wrong with the name of a token, ADDRESS.contract::name.
func CheckAsset(asset string) error {
	contract, name, found := strings.Cut(asset, "::")
	if !found || name == "" || strings.ContainsAny(name, "/?#% ") {
		return fmt.Errorf("%q is no token of a contract: want ADDRESS.contract::name", asset)
	}
	return CheckPrincipal(contract)
}

// FungibleHolders reads a page of who has a fungible token, ADDRESS.contract::name, of 1 to 100
// rows: who has the most comes first. The cursor is the Next of the page before, "" for the first.
func (c *Client) FungibleHolders(ctx context.Context, asset string, limit int, cursor string) (Answer[RowPage[Holder]], error) {
	type v1 struct {
		Address string `json:"address"`
		Balance string `json:"balance"`
	}
	type v3 struct {
		Principal string `json:"principal"`
		Balance   string `json:"balance"`
	}
	list := longList[RowPage[Holder]]{
		paged: route{1, "/extended/v1/tokens/ft/{asset}/holders"}, decodePaged: rowPage(true, func(h v1) Holder { return Holder{h.Address, h.Balance} }),
		walked: route{3, "/extended/v3/tokens/ft/{asset_identifier}/holders"}, decodeWalked: rowPage(false, func(h v3) Holder { return Holder(h) }),
	}
	return list.read(ctx, c, "holders of a token", asset, limit, MaxHolders, cursor, CheckAsset(asset))
}

// TokenMove is a change of the owner of a non-fungible token.
type TokenMove struct {
	// Sender is "" for a mint, Recipient for a burn.
	Sender, Recipient string
	TxID              string
	Index             *int64
	// BlockHeight and BlockTime are 0 where they are not known.
	BlockHeight, BlockTime int64
}

// MaxTokenMoves is the most rows that a page of a token's history may have.
const MaxTokenMoves = 50

// NonFungibleHistory reads a page of what happened to a non-fungible token: of the asset
// ADDRESS.contract::name the one whose id is a Clarity value, in hexadecimal digits. The newest
// comes first.
func (c *Client) NonFungibleHistory(ctx context.Context, asset, value string, limit int, cursor string) (Answer[RowPage[TokenMove]], error) {
	type v1 struct {
		Sender    string      `json:"sender"`
		Recipient string      `json:"recipient"`
		Index     *int64      `json:"event_index"`
		TxID      string      `json:"tx_id"`
		Tx        Transaction `json:"tx"` // in place of the id, where the server knows tx_metadata
	}
	type v3 struct {
		Sender      string `json:"sender"`
		Recipient   string `json:"recipient"`
		Transaction struct {
			ID    string `json:"tx_id"`
			Index *int64 `json:"event_index"`
		} `json:"transaction"`
		Block struct {
			Height int64 `json:"height"`
			Time   int64 `json:"time"`
		} `json:"block"`
	}
	wrong := CheckAsset(asset)
	if digits, hex := strings.CutPrefix(value, "0x"); !hex || digits == "" || strings.Trim(digits, "0123456789abcdef") != "" {
		wrong = errors.Join(wrong, fmt.Errorf("%q is no Clarity value in hexadecimal digits", value))
	}
	list := longList[RowPage[TokenMove]]{
		paged: route{1, "/extended/v1/tokens/nft/history"},
		decodePaged: rowPage(true, func(m v1) TokenMove {
			move := TokenMove{Sender: m.Sender, Recipient: m.Recipient, TxID: cmp.Or(m.Tx.ID, m.TxID), Index: m.Index, BlockTime: m.Tx.BlockTime}
			if m.Tx.BlockHeight != nil {
				move.BlockHeight = *m.Tx.BlockHeight
			}
			return move
		}),
		pagedQuery: addQuery(addQuery(addQuery("", "asset_identifier", asset), "value", value), "tx_metadata", "true"),
		walked:     route{3, "/extended/v3/tokens/nft/{asset_identifier}/" + value + "/history"},
		decodeWalked: rowPage(false, func(m v3) TokenMove {
			return TokenMove{m.Sender, m.Recipient, m.Transaction.ID, m.Transaction.Index, m.Block.Height, m.Block.Time}
		}),
	}
	return list.read(ctx, c, "history of a token", asset, limit, MaxTokenMoves, cursor, wrong)
}

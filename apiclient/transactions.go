package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
)

// Among says which transactions a list is of: the newest of the chain, those of a block
// (by its height or hash), or those that concern a principal. Mempool lists what waits
// instead, of a principal or of all. The API chooses as far as it
// can; see TransactionPage.Left.
type Among struct {
	Block, Principal string
	Mempool          bool
	Chosen
}

// TransactionPage is a page of a list of transactions. The newest come first, but those of
// a block in the order of the route that answered: from its first by v2, from its last by
// v3. Events are never among what a list gives.
type TransactionPage struct {
	Results []ListedTransaction
	Total   int64
	// Next is the cursor of the page after this one, "" at the end.
	Next string
	// ByOffset reports whether pages are found by how many rows are before them.
	ByOffset bool
	// Left holds what the server did not choose by: the rows, and the total, are of others too.
	Left Chosen
}

// ListedTransaction is a transaction in a list.
type ListedTransaction struct {
	Transaction
	// Sent and Received are what the principal of the list sent, with its fee, and received
	// by the transaction, in micro-STX; "" in other lists.
	Sent, Received string
}

// MarshalJSON writes a transaction, and what the principal of the list sent and received.
func (t ListedTransaction) MarshalJSON() ([]byte, error) {
	raw, err := t.Transaction.MarshalJSON()
	if err != nil || t.Sent == "" && t.Received == "" {
		return raw, err
	}
	moved := fmt.Sprintf(`,"stx_sent":%q,"stx_received":%q}`, t.Sent, t.Received)
	return append(raw[:len(raw)-1], moved...), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *ListedTransaction) UnmarshalJSON(raw []byte) (err error) {
	if t.Transaction, err = decode[Transaction](raw); err != nil {
		return err
	}
	for name, to := range map[string]*string{"stx_sent": &t.Sent, "stx_received": &t.Received} {
		if value, there := t.Extra[name]; there {
			err = errors.Join(err, json.Unmarshal(value, to))
			delete(t.Extra, name)
		}
	}
	return err
}

// maxTransactions is the most rows that a page of transactions may have.
const maxTransactions = 50

// transactionsOp is the question for a list of transactions.
const transactionsOp = "transactions"

// Transactions reads a page of a list of transactions, of 1 to 50 rows. The cursor is the
// Next of the page before, "" for the first.
func (c *Client) Transactions(ctx context.Context, of Among, limit int, cursor string) (Answer[TransactionPage], error) {
	list, which, err := of.list()
	var paged, walked Chosen
	list.pagedQuery, paged = of.requested(list.filters)
	list.walkedQuery, walked = of.requested(list.filtersV3)
	a, err := list.read(ctx, c, transactionsOp, which, limit, maxTransactions, cursor, errors.Join(err, of.Check()))
	if a.Value.Left = paged; !a.Value.ByOffset {
		a.Value.Left = walked
		if walked.Types != of.Types && c.ignores(of.Types, a.Value.Results) {
			a.Value.Left.Types = of.Types
		}
	}
	return a, err
}

// transactionLists are the routes of a list of transactions, with the parameters by which they
// choose.
type transactionLists struct {
	longList[TransactionPage]
	filters, filtersV3 chosenNames
}

// list returns the list, and what its routes have in braces.
func (a Among) list() (list transactionLists, which string, err error) {
	list.decodePaged, list.decodeWalked = pageOf(true, lenient, plainRow), pageOf(false, lenientV3, plainRow)
	switch {
	case a.Block != "" && (a.Principal != "" || a.Mempool):
		err = errors.New("transactions of a block are neither those of a principal nor those that wait")
	case a.Block != "":
		list.paged, list.walked = route{2, "/extended/v2/blocks/{height_or_hash}/transactions"}, route{3, "/extended/v3/blocks/{height_or_hash}/transactions"}
		which, err = heightOrHash(a.Block)
	case a.Principal != "" && a.Mempool:
		list.paged, list.walked = route{1, "/extended/v1/address/{principal}/mempool"}, route{3, "/extended/v3/principals/{principal}/mempool/transactions"}
	case a.Principal != "":
		list.paged, list.walked = route{2, "/extended/v2/addresses/{principal}/transactions"}, route{3, "/extended/v3/principals/{principal}/transactions"}
		list.decodePaged, list.decodeWalked = pageOf(true, lenient, rowOfPrincipal), pageOf(false, lenientV3, rowOfPrincipalV3)
	case a.Mempool:
		list.paged, list.walked = route{1, "/extended/v1/tx/mempool"}, route{3, "/extended/v3/mempool/transactions"}
		list.filters, list.filtersV3 = pendingNames, namesOfV3
	default:
		list.paged, list.walked = route{1, "/extended/v1/tx"}, route{3, "/extended/v3/transactions"}
		list.filters, list.filtersV3 = minedNames, namesOfV3
	}
	if a.Principal != "" {
		which, err = a.Principal, errors.Join(err, CheckAccount(a.Principal))
	}
	return list, which, err
}

// pageOf returns the decoder of a list whose rows are read by row. The next page of a paged
// one is found by its offset.
func pageOf[T any](paged bool, options jsonv2.Options, row func(T) ListedTransaction) decoder[TransactionPage] {
	return func(body []byte) (TransactionPage, error) {
		list, err := listWith[T](options, nil)(body)
		page := TransactionPage{Total: list.Total, Next: nextV3(list.Extra), ByOffset: paged, Results: make([]ListedTransaction, len(list.Results))}
		for i, r := range list.Results {
			page.Results[i] = row(r)
		}
		if after := list.Offset + int64(len(list.Results)); paged && len(list.Results) > 0 && after < list.Total {
			page.Next = offsetCursor(after)
		}
		return page, err
	}
}

func plainRow(t Transaction) ListedTransaction { return ListedTransaction{Transaction: t} }

func rowOfPrincipal(row struct {
	Transaction Transaction `json:"tx"`
	Sent        string      `json:"stx_sent"`
	Received    string      `json:"stx_received"`
},
) ListedTransaction {
	return ListedTransaction{row.Transaction, row.Sent, row.Received}
}

func rowOfPrincipalV3(row struct {
	Transaction Transaction `json:"transaction"`
	Changes     struct {
		STX struct {
			Sent     string `json:"sent"`
			Received string `json:"received"`
		} `json:"stx"`
	} `json:"balance_changes"`
},
) ListedTransaction {
	return ListedTransaction{row.Transaction, row.Changes.STX.Sent, row.Changes.STX.Received}
}

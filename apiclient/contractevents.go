package apiclient

import "context"

// ContractEvent is an event of a contract, and the transaction that it is of.
type ContractEvent struct {
	TxID string `json:"tx_id"`
	Event
}

// ContractEventPage is a page of the events of a contract, the newest first.
type ContractEventPage struct {
	Results []ContractEvent `json:"results"`
	// Total counts all of them, 0 where the route does not say.
	Total int64 `json:"total"`
	// Next is the cursor of the page after this one, "" at the end.
	Next string `json:"-"`
}

// MaxContractEvents is the most rows that a page of events of a contract may have.
const MaxContractEvents = 100

// ContractEvents reads a page of what a contract printed, of 1 to 100 rows; the routes give no
// other events of a contract. The cursor is the Next of the page before, "" for the first.
func (c *Client) ContractEvents(ctx context.Context, principal string, limit int, cursor string) (Answer[ContractEventPage], error) {
	list := longList[ContractEventPage]{
		paged:  route{1, "/extended/v1/contract/{contract_id}/events"},
		walked: route{2, "/extended/v2/smart-contracts/{contract_id}/logs"},
		decodePaged: contractEvents(func(l *pageOfEvents) string {
			if n := int64(len(l.Results)); n > 0 && n >= l.Limit {
				return offsetCursor(l.Offset + n) // there may be more: nothing reports how many there are
			}
			return ""
		}),
		decodeWalked: contractEvents(func(l *pageOfEvents) string { return l.NextCursor }),
	}
	return list.read(ctx, c, "events of a contract", principal, limit, MaxContractEvents, cursor, CheckPrincipal(principal))
}

// pageOfEvents is a page as its routes have it.
type pageOfEvents struct {
	Limit      int64           `json:"limit"`
	Offset     int64           `json:"offset"`
	Total      int64           `json:"total"`
	NextCursor string          `json:"next_cursor"`
	Results    []ContractEvent `json:"results"`
}

func contractEvents(next func(*pageOfEvents) string) decoder[ContractEventPage] {
	return func(body []byte) (ContractEventPage, error) {
		list, err := decode[pageOfEvents](body)
		if err == nil && list.Results == nil {
			err = &decodeError{Offset: len(body), Reason: "the list has no field results"}
		}
		return ContractEventPage{list.Results, list.Total, next(&list)}, err
	}
}

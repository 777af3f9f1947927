package apiclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// MissingEvents returns how many of its events are not known.
func (t *Transaction) MissingEvents() int64 {
	if t.EventCount == nil {
		return 0
	}
	return max(0, *t.EventCount-int64(len(t.Events)))
}

// MaxEvents limits how many events come with a transaction, and with one request for more of
// them: the routes take no more.
const MaxEvents = 100

// ErrChanged is the cause of an error of MoreEvents where the server has another block or
// another number of events for the transaction by now.
var ErrChanged = errors.New("the transaction has changed since its first events were read: read it again")

// MoreEvents reads the next events of a transaction, at most MaxEvents of them, and returns
// it with them. After ErrChanged nothing that was read before counts.
func (c *Client) MoreEvents(ctx context.Context, t *Transaction) (Answer[Transaction], error) {
	const op = "events of a transaction"
	id, err := normalHash(t.ID)
	if err != nil {
		return Answer[Transaction]{}, invalid(op, err)
	}
	from := strconv.Itoa(len(t.Events))
	query := addQuery(addQuery("", "event_limit", strconv.Itoa(MaxEvents)), "event_offset", from)
	a, err := firstServed(ctx, c, op,
		by(c, route{1, "/extended/v1/tx/{tx_id}"}, id, query, decode[Transaction]),
		form[Transaction]{route{1, "/extended/v1/tx/multiple"}, func(ctx context.Context, op string) (Answer[Transaction], error) {
			return c.oneOfMultiple(ctx, op, id, query)
		}},
		by(c, route{3, "/extended/v3/transactions/{tx_id}/events"}, id, addQuery(addQuery("", "limit", strconv.Itoa(MaxEvents)), "cursor", from), func(body []byte) (Transaction, error) {
			list, err := listWith[Event](lenientV3, nil)(body)
			return Transaction{EventCount: &list.Total, BlockHash: t.BlockHash, Events: list.Results}, err
		}))
	if err != nil {
		return a, err
	}
	whole := *t
	if whole.Events, err = joinedEvents(t, &a.Value); err != nil {
		return a, &Error{Kind: Decode, Op: op, ExchangeID: a.ExchangeID, Err: err}
	}
	a.Value = whole
	return a, nil
}

// joinedEvents returns the events of a transaction with those that follow on them.
func joinedEvents(t, page *Transaction) ([]Event, error) {
	switch known := int64(len(t.Events)); {
	case page.EventCount == nil || t.EventCount == nil || *page.EventCount != *t.EventCount || page.BlockHash != t.BlockHash:
		return nil, ErrChanged
	case len(page.Events) == 0 || int64(len(page.Events)) > t.MissingEvents():
		return nil, fmt.Errorf("%d events came where %d are missing", len(page.Events), t.MissingEvents())
	case page.Events[0].Index != nil && *page.Events[0].Index != known:
		return nil, fmt.Errorf("the events begin with number %d where number %d was requested", *page.Events[0].Index, known)
	}
	return slices.Concat(t.Events, page.Events), nil
}

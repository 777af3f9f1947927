package apiclient

import (
	"context"
	"net/http"
	"time"

	"chainscope/apiclient/wire"
)

// What a user of the client sees of the way that its requests take.
type (
	// Exchange is one call as it went over the wire.
	Exchange = wire.Exchange
	// ExchangeLog keeps the last exchanges.
	ExchangeLog = wire.ExchangeLog
	// Try is one request of an exchange.
	Try = wire.Try
	// Gate decides when a request may be sent to a server.
	Gate = wire.Gate
)

// NewGate returns an open gate; now is time.Now if it is nil.
func NewGate(now func() time.Time) *Gate { return wire.NewGate(now) }

// AtLowPriority marks the calls of a context as work that nobody waits for, see
// wire.AtLowPriority.
func AtLowPriority(ctx context.Context) context.Context { return wire.AtLowPriority(ctx) }

// AtBulkPriority marks the calls of a context as parts of one long reading, see
// wire.AtBulkPriority.
func AtBulkPriority(ctx context.Context) context.Context { return wire.AtBulkPriority(ctx) }

// Limited returns a RoundTripper that counts requests to the client's server against its
// limit, such as those for pictures that it serves, and sends all others at once. It adds
// none of the user's headers.
func (c *Client) Limited(next http.RoundTripper) http.RoundTripper { return c.transport.Limited(next) }

package apiclient

import (
	"context"
	"encoding/json"

	"chainscope/apiclient/internal/jsoncursor"
)

var namespacesDecoder = newDecoder(requireObject(func(c *jsoncursor.Cursor, names *[]string) {
	table := fieldTable[[]string]{{"namespaces", func(c *jsoncursor.Cursor, names *[]string) { *names = texts(c) }}}
	table.decode(c, names, new(map[string]json.RawMessage))
	if *names == nil && c.Err() == nil {
		c.Fail(c.Offset(), "the answer has no field namespaces")
	}
}))

// Namespaces lists the namespaces of names, as the server orders them. They are those
// of the first registry (the contract SP000000000000000000002Q6VF78.bns, BNS v1), like
// the names of Names. The contract has no such route: on a server without one
// RouteGone reports the error.
func (c *Client) Namespaces(ctx context.Context) (Answer[[]string], error) {
	return fetch(ctx, c, request[[]string]{op: "namespaces", store: true, decode: namespacesDecoder, path: "/v1/namespaces"})
}

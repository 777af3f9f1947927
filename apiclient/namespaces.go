package apiclient

import "context"

// decodeNamespaces decodes the list of namespaces.
func decodeNamespaces(body []byte) ([]string, error) {
	list, err := decode[struct {
		Namespaces []string `json:"namespaces"`
	}](body)
	if err == nil && list.Namespaces == nil {
		err = &decodeError{Offset: len(body), Reason: "the answer has no field namespaces"}
	}
	return list.Namespaces, err
}

// Namespaces lists the namespaces of names, as the server orders them. They are those
// of the first registry (the contract SP000000000000000000002Q6VF78.bns, BNS v1), like
// the names of Names. The contract has no such route: on a server without one
// RouteGone reports the error.
func (c *Client) Namespaces(ctx context.Context) (Answer[[]string], error) {
	return get(ctx, c, "namespaces", "/v1/namespaces", decodeNamespaces)
}

package apiclient

import "context"

// NameOfV1 is a name of the first registry, BNS v1.
type NameOfV1 struct {
	Address string `json:"address"`
	// ExpireBlock is the burn block at which it expires, 0 where nothing says so.
	ExpireBlock int64  `json:"expire_block"`
	Status      string `json:"status"`
}

// NameOfV1 reads who owns a name, subdomains among them, in BNS v1. One that it does not have
// is NotFound, which does not say that it is free: the other registry may have it.
func (c *Client) NameOfV1(ctx context.Context, name string) (Answer[NameOfV1], error) {
	return get(ctx, c, "name", "/v1/names/"+escapeSegment(name), decode[NameOfV1])
}

package apiclient

import (
	"context"
	"errors"
)

// AllNames reads every name of a namespace, pages concurrently, and holds them
// in the server's order. On an error nothing is returned.
func (c *Client) AllNames(ctx context.Context, namespace string, q AllNamesQuery) (*NameList, error) {
	list := &NameList{}
	err := c.NamesPages(ctx, namespace, q, func(_ int, names []string) error {
		for _, n := range names {
			if !list.Append(n) {
				return &Error{Kind: ServerFault, Op: namesOp, Err: errors.New("the names take more than 4 GiB")}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list.Compact()
	return list, nil
}

package apiclient

import (
	"context"
	"strconv"
)

const replacedOp = "block that was replaced"

// FindBlock reads the block that a height or a hash names: the highest of the burn block
// with it, else the block of the chain with it. ofBurnBlock says which. A number up to
// the newest burn height is never read as the height of a block, since a burn block may
// have none.
func (c *Client) FindBlock(ctx context.Context, heightOrHash string) (found Answer[Block], ofBurnBlock bool, err error) {
	height, err := strconv.ParseInt(heightOrHash, 10, 64)
	isHeight := err == nil && len(heightOrHash) < hashDigits
	if isHeight {
		found, err = c.BlockByBurnHeight(ctx, height)
	} else {
		found, err = c.BlockByBurnHash(ctx, heightOrHash)
	}
	if KindOf(err) != NotFound {
		return found, true, err
	}
	if isHeight {
		if tip, other := c.Block(ctx, "latest"); other != nil || height <= tip.Value.BurnBlockHeight {
			return found, true, err
		}
	}
	block, other := c.Block(ctx, heightOrHash)
	if other == nil {
		return block, false, nil
	}
	if !isHeight {
		// One that was replaced has the oldest of the routes alone.
		if hash, wrong := normalHash(heightOrHash); wrong == nil {
			if block, other = firstServed(ctx, c, replacedOp, by(c, route{1, "/extended/v1/block/{hash}"}, hash, "", decodeBlock)); other == nil {
				return block, false, nil
			}
		}
	}
	return found, true, err
}

// hashDigits is the number of hex digits that a hash has. As many decimal ones are a hash too.
const hashDigits = 64

package apiclient

import (
	"context"
	"errors"
	"net/url"
	"strconv"
)

// FungibleToken reads the metadata of a SIP-010 token (endpoint 1); locale ""
// is the token's own.
func (c *Client) FungibleToken(ctx context.Context, principal, locale string) (Answer[FungibleToken], error) {
	const op = "fungible token"
	if err := errors.Join(ValidPrincipal(principal), ValidLocale(locale)); err != nil {
		return Answer[FungibleToken]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[FungibleToken]{
		op: op, store: true, decode: fungibleDecoder,
		path: "/metadata/v1/ft/" + principal + inLocale(locale),
	})
}

// NonFungibleToken reads the metadata of one SIP-009 token (endpoint 2).
// tokenID is a whole number in decimal digits.
func (c *Client) NonFungibleToken(ctx context.Context, principal, tokenID, locale string) (Answer[NonFungibleToken], error) {
	const op = "non-fungible token"
	if err := errors.Join(ValidPrincipal(principal), validTokenID(tokenID), ValidLocale(locale)); err != nil {
		return Answer[NonFungibleToken]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[NonFungibleToken]{
		op: op, store: true, decode: nonFungibleDecoder,
		path: "/metadata/v1/nft/" + principal + "/" + tokenID + inLocale(locale),
	})
}

func inLocale(locale string) string {
	if locale == "" {
		return ""
	}
	return "?locale=" + url.QueryEscape(locale)
}

// The questions about blocks, by the names that errors and InForce give them.
const (
	blocksOp     = "blocks"
	blockOp      = "block"
	burnBlocksOp = "burn-blocks"
)

// BurnBlockBlocks lists the Stacks blocks of a burn block (endpoint 3), which
// is given as "latest", a height or a hash.
func (c *Client) BurnBlockBlocks(ctx context.Context, burnBlock string, p Page) (Answer[BlockList[ListedBlock]], error) {
	which, err := heightOrHash(burnBlock)
	if err := errors.Join(err, validPage(p)); err != nil {
		return Answer[BlockList[ListedBlock]]{}, invalid(burnBlocksOp, err)
	}
	return firstServed(ctx, c, burnBlocksOp,
		form[BlockList[ListedBlock]]{burnBlockBlocksV2, func(ctx context.Context) (Answer[BlockList[ListedBlock]], error) {
			return fetch(ctx, c, request[BlockList[ListedBlock]]{
				op: burnBlocksOp, store: true, decode: burnBlocksDecoder,
				path: "/extended/v2/burn-blocks/" + which + "/blocks" + p.query(),
			})
		}},
		form[BlockList[ListedBlock]]{burnBlockBlocksV3, func(ctx context.Context) (Answer[BlockList[ListedBlock]], error) {
			return listed(c.walkV3(ctx, burnBlocksOp, "/extended/v3/bitcoin-blocks/"+which+"/blocks", p, "", p.Offset))
		}})
}

// The routes that list the blocks of a burn block.
var (
	burnBlockBlocksV2 = route{2, "/extended/v2/burn-blocks/{height_or_hash}/blocks"}
	burnBlockBlocksV3 = route{3, "/extended/v3/bitcoin-blocks/{height_or_hash}/blocks"}
)

// BlockByBurnHeight reads the highest Stacks block of the burn block at height
// (endpoint 4). A burn block may have none, which is NotFound.
func (c *Client) BlockByBurnHeight(ctx context.Context, height int64) (Answer[Block], error) {
	const op = "block by burn height"
	if err := validHeight(height); err != nil {
		return Answer[Block]{}, invalid(op, err)
	}
	return c.blockOfBurnBlock(ctx, op, "by_burn_block_height", strconv.FormatInt(height, 10))
}

// BlockByBurnHash is BlockByBurnHeight for a burn block's hash, with 0x or
// without (endpoint 5).
func (c *Client) BlockByBurnHash(ctx context.Context, hash string) (Answer[Block], error) {
	const op = "block by burn hash"
	hash, err := normalHash(hash)
	if err != nil {
		return Answer[Block]{}, invalid(op, err)
	}
	return c.blockOfBurnBlock(ctx, op, "by_burn_block_hash", hash)
}

// blockOfBurnBlock reads the highest block of a burn block: by v1's route of that
// name, or as the first of the burn block's listing.
func (c *Client) blockOfBurnBlock(ctx context.Context, op, name, which string) (Answer[Block], error) {
	one := 1
	first := Page{Limit: &one}
	return firstServed(ctx, c, op,
		form[Block]{route{1, "/extended/v1/block/" + name + "/{" + name[len("by_"):] + "}"}, func(ctx context.Context) (Answer[Block], error) {
			return fetch(ctx, c, request[Block]{
				op: op, store: true, decode: blockDecoder, path: "/extended/v1/block/" + name + "/" + which,
			})
		}},
		form[Block]{burnBlockBlocksV2, func(ctx context.Context) (Answer[Block], error) {
			a, err := fetch(ctx, c, request[BlockList[Block]]{
				op: op, store: true, decode: blocksV2Decoder,
				path: "/extended/v2/burn-blocks/" + which + "/blocks" + first.query(),
			})
			return firstOf(op, a, err)
		}},
		form[Block]{burnBlockBlocksV3, func(ctx context.Context) (Answer[Block], error) {
			a, err := c.walkV3(ctx, op, "/extended/v3/bitcoin-blocks/"+which+"/blocks", first, "", 0)
			return firstOf(op, a, err)
		}})
}

// Block reads a block of the chain by its height, its hash or its index hash, or the
// "latest". The contract has no such route: on a server without one RouteGone reports
// the error. Blocks that were replaced are not found.
func (c *Client) Block(ctx context.Context, heightOrHashOrLatest string) (Answer[Block], error) {
	which, err := heightOrHash(heightOrHashOrLatest)
	if err != nil {
		return Answer[Block]{}, invalid(blockOp, err)
	}
	return firstServed(ctx, c, blockOp,
		form[Block]{route{2, "/extended/v2/blocks/{height_or_hash}"}, func(ctx context.Context) (Answer[Block], error) {
			return c.blockV2(ctx, which)
		}},
		form[Block]{route{3, "/extended/v3/blocks/{height_or_hash}"}, func(ctx context.Context) (Answer[Block], error) {
			return c.blockV3(ctx, which)
		}})
}

// Blocks lists recent blocks, the newest first (endpoint 6).
func (c *Client) Blocks(ctx context.Context, p Page) (Answer[BlockList[Block]], error) {
	if err := validPage(p); err != nil {
		return Answer[BlockList[Block]]{}, invalid(blocksOp, err)
	}
	return firstServed(ctx, c, blocksOp,
		form[BlockList[Block]]{route{1, "/extended/v1/block"}, func(ctx context.Context) (Answer[BlockList[Block]], error) {
			return fetch(ctx, c, request[BlockList[Block]]{
				op: blocksOp, store: true, decode: blocksDecoder, path: "/extended/v1/block" + p.query(),
			})
		}},
		form[BlockList[Block]]{route{2, "/extended/v2/blocks"}, func(ctx context.Context) (Answer[BlockList[Block]], error) {
			return c.blocksV2(ctx, p)
		}},
		form[BlockList[Block]]{route{3, "/extended/v3/blocks"}, func(ctx context.Context) (Answer[BlockList[Block]], error) {
			return c.blocksV3(ctx, p)
		}})
}

// query returns the parameters that differ from the server's defaults.
func (p Page) query() string {
	q := ""
	if p.Limit != nil {
		q = "?limit=" + strconv.Itoa(*p.Limit)
	}
	if p.Offset != 0 {
		if q == "" {
			q = "?"
		} else {
			q += "&"
		}
		q += "offset=" + strconv.Itoa(p.Offset)
	}
	return q
}

package apiclient

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
)

// FungibleToken reads the metadata of a SIP-010 token (endpoint 1); locale ""
// is the token's own.
func (c *Client) FungibleToken(ctx context.Context, principal, locale string) (Answer[FungibleToken], error) {
	const op = "fungible token"
	if err := errors.Join(CheckPrincipal(principal), CheckLocale(locale)); err != nil {
		return Answer[FungibleToken]{}, invalid(op, err)
	}
	return get(ctx, c, op, "/metadata/v1/ft/"+principal+addQuery("", "locale", locale), decodeFungible)
}

// NonFungibleToken reads the metadata of one SIP-009 token (endpoint 2).
// tokenID is a whole number in decimal digits.
func (c *Client) NonFungibleToken(ctx context.Context, principal, tokenID, locale string) (Answer[NonFungibleToken], error) {
	const op = "non-fungible token"
	if err := errors.Join(CheckPrincipal(principal), validTokenID(tokenID), CheckLocale(locale)); err != nil {
		return Answer[NonFungibleToken]{}, invalid(op, err)
	}
	return get(ctx, c, op, "/metadata/v1/nft/"+principal+"/"+tokenID+addQuery("", "locale", locale), decodeBut[NonFungibleToken])
}

// The questions about blocks, by the names that errors and InForce give them.
const (
	blocksOp     = "blocks"
	blockOp      = "block"
	burnBlocksOp = "burn-blocks"
)

// BurnBlockBlocks lists the Stacks blocks of a burn block (endpoint 3), which
// is given as "latest", a height or a hash.
func (c *Client) BurnBlockBlocks(ctx context.Context, burnBlock string, p Page) (Answer[List[ListedBlock]], error) {
	which, err := heightOrHash(burnBlock)
	if err := errors.Join(err, validPage(p)); err != nil {
		return Answer[List[ListedBlock]]{}, invalid(burnBlocksOp, err)
	}
	return firstServed(ctx, c, burnBlocksOp,
		by(c, burnBlockBlocksV2, which, p.query(), listOf[ListedBlock](nil)),
		form[List[ListedBlock]]{burnBlockBlocksV3, func(ctx context.Context, op string) (Answer[List[ListedBlock]], error) {
			return walk[ListedBlock]{op: op, path: burnBlockBlocksV3.path(which)}.read(ctx, c, p, "", p.Offset)
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
	first := Page{Limit: 1}
	return firstServed(ctx, c, op,
		by(c, route{1, "/extended/v1/block/" + name + "/{" + name[len("by_"):] + "}"}, which, "", decodeBlock),
		form[Block]{burnBlockBlocksV2, func(ctx context.Context, op string) (Answer[Block], error) {
			a, err := get(ctx, c, op, burnBlockBlocksV2.path(which)+first.query(), decodeBlocksV2)
			return firstOf(op, a, err)
		}},
		form[Block]{burnBlockBlocksV3, func(ctx context.Context, op string) (Answer[Block], error) {
			a, err := walk[Block]{op: op, path: burnBlockBlocksV3.path(which)}.page(ctx, c, first, "")
			return firstOf(op, a, err)
		}})
}

var blockRoutes = [...]route{{2, "/extended/v2/blocks/{height_or_hash}"}, {3, "/extended/v3/blocks/{height_or_hash}"}}

// BlockURL returns the address that answers with one block, "" where the server has none.
func (c *Client) BlockURL(hash string) string { return c.urlOf(hash, blockRoutes[:]...) }

// BurnBlockURL returns the address that answers with the blocks of a burn block, "" where
// the server has none.
func (c *Client) BurnBlockURL(height int64) string {
	return c.urlOf(strconv.FormatInt(height, 10), burnBlockBlocksV2, burnBlockBlocksV3)
}

// urlOf fills the first route in that is not known to be gone.
func (c *Client) urlOf(which string, routes ...route) string {
	gone := c.InForce().Gone
	for _, r := range routes {
		if !slices.Contains(gone, r.pattern) {
			return c.base + r.path(url.PathEscape(which))
		}
	}
	return ""
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
		by(c, blockRoutes[0], which, "", decodeBlockV2),
		by(c, blockRoutes[1], which, "", func(body []byte) (Block, error) { return decodeWith[Block](body, lenientV3) }))
}

// Blocks lists recent blocks, the newest first (endpoint 6).
func (c *Client) Blocks(ctx context.Context, p Page) (Answer[List[Block]], error) {
	if err := validPage(p); err != nil {
		return Answer[List[Block]]{}, invalid(blocksOp, err)
	}
	return firstServed(ctx, c, blocksOp,
		by(c, route{1, "/extended/v1/block"}, "", p.query(), listOf[Block](nil)),
		form[List[Block]]{route{2, "/extended/v2/blocks"}, func(ctx context.Context, _ string) (Answer[List[Block]], error) {
			return c.blocksV2(ctx, p)
		}},
		form[List[Block]]{route{3, "/extended/v3/blocks"}, func(ctx context.Context, _ string) (Answer[List[Block]], error) {
			return c.blocksV3(ctx, p)
		}})
}

// query returns the parameters that differ from the server's defaults.
func (p Page) query() string {
	q := ""
	if p.Limit != 0 {
		q = addQuery(q, "limit", strconv.Itoa(max(0, p.Limit)))
	}
	if p.Offset != 0 {
		q = addQuery(q, "offset", strconv.Itoa(p.Offset))
	}
	return q
}

// addQuery adds a parameter to a query, unless its value is "".
func addQuery(query, name, value string) string {
	switch {
	case value == "":
		return query
	case query == "":
		return "?" + name + "=" + url.QueryEscape(value)
	}
	return query + "&" + name + "=" + url.QueryEscape(value)
}

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

// BurnBlockBlocks lists the Stacks blocks of a burn block (endpoint 3), which
// is given as "latest", a height or a hash.
func (c *Client) BurnBlockBlocks(ctx context.Context, burnBlock string, p Page) (Answer[BlockList[ListedBlock]], error) {
	const op = "burn-blocks"
	which, err := heightOrHash(burnBlock)
	if err := errors.Join(err, validPage(p)); err != nil {
		return Answer[BlockList[ListedBlock]]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[BlockList[ListedBlock]]{
		op: op, store: true, decode: burnBlocksDecoder,
		path: "/extended/v2/burn-blocks/" + which + "/blocks" + p.query(),
	})
}

// BlockByBurnHeight reads the highest Stacks block of the burn block at height
// (endpoint 4). A burn block may have none, which is NotFound.
func (c *Client) BlockByBurnHeight(ctx context.Context, height int64) (Answer[Block], error) {
	const op = "block by burn height"
	if err := validHeight(height); err != nil {
		return Answer[Block]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[Block]{
		op: op, store: true, decode: blockDecoder,
		path: "/extended/v1/block/by_burn_block_height/" + strconv.FormatInt(height, 10),
	})
}

// BlockByBurnHash is BlockByBurnHeight for a burn block's hash, with 0x or
// without (endpoint 5).
func (c *Client) BlockByBurnHash(ctx context.Context, hash string) (Answer[Block], error) {
	const op = "block by burn hash"
	hash, err := normalHash(hash)
	if err != nil {
		return Answer[Block]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[Block]{
		op: op, store: true, decode: blockDecoder,
		path: "/extended/v1/block/by_burn_block_hash/" + hash,
	})
}

// Blocks lists recent blocks, the newest first (endpoint 6).
func (c *Client) Blocks(ctx context.Context, p Page) (Answer[BlockList[Block]], error) {
	const op = "blocks"
	if err := validPage(p); err != nil {
		return Answer[BlockList[Block]]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[BlockList[Block]]{
		op: op, store: true, decode: blocksDecoder,
		path: "/extended/v1/block" + p.query(),
	})
}

// query returns the parameters that differ from the server's defaults.
func (p Page) query() string {
	q := ""
	if p.Limit != nil {
		q = "?limit=" + strconv.Itoa(*p.Limit)
	}
	if p.Offset > 0 {
		if q == "" {
			q = "?"
		} else {
			q += "&"
		}
		q += "offset=" + strconv.Itoa(p.Offset)
	}
	return q
}

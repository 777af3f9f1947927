package apiclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// Locked are amounts in satoshi and micro-STX, decimal numbers.
type Locked struct {
	BTC string `json:"btc"`
	STX string `json:"stx"`
}

// Earned are rewards in satoshi, decimal numbers.
type Earned struct {
	BTC struct {
		Accrued   string `json:"accrued"`
		Claimed   string `json:"claimed"`
		Claimable string `json:"claimable"`
	} `json:"btc"`
}

// StakingPosition holds what an account stakes by itself, and in bonds.
type StakingPosition struct {
	STX struct {
		Locked  string `json:"locked"`
		Rewards Earned `json:"rewards"`
	} `json:"stx"`
	Bonds struct {
		Count   int64  `json:"count"`
		Locked  Locked `json:"locked"`
		Rewards Earned `json:"rewards"`
	} `json:"bonds"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// Staking reads what an account stakes. One that never did has zeros.
func (c *Client) Staking(ctx context.Context, principal string) (Answer[StakingPosition], error) {
	const op = "staking"
	if err := CheckAccount(principal); err != nil {
		return Answer[StakingPosition]{}, invalid(op, err)
	}
	return get(ctx, c, op, "/extended/v3/principals/"+escapeSegment(principal)+"/staking", decode[StakingPosition])
}

// BondPosition is the part that an account has in a bond.
type BondPosition struct {
	Bond int64 `json:"bond_index"`
	// Status is enrolled or early_exit; Active is false after an early exit.
	Status  string                     `json:"status"`
	Active  bool                       `json:"active"`
	Locked  Locked                     `json:"locked"`
	Rewards Earned                     `json:"rewards"`
	Extra   map[string]json.RawMessage `json:",embed"`
}

// maxBonds is the length of a page of bonds, or of what belongs to one.
const maxBonds = 50

// BondsOf reads the first 50 bonds that an account registered for; Total counts all.
func (c *Client) BondsOf(ctx context.Context, principal string) (Answer[List[BondPosition]], error) {
	const op = "bonds of an account"
	if err := CheckAccount(principal); err != nil {
		return Answer[List[BondPosition]]{}, invalid(op, err)
	}
	return get(ctx, c, op, "/extended/v3/principals/"+escapeSegment(principal)+"/staking/bonds"+pageQuery(maxBonds, ""), listOf[BondPosition](nil))
}

// Bond is a protocol bond.
type Bond struct {
	Index int64 `json:"index"`
	// Status is upcoming, active or unlocked.
	Status     string `json:"status"`
	Parameters struct {
		Rate     int64  `json:"target_rate_bps"` // a year, in hundredths of a percent
		Ratio    int64  `json:"stx_value_ratio"`
		Least    int64  `json:"minimum_stx_ratio"`
		Capacity string `json:"btc_capacity"` // satoshi
	} `json:"parameters"`
	Registrations struct {
		Allowed    int64 `json:"allowed_count"`
		Registered int64 `json:"registered_count"`
	} `json:"registrations"`
	Schedule struct {
		Activation BondPoint `json:"activation"`
		Unlock     BondPoint `json:"unlock"`
	} `json:"schedule"`
	Balances struct {
		Locked Locked `json:"locked"`
	} `json:"balances"`
	// Transaction set it up; it is empty in a list.
	Transaction struct {
		ID string `json:"tx_id"`
	} `json:"transaction"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// BondPoint is the beginning or the end of a bond.
type BondPoint struct {
	Height int64 `json:"bitcoin_height"`
	Cycle  int64 `json:"pox_cycle"`
}

// Registration is the part of a bond that an account has.
type Registration struct {
	Staker   string                     `json:"staker"`
	Signer   string                     `json:"signer"`
	Type     string                     `json:"type"` // l1 for bitcoin on Bitcoin, l2 for sBTC
	Balances Locked                     `json:"balances"`
	Extra    map[string]json.RawMessage `json:",embed"`
}

// pageQuery returns the query for a page of a list of v3 that begins at a cursor.
func pageQuery(limit int, cursor string) string {
	return addQuery(addQuery("", "limit", strconv.Itoa(limit)), "cursor", cursor)
}

// Bonds reads a page of the bonds, the newest first.
func (c *Client) Bonds(ctx context.Context, cursor string) (Answer[List[Bond]], error) {
	return get(ctx, c, "bonds", "/extended/v3/staking/bonds"+pageQuery(maxBonds, cursor), listOf[Bond](nil))
}

// Bond reads one.
func (c *Client) Bond(ctx context.Context, index int64) (Answer[Bond], error) {
	const op = "bond"
	if index < 0 || index > 1<<31-1 {
		return Answer[Bond]{}, invalid(op, fmt.Errorf("bond %d: want a number from 0", index))
	}
	return get(ctx, c, op, "/extended/v3/staking/bonds/"+strconv.FormatInt(index, 10), decode[Bond])
}

// Registrations reads the newest 50 registrations for a bond; Total counts all.
func (c *Client) Registrations(ctx context.Context, index int64) (Answer[List[Registration]], error) {
	return get(ctx, c, "registrations for a bond", "/extended/v3/staking/bonds/"+strconv.FormatInt(index, 10)+"/registrations"+pageQuery(maxBonds, ""), listOf[Registration](nil))
}

// Signer is a contract that runs a signer.
type Signer struct {
	ID  string `json:"signer"`
	Key string `json:"signer_key"` // that it registered last
	// Transaction registered the key; it is empty in a list.
	Transaction struct {
		ID string `json:"tx_id"`
	} `json:"transaction"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// Staker is an account that stakes with a signer. Types are stx, btc or both.
type Staker struct {
	Staker string                     `json:"staker"`
	Types  []string                   `json:"types"`
	Extra  map[string]json.RawMessage `json:",embed"`
}

// maxSigners is the length of a page of signers, or of stakers.
const maxSigners = 200

// Signers reads a page of the signers, by name.
func (c *Client) Signers(ctx context.Context, cursor string) (Answer[List[Signer]], error) {
	return get(ctx, c, "signers", "/extended/v3/staking/signers"+pageQuery(maxSigners, cursor), listOf[Signer](nil))
}

// Signer reads one.
func (c *Client) Signer(ctx context.Context, id string) (Answer[Signer], error) {
	const op = "signer"
	if err := CheckAccount(id); err != nil {
		return Answer[Signer]{}, invalid(op, err)
	}
	return get(ctx, c, op, "/extended/v3/staking/signers/"+escapeSegment(id), decode[Signer])
}

// Stakers reads the first 200 who stake with a signer; Total counts all.
func (c *Client) Stakers(ctx context.Context, signer string) (Answer[List[Staker]], error) {
	return get(ctx, c, "stakers of a signer", "/extended/v3/staking/signers/"+escapeSegment(signer)+"/stakers"+pageQuery(maxSigners, ""), listOf[Staker](nil))
}

// NextCursor returns the cursor of the page after one of v3, "" at the end. A page that leads to itself
// is the last: some servers give what one transaction made one cursor.
func NextCursor[T any](page List[T]) string {
	var cursor struct{ Next, Current *string }
	if json.Unmarshal(page.Extra["cursor"], &cursor) != nil || cursor.Next == nil || cursor.Current != nil && *cursor.Next == *cursor.Current {
		return ""
	}
	return *cursor.Next
}

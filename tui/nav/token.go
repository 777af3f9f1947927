package nav

import (
	"strings"

	"chainscope/wallet/c32"
)

// recognisePrincipal reads a contract principal, alone or with a token id
// after ::, /, # or a blank, or with an asset name after ::.
func (r *recogniser) recognisePrincipal(in string) {
	in = strings.TrimPrefix(in, "'") // as Clarity writes principals
	principal, rest, separator := splitToken(in)
	if err := CheckPrincipal(principal); err != nil {
		r.failPrincipal(in, principal, rest, separator, err)
		return
	}
	if r.mistyped(in, principal) {
		return
	}
	if rest == "" {
		token, contract, account := rankGood, rankBest, rankThird // that it is a token is a row of it
		switch r.ctx.Here.Kind.Tab() {
		case KindTokens:
			token, contract = rankBest, rankGood
		case KindAccounts:
			contract, account = rankGood, rankBest
		}
		r.ok(token, "fungible token", principal, FT(principal, ""), "")
		r.ok(contract, "contract", principal, Contract(principal), "its source and functions")
		r.ok(rankSecond, "non-fungible token", principal, NFT(principal, "", ""), "then the id of the token")
		r.ok(account, "account", principal, Account(principal), "what the contract has")
		return
	}
	asset := ""
	if separator == "::" {
		if i := strings.IndexAny(rest, ":/# "); i > 0 && !onlyDigits(ungroup(rest[:i])) {
			asset, rest = rest[:i], strings.TrimLeft(rest[i:], ":/# ")
		}
	}
	id, err := ParseTokenID(rest)
	if err == nil {
		r.ok(rankBest, "non-fungible token", principal+" "+id, NFT(principal, id, ""), "")
		r.ok(rankThird, "fungible token", principal, FT(principal, ""), "without the token id")
		return
	}
	if separator == "::" && asset == "" && checkContractName(rest) == nil {
		r.ok(rankBest, "fungible token", principal, FT(principal, ""), "by its asset identifier")
		r.ok(rankGood, "non-fungible token", principal, NFT(principal, "", ""), "by its asset identifier; needs the token id")
		return
	}
	r.fail(rankFailedNear, "non-fungible token", in, err.Error(), principal)
	r.ok(rankThird, "fungible token", principal, FT(principal, ""), "without the rest")
}

func (r *recogniser) failPrincipal(in, principal, rest, separator string, err error) {
	address, name, dot := strings.Cut(principal, ".")
	near := LooksLikeAddress(address) || separator == "::" && dot
	rank, fix := rankFailedFar, ""
	if near {
		rank = rankFailedNear
		if upper := strings.ToUpper(address); upper != address && checkAddress(upper) == nil && checkContractName(name) == nil {
			fix = upper + in[len(address):]
		}
	} else if !dot {
		r.fail(rank, "contract principal", in, "has no dot between address and contract name", "")
		return
	}
	if !dot && checkAddress(address) == nil {
		if r.mistyped(in, address) {
			return
		}
		r.ok(rankBest, "account", address, Account(address), "balance, nonces and tokens")
		r.ok(rankGood, "transactions", address, TransactionsOf(address), "those of the account")
		return
	}
	r.fail(rank, "contract principal", in, err.Error(), fix)
}

// mistyped reports that the checksum of an address does not fit, and says so.
func (r *recogniser) mistyped(in, principal string) bool {
	address, _, _ := strings.Cut(principal, ".")
	_, err := c32.ParseAddress(address)
	if err != nil {
		r.fail(rankFailedNear, "address", in, err.Error()+"; copy it once more", "")
	}
	return err != nil
}

// splitToken cuts a principal from what follows it.
func splitToken(s string) (principal, rest, separator string) {
	i := strings.IndexAny(s, ":/# \t")
	if i < 0 {
		return s, "", ""
	}
	principal, rest = s[:i], s[i:]
	separator = rest[:1]
	if strings.HasPrefix(rest, "::") {
		separator = "::"
	}
	rest = strings.TrimLeft(rest, ":/# \t")
	return principal, strings.TrimRight(rest, "/ \t"), separator
}

package resource

import (
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
)

// LinkTo returns the place that a value names: an account, a contract, also that of a token, or
// what has a hash. It is none for any other text. A value of Clarity has a quote before a
// principal.
func LinkTo(words string) nav.Place {
	words = strings.TrimPrefix(words, "'")
	if contract, _, isAsset := strings.Cut(words, "::"); isAsset {
		words = contract
	}
	if hash, err := nav.ParseHash(words); err == nil && strings.HasPrefix(words, "0x") {
		return nav.Hash(hash)
	}
	return accountPlace(words)
}

// accountPlace returns the place of a contract or of an account; none for no address.
func accountPlace(principal string) nav.Place {
	if apiclient.CheckAccount(principal) != nil {
		return nav.Place{}
	}
	if apiclient.CheckPrincipal(principal) == nil {
		return nav.Contract(principal)
	}
	return nav.Account(principal)
}

// tokenPlace returns the place of the token of a contract; none for no contract.
func tokenPlace(contract string, single bool) nav.Place {
	switch {
	case apiclient.CheckPrincipal(contract) != nil:
		return nav.Place{}
	case single:
		return nav.NFT(contract, "", "")
	}
	return nav.FT(contract, "")
}

// transactionPlace returns the place of a transaction; none for what is no id.
func transactionPlace(id string) nav.Place {
	hash, err := nav.ParseHash(id)
	if err != nil {
		return nav.Place{}
	}
	return nav.Transaction(hash)
}

// Package tokens is the catalogue of fungible (SIP-010) and non-fungible
// (SIP-009) contracts of the mock server, with the answers of the token
// metadata service about them: full and empty records, localized ones, one of
// each error, tokens that are still being fetched, and a hostile set for
// everything that shows what a contract says.
//
// The contracts can be called: what they do, with the errors of their standards, is here
// too, over what a ledger holds. The catalogue is the same for every seed. Pictures are
// drawn here too. The package does no I/O and must not import anything of HTTP or the
// chain.
package tokens

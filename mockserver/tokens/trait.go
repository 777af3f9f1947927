package tokens

import (
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// Trait is a contract that has the trait of a standard and nothing else.
type Trait struct{ source string }

// The traits of the standards, where contracts of each network look for them.
const (
	fungibleTrait           = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard"
	nonFungibleTrait        = "SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9.nft-trait"
	fungibleTraitTestnet    = "ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.sip-010-trait-ft-standard"
	nonFungibleTraitTestnet = "ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.nft-trait"
)

// StandardTrait returns the contract that has the trait of SIP-010 or of SIP-009 on a network.
func StandardTrait(id clarity.Principal) (Trait, bool) {
	switch id.String() {
	case fungibleTrait, fungibleTraitTestnet:
		return Trait{fungibleTraitSource}, true
	case nonFungibleTrait, nonFungibleTraitTestnet:
		return Trait{nonFungibleTraitSource}, true
	}
	return Trait{}, false
}

// OnTestnet returns the contract of testnet that has the trait of one of mainnet.
func OnTestnet(id clarity.Principal) (string, bool) {
	switch id.String() {
	case fungibleTrait:
		return fungibleTraitTestnet, true
	case nonFungibleTrait:
		return nonFungibleTraitTestnet, true
	}
	return "", false
}

// traitOf returns the trait that a contract of a standard implements on its network.
func traitOf(id clarity.Principal, fungible bool) string {
	switch {
	case !fungible:
		return NonFungibleTrait(id)
	case id.Address.Testnet():
		return fungibleTraitTestnet + ".sip-010-trait"
	}
	return fungibleTrait + ".sip-010-trait"
}

// NonFungibleTrait returns the trait of SIP-009 that a contract implements on its network.
func NonFungibleTrait(id clarity.Principal) string {
	if id.Address.Testnet() {
		return nonFungibleTraitTestnet + ".nft-trait"
	}
	return nonFungibleTrait + ".nft-trait"
}

// Source returns the text of the contract.
func (t Trait) Source() string { return t.source }

// Read reports false: the contract has no functions.
func (t Trait) Read(*ledger.Ledger, string, []clarity.Value) (clarity.Value, bool) {
	return nil, false
}

// Call reports false: the contract has no functions.
func (t Trait) Call(*ledger.Ledger, clarity.Principal, string, []clarity.Value) (ledger.Effect, bool) {
	return ledger.Effect{}, false
}

const fungibleTraitSource = `;; SIP-010, fungible tokens.
(define-trait sip-010-trait
  (
    ;; amount, sender, recipient, memo
    (transfer (uint principal principal (optional (buff 34))) (response bool uint))
    (get-name () (response (string-ascii 32) uint))
    (get-symbol () (response (string-ascii 32) uint))
    (get-decimals () (response uint uint))
    (get-balance (principal) (response uint uint))
    (get-total-supply () (response uint uint))
    (get-token-uri () (response (optional (string-utf8 256)) uint))
  ))
`

const nonFungibleTraitSource = `;; SIP-009, non-fungible tokens.
(define-trait nft-trait
  (
    (get-last-token-id () (response uint uint))
    (get-token-uri (uint) (response (optional (string-ascii 256)) uint))
    (get-owner (uint) (response (optional principal) uint))
    ;; id, sender, recipient
    (transfer (uint principal principal) (response bool uint))
  ))
`

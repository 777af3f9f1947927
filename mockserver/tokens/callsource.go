package tokens

import (
	"fmt"
	"iter"
	"strings"

	"chainscope/wallet/clarity"
)

// The lengths of the texts of SIP-010, in characters.
const (
	maxName   = 32
	maxSymbol = 10
	maxURI    = 256
)

// ascii returns what a contract can hold of a text: Clarity's string-ascii has printable
// characters alone.
func ascii(text string, most int) string {
	var b strings.Builder
	for _, r := range text {
		if b.Len() == most {
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func quoted(text string) string { return clarity.Repr(clarity.ASCII(text)) }

// Source returns the text of the contract.
func (t Token) Source() string {
	var mints strings.Builder
	switch {
	case !t.Fungible:
		for _, n := range t.IDs {
			fmt.Fprintf(&mints, "(nft-mint? %s u%d '%s)\n", t.Asset, n, t.id.Address)
		}
	case t.Supply.Sign() > 0:
		fmt.Fprintf(&mints, "(ft-mint? %s u%s '%s)\n", t.Asset, t.Supply, t.id.Address)
	}
	return t.ending(mints.String())
}

// Predeployed lists the contracts of the test network with their texts for a virtual machine that
// has them: the tokens, after the traits that they implement.
func (c *Catalogue) Predeployed() iter.Seq2[clarity.Principal, string] {
	return func(yield func(clarity.Principal, string) bool) {
		ids := []string{fungibleTraitTestnet, nonFungibleTraitTestnet}
		for _, one := range c.contracts {
			ids = append(ids, one.principal)
		}
		for _, text := range ids {
			id, err := clarity.ParseContract(text)
			if err != nil || !id.Address.Testnet() {
				continue
			}
			source := ""
			if t, ok := c.Token(id); ok {
				source = t.predeployed()
			} else if t, ok := StandardTrait(id); ok {
				source = t.source
			}
			if !yield(id, source) {
				return
			}
		}
	}
}

// predeployed returns the text of the contract with nothing minted: what the ledger has is settled in
// it.
func (t Token) predeployed() string {
	settle := SettleUnique
	if t.Fungible {
		settle = settleAmounts
	}
	return t.ending(Settling(strings.ReplaceAll(settle, "ASSET", t.Asset)))
}

// ending returns the text of the contract with something at its end.
func (t Token) ending(end string) string {
	if t.Fungible {
		uri := "none"
		if t.URI != "" {
			uri = "(some u" + quoted(ascii(t.URI, maxURI)) + ")"
		}
		return fmt.Sprintf(fungibleSource, traitOf(t.id, true), t.Asset, t.Asset, t.Asset, t.Asset, quoted(ascii(t.Name, maxName)), quoted(ascii(t.Symbol, maxSymbol)), max(0, t.Decimals), uri, end)
	}
	last := uint64(0)
	for _, n := range t.IDs {
		last = max(last, n)
	}
	return fmt.Sprintf(nonFungibleSource, traitOf(t.id, false), t.Asset, last, t.Asset, t.Asset, end)
}

// Settling returns the function by which the mock does in a virtual machine what its ledger did: it
// does one expression after another to each move, which has an amount, from and to. Nobody has
// the key of who may call it.
func Settling(expressions string) string {
	return "\n(define-private (settle-one (move " + moveType + ") (done bool))\n  (begin" + expressions + "\n    done))\n" + `
(define-public (mock-settle (moves (list 100 ` + moveType + `)))
  (begin
    (asserts! (is-eq tx-sender 'ST000000000000000000002AMW42H) (err u4))
    (ok (fold settle-one moves true))))
`
}

const moveType = "{ amount: uint, from: (optional principal), to: (optional principal) }"

const settleAmounts = `
    (match (get from move) who
      (let ((had (ft-get-balance ASSET who)) (less (if (< had (get amount move)) had (get amount move))))
        (and (> less u0) (is-ok (ft-burn? ASSET less who))))
      false)
    (match (get to move) who (and (> (get amount move) u0) (is-ok (ft-mint? ASSET (get amount move) who))) false)`

// SettleUnique does a move of the non-fungible token ASSET.
const SettleUnique = `
    (match (get from move) who (is-ok (nft-burn? ASSET (get amount move) who)) false)
    (match (get to move) who (is-ok (nft-mint? ASSET (get amount move) who)) false)`

const fungibleSource = `(impl-trait '%s)

;; the caller is not the sender
(define-constant ERR-NOT-SENDER (err u4))

(define-fungible-token %s)

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) ERR-NOT-SENDER)
    (try! (ft-transfer? %s amount sender recipient))
    (match memo to-print (print to-print) 0x)
    (ok true)))

(define-read-only (get-balance (who principal)) (ok (ft-get-balance %s who)))
(define-read-only (get-total-supply) (ok (ft-get-supply %s)))
(define-read-only (get-name) (ok %s))
(define-read-only (get-symbol) (ok %s))
(define-read-only (get-decimals) (ok u%d))
(define-read-only (get-token-uri) (ok %s))

%s`

const nonFungibleSource = `(impl-trait '%s)

;; the caller is not the sender
(define-constant ERR-NOT-SENDER (err u4))

(define-non-fungible-token %s uint)

(define-read-only (get-last-token-id) (ok u%d))
(define-read-only (get-token-uri (id uint)) (ok none))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? %s id)))

(define-public (transfer (id uint) (sender principal) (recipient principal))
  (begin
    (asserts! (is-eq tx-sender sender) ERR-NOT-SENDER)
    (nft-transfer? %s id sender recipient)))

%s`

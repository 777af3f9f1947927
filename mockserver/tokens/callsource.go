package tokens

import (
	"fmt"
	"strings"

	"chainscope/wallet/clarity"
)

// The lengths of the texts of SIP-010, in characters.
const (
	maxName   = 32
	maxSymbol = 10
	maxURI    = 256
)

// ascii is what a contract can hold of a text: Clarity's string-ascii has printable
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

// Source is the text of the contract.
func (t Token) Source() string {
	if t.Fungible {
		uri := "none"
		if t.URI != "" {
			uri = "(some u" + quoted(ascii(t.URI, maxURI)) + ")"
		}
		supply := ""
		if t.Supply.Sign() > 0 {
			supply = fmt.Sprintf("(ft-mint? %s u%s '%s)\n", t.Asset, t.Supply, t.id.Address)
		}
		return fmt.Sprintf(fungibleSource, t.Asset, t.Asset, t.Asset, t.Asset, quoted(ascii(t.Name, maxName)), quoted(ascii(t.Symbol, maxSymbol)), max(0, t.Decimals), uri, supply)
	}
	last := uint64(0)
	var mints strings.Builder
	for _, n := range t.IDs {
		last = max(last, n)
		fmt.Fprintf(&mints, "(nft-mint? %s u%d '%s)\n", t.Asset, n, t.id.Address)
	}
	return fmt.Sprintf(nonFungibleSource, t.Asset, last, t.Asset, t.Asset, mints.String())
}

const fungibleSource = `(impl-trait 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard.sip-010-trait)

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

const nonFungibleSource = `(impl-trait 'SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9.nft-trait.nft-trait)

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

package crowd

import (
	"fmt"

	"chainscope/wallet/stxtx"
)

// sources are contracts that people deploy, with a place for a number.
var sources = []struct{ name, text string }{
	{"counter", `;; Counts, and starts at a number of its own.
(define-data-var count uint u%d)

(define-read-only (get-count) (var-get count))

(define-public (increment)
  (begin
    (var-set count (+ (var-get count) u1))
    (print { topic: "incremented", count: (var-get count) })
    (ok (var-get count))))
`},
	{"tip-jar", `;; Takes tips for the one who deployed it.
(define-constant OWNER tx-sender)
(define-constant LEAST-TIP u%d)

;; a tip is at least LEAST-TIP
(define-constant ERR-TOO-LITTLE (err u402))

(define-public (tip (amount uint))
  (begin
    (asserts! (>= amount LEAST-TIP) ERR-TOO-LITTLE)
    (stx-transfer? amount tx-sender OWNER)))
`},
	{"poll", `;; A poll with one vote for each account.
(define-constant QUESTION u%d)

;; the account has voted
(define-constant ERR-VOTED (err u409))

(define-map votes principal bool)
(define-data-var ayes uint u0)

(define-read-only (get-ayes) (var-get ayes))

(define-public (vote (aye bool))
  (begin
    (asserts! (map-insert votes tx-sender aye) ERR-VOTED)
    (and aye (var-set ayes (+ (var-get ayes) u1)))
    (ok aye)))
`},
}

// deploy deploys a contract.
func deploy(d *draft) { d.deploys("") }

// failingDeploy deploys one that was copied badly: it has a parenthesis too many.
func failingDeploy(d *draft) { d.deploys(")") }

func (d *draft) deploys(end string) {
	of := oneOf(d, sources)
	d.tx.Payload = stxtx.SmartContract{
		ClarityVersion: 3, Name: fmt.Sprintf("%s-%d", of.name, 1+d.below(99)), Code: fmt.Sprintf(of.text, 1+d.below(1_000)) + end,
	}
}

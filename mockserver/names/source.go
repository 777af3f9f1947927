package names

import (
	"fmt"

	"chainscope/mockserver/tokens"
)

// tokenURI holds what get-token-uri answers.
const tokenURI = "ipfs://chainscope-mock/bns-v2.json"

// Source returns the text of the contract: those functions of the real one that look a name up
// or send it, and the one that pays for a name.
func (c *Contract) Source() string { return c.text(registryMaps, "") }

// text returns the text of the contract with one way or another to look up and to keep.
func (c *Contract) text(lookups, ending string) string {
	return fmt.Sprintf(registrySource, tokens.NonFungibleTrait(c.id), tokenURI, c.last(), lookups) + ending
}

const registrySource = `;; The registry of the mock: the names that it has, with the functions that look one up or
;; send it. A preorder is paid and printed, and that is all: registering, renewing and trading
;; are left out.

(impl-trait '%s)

(define-non-fungible-token BNS-V2 uint)

;; the caller does not own the name
(define-constant ERR-NOT-AUTHORIZED (err u102))
;; there is no such name
(define-constant ERR-NO-NAME (err u106))
;; the hash of a name has 20 bytes
(define-constant ERR-HASH-MALFORMED (err u107))
;; nothing is burned for the name
(define-constant ERR-STX-BURNT-INSUFFICIENT (err u108))
;; the recipient owns the name already
(define-constant ERR-OPERATION-UNAUTHORIZED (err u114))
;; the account has no primary name
(define-constant ERR-NO-PRIMARY-NAME (err u131))

(define-data-var token-uri (string-ascii 256) "%s")
(define-data-var bns-index uint u%d)

(define-map primary-name principal uint)

%s
(define-read-only (get-last-token-id) (ok (var-get bns-index)))
(define-read-only (get-token-uri (id uint)) (ok (some (var-get token-uri))))
(define-read-only (get-owner (id uint)) (ok (owner-of id)))
(define-read-only (get-owner-name (name (buff 48)) (namespace (buff 20)))
  (ok (owner-of (unwrap! (get-id-from-bns name namespace) ERR-NO-NAME))))
(define-read-only (get-primary (owner principal))
  (ok (get-bns-from-id (unwrap! (get-primary-name owner) ERR-NO-PRIMARY-NAME))))

(define-public (transfer (id uint) (owner principal) (recipient principal))
  (let ((name (unwrap! (get-bns-from-id id) ERR-NO-NAME))
        (holder (unwrap! (owner-of id) ERR-NO-NAME)))
    (asserts! (not (is-eq holder recipient)) ERR-OPERATION-UNAUTHORIZED)
    (asserts! (is-eq contract-caller holder) ERR-NOT-AUTHORIZED)
    (asserts! (is-eq owner holder) ERR-NOT-AUTHORIZED)
    (and (is-eq (get-primary-name owner) (some id)) (keep-primary owner none))
    (and (is-none (get-primary-name recipient)) (keep-primary recipient (some id)))
    (try! (send id name holder recipient))
    (print { topic: "transfer-name", owner: recipient, name: name, id: id, properties: (get-bns-info (get name name) (get namespace name)) })
    (ok true)))

(define-public (name-preorder (hashed-salted-fqn (buff 20)) (stx-to-burn uint))
  (begin
    (asserts! (is-eq (len hashed-salted-fqn) u20) ERR-HASH-MALFORMED)
    (asserts! (> stx-to-burn u0) ERR-STX-BURNT-INSUFFICIENT)
    (try! (stx-burn? stx-to-burn contract-caller))
    (print { topic: "preorder-name", buyer: contract-caller, hashed-salted-fqn: hashed-salted-fqn, stx-burned: stx-to-burn })
    (ok true)))

(define-public (set-primary-name (primary-name-id uint))
  (begin
    (asserts! (is-eq (unwrap! (owner-of primary-name-id) ERR-NO-NAME) contract-caller) ERR-NOT-AUTHORIZED)
    (keep-primary contract-caller (some primary-name-id))
    (ok true)))
`

// registryMaps looks up in maps and keeps there.
const registryMaps = `(define-map index-to-name uint { name: (buff 48), namespace: (buff 20) })
(define-map name-to-index { name: (buff 48), namespace: (buff 20) } uint)
(define-map name-properties
  { name: (buff 48), namespace: (buff 20) }
  {
    registered-at: (optional uint),
    imported-at: (optional uint),
    hashed-salted-fqn-preorder: (optional (buff 20)),
    preordered-by: (optional principal),
    renewal-height: uint,
    stx-burn: uint,
    owner: principal
  })

(define-private (owner-of (id uint)) (nft-get-owner? BNS-V2 id))
(define-read-only (get-bns-info (name (buff 48)) (namespace (buff 20)))
  (map-get? name-properties { name: name, namespace: namespace }))
(define-read-only (get-id-from-bns (name (buff 48)) (namespace (buff 20)))
  (map-get? name-to-index { name: name, namespace: namespace }))
(define-read-only (get-bns-from-id (id uint)) (map-get? index-to-name id))
(define-read-only (get-primary-name (owner principal)) (map-get? primary-name owner))

(define-private (keep-primary (who principal) (id (optional uint)))
  (match id n (map-set primary-name who n) (map-delete primary-name who)))
(define-private (send (id uint) (name { name: (buff 48), namespace: (buff 20) }) (from principal) (to principal))
  (begin
    (map-set name-properties name (merge (unwrap! (map-get? name-properties name) ERR-NO-NAME) { owner: to }))
    (nft-transfer? BNS-V2 id from to)))
`

package names

import (
	"fmt"
	"slices"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/mockserver/splitmix"
	"chainscope/mockserver/tokens"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
)

// Predeployed returns the contract of the test network as a source for a virtual machine. Nothing is
// stored for a name there either: the source generates them. What is moved outside of the machine
// is settled in it, except for the primary names of people.
func (r *Registry) Predeployed(accounts []clarity.Principal) (clarity.Principal, string) {
	c := r.On(false)
	var ending strings.Builder
	at := "none"
	for _, n := range slices.Backward(r.names.All()) {
		count := n.Count(true)
		if count == 0 {
			continue
		}
		first := r.first(n)
		at = fmt.Sprintf("(if (< id u%d) (map-get? spaces 0x%x) %s)", first+uint64(count), n.name, at)
		for _, k := range n.known {
			fmt.Fprintf(&ending, "(map-set known-ids { name: 0x%x, namespace: 0x%x } u%d)\n(map-set known-labels u%d 0x%x)\n", k.label, n.name, first+uint64(k.index), first+uint64(k.index), k.label)
		}
		fmt.Fprintf(&ending, "(map-set spaces 0x%x { namespace: 0x%x, first: u%d, count: u%d, step: u%d, key: u%d })\n", n.name, n.name, first, count, n.step, uint64(n.place))
	}
	for i, p := range accounts {
		if id, ok := r.begun(i); ok {
			fmt.Fprintf(&ending, "(map-set primary-name '%s u%d)\n", p, id)
		}
	}
	settle := "\n    (map-set moved (get amount move) true)" + strings.ReplaceAll(tokens.SettleUnique, "ASSET", registryName)
	var lookups strings.Builder
	for _, constant := range []struct {
		name string
		n    uint64
	}{
		{"GOLDEN", splitmix.Golden},
		{"MUL-1", splitmix.Mul1},
		{"MUL-2", splitmix.Mul2},
		{"INV-1", splitmix.Inv1},
		{"INV-2", splitmix.Inv2},
		{"OWNERS-1", uint64(r.owners[0])},
		{"OWNERS-2", uint64(r.owners[1])},
	} {
		fmt.Fprintf(&lookups, "(define-constant %s u%d)\n", constant.name, constant.n)
	}
	fmt.Fprintf(&lookups, registryGenerator, len(seconds), listed(seconds), len(endings), listed(endings), at, longest(endings), importedAt, notedPrimary)
	return c.id, c.text(lookups.String(), tokens.Settling(settle)+ending.String())
}

// listed returns a list of words.
func listed(words []string) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, " 0x%x", w)
	}
	return "(list" + b.String() + ")"
}

func longest(words []string) (n int) {
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}

// notedPrimary is the field of a print by which the contract reports a primary name to the mock.
const notedPrimary = "mock-primary-name"

// Ran takes out of an effect what the contract reports to the mock alone: that an account has another
// primary name, and that a name exists which had not been moved before.
func (r *Registry) Ran(does *ledger.Effect) {
	if r == nil {
		return
	}
	c := r.On(false)
	moves, prints, left := does.Moves, does.Prints, make([]int, len(does.Moves)+1)
	does.Moves, does.Prints = []outcome.Move{}, nil
	for i, m := range moves {
		if m.Asset != c.asset || m.From != nil {
			does.Moves = append(does.Moves, m)
		}
		left[i+1] = len(does.Moves)
	}
	for _, p := range prints {
		reported, _ := p.Value.(clarity.Tuple)
		who, isNote := reported.Get(notedPrimary)
		if p.Contract != c.id || !isNote {
			p.After = left[p.After]
			does.Prints = append(does.Prints, p)
			continue
		}
		var primary clarity.Value
		if id, _ := reported.Get("id"); id != nil {
			if some, ok := id.(clarity.Some); ok {
				primary = some.Value
			}
		}
		of, _ := who.(clarity.Principal)
		does.Sets = append(does.Sets, c.setPrimary(of, primary))
	}
}

// registryGenerator looks up by what generates the names, the owners and their inverse, as
// Registry and Namespace do.
const registryGenerator = `
(define-constant WORD u18446744073709551616)
(define-constant SECOND-COUNT u%d)
(define-constant SECONDS %s)
(define-constant ENDING-COUNT u%d)
(define-constant ENDINGS %s)
(define-constant DIGITS 0x30313233343536373839)

;; names that were moved outside of the virtual machine
(define-map moved uint bool)
(define-map spaces (buff 20) { namespace: (buff 20), first: uint, count: uint, step: uint, key: uint })
;; names that people type first, in the place of generated ones
(define-map known-ids { name: (buff 48), namespace: (buff 20) } uint)
(define-map known-labels uint (buff 48))

(define-private (mix (n uint))
  (let ((x (mod (+ n GOLDEN) WORD))
        (y (mod (* (bit-xor x (bit-shift-right x u30)) MUL-1) WORD))
        (z (mod (* (bit-xor y (bit-shift-right y u27)) MUL-2) WORD)))
    (bit-xor z (bit-shift-right z u31))))
(define-private (unmix (n uint))
  (let ((x (mod (* (bit-xor n (bit-shift-right n u31) (bit-shift-right n u62)) INV-2) WORD))
        (y (mod (* (bit-xor x (bit-shift-right x u27) (bit-shift-right x u54)) INV-1) WORD))
        (z (bit-xor y (bit-shift-right y u30) (bit-shift-right y u60))))
    (mod (- (+ z WORD) GOLDEN) WORD)))
(define-private (draw (key uint) (n uint)) (mix (mod (+ key (* n GOLDEN)) WORD)))

(define-private (space-at (id uint)) (if (is-eq id u0) none %s))
(define-private (label (id uint) (of { namespace: (buff 20), first: uint, count: uint, step: uint, key: uint }))
  (match (map-get? known-labels id) it it
    (let ((i (- id (get first of)))
          (point (+ (* i (get step of)) (/ (* (draw (get key of) i) (get step of)) WORD)))
          (start (/ point (* SECOND-COUNT ENDING-COUNT))))
      (concat
        (concat
          (if (< start u100)
            (concat (unwrap-panic (element-at? DIGITS (/ start u10))) (unwrap-panic (element-at? DIGITS (mod start u10))))
            (unwrap-panic (element-at? SECONDS (- start u100))))
          (unwrap-panic (element-at? SECONDS (mod (/ point ENDING-COUNT) SECOND-COUNT))))
        (unwrap-panic (element-at? ENDINGS (mod point ENDING-COUNT)))))))
(define-private (full (name (buff 48)) (namespace (buff 20))) { name: name, namespace: namespace })
(define-read-only (get-bns-from-id (id uint))
  (match (space-at id) of (some (full (label id of) (get namespace of))) none))

;; what a text begins with, and the rest: no syllable begins another
(define-private (cut (text (buff 48)) (size uint))
  (some {
    n: (unwrap! (index-of? SECONDS (unwrap! (as-max-len? (unwrap! (slice? text u0 size) none) u4) none)) none),
    rest: (default-to 0x (slice? text size (len text))) }))
(define-private (syllable (text (buff 48)))
  (match (cut text u1) one (some one)
    (match (cut text u2) two (some two)
      (match (cut text u3) three (some three) (cut text u4)))))
(define-private (pair (text (buff 48)))
  (some {
    n: (+ (* (unwrap! (index-of? DIGITS (unwrap! (element-at? text u0) none)) none) u10) (unwrap! (index-of? DIGITS (unwrap! (element-at? text u1) none)) none)),
    rest: (default-to 0x (slice? text u2 (len text))) }))
(define-private (point-of (text (buff 48)))
  (let ((start (match (pair text) it it (let ((it (unwrap! (syllable text) none))) (merge it { n: (+ (get n it) u100) }))))
        (then (unwrap! (syllable (get rest start)) none))
        (ending (unwrap! (index-of? ENDINGS (unwrap! (as-max-len? (get rest then) u%d) none)) none)))
    (some (+ (* (+ (* (get n start) SECOND-COUNT) (get n then)) ENDING-COUNT) ending))))
(define-read-only (get-id-from-bns (name (buff 48)) (namespace (buff 20)))
  (let ((of (unwrap! (map-get? spaces namespace) none))
        (id (match (map-get? known-ids { name: name, namespace: namespace }) it it
              (+ (get first of) (/ (unwrap! (point-of name) none) (get step of))))))
    (if (and (< id (+ (get first of) (get count of))) (is-eq (label id of) name)) (some id) none)))

(define-private (bytes (n uint)) (unwrap-panic (slice? (unwrap-panic (to-consensus-buff? n)) u9 u17)))
(define-private (born-to (id uint))
  (let ((a (mix (bit-xor id OWNERS-1))) (b (draw OWNERS-2 a)) (c (draw OWNERS-2 b)))
    (unwrap-panic (principal-construct? 0x1a
      (unwrap-panic (as-max-len? (concat (concat (bytes a) (bytes b)) (unwrap-panic (slice? (bytes c) u4 u8))) u20))))))
(define-private (owner-of (id uint))
  (match (nft-get-owner? BNS-V2 id) who (some who)
    (if (or (is-eq id u0) (> id (var-get bns-index)) (is-some (map-get? moved id))) none (some (born-to id)))))
(define-private (owned (who principal))
  (match (principal-destruct? who) parts
    (let ((id (bit-xor (unmix (buff-to-uint-be (unwrap-panic (as-max-len? (unwrap-panic (slice? (get hash-bytes parts) u0 u8)) u16)))) OWNERS-1)))
      (if (is-eq (owner-of id) (some who) (some (born-to id))) (some id) none))
    wrong none))

(define-data-var properties
  {
    registered-at: (optional uint),
    imported-at: (optional uint),
    hashed-salted-fqn-preorder: (optional (buff 20)),
    preordered-by: (optional principal),
    renewal-height: uint,
    stx-burn: uint,
    owner: principal
  }
  { registered-at: none, imported-at: (some u%d), hashed-salted-fqn-preorder: none, preordered-by: none, renewal-height: u0, stx-burn: u0, owner: tx-sender })
(define-read-only (get-bns-info (name (buff 48)) (namespace (buff 20)))
  (match (get-id-from-bns name namespace) id
    (match (owner-of id) owner (some (merge (var-get properties) { owner: owner })) none)
    none))
(define-read-only (get-primary-name (owner principal))
  (match (map-get? primary-name owner) id (some id) (owned owner)))

(define-private (keep-primary (who principal) (id (optional uint)))
  (begin
    (print { %s: who, id: id })
    (match id n (map-set primary-name who n) (map-delete primary-name who))))
(define-private (send (id uint) (name { name: (buff 48), namespace: (buff 20) }) (from principal) (to principal))
  (begin
    (and (is-none (nft-get-owner? BNS-V2 id)) (is-ok (nft-mint? BNS-V2 id from)))
    (nft-transfer? BNS-V2 id from to)))
`

;; A collection with Clarity 4
(define-non-fungible-token stamp uint)
(define-data-var last-id uint u0)

;; 	a comment with a tab, "quotes", (parentheses and {braces
(define-public (claim)
  (let
    (
      (id (+ (var-get last-id) u1))
      (height stacks-block-height)
    )
    (asserts! (< id u10_max) (err u1))
    (var-set last-id id)
    (nft-mint? stamp id tx-sender)))
(define-constant u10_max u10)

(define-public (transfer (id uint) (sender principal) (recipient principal))
  (begin (asserts! (is-eq contract-caller sender) (err u4))
    (nft-transfer? stamp id sender recipient)))

(define-read-only (get-owner (id uint)) (ok (nft-get-owner? stamp id)))
(define-read-only (get-last-token-id) (ok (var-get last-id)))
(define-read-only (get-token-uri (id uint)) (ok none))
(define-read-only (slices (text (string-ascii 40))) (slice? text u0 u5))
(define-public (sweep (to principal))
  (as-contract? ((with-stx u5) (with-nft .collection "stamp" (list u1)))
    (try! (stx-transfer? u5 tx-sender to))))

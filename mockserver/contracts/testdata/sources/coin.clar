;; A fungible token, as SIP-010 says.
(impl-trait 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard.sip-010-trait)

(define-fungible-token coin u21000000000000)
(define-constant ERR-NOT-OWNER (err u401)) ;; not the sender of it
(define-constant ERR_ZERO (err u3))
(define-constant contract-owner tx-sender)
(define-data-var token-uri (optional (string-utf8 256)) (some u"https://example.invalid/coin\u{1F600}.json"))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) ERR-NOT-OWNER)
    (asserts! (> amount u0) ERR_ZERO)
    (try! (ft-transfer? coin amount sender recipient))
    (match memo to-print (print to-print) 0x)
    (ok true)))

(define-read-only (get-name) (ok "A \"coin\" with a \\ in its name"))
(define-read-only (get-symbol) (ok "COIN"))
(define-read-only (get-decimals) (ok u6))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance coin who)))
(define-read-only (get-total-supply) (ok (ft-get-supply coin)))
(define-read-only (get-token-uri) (ok (var-get token-uri)))

;; at the top, expressions run once
(ft-mint? coin u1000000 contract-owner)
(begin (print {event: "deployed", at: block-height, by: contract-owner,}))

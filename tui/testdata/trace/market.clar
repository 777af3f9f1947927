(define-map bought { who: principal } uint)

(define-private (scale (n uint))
  (* n (pow u10 (contract-call? .coin decimals))))

(define-private (note (who principal) (n uint))
  (map-set bought { who: who } n))

(define-public (buy (n uint))
  (let ((price (scale n)))
    (try! (contract-call? .coin mint (+ price u5) tx-sender))
    (unwrap! (contract-call? .coin spend price) (err u8))
    (note tx-sender n)
    (print { bought: n })
    (ok price)))

(define-private (share (n uint) (of uint)) (/ n of))

(define-public (split (n uint))
  (begin
    (try! (buy u2))
    (ok (share u100 n))))

;; Rings the bell, and counts how often.
(use-trait bell-trait 'SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.bell-trait.bell)
(define-data-var rung uint u0)
(define-read-only (times) (var-get rung))
(define-public (ring-with (bell <bell-trait>) (loud uint))
  (begin
    (var-set rung (+ (var-get rung) u1))
    (contract-call? bell ring loud)))
(define-public (ring (loud uint))
  (begin
    (var-set rung (+ (var-get rung) u1))
    (contract-call? .bell ring loud)))

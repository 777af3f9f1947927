(impl-trait 'SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.bell-trait.bell)
(define-constant ERR-TOO-LOUD (err u11))
(define-public (ring (loud uint))
  (begin
    (asserts! (< loud u100) ERR-TOO-LOUD)
    (print {ding: loud})
    (ok (* loud u2))))

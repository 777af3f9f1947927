
(define-public (a) (begin (try! (contract-call? .lib put u1 "x, (y) u2" (some u3) {a: -1, b: (list u1 u2)})) (b (contract-call? .lib look u1))))
(define-private (b (n uint)) (let ((rr (contract-call? .lib three))) (c n (unwrap! rr (err u1)))))
(define-private (c (n uint) (k uint)) (if (> n u0) (ok (begin (unwrap-panic (contract-call? .lib put k "z" none {a: 1, b: (list)})) (contract-call? .lib look k))) (err u2)))
(define-public (bad) (begin (is-err (contract-call? .lib put u9 "q" none {a: 1, b: (list)})) (try! (a)) (d)))
(define-private (d) (begin (try! (contract-call? .lib put u9 "q" none {a: 1, b: (list)})) (ok u1)))
(define-public (r) (begin (match (e) vv vv ev ev) (contract-call? .lib three)))
(define-private (e) (begin (asserts! (is-ok (contract-call? .lib put u9 "q" none {a: 1, b: (list)})) (err u7)) (try! (contract-call? .lib three)) (ok u1)))
(define-public (fail (n uint)) (begin (try! (b u1)) (ok (sub n (contract-call? .lib five)))))
(define-private (sub (n uint) (m uint)) (- n m))
(define-public (sum) (ok (+ (plus (contract-call? .lib five) u2) (each))))
(define-private (plus (n uint) (m uint)) (+ n m (contract-call? .lib look n)))
(define-private (each) (fold plus (list u1 u2) u0)) ;; calls plus, (contract-call? .lib look u9) is none

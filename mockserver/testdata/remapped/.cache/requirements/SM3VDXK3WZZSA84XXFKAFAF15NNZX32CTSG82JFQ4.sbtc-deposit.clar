;; Stands in for the contract of that name: a plan with sBTC has one.
(define-read-only (deposits) u0)

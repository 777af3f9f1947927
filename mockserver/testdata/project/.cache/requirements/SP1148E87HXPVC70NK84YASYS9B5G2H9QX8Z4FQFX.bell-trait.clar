(define-trait bell ((ring (uint) (response uint uint))))

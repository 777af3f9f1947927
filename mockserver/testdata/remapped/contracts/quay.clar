;; Weighs what comes, and takes its toll in sBTC.
(define-constant ERR-TOO-HEAVY (err u21))
(define-public (land (weight uint))
  (begin
    (asserts! (contract-call? 'SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.scale bears weight) ERR-TOO-HEAVY)
    (try! (contract-call? 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token transfer weight tx-sender
      (contract-call? 'SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.scale keeper) none))
    (ok (unwrap-panic (contract-call? 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token get-balance tx-sender)))))

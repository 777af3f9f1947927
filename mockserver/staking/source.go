package staking

// source has what the mock plays of pox-5: its functions with their types, and what they do
// where that is known without the contracts of the signers.
const source = `;; What a mock plays of pox-5: the contract of a node is longer. Functions answer as its
;; functions do for an account; bonds are set up by others, and bitcoin is on no chain here.

(define-constant ERR-UNAUTHORIZED (err u1))
(define-constant ERR-BOND-NOT-FOUND (err u7))
(define-constant ERR-INSUFFICIENT-STX (err u8))
(define-constant ERR-ALREADY-REGISTERED (err u9))
(define-constant ERR-TOO-MUCH-SATS (err u10))
(define-constant ERR-NOT-ALLOWLISTED (err u11))
(define-constant ERR-ALREADY-STAKED (err u19))
(define-constant ERR-INVALID-NUM-CYCLES (err u20))
(define-constant ERR-SIGNER-NOT-FOUND (err u23))
(define-constant ERR-INVALID-START-BURN-HEIGHT (err u24))
(define-constant ERR-NOT-STAKING (err u27))
(define-constant ERR-UNSTAKE-IN-PREPARE-PHASE (err u28))
(define-constant ERR-NO-CLAIMABLE-REWARDS (err u32))
(define-constant ERR-NOT-BOND-PARTICIPANT (err u34))
(define-constant ERR-INVALID-OLD-SIGNER-MANAGER (err u36))
(define-constant ERR-INVALID-UNSTAKE-SBTC-AMOUNT (err u37))
(define-constant ERR-INVALID-BTC-HEADER (err u40))
(define-constant ERR-BOND-ALREADY-STARTED (err u43))
(define-constant ERR-UPDATE-BOND-SAME-SIGNER (err u44))

(define-trait signer-manager-trait (
  (validate-stake! (principal uint uint uint uint bool (optional (buff 500))) (response bool uint))
  (checkpoint-staker (principal uint uint bool) (response bool uint))))

(define-map staker-info principal
  { amount-ustx: uint, first-reward-cycle: uint, num-cycles: uint, signer: principal })

(define-read-only (get-staker-info (staker principal)) (map-get? staker-info staker))

(define-map protocol-bond-memberships principal
  { bond-index: uint, amount-ustx: uint, signer: principal, is-l1-lock: bool })
(define-map protocol-bond-allowances { bond-index: uint, staker: principal } uint)

(define-read-only (get-bond-membership (staker principal)) (map-get? protocol-bond-memberships staker))

(define-read-only (get-bond-allowance (bond-index uint) (staker principal))
  (map-get? protocol-bond-allowances { bond-index: bond-index, staker: staker }))

(define-public (stake
    (signer-manager <signer-manager-trait>)
    (amount-ustx uint)
    (num-cycles uint)
    (start-burn-ht uint)
    (signer-calldata (optional (buff 500))))
  (begin
    (asserts! (>= (stx-get-balance tx-sender) amount-ustx) ERR-INSUFFICIENT-STX)
    (map-set staker-info tx-sender
      { amount-ustx: amount-ustx, first-reward-cycle: u0, num-cycles: num-cycles, signer: (contract-of signer-manager) })
    (ok true)))

(define-public (stake-update
    (signer-manager <signer-manager-trait>)
    (old-signer-manager <signer-manager-trait>)
    (cycles-to-extend uint)
    (amount-increase uint)
    (signer-calldata (optional (buff 500))))
  (begin
    (asserts! (is-some (map-get? staker-info tx-sender)) ERR-NOT-STAKING)
    (ok true)))

(define-public (unstake (old-signer-manager <signer-manager-trait>))
  (begin
    (asserts! (is-some (map-get? staker-info tx-sender)) ERR-NOT-STAKING)
    (ok true)))

(define-public (register-for-bond
    (bond-index uint)
    (signer-manager <signer-manager-trait>)
    (amount-ustx uint)
    (btc-lockup (response {
      outputs: (list 10 {
        height: uint, tx: (buff 100000), output-index: uint, header: (buff 80),
        leaf-hashes: (list 14 (buff 32)), tx-count: uint, tx-index: uint, amount: uint }),
      unlock-bytes: (buff 683) } uint))
    (signer-calldata (optional (buff 500))))
  (begin (asserts! false ERR-NOT-ALLOWLISTED) (ok true)))

(define-public (update-bond-registration
    (signer-manager <signer-manager-trait>)
    (old-signer-manager <signer-manager-trait>)
    (signer-calldata (optional (buff 500))))
  (begin (asserts! false ERR-NOT-BOND-PARTICIPANT) (ok true)))

(define-public (announce-l1-early-exit (staker principal) (old-signer-manager <signer-manager-trait>))
  (begin (asserts! false ERR-UNAUTHORIZED) (ok true)))

(define-public (unstake-sbtc (signer-manager <signer-manager-trait>) (amount-to-withdrawal-sats uint))
  (begin (asserts! false ERR-NOT-BOND-PARTICIPANT) (ok true)))

(define-public (register-signer (signer-manager <signer-manager-trait>) (signer-key (buff 33)))
  (begin (asserts! false ERR-UNAUTHORIZED) (ok true)))

(define-public (setup-bond
    (bond-index uint)
    (target-rate uint)
    (stx-value-ratio uint)
    (min-ustx-ratio uint)
    (early-unlock-bytes (buff 683))
    (early-unlock-admin principal)
    (allowlist (list 1000 { staker: principal, max-sats: uint })))
  (begin (asserts! false ERR-UNAUTHORIZED) (ok true)))

(define-public (set-bond-admin (new-admin principal))
  (begin (asserts! false ERR-UNAUTHORIZED) (ok true)))

(define-public (claim-rewards (bond-periods (list 6 uint)) (reward-cycle uint))
  (begin (asserts! false ERR-NO-CLAIMABLE-REWARDS) (ok true)))

(define-public (grant-signer-key
    (signer-key (buff 33))
    (signer-manager principal)
    (auth-id uint)
    (signer-sig (buff 65)))
  (ok true))

(define-public (revoke-signer-grant (signer-manager principal) (signer-key (buff 33))) (ok true))

(define-public (allow-contract-caller (caller principal) (until-burn-ht (optional uint))) (ok true))

(define-public (disallow-contract-caller (caller principal)) (ok true))
`

// signerSource is the contract of a signer that takes every stake.
const signerSource = `;; A signer that takes every stake.
(define-constant OWNER tx-sender)

;; only who deployed it registers a key
(define-constant ERR-UNAUTHORIZED (err u1))

(define-public (validate-stake!
    (staker principal) (first uint) (cycles uint) (amount-ustx uint) (sats uint) (bond bool)
    (calldata (optional (buff 500))))
  (ok true))

(define-public (checkpoint-staker (staker principal) (first uint) (cycles uint) (bond bool))
  (ok true))

(define-public (register-self (signer-key (buff 33)))
  (begin
    (asserts! (is-eq tx-sender OWNER) ERR-UNAUTHORIZED)
    (ok true)))
`

// Package outcome decides how a transaction ends once its contract has answered ok: it
// compares what the transaction moved with its post-conditions, as a node does (SIP-005,
// with the additions of SIP-040 and SIP-044).
//
// What a call of a contract of the network itself does it says in words.
//
// The package is pure. It imports wallet/stxtx, wallet/clarity, wallet/facts and
// wallet/bitcoin, and must not import anything of HTTP, of a ledger or of a chain.
package outcome

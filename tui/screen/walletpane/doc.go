// Package walletpane is the wallet as a place of the explorer: what the
// connection library stored, the accounts and their addresses, the selector, a
// form for every method, the results, and the timeline of all calls.
//
// Everything that a wallet does is done by wallet/service, which also owns
// approvals; the dialog that asks for them is the root's. What waits for a
// person or a disk is a command here, one message each. The package must not
// import the root model, a server, or another screen.
package walletpane

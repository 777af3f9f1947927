// Package node is the client of the routes of a Stacks node that a wallet
// needs: the nonce of an account, fees, and the broadcast of a signed
// transaction.
//
// Reading may use any server. Nothing is ever posted to a live network: a POST
// leaves only for a loopback address, checked on the connection itself, whose
// server has just shown itself to be a mock without upstream or replay; see
// [Client.Broadcast]. Otherwise nothing is sent, and the error is a
// [*NotSentError] that says why.
//
// Amounts and fees are micro-STX (1 STX = 1,000,000). The package knows no keys
// and must not import apiclient, mockserver or tui: the caller passes it an
// http.RoundTripper with its header rules and its log.
package node

// Package provider says what a wallet is to the connection library, and holds
// the mock wallets: the personalities chainscope, leather and xverse on one set
// of keys, and the behaviours that can lie over any of them.
//
// A provider takes a method and its params and answers with a JSON-RPC
// envelope; see [Provider]. What the methods do is wallet/signer's; this package
// only changes shapes, codes and behavior.
//
// It must not import the connection library (package wallet), apiclient,
// mockserver or tui.
package provider

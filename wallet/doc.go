// Package wallet is the wallet connection library in Go: it lets its user pick a
// wallet, keeps the addresses that the wallet gave, and forwards method calls.
// It behaves as version 8.2.7 of @stacks/connect does, oddities included, so
// that what a dapp will meet in a browser can be seen in a terminal.
//
// Begin with [New]. [Library.Request] is the library's request function,
// [Library.RequestRaw] its requestRaw; [Library.Connect], [Library.Disconnect],
// [Library.IsConnected] and [Library.LocalStorage] are its state.
//
// The package declares the [Storage] it needs and the [Selector] it calls; it
// does no I/O of its own, draws nothing and knows no keys. It must not import
// apiclient, mockserver or tui.
package wallet

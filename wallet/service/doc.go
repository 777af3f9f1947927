// Package service stands between the wallet and the loop that draws: it
// owns the connection library with its storage, the mock wallets and their
// keys, the client of the node, the bridge to web pages and the timeline of
// calls, and it turns what a person must decide into messages.
//
// How it is used:
//
//   - Calls that wait for a person or the disk (Request, Connect, Unlock,
//     Refresh, StartBridge, …) say so; they belong in commands, never in
//     Update. Everything else returns at once.
//   - Whatever happens is told by [Service.Next], one [Message] after the other
//     and none lost. One reader: the root model.
//   - [ApprovalAsked], [OriginAsked] and [SelectAsked] wait for an answer by
//     [Service.Decide], [Service.DecideOrigin] and [Service.Choose]. Until then
//     [Withdrawn] may take them back.
//
// Requests are decided one at a time, in the order in which they came, whoever
// asks; each is given its nonce when its turn has come. Nothing here draws: the
// package must not import bubbletea, a screen or a widget, nor a server other
// than the bridge.
package service

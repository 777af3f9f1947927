// Package service is the one orchestration of the wallet. It owns the
// connection library with its storage, the mock wallets and their keys, the
// client of the node, the bridge to web pages and the timeline of calls, and it
// turns what the user must decide into messages. The wallet pane, the explorer's
// bridge, `chainscope bridge` and `chainscope wallet` all use it.
//
// How it is used:
//
//   - Calls that wait for the user or the disk (Request, Connect, Unlock,
//     Refresh, StartBridge, …) say so; a screen makes them in commands, never in
//     Update. Everything else returns at once.
//   - [Service.Next] returns what happens, one [Message] after the other, to one
//     reader: the root model, or a command.
//   - [ApprovalNeeded], [OriginNeeded] and [SelectionNeeded] wait for an answer by
//     [Service.Decide], [Service.DecideOrigin] and [Service.Choose]. Until then
//     [Withdrawn] may withdraw them.
//
// Requests are decided one at a time, in the order in which they came, whoever
// sends them; each gets its nonce when its turn has come. A request runs from Request
// (or the bridge) through the library to a mock wallet, from there to the
// service again (call), the signing engine, and back to the service (approve).
//
// The package must not import tui, apiclient or mockserver: it declares the
// [Store] that it needs.
package service

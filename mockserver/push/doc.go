// Package push has the protocols of pushed events: JSON-RPC 2.0 over a WebSocket, as
// /extended/v1/ws of the Stacks Blockchain API speaks it, with its error texts, and Socket.IO,
// over the sessions of engineio.
//
// A Hub holds the connections of one chain and what they subscribe to. What happens
// on the chain reaches it by Publish; the package knows nothing of blocks.
//
// Of the mock server the package imports only fault, plainjson and engineio.
package push

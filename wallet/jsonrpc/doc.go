// Package jsonrpc holds the JSON-RPC 2.0 envelopes that travel between a page
// and a wallet, the error type both sides speak, and every error code with its
// name.
//
// Two readers look at an envelope. A wallet reads requests strictly
// ([ParseRequest]): what is wrong is answered with the code JSON-RPC gives it.
// The connection library reads replies tolerantly ([ParseReply]): it looks at
// the keys error and result and at nothing else.
//
// The package depends on the standard library only and does no I/O.
package jsonrpc

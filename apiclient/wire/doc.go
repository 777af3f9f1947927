// Package wire is the way that each request takes to one server: the transport with its
// redirects and headers, the gate that counts what the server's limit allows, the cache of
// what was answered, and the log of exchanges with secrets masked. It knows no endpoint
// and decodes nothing.
package wire

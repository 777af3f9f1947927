// Package apiclient reads the REST API of the chain: token metadata, blocks
// and names, one typed method for each endpoint.
//
// A question is sent to the first of its routes that the server serves: REST's own
// (v1), else v2, else v3. What is gone is remembered, and what the route that
// answered does not say is unknown.
//
// It checks inputs before anything is sent, retries what may be retried, holds
// requests back while the server refuses them, decodes tolerantly but refuses
// impossible numbers, keeps a bounded cache that is revalidated by ETag, makes
// identical requests in flight one, and logs every exchange with its secrets
// masked. What each request passes on its way is in package wire.
//
// Every text in an answer or in a server's error is untrusted: this package
// returns it as it came. It must not import tui, wallet or mockserver, and it
// must not write to the terminal.
package apiclient

// Package direct answers plain GET requests on a kept connection with one read
// and one write, and leaves everything else to net/http.
//
// A connection begins here. As long as each read brings exactly one whole
// request of the plainest form (GET, HTTP/1.1, no body, headers that do not
// change how the answer travels), the handler answers it from memory that the
// connection keeps. The first request of another form hands the connection, with
// what was read of it, to an http.Server for the rest of its life. So nothing
// here interprets what net/http would have to refuse.
//
// The package must not import anything of chainscope.
package direct

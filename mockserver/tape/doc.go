// Package tape records what a live API answered and replays it offline.
//
// A tape is a folder with one file per request, named after the request and a
// hash of it: get-extended-v1-block-limit-20-1f3a9c0d.http. A file is text but
// for the body, which is kept byte for byte:
//
//	chainscope tape 1
//	Request: GET /extended/v1/block?limit=20
//	Status: 200
//	Recorded: 2026-01-01T00:00:00Z
//	Upstream: https://api.hiro.so
//	Length: 41222
//
//	Content-Type: application/json; charset=utf-8
//	Etag: "0x…"
//
//	{"limit":20,…
//
// First the tape's own lines, then the headers of the answer, then the body of
// Length bytes, separated by blank lines. Only headers that say something
// about the answer are kept: no cookie, no key, and nothing of the request but
// its line, from which credentials are removed.
//
// A file is written whole and moved into place. An answer that says that the
// server was unwell (429, 5xx) never replaces a good one.
//
// Of this module the package imports only plainjson.
package tape

// Package apitest holds answers of the real services, recorded once for the tests
// of every package. It must not import anything of the project.
package apitest

import "embed"

// Recorded holds the recordings, such as recorded/blocks-epoch3.json: block
// records and listings of the Stacks Blockchain API, token metadata of the Token
// Metadata API, names, and the error answers of both with their paths. Those under
// recorded/generations are answers of the API's versions 8 and 9, and of 9 with its
// deprecated routes switched off ("sunset"); those under recorded/transactions are of the
// same versions.
//
//go:embed recorded/*.json recorded/generations/*.json recorded/transactions/*.json
var Recorded embed.FS

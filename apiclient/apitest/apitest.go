// Package apitest holds answers of the real services, recorded once for the tests
// of every package. It must not import anything of the project.
package apitest

import "embed"

// Recorded holds the recordings, such as recorded/blocks-epoch3.json: block
// records and listings of the Stacks Blockchain API, token metadata of the Token
// Metadata API, names, and the error answers of both with their paths.
//
//go:embed recorded/*.json
var Recorded embed.FS

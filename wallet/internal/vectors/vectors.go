// Package vectors holds the recorded answers of the reference libraries
// (stacks.js, @stacks/connect, @scure/btc-signer and others) that the tests of
// the wallet packages compare with. Every mnemonic in it is public.
//
// Each file is an object {what, set, cases}; README.md says which library made
// it and what its fields are.
package vectors

import "embed"

// Files holds the vectors by file name, for example accounts.json.
//
//go:embed *.json
var Files embed.FS

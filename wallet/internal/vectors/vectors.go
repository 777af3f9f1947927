// Package vectors holds the recorded answers of the reference libraries
// (stacks.js, @stacks/connect, @scure/btc-signer and others) that the tests of
// the wallet packages compare with. Every mnemonic in it is public.
//
// Each file is an object {what, set, cases}; README.md says which library made
// it and what its fields are.
package vectors

import (
	"embed"
	"encoding/json"
	"testing"
)

//go:embed *.json
var files embed.FS

// Read reads a file of vectors, for example accounts.json, into a value.
func Read(t testing.TB, name string, into any) {
	t.Helper()
	text, err := files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// Load returns a file of vectors as a value.
func Load[T any](t testing.TB, name string) (file T) {
	t.Helper()
	Read(t, name, &file)
	return file
}

// Cases returns the cases of a file of vectors.
func Cases[C any](t testing.TB, name string) []C {
	t.Helper()
	return Load[struct{ Cases []C }](t, name).Cases
}

package mockserver

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"
)

// The documents are in the program as gzip makes them, a tenth of their size.
//
//go:generate gzip -9knf openapi.json generations.openapi.json control.openapi.json
var (
	//go:embed openapi.json.gz
	packedContract []byte
	//go:embed generations.openapi.json.gz
	packedGenerations []byte
	//go:embed control.openapi.json.gz
	packedControl []byte
)

var (
	// openAPI is the contract as OpenAPI 3.
	openAPI = unpacked(packedContract)
	// generationsOpenAPI are the paths and schemas of the routes beside the contract.
	generationsOpenAPI = unpacked(packedGenerations)
	// controlOpenAPI is the control interface as OpenAPI 3.
	controlOpenAPI = unpacked(packedControl)
)

// unpacked returns what unpacks a document when it is first asked for.
func unpacked(packed []byte) func() []byte {
	return sync.OnceValue(func() []byte {
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			panic(err)
		}
		document, err := io.ReadAll(r)
		if err != nil {
			panic(err)
		}
		return document
	})
}

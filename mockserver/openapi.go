package mockserver

import (
	_ "embed"
	"net/http"
)

var (
	// openAPI is the contract as OpenAPI 3.
	//go:embed openapi.json
	openAPI []byte
	// generationsOpenAPI are the paths and schemas of the routes beside the contract.
	//go:embed generations.openapi.json
	generationsOpenAPI []byte
	// controlOpenAPI is the control interface as OpenAPI 3.
	//go:embed control.openapi.json
	controlOpenAPI []byte
)

// Contract returns the contract as an OpenAPI document. /openapi.json serves it with
// the routes that the version of the API has beside it. It must not be changed.
func Contract() []byte { return openAPI }

func serveDocument(x *exchange) {
	if x.s.replaced() {
		x.json(http.StatusOK, openAPI)
		return
	}
	x.json(http.StatusOK, x.s.document())
}

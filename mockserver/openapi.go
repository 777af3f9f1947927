package mockserver

import (
	_ "embed"
	"net/http"
)

// openAPI is the contract as OpenAPI 3.
//
//go:embed openapi.json
var openAPI []byte

// Contract returns the contract as an OpenAPI document, as /openapi.json serves it. It
// must not be changed.
func Contract() []byte { return openAPI }

func (s *Server) openAPIRoutes() []route {
	return []route{{method: "GET", pattern: "/openapi.json", kind: apiRoute, handle: func(x *exchange) {
		x.json(http.StatusOK, openAPI)
	}}}
}

package mockserver

import "net/http"

// Contract returns the contract as an OpenAPI document. /openapi.json serves it with
// the routes that the version of the API has beside it. It must not be changed.
func Contract() []byte { return openAPI() }

func (s *Server) openAPIRoutes() []route {
	return []route{{method: "GET", pattern: "/openapi.json", kind: apiRoute, handle: func(x *exchange) {
		if s.replaced() {
			x.json(http.StatusOK, openAPI())
			return
		}
		x.json(http.StatusOK, s.document())
	}}}
}

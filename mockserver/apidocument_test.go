package mockserver

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTheDocumentNamesTheRoutes holds the document of each version against the table of
// routes.
func TestTheDocumentNamesTheRoutes(t *testing.T) {
	for g := api8; g <= apiV3; g++ {
		var doc struct {
			Paths map[string]map[string]struct {
				Deprecated bool
				Responses  map[string]any
			}
		}
		if err := json.Unmarshal(openAPIOf(g, routes), &doc); err != nil {
			t.Fatal(err)
		}
		named := map[string]string{}
		for path, methods := range doc.Paths {
			for method, of := range methods {
				state := served.String()
				if of.Deprecated {
					state = deprecated.String()
				}
				if of.Responses["200"] == nil && of.Responses["410"] != nil {
					state = gone.String()
				}
				named[strings.ToUpper(method)+" "+pathParameter().ReplaceAllString(path, "{}")] = state
			}
		}
		for _, r := range routes {
			// The token service answers without a version too, and pictures are of the mock.
			if r.kind == tokenRoute && !strings.HasPrefix(r.pattern, "/metadata/v1/") || strings.HasPrefix(r.pattern, webSocketPath) {
				continue
			}
			got, known := named[r.method+" "+pathParameter().ReplaceAllString(r.pattern, "{}")]
			if want := r.life.in(g); known != (want != never) || known && got != want.String() {
				t.Errorf("%s: %s %s is %q, and in the document %q", g.release().Flag, r.method, r.pattern, want, got)
			}
		}
	}
}

package api

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
		if err := json.Unmarshal(Document(g, routes), &doc); err != nil {
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
			if r.Kind == tokenRoute && !strings.HasPrefix(r.Pattern, "/metadata/v1/") || strings.HasPrefix(r.Pattern, webSocketPath) {
				continue
			}
			got, known := named[r.Method+" "+pathParameter().ReplaceAllString(r.Pattern, "{}")]
			if want := r.life.in(g); known != (want != never) || known && got != want.String() {
				t.Errorf("%s: %s %s is %q, and in the document %q", g.Release().Flag, r.Method, r.Pattern, want, got)
			}
		}
	}
}

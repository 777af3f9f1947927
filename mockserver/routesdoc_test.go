package mockserver

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// routesPage is the page of the guide that lists the routes.
const routesPage = "../docs/routes.md"

// TestTheGuideListsTheRoutes holds the page against the table that answers.
func TestTheGuideListsTheRoutes(t *testing.T) {
	data, err := os.ReadFile(routesPage)
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(data), "| route |")
	if !found {
		t.Fatalf("%s has no table of routes", routesPage)
	}
	var page strings.Builder
	page.WriteString(head + "| route |")
	for _, name := range APIVersions() {
		page.WriteString(" `" + name + "` |")
	}
	page.WriteString("\n|---|---|---|---|---|\n")
	for i, r := range slices.Concat(routes, missingRoutes) {
		if i == len(routes) {
			page.WriteString("\nThe service has these as well, and the mock does not serve them: where a version has one, it\n" +
				"answers 501 with `X-Mock-Missing: 1` and a sentence, and `GET /mock/v1/undescribed` lists it.\n\n" +
				"| route, 501 | `8` | `9` | `sunset` | `v3` |\n|---|---|---|---|---|\n")
		}
		if r.kind == tokenRoute && !strings.HasPrefix(r.pattern, "/metadata/v1/") {
			continue // the same without a version, and pictures
		}
		path := strings.TrimSuffix(r.pattern, "{rest}")
		if r.method != "GET" {
			path = r.method + " " + path
		}
		page.WriteString("| `" + path + "` |")
		for g := api8; g <= apiV3; g++ {
			page.WriteString(" " + r.life.in(g).String() + " |")
		}
		page.WriteString("\n")
	}
	switch {
	case page.String() == string(data):
	case *update:
		if err := os.WriteFile(routesPage, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s lists other routes than there are; go test ./mockserver -run TestTheGuideListsTheRoutes -update writes it", routesPage)
	}
}

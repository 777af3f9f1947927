package api

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"
	"chainscope/wallet/facts"
)

// routesPage is the page of the guide that lists the routes.
const routesPage = "../../docs/routes.md"

var update = flag.Bool("update", false, "write docs/routes.md again")

// heldStatuses returns the statuses of each route that real servers answered and the tests hold the
// mock's answers against: those of TestRecordedRequestsAreAnsweredAsRecorded, without the ones that
// are known to differ.
func heldStatuses(t *testing.T) map[string]string {
	t.Helper()
	unlike := map[string]map[string]string{}
	data, err := os.ReadFile("../testdata/unlike-recorded.json")
	if err == nil {
		err = json.Unmarshal(data, &unlike)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, router := map[string][]int{}, NewRouter(routes)
	for _, generation := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		for _, e := range apitest.Exchanges(generation) {
			path, _, _ := strings.Cut(e.Path, "?")
			if r, _ := router.match(e.Method, path); r != nil && unlike[generation][e.Name] == "" {
				name := r.Method + " " + r.Pattern
				all[name] = append(all[name], e.Status)
			}
		}
	}
	held := map[string]string{}
	for name, statuses := range all {
		slices.Sort(statuses)
		held[name] = strings.Trim(fmt.Sprint(slices.Compact(statuses)), "[]")
	}
	return held
}

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
	for _, release := range facts.Releases {
		page.WriteString(" `" + release.Flag + "` |")
	}
	page.WriteString(" held |\n|---|---|---|---|---|---|\n")
	held := heldStatuses(t)
	for i, r := range slices.Concat(routes, missingRoutes) {
		if i == len(routes) {
			page.WriteString("\nThe service has these as well, and the mock does not serve them: where a version has one, it\n" +
				"answers 501 with `X-Mock-Missing: 1` and a sentence, and `GET /mock/v1/undescribed` lists it.\n\n" +
				"| route, 501 | `8` | `9` | `sunset` | `v3` |\n|---|---|---|---|---|\n")
		}
		if r.Kind == tokenRoute && !strings.HasPrefix(r.Pattern, "/metadata/v1/") {
			continue // the same without a version, and pictures
		}
		path := strings.TrimSuffix(r.Pattern, "{rest}")
		if r.Method != "GET" {
			path = r.Method + " " + path
		}
		page.WriteString("| `" + path + "` |")
		for g := api8; g <= apiV3; g++ {
			page.WriteString(" " + r.life.in(g).String() + " |")
		}
		if i < len(routes) {
			page.WriteString(" " + held[r.Method+" "+r.Pattern] + " |")
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
		t.Errorf("%s lists other routes than there are; go test ./mockserver/api -run TestTheGuideListsTheRoutes -update writes it", routesPage)
	}
}

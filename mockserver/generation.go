package mockserver

import (
	"fmt"
	"net/http"
	"strings"

	"chainscope/mockserver/internal/plainjson"
)

// generation is a state of the real API as time goes by: later ones retire routes
// of earlier ones.
type generation int

const (
	api8      generation = iota + 1 // 8.13
	api9                            // 9.0: routes of v3 beside those of v1 and v2
	apiSunset                       // 9.0 with its deprecated routes switched off
	apiV3                           // 9.7 with its deprecated routes switched off, those of v2 among them
)

// generationNames are the values of --api-version, and what each server calls
// itself. Sunset and 9 are one version: only a switch differs.
var generationNames = map[generation]struct{ flag, version string }{
	api8:      {"8", "v8.13.6"},
	api9:      {"9", "v9.0.2"},
	apiSunset: {"sunset", "v9.0.2"},
	apiV3:     {"v3", "v9.7.1"},
}

// APIVersions lists the values of Config.APIVersion, the default first.
func APIVersions() []string {
	var names []string
	for g := api8; g <= apiV3; g++ {
		names = append(names, generationNames[g].flag)
	}
	return names
}

// parseGeneration reads a Config.APIVersion; "" is the default.
func parseGeneration(name string) (generation, error) {
	if name == "" {
		return api8, nil
	}
	for g, names := range generationNames {
		if names.flag == name {
			return g, nil
		}
	}
	return 0, fmt.Errorf("no API version %q; it is one of %s", name, strings.Join(APIVersions(), ", "))
}

// version is what the server says in X-API-Version and in its status.
func (g generation) version() string { return generationNames[g].version + " (chainscope:mock)" }

// life is when a route comes, is deprecated and goes. The zero life is that of a
// route which every generation serves.
type life struct {
	since generation // the first that has it
	warns generation // the first that deprecates it, 0 for none
	ends  generation // the first that has it switched off, 0 for none
}

// The lives of the routes of the API.
var (
	blockLife       = life{warns: api8, ends: apiSunset} // blocks of v1
	transactionLife = life{warns: api9, ends: apiSunset} // transactions and addresses of v1, transactions of v2
	v2Life          = life{warns: apiV3, ends: apiV3}    // blocks and burn blocks of v2
	v3Life          = life{since: api9}                  // what came with 9.0
	v3BlockLife     = life{since: apiV3}                 // what came with 9.7
)

// goneBody is the answer of a route that is switched off.
var goneBody = plainjson.Encode(bareBody{
	Error: "Gone", Message: "This endpoint has been disabled. See https://docs.hiro.so/stacks/api for more information",
})

// gone answers for a route that is switched off. It comes before everything that
// the route itself would say, and names neither version nor validator.
func (x *exchange) gone() { x.send(http.StatusGone, goneBody) }

// of leaves out the routes that a generation does not know yet. Those
// that it has switched off stay.
func (g generation) of(all []route) []route {
	var known []route
	for _, r := range all {
		if r.life.since <= g {
			known = append(known, r)
		}
	}
	return known
}

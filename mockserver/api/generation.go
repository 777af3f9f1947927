package api

import (
	"net/http"

	"chainscope/mockserver/internal/plainjson"
	"chainscope/wallet/facts"
)

// Generation is a state of the real API as time goes by: later ones retire routes
// of earlier ones.
type Generation int

const (
	api8      Generation = iota + 1 // 8.13
	api9                            // 9.0: routes of v3 beside those of v1 and v2
	apiSunset                       // 9.0 with its deprecated routes switched off
	apiV3                           // 9.8 with its deprecated routes switched off, those of v2 among them
)

// Release returns the row of a generation. Sunset and 9 are one version: only a switch differs.
func (g Generation) Release() facts.Release { return facts.Releases[g-1] }

// version returns what the server says in X-API-Version and in its status.
func (g Generation) version() string { return g.Release().Version + " (chainscope:mock)" }

// state describes how a route is in a generation.
type state uint8

const (
	served     state = iota
	deprecated       // served, with a warning
	gone             // switched off: 410 for every request
	never            // unknown: 404 as for any other path
)

func (s state) String() string { return [...]string{"served", "deprecated", "gone", "never"}[s] }

// life describes how a route is in one generation after the other.
type life uint8

const (
	always        life = iota
	blocksV1           // blocks, and what else was old before 9.0
	withV1             // what 9.0 deprecated: transactions and accounts of v1 and v2
	blocksV2           // blocks and burn blocks of v2
	blocksV2From9      // Of them, what came with 9.0
	from9              // what came with 9.0
	fromV3             // what came with 9.1 to 9.8
	before9            // what 9.0 no longer has
	until94            // what 9.1 to 9.4 deprecated, which is still there after the sunset
)

// lives are the states in the versions 8, 9, sunset and v3.
var lives = [...][apiV3]state{
	always:        {served, served, served, served},
	blocksV1:      {deprecated, deprecated, gone, gone},
	withV1:        {served, deprecated, gone, gone},
	blocksV2:      {served, served, served, gone},
	blocksV2From9: {never, served, served, gone},
	from9:         {never, served, served, served},
	fromV3:        {never, never, never, served},
	before9:       {served, never, never, never},
	until94:       {served, served, served, deprecated},
}

func (l life) in(g Generation) state { return lives[l][g-1] }

// goneBody is the answer of a route that is switched off.
var goneBody = plainjson.Encode(ErrorBody{
	Error: "Gone", Message: "This endpoint has been disabled. See https://docs.hiro.so/stacks/api for more information",
})

// gone answers for a route that is switched off. It comes before everything that
// the route itself would say, and names neither version nor validator.
func (x *Exchange) gone() { x.Send(http.StatusGone, goneBody) }

// Of leaves out the routes that a generation does not know yet. Those
// that it has switched off stay.
func (g Generation) Of(all []Route) []Route {
	var known []Route
	for _, r := range all {
		if r.life.in(g) != never {
			known = append(known, r)
		}
	}
	return known
}

package mockserver

import (
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/names"
	"chainscope/mockserver/tokens"
	"chainscope/mockserver/world"
	"chainscope/wallet/facts"
)

// service is the API that is played, and what its answers depend on beside the world: a part
// of the server's configuration, and who is told of what no client sees.
type service struct {
	generation  generation
	epoch       facts.Epoch // that the network is in
	seed        uint64
	tokens      func() *tokens.Catalogue
	names       *names.Catalogue
	project     bool // the network is that of a project, a test network
	machine     bool // contracts run
	bodyTimeout time.Duration
	problem     func(error)                             // gets what is only for the log
	refused     func(contract, function, reason string) // see Config.Refused

	version []string // value of X-API-Version
	feeds   *feeds
}

func newService(s service) *service {
	s.version, s.feeds = []string{s.generation.version()}, newFeeds()
	return &s
}

// close ends the connections to which events are pushed.
func (s *service) close() { s.feeds.close() }

// state returns what the request's world holds now. A handler takes it once and
// answers everything from it.
func (x *exchange) state() world.State { return x.world.State() }

// tipCached is done for the routes of the chain, whose validator is the index block hash of
// the tip, which changes with everything they answer.
func (x *exchange) tipCached(v *chain.View) bool {
	return x.answered || x.cached(tipTag(v))
}

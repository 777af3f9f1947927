package api

import (
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/names"
	"chainscope/mockserver/tokens"
	"chainscope/mockserver/world"
	"chainscope/wallet/facts"
)

// Service is the API that is played, and what its answers depend on beside the world: a part
// of the server's configuration, and who is notified of what no client sees.
type Service struct {
	Generation  Generation
	Epoch       facts.Epoch // that the network is in
	Seed        uint64
	Tokens      func() *tokens.Catalogue
	Names       *names.Catalogue
	Project     bool        // the network is that of a project, a test network
	Machine     bool        // contracts run
	Fork        *world.Fork // the live chain that the chain continues, nil for none
	BodyTimeout time.Duration
	Problem     func(error)                             // gets what is only for the log
	Refused     func(contract, function, reason string) // gets each call that is not described

	version []string // value of X-API-Version
	feeds   *feeds
}

// New returns the service that the exported fields describe.
func New(s Service) *Service {
	s.version, s.feeds = []string{s.Generation.version()}, newFeeds()
	return &s
}

// Close ends the connections to which events are pushed.
func (s *Service) Close() { s.feeds.close() }

// state returns what the request's world holds now. A handler takes it once and
// answers everything from it.
func (x *Exchange) state() world.State { return x.World.State() }

// tipCached is done for the routes of the chain, whose validator is the index block hash of
// the tip, which changes with everything they answer.
func (x *Exchange) tipCached(v *chain.View) bool {
	return x.answered || x.cached(tipTag(v))
}

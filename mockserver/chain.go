package mockserver

import (
	"errors"
	"fmt"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/history"
	"chainscope/mockserver/names"
	"chainscope/mockserver/world"
)

// The pace of the mock unless another is requested: about that of the real
// chain.
const (
	defaultBlockInterval = 10 * time.Second
	defaultBurnInterval  = 10 * time.Minute
)

// openWorld makes the world of the server itself. Errors are *ConfigError.
func (s *Server) openWorld(book contracts.Book, scenario fault.Scenario) error {
	if err := s.openFork(); err != nil {
		return err
	}
	if err := s.openEngine(); err != nil {
		return err
	}
	base, err := s.base()
	if err != nil {
		return err
	}
	c, err := newChain(s.cfg, base)
	if err != nil {
		return err
	}
	count, err := s.openNames()
	if err != nil {
		return err
	}
	options := &world.Options{
		Chain: c, Contracts: book, Fork: s.fork, AnyContract: s.cfg.AnyContract, Automine: s.cfg.Automine, Impersonated: s.cfg.Impersonate, Now: s.cfg.Now, Engine: s.engine, Epoch: s.service.Epoch,
		Faults: fault.Options{Seed: s.cfg.Seed, Rules: s.cfg.Faults, Scenario: scenario, Latency: s.cfg.Latency},
	}
	if s.fork == nil { // else what is below is the live chain's
		options.Past, options.Catalogue, options.Names = history.New(c, s.service.Epoch), s.service.Tokens(), names.NewRegistry(s.service.Names, s.cfg.Seed)
	}
	if at := s.cfg.Freeze; at != nil && !s.replaced() {
		if err := c.CheckInstant(*at); err != nil {
			return badFlag("--freeze", "%v", err)
		}
		options.Clock = chain.Clock{Frozen: true, At: at.UnixMilli()}
	}
	s.world = world.New(options)
	if s.replaced() {
		return nil
	}
	if err := s.stageProject(); err != nil {
		return err
	}
	header := world.NewHeader(c.Params(), count, s.cfg.Freeze, s.service.Epoch.Name)
	if s.fork != nil {
		at := s.fork.Tip()
		header.Fork = world.ForkedAt{Network: at.Network, Height: at.Height, IndexHash: at.IndexHash}
	}
	if err := s.keepWorlds(header); err != nil {
		return err
	}
	if s.reloader != nil {
		s.reloader.start()
	}
	return nil
}

// openNames makes the names of a mock chain, and returns how many of btc there are.
func (s *Server) openNames() (count int, err error) {
	if s.replaced() || s.fork != nil {
		return 0, nil
	}
	if count = s.cfg.Names; count == 0 {
		count = names.DefaultCount
	}
	if s.service.Names, err = names.New(s.cfg.Seed, int64(count)); err != nil {
		return 0, badFlag("--names", "%v", err)
	}
	return count, nil
}

// keepWorlds replays the state file, makes the named worlds, and records what is done to each.
func (s *Server) keepWorlds(header world.Header) (err error) {
	file := s.stateFile
	var cut []string
	if file != nil {
		if err := s.world.Keep(file, header); err != nil {
			return badFlag("--state", "%s: %v", quoted(s.cfg.State), err)
		}
		if file.Cut() {
			cut = append(cut, s.cfg.State)
		}
	}
	if s.cfg.Worlds {
		s.worlds = s.world.Worlds()
		if file != nil {
			var more []string
			if more, err = s.worlds.Keep(s.world, file, header); err != nil {
				return badFlag("--state", "%s: %v", quoted(s.cfg.State), err)
			}
			cut = append(cut, more...)
		}
	}
	for _, path := range cut {
		s.cfg.Report(fmt.Sprintf("%s: the last line was cut off while it was written and is left out; all before it was done again", quoted(path)))
	}
	return nil
}

func newChain(cfg Config, base chain.Base) (*chain.Chain, error) {
	p := chainParams(cfg)
	p.Base = base
	c, err := chain.New(p)
	var bad *chain.ParamError
	switch {
	case errors.As(err, &bad) && bad.Param == "block interval":
		return nil, badFlag("--block-interval", "%s", bad.Problem)
	case bad != nil:
		return nil, badFlag("--burn-interval", "%s", bad.Problem)
	}
	return c, err
}

// chainParams fills in the intervals that were not given; where only one was,
// the other makes room for it.
func chainParams(cfg Config) chain.Params {
	p := chain.Params{Seed: cfg.Seed, BlockInterval: cfg.BlockInterval, BurnInterval: cfg.BurnInterval, Born: cfg.born}
	if p.BlockInterval == 0 {
		p.BlockInterval = defaultBlockInterval
		if p.BurnInterval > 0 {
			p.BlockInterval = max(chain.MinBlockInterval, min(p.BlockInterval, (p.BurnInterval/2).Truncate(time.Millisecond)))
		}
	}
	if p.BurnInterval == 0 {
		p.BurnInterval = max(defaultBurnInterval, 2*p.BlockInterval)
	}
	return p
}

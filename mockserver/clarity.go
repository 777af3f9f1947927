package mockserver

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/wallet/atomicfile"
)

// A young chain is this old when its server starts, so that there is something to look at.
const youth = 100 * time.Minute

// vmBefore is how long before the first burn block of a young chain the virtual machine
// begins.
const vmBefore = 10 * time.Minute

// openEngine starts the program that lets contracts run, if it is asked for. Errors are
// *ConfigError.
func (s *Server) openEngine() error {
	c := &s.cfg
	if !c.Clarity {
		switch {
		case c.ClarityEngine != "":
			return badFlag("--clarity-engine", "needs --clarity")
		case c.Project != "":
			return badFlag("--project", "needs --clarity")
		case c.Coverage != "":
			return badFlag("--coverage", "needs --clarity")
		}
		return nil
	}
	if c.Coverage != "" {
		if err := atomicfile.Check(c.Coverage); err != nil {
			return badFlag("--coverage", "%v", err)
		}
	}
	flag := "--clarity"
	if c.ClarityEngine != "" {
		flag = "--clarity-engine"
	}
	command, err := engine.Find(c.ClarityEngine, cmp.Or(c.Project, "."), ".")
	if err != nil {
		return badFlag(flag, "%v", err)
	}
	if c.born == 0 {
		at := c.Now()
		if c.Freeze != nil {
			at = *c.Freeze
		}
		c.born = at.Add(-youth).Truncate(time.Second).UnixMilli()
	}
	if step := cmp.Or(c.BlockInterval, defaultBlockInterval); step != defaultBlockInterval || cmp.Or(c.BurnInterval, defaultBurnInterval) != defaultBurnInterval {
		c.Tell(fmt.Sprintf("contracts see a clock of their own: in the virtual machine a block takes %v and a burn block %v", defaultBlockInterval, defaultBurnInterval))
	}
	s.engine = engine.New(engine.Options{
		Command: command, Genesis: c.born/1000 - int64(vmBefore.Seconds()), Epoch: s.epoch.Name, Tell: c.Tell,
		Coverage: c.Coverage != "",
	})
	if err := s.engine.Warm(context.Background()); err != nil {
		return badFlag(flag, "%v", err)
	}
	return nil
}

// writeCoverage adds what was reached in contracts to the file that was asked for.
func (s *Server) writeCoverage() {
	if s.engine == nil || s.cfg.Coverage == "" {
		return
	}
	if err := s.engine.WriteCoverage(s.cfg.Coverage, s.contractFiles); err != nil {
		s.cfg.Tell(fmt.Sprintf("--coverage: %s: %v", quoted(s.cfg.Coverage), err))
	}
}

// stageProject makes the virtual machine and deploys the contracts of the project, if one
// is given. Errors are
// *ConfigError.
func (s *Server) stageProject() error {
	if s.cfg.Project == "" {
		if err := s.world.Warm(); err != nil {
			return badFlag("--clarity", "%v", err)
		}
		return nil
	}
	project, err := s.engine.ReadProject(context.Background(), s.cfg.Project)
	if err == nil {
		err = s.world.Stage(project)
	}
	if err != nil {
		return badFlag("--project", "%s: %v", quoted(s.cfg.Project), err)
	}
	s.contractFiles, s.reloader = project.Files, newReloader(s, project)
	s.cfg.Tell("the project has deployed " + strings.Join(project.Contracts(), ", "))
	for _, line := range project.Requirements() {
		s.cfg.Tell("the requirement " + line)
	}
	return nil
}

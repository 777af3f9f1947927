package mockserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver/engine"
	"chainscope/wallet/atomicfile"
)

// A young chain is this old when its server starts, so that there is something to look at.
const youth = 100 * time.Minute

// vmBefore is the time between the start of the virtual machine and the first burn block of a
// young chain.
const vmBefore = 10 * time.Minute

// openEngine starts the program that lets contracts run, if it is requested. Errors are
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
		if s.fork == nil {
			at = at.Add(-youth)
		}
		c.born = at.Truncate(time.Second).UnixMilli()
	}
	if step := cmp.Or(c.BlockInterval, defaultBlockInterval); step != defaultBlockInterval || cmp.Or(c.BurnInterval, defaultBurnInterval) != defaultBurnInterval {
		c.Report(fmt.Sprintf("contracts see a clock of their own: in the virtual machine a block takes %v and a burn block %v", defaultBlockInterval, defaultBurnInterval))
	}
	options := engine.Options{
		Command: command, Genesis: c.born/1000 - int64(vmBefore.Seconds()), Epoch: s.service.Epoch.Name, Report: c.Report,
		Coverage: c.Coverage != "",
	}
	if s.fork != nil {
		options.Fork, options.Genesis = s.fork.Source, c.born/1000
	}
	s.engine = engine.New(options)
	if err := s.engine.Warm(context.Background()); err != nil {
		return badFlag(flag, "%v", err)
	}
	return nil
}

// writeCoverage adds what was reached in contracts to the file that was requested.
func (s *Server) writeCoverage() {
	if s.engine == nil || s.cfg.Coverage == "" {
		return
	}
	if err := s.engine.WriteCoverage(s.cfg.Coverage, s.contractFiles); err != nil {
		s.cfg.Report(fmt.Sprintf("--coverage: %s: %v", quoted(s.cfg.Coverage), err))
	}
}

// stageProject makes the virtual machine and deploys the contracts of the project, if one
// is given. Errors are
// *ConfigError.
func (s *Server) stageProject() error {
	if s.cfg.Project == "" {
		err := s.world.Warm()
		if err != nil && !isUnread(err) {
			return badFlag("--clarity", "%v", err)
		}
		return s.cfg.forkError(err)
	}
	project, err := s.readProject()
	if err == nil {
		err = inFile(project, s.world.Stage(project, s.progress()))
	}
	if isUnread(err) {
		return s.cfg.forkError(err)
	}
	if err != nil {
		return badFlag("--project", "%s: %v", quoted(s.cfg.Project), err)
	}
	s.contractFiles, s.reloader = project.Files, newReloader(s, project)
	s.cfg.Report("the project has deployed " + cmp.Or(strings.Join(project.Contracts(), ", "), "nothing: "+s.cfg.Project+"/Clarinet.toml has no contracts"))
	for _, line := range project.Notes() {
		s.cfg.Report(line)
	}
	return nil
}

// progress returns what says how far a start is that takes long.
func (s *Server) progress() func(n, of int, name string) {
	last := time.Now()
	return func(n, of int, name string) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			s.cfg.Report(fmt.Sprintf("deploying %d of %d: %s", n, of, name))
		}
	}
}

func (s *Server) readProject() (*engine.Project, error) {
	from := engine.Sources{Known: s.world.Known}
	if s.fork != nil {
		tip := s.fork.Tip()
		from = engine.Sources{Live: s.liveContract, API: fmt.Sprintf("height %d, which %s has", tip.Height, tip.API)}
	}
	if s.cfg.FetchRequirements != "" {
		from.Fetch, from.API = s.fetchRequirement, s.cfg.FetchRequirements
	}
	return s.engine.ReadProject(context.Background(), s.cfg.Project, from)
}

var ofContract = regexp.MustCompile(`^the contract ([^ :]+): (?:(\d+:\d+): )?`)

// inFile puts the file and the place of a contract that cannot be deployed before the error.
func inFile(p *engine.Project, err error) error {
	if err == nil {
		return nil
	}
	found := ofContract.FindStringSubmatch(err.Error())
	if found == nil || p.Files[found[1]] == "" {
		return err
	}
	place := engine.Within(p.Folder, p.Files[found[1]])
	if found[2] != "" {
		place += ":" + found[2]
	}
	return fmt.Errorf("%s: the contract %s: %s", place, found[1], err.Error()[len(found[0]):])
}

// fetchTime bounds how long one requirement may take, waits for a limited API included.
const fetchTime = 2 * time.Minute

// fetchBackoff is the first wait before a failed request for a requirement is repeated. The
// client derives it from the time that a call may take, which is long here for the sake of a
// limit: an API that is not there should fail within seconds.
const fetchBackoff = 250 * time.Millisecond

// fetchRequirement reads a requirement from the API that was named, or what was kept of it.
func (s *Server) fetchRequirement(ctx context.Context, id string) (r engine.Requirement, err error) {
	file := filepath.Join(s.cfg.RequirementsDir, id+".json")
	if kept, err := os.ReadFile(file); err == nil && json.Unmarshal(kept, &r) == nil && r.Source != "" {
		return r, nil
	}
	if s.requirements == nil {
		if s.requirements, err = apiclient.New(apiclient.Options{BaseURL: s.cfg.FetchRequirements, Header: s.cfg.Header, Timeout: fetchTime, Backoff: fetchBackoff}); err != nil {
			return r, badFlag("--fetch-requirements", "%v", err)
		}
	}
	s.cfg.Report("reading the requirement " + id)
	answer, err := s.requirements.Contract(ctx, id)
	if apiclient.KindOf(err) == apiclient.NotFound {
		return r, engine.ErrNoContract
	}
	if err == nil && answer.Value.Source == "" {
		err = errors.New("the answer has no source")
	}
	if err != nil {
		return r, fmt.Errorf("the requirement %s cannot be read from %s: %w", id, s.cfg.FetchRequirements, err)
	}
	r.Source = answer.Value.Source
	if v := answer.Value.ClarityVersion; v != nil {
		r.Clarity = byte(*v)
	}
	if s.cfg.RequirementsDir == "" {
		return r, nil
	}
	text, err := json.Marshal(r)
	if err == nil {
		err = os.MkdirAll(s.cfg.RequirementsDir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(file+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(file+".new", file)
	}
	return r, err
}

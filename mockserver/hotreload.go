package mockserver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chainscope/mockserver/engine"
)

// pollInterval is the time between two checks of the files of a project.
const pollInterval = time.Second

// reloader deploys a project again when one of its files has changed.
type reloader struct {
	s        *Server
	files    []string
	lastRead string // the files as they were when they were read
	done     chan struct{}
	stops    sync.Once
	runs     sync.WaitGroup
}

// newReloader looks after a project that is deployed.
func newReloader(s *Server, p *engine.Project) *reloader {
	r := &reloader{s: s, done: make(chan struct{})}
	r.watch(p)
	return r
}

// watch names the files of the project.
func (r *reloader) watch(p *engine.Project) {
	dir := r.s.cfg.Project
	r.files = []string{filepath.Join(dir, "Clarinet.toml"), filepath.Join(dir, "settings", "Devnet.toml"), filepath.Join(dir, "deployments", "default.simnet-plan.yaml"), filepath.Join(dir, engine.DevnetPlan)}
	for _, file := range p.Files {
		r.files = append(r.files, file)
	}
	slices.Sort(r.files)
	r.lastRead = r.fingerprint()
}

// fingerprint describes the files as they are.
func (r *reloader) fingerprint() string {
	var all strings.Builder
	for _, file := range r.files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&all, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return all.String()
}

// start begins to check the files, until stop.
func (r *reloader) start() {
	r.runs.Add(1)
	go r.run()
}

// stop ends that, and waits for a deploy that is under way.
func (r *reloader) stop() {
	r.stops.Do(func() { close(r.done) })
	r.runs.Wait()
}

func (r *reloader) run() {
	defer r.runs.Done()
	defer func() { _ = recover() }() // contracts then stay as they are
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-r.done:
			return
		case <-tick.C:
			r.reload()
		}
	}
}

// reload deploys the project again if it has changed, and reports what became of what was done.
func (r *reloader) reload() {
	now := r.fingerprint()
	if now == r.lastRead {
		return
	}
	r.lastRead = now
	project, err := r.s.readProject()
	var changed []string
	if err == nil {
		changed, err = r.s.world.Restage(project)
		err = inFile(project, err)
	}
	if err != nil {
		r.s.cfg.Report(fmt.Sprintf("the project has changed and cannot be deployed, so the contracts stay as they were: %v", err))
		return
	}
	r.watch(project)
	if r.s.worlds != nil {
		r.s.worlds.BeginAs(r.s.world)
	}
	r.s.cfg.Report("the project has changed and is deployed again, and what was done is done again")
	for _, line := range changed {
		r.s.cfg.Report(line)
	}
}

package walletcmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"chainscope/wallet/atomicfile"
	"chainscope/wallet/bridge"
)

// reportEvery is the shortest time between two writes of the report.
const reportEvery = 200 * time.Millisecond

// reportFiles keep the report of a bridge on disk as it changes, so that it
// survives a test runner that kills.
type reportFiles struct {
	paths  []string
	report func() bridge.Report
	dirty  chan struct{} // holds one token when the report has changed
	end    chan struct{}
	ended  chan struct{}
	once   sync.Once
	err    error // of the last write; set before ended is closed
}

func newReportFiles(paths []string, report func() bridge.Report) *reportFiles {
	r := &reportFiles{paths: paths, report: report, dirty: make(chan struct{}, 1), end: make(chan struct{}), ended: make(chan struct{})}
	r.changed() // so that there is a report even if nothing comes
	return r
}

// changed lets the report be written soon.
func (r *reportFiles) changed() {
	select {
	case r.dirty <- struct{}{}:
	default:
	}
}

// run writes the report whenever it has changed, until close.
func (r *reportFiles) run() {
	defer close(r.ended)
	pause := time.NewTicker(reportEvery)
	defer pause.Stop()
	for {
		select {
		case <-r.dirty:
			_ = r.write(false) // the last write reports whether it can be written
		case <-r.end:
			r.err = r.write(true)
			return
		}
		select {
		case <-pause.C:
		case <-r.end:
			r.err = r.write(true)
			return
		}
	}
}

// close writes the report a last time.
func (r *reportFiles) close() error {
	r.once.Do(func() { close(r.end) })
	<-r.ended
	return r.err
}

// write writes the report. A stream has it once, when it is the last.
func (r *reportFiles) write(last bool) error {
	if len(r.paths) == 0 {
		return nil
	}
	report := r.report()
	var all []error
	for _, path := range r.paths {
		if !last && atomicfile.IsStream(path) {
			continue
		}
		text, err := report.JSON()
		if strings.EqualFold(filepath.Ext(path), ".xml") {
			text, err = report.JUnit()
		}
		if err == nil {
			err = atomicfile.Write(path, text, 0o600)
		}
		if err != nil {
			all = append(all, fmt.Errorf("--report: %w", err))
		}
	}
	return errors.Join(all...)
}

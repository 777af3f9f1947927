package cli

import (
	"context"
	"path/filepath"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fault"
	"chainscope/wallet/facts"
)

// Forked is a mock that continues from a block of the API that the user named.
type Forked struct {
	API     string
	Height  int64
	At      time.Time // the time of its clock
	Cache   string    // "" for the folder in the state folder
	Offline bool
}

// OnFork serves such a mock on a loopback port.
func (a *App) OnFork(ctx context.Context, f Forked) (_ *Connection, err error) {
	flags := MockFlags{
		blockInterval: defaultBlockInterval, burnInterval: defaultBurnInterval, names: defaultMockNames, scenario: string(fault.Healthy), apiVersion: facts.DefaultRelease,
		fork: f.API, forkHeight: f.Height, forkCache: f.Cache, forkOffline: f.Offline, clarityEngine: a.Settings.Mock.clarityEngine, Freeze: f.At.UTC().Format(time.RFC3339),
	}
	c := &Connection{}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if err := c.serve(ctx, a, "127.0.0.1:0", func() (*mockserver.Server, error) { return flags.NewMock(a, "", nil) }); err != nil {
		return nil, err
	}
	c.Client, err = apiclient.New(apiclient.Options{BaseURL: c.BaseURL, Timeout: a.Settings.Timeout, Now: a.Now, Mock: true})
	if err == nil {
		c.AtEnd(c.Client.Close)
	}
	return c, err
}

// FindEngine returns an error, with the line that installs it, if there is no program that lets contracts
// run.
func (a *App) FindEngine() error {
	_, err := engine.Find(a.Settings.Mock.clarityEngine, ".", ".")
	return err
}

// ForkFolder returns the folder that keeps what is read of live chains: the one that was named, or the one in
// the state folder.
func (a *App) ForkFolder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	dir, err := a.stateFolder()
	return filepath.Join(dir, "fork"), err
}

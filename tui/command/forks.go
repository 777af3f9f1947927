package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver/fork"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/mockclient"
	"chainscope/tui/text"
	"chainscope/wallet/node"
	"chainscope/wallet/signer"
)

// forks runs transactions on forks of a live chain.
type forks struct {
	app      *cli.App
	client   *apiclient.Client
	cache    string
	offline  bool
	progress func(string) // it is given how far the reading is; nil drops it
}

// newForks returns forks of the chain of a client, whose values a folder keeps, "" for the one in the state
// folder.
func newForks(app *cli.App, c *apiclient.Client, cache string, offline bool) (forks, error) {
	dir, err := app.ForkFolder(cache)
	return forks{app: app, client: c, cache: dir, offline: offline}, err
}

// Why something is run on a fork.
const (
	noTrace    = "a live chain has no traces; the call is run again here"
	noForecast = "a live chain has no forecasts; the call is run here"
)

// check returns what is missing for that, nil for nothing.
func (f *forks) check(why string) error {
	if err := f.app.FindEngine(); err != nil {
		return cli.Usagef("%s, and %v", why, err)
	}
	return nil
}

// transactionFile returns the file that keeps what is needed to do a transaction again.
func (f *forks) transactionFile(id string) string {
	return filepath.Join(f.cache, "transactions", strings.TrimPrefix(id, "0x")+".json")
}

// What a swap reads, and how many requests an API takes in a minute where it does not say so.
const (
	valuesOfSwap = 100
	usualLimit   = 50
)

// cost says what it costs to run something on the state of a block, a transaction that was run before nothing.
func (f *forks) cost(id string, height int64) string {
	kept := fork.Kept(f.cache, f.client.BaseURL(), height)
	_, err := os.Stat(f.transactionFile(id))
	switch {
	case f.offline:
		return "no request is sent, all that it needs has to be in " + f.cache
	case id != "" && err == nil && kept > 0:
		return "it was run before, and all that it read is kept in " + f.cache
	}
	limit := f.client.Gate().Budget().Limit
	out := fmt.Sprintf("what it needs is read from %s, a request for each value, a hundred values for a swap. At %d requests a minute", f.client.BaseURL(), cmp.Or(limit, usualLimit))
	if limit == 0 {
		out += ", as without an API key,"
	}
	limit = cmp.Or(limit, usualLimit)
	out += " a swap takes some " + text.Plural((valuesOfSwap+limit-1)/limit, "minute")
	if kept > 0 {
		out += "; " + text.Plural(kept, "value") + " of the block are kept already"
	}
	return out + ". Each is kept in " + f.cache + " and never read again"
}

// open serves a fork of the chain at a height, its clock stopped at a time.
func (f *forks) open(ctx context.Context, height int64, at time.Time) (mock *cli.Connection, end func(), err error) {
	if f.progress != nil {
		f.progress("reading the block")
	}
	if mock, err = f.app.OnFork(ctx, cli.Forked{API: f.client.BaseURL(), Height: height, At: at, Cache: f.cache, Offline: f.offline}); err != nil {
		return nil, nil, err
	}
	watching, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	f.app.Guard.Go(func() {
		defer close(done)
		f.watch(watching, mockclient.New(mock.BaseURL, nil))
	})
	return mock, func() { stop(); <-done; mock.Close() }, nil
}

// watch reports how far the reading of a fork is, until the context ends.
func (f *forks) watch(ctx context.Context, mock *mockclient.Client) {
	for f.progress != nil && ctx.Err() == nil {
		if at, err := mock.Course(ctx); err == nil && at.Fork != nil {
			words := at.Fork.Progress
			if at.Fork.Reading != "" {
				words += "\n" + at.Fork.Reading
			}
			f.progress(words)
		}
		select {
		case <-ctx.Done():
		case <-time.After(watchPause):
		}
	}
}

// watchPause is the time between two requests of the progress.
const watchPause = 250 * time.Millisecond

// forecast returns how a transaction would end on the state of a block.
func (f *forks) forecast(ctx context.Context, height int64, d signer.Description) (*node.Forecast, error) {
	if on := f.client.About().Network; on != "" && d.Network.Name != on {
		return nil, fmt.Errorf("the request is for %s, and the API is of %s", d.Network.Name, on)
	}
	mock, end, err := f.open(ctx, height, time.Now())
	if err != nil {
		return nil, err
	}
	defer end()
	to, err := node.New(node.Options{BaseURL: mock.BaseURL})
	if err != nil {
		return nil, err
	}
	return to.Forecast(ctx, d.Transaction.Unsigned)
}

// freshFor is the time for which forecasts are made on the same block, so that the next one need not
// read the same values again.
const freshFor = 10 * time.Minute

// explorerForks are the forks of an explorer.
type explorerForks struct {
	forks
	ctx     context.Context // ends with the explorer
	running sync.WaitGroup
	nowhere error // why there is no folder, nil where there is one

	mu     sync.Mutex
	height int64     // of the last forecast
	at     time.Time // when that was the newest block
}

// onFork returns what runs transactions of the live chain that the explorer shows. The flags of the embedded
// mock say which program runs them, and where what was read is kept.
func (e *explorer) onFork(ctx context.Context, app *cli.App, c *apiclient.Client) *tui.OnFork {
	cache, offline := app.Settings.Mock.ForkCache()
	plain, err := newForks(app, c, cache, offline)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &explorerForks{forks: plain, ctx: ctx, nowhere: err}
	e.ends = append(e.ends, func() { cancel(); f.running.Wait() })
	return &tui.OnFork{Costs: f.costs, Trace: f.traceOne, Forecast: f.forecastOne}
}

// costs says what it costs to do a transaction of a block again, or to forecast one, which has no id.
func (f *explorerForks) costs(id string, block int64) (string, error) {
	why := noTrace
	if id == "" {
		why = noForecast
	}
	if err := f.check(why); err != nil {
		return "", err
	}
	if f.nowhere != nil {
		return "", f.nowhere
	}
	if id != "" && block == 0 {
		return "The call is run again on this machine, on the state of the block before its own: " + f.cost(id, 0) + ".", nil
	}
	if id != "" {
		return fmt.Sprintf("The call is run again on this machine, on the state of block %s: %s.", text.Count(block-1), f.cost(id, block-1)), nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprintf("The call is run on this machine, on the newest state of the chain: %s.", f.cost("", f.height)), nil
}

// begin returns forks that report to progress and end with the explorer, and what has to be called at their end.
func (f *explorerForks) begin(ctx context.Context, progress func(string)) (context.Context, *forks, func()) {
	one := f.forks
	one.progress = progress
	f.running.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	f.app.Guard.Go(func() {
		select {
		case <-f.ctx.Done():
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, &one, func() { cancel(); f.running.Done() }
}

func (f *explorerForks) traceOne(ctx context.Context, id string, progress func(string)) (apiclient.Answer[apiclient.Trace], error) {
	ctx, one, end := f.begin(ctx, progress)
	defer end()
	return one.trace(ctx, id)
}

func (f *explorerForks) forecastOne(ctx context.Context, d signer.Description, progress func(string)) (*node.Forecast, error) {
	ctx, one, end := f.begin(ctx, progress)
	defer end()
	height, err := f.newest(ctx)
	if err != nil {
		return nil, err
	}
	return one.forecast(ctx, height, d)
}

// newest returns the height of the newest block, as it was a while ago at most; without requests 0, for the
// newest one that is kept.
func (f *explorerForks) newest(ctx context.Context) (int64, error) {
	f.mu.Lock()
	height, at := f.height, f.at
	f.mu.Unlock()
	switch {
	case f.offline:
		return 0, nil
	case time.Since(at) < freshFor:
		return height, nil
	}
	latest, err := f.client.Block(ctx, "latest")
	if err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.height, f.at = latest.Value.Height, time.Now()
	return f.height, nil
}

package command

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/custom"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/theme"
)

const (
	// heapGrowth is how much garbage may stand beside what is in use, in per cent.
	// The explorer is open all day and makes little: half of Go's default saves
	// memory and costs nothing that shows.
	heapGrowth = 50
	// startGrowth is that of the start, which makes a few megabytes of garbage and is
	// waited for: nothing is collected below 16 MiB.
	startGrowth = 400
	// started is when what nobody waits for begins: the first frames are drawn.
	started = 250 * time.Millisecond
	// settled is how long after that what stands beside the first frames is there too.
	settled = 1500 * time.Millisecond
)

// openExplorer runs the explorer at a place on the API of the settings.
func openExplorer(cmd *cobra.Command, app *app, flags *explorerFlags, place nav.Place) error {
	debug.SetGCPercent(startGrowth)
	notices := make(chan string, 16)
	store, err := app.openStore(func(text string) {
		select {
		case notices <- text:
		default: // more notices than anyone would read
		}
	})
	if err != nil {
		return err
	}
	attempt := new(atomic.Pointer[apiclient.Attempt])
	app.onAttempt = func(a apiclient.Attempt) { attempt.Store(&a) }
	c, err := app.connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.close()

	service, closeWallet, err := app.openWallet(cmd.Context(), flags, c, store)
	if err != nil {
		return err
	}
	defer closeWallet()

	rest := new(term.Rest)
	capabilities := term.Detect(os.Environ(), app.settings.noColor)
	options := tui.Options{
		// Signals are the terminal layer's: it restores the screen first.
		Context: context.WithoutCancel(cmd.Context()),
		Client:  c.client, Keys: app.keys, Start: place, Store: store, Notices: notices, Attempt: attempt.Load, Wallet: service,
		Mouse: flags.mouse, Exports: ".",
		Look: look(capabilities, flags.ascii), Tick: rest.Tick, Guard: &app.guard,
	}
	running, stop := context.WithCancel(context.WithoutCancel(cmd.Context()))
	defer stop()
	app.guard.Go(func() { collectAfterStart(running) })
	pushed, stopPushing := app.follow(cmd.Context(), c.client, started)
	defer stopPushing()
	options.Pushed = pushed
	options.Network, options.Web, options.WebQuery = app.settings.network(c.baseURL)
	if err := app.personalize(&options, flags); err != nil {
		return err
	}
	if mock := mockclient.New(c.baseURL, nil); c.mock != nil || servesMock(cmd.Context(), mock, c.baseURL) {
		options.Mock = mock
	}
	model, err := tui.New(options)
	if err != nil {
		return usagef("%v", err)
	}
	err = term.Run(options.Context, model, term.Options{
		Input: app.streams.In.(*os.File), Output: app.streams.Out.(*os.File), Stderr: app.streams.Err,
		NoColor: app.settings.noColor, Mouse: flags.mouse, Rest: rest, Guard: &app.guard, Log: log.Writer(),
	})
	if errors.Is(err, term.ErrInterrupted) {
		return context.Canceled
	}
	return err
}

// collectAfterStart gives back what the start took. A pool keeps what lies in it for one
// collection more, so what is made beside the first frames, addresses and the push
// channel, is collected at its end too.
func collectAfterStart(ctx context.Context) {
	for _, after := range [...]time.Duration{started, settled} {
		select {
		case <-time.After(after):
			debug.SetGCPercent(heapGrowth)
			debug.FreeOSMemory()
		case <-ctx.Done():
			return
		}
	}
}

// follow hands on what the server pushes until stop is called. The channel is opened after
// some time: at the start of the explorer the first frames would have to share the
// processors with it.
func (a *app) follow(ctx context.Context, client *apiclient.Client, after time.Duration) (pushed <-chan apiclient.Pushed, stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	all, done := make(chan apiclient.Pushed, 16), make(chan struct{})
	a.guard.Go(func() {
		defer close(done)
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return
		}
		client.FollowPushed(ctx, func(p apiclient.Pushed) {
			select {
			case all <- p:
			case <-ctx.Done():
			}
		})
	})
	return all, func() { cancel(); <-done }
}

// mockWait bounds how long the explorer waits to learn whether a server on this
// machine is a mock.
const mockWait = 300 * time.Millisecond

// servesMock reports whether the server of --api is a mock on this machine, which the
// explorer can control. A world of one is a mock too.
func servesMock(ctx context.Context, mock *mockclient.Client, baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, mockWait)
	defer cancel()
	_, err = mock.Course(ctx)
	return err == nil
}

// personalize adds what the user chose: how to be called, commands and themes of their
// own, and where the last session was left.
func (a *app) personalize(o *tui.Options, flags *explorerFlags) (err error) {
	if o.Attention, err = term.ParseAttention(flags.notify); err != nil {
		return usagef("--notify: %v", err)
	}
	if o.Own, err = a.ownCommands(); err != nil {
		return err
	}
	if o.Theme, o.Look.Files, err = a.themes(o.Context, flags.theme); err != nil {
		return err
	}
	if flags.restore && o.Start == (nav.Place{}) {
		o.Session = tui.ReadSession(o.Store, o.Network)
	}
	return nil
}

// ownCommands are the commands of the config. Their keys must be free.
func (a *app) ownCommands() ([]custom.Command, error) {
	if len(a.config.Command) == 0 {
		return nil, nil
	}
	var own []custom.Command
	taken := map[string]string{}
	for _, section := range a.keys.Sections() {
		for _, e := range section.Entries {
			for _, k := range e.Binding.Keys() {
				taken[k] = e.Name
			}
		}
	}
	for i, c := range a.config.Command {
		one := custom.Command{Key: c.Key, Name: c.Name, Run: c.Run, Stdin: c.Stdin}
		err := one.Check()
		if other := taken[c.Key]; err == nil && other != "" {
			err = fmt.Errorf("key %q is taken by %s", c.Key, other)
		}
		if err != nil {
			return nil, usagef("config: command %d: %v", i+1, err)
		}
		if one.Name == "" {
			one.Name = strings.Join(c.Run, " ")
		}
		taken[c.Key] = one.Name
		own = append(own, one)
	}
	return own, nil
}

// openStore opens the folder of what is remembered. It touches no file yet.
func (a *app) openStore(notice func(string)) (*state.Store, error) {
	dir := a.settings.stateDir
	if dir == "" {
		dir = state.Dir()
	}
	if dir == "" {
		return nil, usagef("--state-dir: no home folder is known (HOME is not set); use --state-dir DIR")
	}
	store, err := state.Open(state.Options{Dir: dir, Notice: notice})
	if err != nil {
		return nil, usagef("--state-dir: %v", err)
	}
	return store, nil
}

// look returns what the terminal can show, for the theme.
func look(c term.Capabilities, ascii bool) theme.Options {
	return theme.Options{Dark: c.Background != term.Light, Colors: c.Colors, ASCII: ascii || c.Dumb, Plain: c.Dumb}
}

// The web explorer of the two networks that have one.
const webExplorer = "https://explorer.hiro.so"

// network names the API for people, and finds its web explorer.
func (s *settings) network(baseURL string) (name, web, query string) {
	switch s.api {
	case "mock":
		return "MOCK", "", ""
	case "mainnet", "testnet":
		return s.api, webExplorer, "?chain=" + s.api
	}
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		return u.Host, "", ""
	}
	return baseURL, "", ""
}

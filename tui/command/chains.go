package command

import (
	"cmp"
	"context"
	"net/url"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/wallet/service"
)

// chains are the explorers of the APIs that were opened in one run, one of which is shown. Each has
// its own server, caches and wallet, which stay when another is opened; what is on the way then
// comes to nobody.
type chains struct {
	app     *cli.App
	flags   *explorerFlags
	headers []string // of the API that was opened first
	first   string
	opened  map[string]*explorer // by the value of --api
	next    string               // what the one on screen is left for
}

// openExplorer runs the explorer, opened at a thing, on the API of the settings. Where a
// person leaves it for a demo it is opened again after that, and for another API that one is.
func openExplorer(cmd *cobra.Command, app *cli.App, flags *explorerFlags, target nav.Reading) error {
	signaled, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
	defer stop()
	c := &chains{app: app, flags: flags, headers: app.Settings.Headers, first: app.Settings.API, opened: map[string]*explorer{}}
	defer c.close()
	e, err := c.explorer(cmd.Context(), target)
	for err == nil {
		if err = e.run(app, e.model, e.options.Mouse); err != nil {
			break
		}
		switch left := e.model.Left(); {
		case left.Other:
			e = c.change(cmd.Context(), e, left)
		case left.Demo:
			delete(c.opened, e.api)
			e.close()
			settings, keys := app.Settings, app.Keys
			app.Settings.API = cli.APIMock
			err = performDemo(cmd.Context(), app, &explorerFlags{theme: flags.theme, ascii: flags.ascii, notify: "off"}, nil, "")
			if app.Settings, app.Keys = settings, keys; err != nil {
				return err
			}
			if signaled.Err() != nil {
				return nil // it was for the explorer too
			}
			e, err = c.explorer(cmd.Context(), nav.Reading{})
		default:
			return nil
		}
	}
	return err
}

// close ends all that was opened.
func (c *chains) close() {
	for _, e := range c.opened {
		e.close()
	}
}

// explorer makes the explorer of the API of the settings.
func (c *chains) explorer(ctx context.Context, target nav.Reading) (*explorer, error) {
	flags := *c.flags
	if len(c.opened) > 0 {
		flags.bridge = "" // it goes from one to the other
		flags.wallet.FollowAPI(c.app)
	}
	e, err := newExplorer(ctx, c.app, &flags, target)
	if err != nil {
		return nil, err
	}
	c.opened[e.api] = e
	return e, c.show(e)
}

// show makes the model of an explorer.
func (c *chains) show(e *explorer) (err error) {
	e.options.Other = func(_ context.Context, api string) error { return c.want(e, api) }
	e.model, err = tui.New(e.options)
	return err
}

// want notes the API that is to be opened. The error says what is wrong with its name.
func (c *chains) want(e *explorer, api string) error {
	if _, err := cli.APIURL("api", api); err != nil {
		return err
	}
	if u := strings.TrimRight(api, "/"); u == strings.TrimRight(e.api, "/") {
		e.options.Client.ServerMayDiffer()
		return cli.Usagef("api: %s is the one on screen", u)
	}
	c.next = strings.TrimRight(api, "/")
	return nil
}

// change returns the explorer of the API that is wanted, as it was left or at its beginning. Where
// it cannot be opened, the one before is shown again and says why.
func (c *chains) change(ctx context.Context, from *explorer, left tui.Left) *explorer {
	c.app.Settings.API, c.app.Settings.Headers = c.next, c.headersFor(c.next)
	to, known := c.opened[c.next]
	var err error
	if !known {
		to, err = c.explorer(ctx, nav.Reading{})
	}
	if err == nil {
		err = moveBridge(from.options.Wallet, to.options.Wallet)
	}
	notice := ""
	if err != nil {
		notice = "api " + c.next + ": " + err.Error()
	}
	from.unfollow()
	from.unfollow = nil
	if to == nil {
		to = from
	}
	if to == from || known {
		to.options.Client.ServerMayDiffer()
		to.options.Pushed, to.unfollow = followPushed(ctx, c.app, to.options.Client)
		to.options.Start, to.options.GoTo = nav.Place{}, ""
		to.options.Session = tui.ReadSession(to.options.Store, to.options.Network)
	}
	c.app.Settings.API, c.app.Settings.Headers = to.api, c.headersFor(to.api)
	to.options.Theme, to.options.Mouse = cmp.Or(left.Theme, to.options.Theme), left.Mouse
	to.options.Notice = notice
	if c.show(to) != nil && to != from { // its theme is gone
		to.options.Theme = ""
		_ = c.show(to)
	}
	return to
}

// headersFor returns the headers of an API. They hold keys: those of one are not for another, but
// mainnet and testnet are of one service.
func (c *chains) headersFor(api string) []string {
	public := []string{apiclient.Mainnet, apiclient.Testnet}
	if api == c.first || slices.Contains(public, api) && slices.Contains(public, c.first) {
		return c.headers
	}
	return nil
}

// moveBridge lets the bridge of one wallet be that of another, at the same address.
func moveBridge(from, to *service.Service) error {
	bridge := from.State().Bridge
	at, err := url.Parse(bridge.URL)
	if from == to || !bridge.Running || err != nil {
		return nil //nolint:nilerr // a bridge that runs has a URL
	}
	from.StopBridge()
	return to.StartBridge(service.BridgeOptions{Addr: at.Host, As: bridge.As, Isolated: true})
}

package command

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/colorprofile"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/tui/usercommand"

	tea "github.com/charmbracelet/bubbletea"
)

// explorer is the model of the explorer, and what it is made of.
type explorer struct {
	model    *tui.Model
	options  tui.Options
	api      string // the value of --api
	unfollow func() // ends what the server pushes
	ends     []func()
}

// close ends what the explorer uses, in reverse order.
func (e *explorer) close() {
	if e.unfollow != nil {
		e.unfollow()
	}
	for _, end := range slices.Backward(e.ends) {
		end()
	}
}

// newExplorer makes the explorer, opened at a thing, on the API of the settings.
func newExplorer(ctx context.Context, app *cli.App, flags *explorerFlags, target nav.Reading) (_ *explorer, err error) {
	e := &explorer{api: app.Settings.API}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	notices := make(chan string, 16)
	store, err := app.OpenStore(func(text string) {
		select {
		case notices <- text:
		default: // more notices than anyone would read
		}
	})
	if err != nil {
		return nil, err
	}
	attempt := new(atomic.Pointer[apiclient.Attempt])
	app.OnAttempt = func(a apiclient.Attempt) { attempt.Store(&a) }
	c, err := app.Connect(ctx)
	if err != nil {
		return nil, err
	}
	e.ends = append(e.ends, c.Close)

	service, closeWallet, err := flags.wallet.Open(ctx, app, flags.bridge, c, store)
	if err != nil {
		return nil, err
	}
	e.ends = append(e.ends, closeWallet)

	capabilities := term.Detect(os.Environ(), app.Settings.NoColor)
	if flags.film {
		capabilities = term.Capabilities{Colors: colorprofile.TrueColor, Background: term.Dark}
	}
	options := tui.Options{
		// Signals are the terminal layer's: it restores the screen first.
		Context: context.WithoutCancel(ctx),
		Client:  c.Client, Keys: app.Keys, Store: store, Notices: notices, Attempt: attempt.Load, Wallet: service, WalletFollows: flags.wallet.FollowsServer(app),
		Mouse: flags.mouse, Exports: ".", Now: app.Now,
		API: app.Settings.API, Demo: flags.demo, KnownNames: flags.names, Look: themeOptions(capabilities, flags.ascii), Guard: &app.Guard,
	}
	options.Start, options.GoTo = startAt(ctx, c.Client, target)
	options.Pushed, e.unfollow = followPushed(ctx, app, c.Client)
	options.Network, options.Web, options.WebQuery = networkOf(&app.Settings, c.BaseURL)
	if err := personalize(app, &options, flags); err != nil {
		return nil, err
	}
	if mock := mockclient.New(c.BaseURL, nil); c.Mock != nil || servesMock(ctx, mock, c.BaseURL) {
		options.Mock = mock
		ctx, cancel := context.WithTimeout(ctx, mockWait)
		defer cancel()
		_, _ = c.Client.Server(ctx) // what stays unknown is not shown
	} else {
		options.OnFork = e.onFork(ctx, app, c.Client)
	}
	e.options = options
	if e.model, err = tui.New(options); err != nil {
		return nil, cli.Usagef("--theme: %v", err) // all else was checked before
	}
	return e, nil
}

// run shows a model on the terminal: that of the explorer, or one around it.
func (e *explorer) run(app *cli.App, model tea.Model, mouse bool) error {
	defer app.Quiet()()
	err := term.Run(e.options.Context, model, term.Options{
		Input: app.Streams.In.(*os.File), Output: app.Streams.Out.(*os.File), Stderr: app.Streams.Err,
		NoColor: app.Settings.NoColor, Mouse: mouse, Guard: &app.Guard, Log: log.Writer(),
	})
	if errors.Is(err, term.ErrInterrupted) {
		return context.Canceled
	}
	return err
}

// followPushed passes on what the server pushes until stop is called.
func followPushed(ctx context.Context, a *cli.App, client *apiclient.Client) (pushed <-chan apiclient.Pushed, stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	all, done := make(chan apiclient.Pushed, 16), make(chan struct{})
	a.Guard.Go(func() {
		defer close(done)
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
func personalize(a *cli.App, o *tui.Options, flags *explorerFlags) (err error) {
	if o.Attention, err = term.ParseAttention(flags.notify); err != nil {
		return cli.Usagef("--notify: %v", err)
	}
	o.Columns = a.Config.Columns
	if o.Own, err = ownCommands(a); err != nil {
		return err
	}
	if o.Theme, o.Look.Files, err = themes(o.Context, a, flags.theme); err != nil {
		return err
	}
	if flags.restore && o.Start == (nav.Place{}) {
		o.Session = tui.ReadSession(o.Store, o.Network)
	}
	return nil
}

// ownCommands returns the commands of the config. Their keys must be free.
func ownCommands(a *cli.App) ([]usercommand.Command, error) {
	if len(a.Config.Command) == 0 {
		return nil, nil
	}
	var own []usercommand.Command
	taken := map[string]string{}
	for _, section := range a.Keys.Sections() {
		for _, e := range section.Entries {
			for _, k := range e.Binding.Keys() {
				taken[k] = e.Name
			}
		}
	}
	for i, c := range a.Config.Command {
		one := usercommand.Command{Key: c.Key, Name: c.Name, Run: c.Run, Stdin: c.Stdin}
		wrong := func(field, reason string) error {
			path := fmt.Sprintf("command.%d", i)
			return cli.Usagef("%v", a.Config.Problem(fmt.Sprintf("command %d: %s", i+1, reason), path+"."+field, path))
		}
		if problem := one.Check(); problem != nil {
			return nil, wrong(problem.Field, problem.Error())
		}
		var err error
		if one.Key, err = keymap.Key(c.Key); err != nil {
			return nil, wrong("key", err.Error())
		}
		if other := taken[one.Key]; other != "" {
			return nil, wrong("key", fmt.Sprintf("key %q is taken by %s", c.Key, other))
		}
		if one.Name == "" {
			one.Name = strings.Join(c.Run, " ")
		}
		taken[one.Key] = one.Name
		own = append(own, one)
	}
	return own, nil
}

// themeOptions returns what the terminal can show, for the theme.
func themeOptions(c term.Capabilities, ascii bool) theme.Options {
	return theme.Options{Dark: c.Background != term.Light, Colors: c.Colors, ASCII: ascii || c.Dumb || c.SevenBit, Plain: c.Dumb}
}

// The web explorer of the two networks that have one.
const webExplorer = "https://explorer.hiro.so"

// networkOf names the API for people, and finds its web explorer.
func networkOf(s *cli.Settings, baseURL string) (name, web, query string) {
	if s.API == "mainnet" || s.API == "testnet" {
		return s.API, webExplorer, "?chain=" + s.API
	}
	return s.NameOf(baseURL), "", ""
}

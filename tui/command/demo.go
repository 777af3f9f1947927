package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/demo"
	"chainscope/tui/film"
	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/atomicfile"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/service"
)

// The window that a film shows, in cells.
const (
	filmWidth  = 120
	filmHeight = 37
)

func newDemo(app *cli.App) *cobra.Command {
	flags, record := &explorerFlags{}, ""
	cmd := &cobra.Command{
		Use:   "demo [explore|mock|sign|test|FILE]",
		Short: "Watch the explorer perform itself",
		Long: `demo performs the explorer on the embedded mock chain, with its real keys. A
caption says what is done and which key does it. Space pauses, q leaves, and any
other key hands the explorer over to you.

explore begins with what users ask and then looks around on the chain, mock
breaks and mends an API, sign sends STX, and test is a web page whose transaction
fails, is explained and succeeds. FILE is a script of your own, see
docs/explorer.md. Nothing is remembered.

--record performs without a terminal and writes a film: .cast for asciinema, .svg
for a picture that moves.`,
		Example: `  chainscope demo
  chainscope demo test
  chainscope demo sign --record sign.svg`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: demo.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return performDemo(cmd.Context(), app, flags, args, record)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&flags.theme, "theme", "", "`theme` of the explorer: a name, or a file (default one that suits the terminal)")
	fs.BoolVar(&flags.ascii, "ascii", false, "draw with seven-bit characters only")
	fs.StringVar(&record, "record", "", "write a film to a `file` that ends in .cast or .svg")
	flags.notify = "off"
	return cmd
}

// readDemo returns the script of an argument: a name of ours, or a file.
func readDemo(args []string) (*demo.Script, error) {
	name := demo.Names()[0]
	if len(args) > 0 {
		name = args[0]
	}
	if slices.Contains(demo.Names(), name) {
		return demo.Load(name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, cli.Usagef("demo: %q is neither a demo (%s) nor a file that can be read", name, strings.Join(demo.Names(), ", ")).
			TryWord(name, cmp.Or(cli.Nearest(name, demo.Names()), demo.Names()[0]))
	}
	s, err := demo.Parse(data)
	if err != nil {
		return nil, cli.Usagef("%s: %v", name, err)
	}
	return s, nil
}

// performDemo performs a script on the terminal, or records it.
func performDemo(ctx context.Context, app *cli.App, flags *explorerFlags, args []string, record string) error {
	if app.Settings.API != cli.APIMock {
		return mockAlone("--api "+app.Settings.API).TryFlag("api", cli.APIMock)
	}
	if kind := filepath.Ext(record); record != "" && kind != ".cast" && kind != ".svg" {
		return cli.Usagef("--record %s: a film is a .cast or an .svg", record).TryFlag("record", strings.TrimSuffix(record, kind)+".svg")
	}
	if err := atomicfile.Check(record); record != "" && err != nil { // before a long performance
		return cli.Usagef("--record: %v", err)
	}
	script, err := readDemo(args)
	if err != nil {
		return err
	}
	target, err := recogniseTarget(slices.DeleteFunc([]string{script.Start}, func(s string) bool { return s == "" }), true, nil)
	if err != nil {
		return err
	}
	if problem := noFullScreen(app); problem != "" && record == "" {
		return cli.Usagef("%s; try: %s", problem, text.ShellCommand(append(append([]string{"chainscope", "demo"}, args...), "--record", "demo.svg")...))
	}
	if app.Settings.StateDir, err = os.MkdirTemp("", "chainscope-demo-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(app.Settings.StateDir) }()
	app.FullScreen, app.Keys = true, keymap.Default()
	if script.Freeze && app.Settings.Mock.Freeze == "" {
		app.Settings.Mock.Freeze = time.Now().UTC().Format(time.RFC3339)
	}
	clock := &demo.SystemClock{}
	if record != "" {
		app.Now = clock.Now
		flags.film = true
	}
	e, err := newExplorer(ctx, app, flags, target)
	if err != nil {
		return err
	}
	defer e.close()
	e.options.Other = func(_ context.Context, api string) error { return mockAlone("api " + api) }
	if e.model, err = tui.New(e.options); err != nil {
		return err
	}
	th, err := theme.New(e.options.Theme, e.options.Look)
	if err != nil {
		return cli.Usagef("--theme: %v", err)
	}
	page, err := startPage(e.options.Wallet, script)
	if err != nil {
		return err
	}
	o := demo.Options{Theme: th, Request: page, Busy: e.options.Client.Log().UnderWay}
	if record == "" {
		p := demo.New(e.model, script, o)
		return e.run(app, p, false)
	}
	f, err := demo.Record(ctx, e.model, script, clock, filmWidth, filmHeight, o, app.Guard.Go)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return writeFilm(app, f, record, th.Dark)
}

// mockAlone says why a demo takes no other API.
func mockAlone(api string) *cli.Error {
	return cli.Usagef("%s: a demo performs on the embedded mock chain alone", api)
}

// startPage lets the pages of a script send requests to the wallet, and returns what sends them.
func startPage(wallet *service.Service, script *demo.Script) (func(demo.Ask) error, error) {
	var origins []string
	for _, step := range script.Steps {
		if step.Ask != nil && !slices.Contains(origins, step.Ask.Origin) {
			origins = append(origins, step.Ask.Origin)
		}
	}
	if len(origins) == 0 {
		return nil, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := wallet.StartBridge(service.BridgeOptions{Listener: l, AllowOrigin: origins, Isolated: true}); err != nil {
		_ = l.Close()
		return nil, err
	}
	url := "http://" + l.Addr().String() + "/rpc"
	return func(ask demo.Ask) error {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": ask.Method, "params": ask.Params})
		if err != nil {
			return err
		}
		// A person may take over and answer late.
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", ask.Origin)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		var reply struct {
			Error *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.NewDecoder(answer.Body).Decode(&reply); err != nil {
			return err
		}
		if reply.Error != nil && reply.Error.Code != jsonrpc.UserRejection {
			return fmt.Errorf("the wallet answered the page: %s", reply.Error.Message)
		}
		return nil
	}, nil
}

// writeFilm writes a film to a file; a picture is of a terminal that the theme was made for.
func writeFilm(a *cli.App, f *film.Film, path string, dark bool) error {
	made, kind := f.Cast(), filepath.Ext(path)
	switch {
	case kind == ".svg" && dark:
		made = f.SVG(film.DarkTerminal)
	case kind == ".svg":
		made = f.SVG(film.LightTerminal)
	}
	if err := atomicfile.Write(path, []byte(made), 0o644); err != nil {
		return cli.Usagef("--record: %v", err)
	}
	return a.PrintText(fmt.Sprintf("%s: %s, %d kB", path, f.Length().Round(time.Second), (len(made)+999)/1000))
}

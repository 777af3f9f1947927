package walletcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/command/cli"
	"chainscope/tui/text"
	"chainscope/wallet/atomicfile"
	"chainscope/wallet/bridge"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
)

// bridgeFlags are the bridge's own.
type bridgeFlags struct {
	addr     string
	script   string
	allow    []string
	as       string
	apiFor   []string
	proxy    string
	calls    string
	report   []string
	untilEOF bool
}

func (b *bridgeFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&b.addr, "addr", service.DefaultBridgeAddr, "`address` to listen on")
	fs.StringVar(&b.script, "script", "", "answer by the rules of a YAML `file` instead of asking; its form is above")
	fs.StringArrayVar(&b.allow, "allow-origin", nil, "`origin` of pages that need no asking, such as http://localhost:3000 (repeatable)")
	fs.StringVar(&b.as, "as", string(provider.PlayChainscope), "`wallet` that pages see: chainscope, leather or xverse")
	fs.StringVar(&b.proxy, "proxy", "", "serve a dapp under development at a `URL`, with the script already in its pages")
	fs.StringArrayVar(&b.apiFor, "api-for", nil, "`URL` of a public API, such as https://api.hiro.so, whose requests from a page go to --api (repeatable; with --proxy default all that are known; none lets pages ask them)")
	fs.StringArrayVar(&b.report, "report", nil, "write what was expected and what came to a `file`: JUnit where its name ends in .xml, else JSON (repeatable)")
	cli.RegisterUntilEOF(fs, &b.untilEOF, "bridge")
	fs.StringVar(&b.calls, "calls", "", "append every call to a `file`, one JSON line each")
}

// NewBridge returns the command of the bridge.
func NewBridge(app *cli.App) *cobra.Command {
	flags, wallet := &bridgeFlags{}, &Flags{}
	cmd := &cobra.Command{
		Use:   "bridge",
		Short: "Act as a web page's wallet",
		Long: `Serve the wallet to web pages until interrupted. A page loads /provider.js and
finds it next to any other installed wallet; its calls are described here and
answered by hand, always, never, or by a script.

A script is a YAML list of rules; a call is answered by the first rule that fits
and has times left, and is rejected when none fits:

  - expect: METHOD or "*"
    with: {subset of params}
    origin: ORIGIN
    answer: approve | reject | {result: JSON} | {error: {code, message}} | {delay: 2s, then: ANSWER}
    times: 1, or any

At the end it lists expected calls that never came and calls nobody expected; if
there are any, the exit code is 1. A script decides whatever --approve says.

With --proxy, a page's requests to the public API hosts go to the API of --api, if
that is on this machine; with --api-for, its requests to the hosts that you name do,
also where a page of another server loads the script. Any other host beyond this
machine that a page sends requests to is named on standard error, once. At the end,
what pages asked of contracts and nobody has described is printed as a file for
--mock-contracts, in which the answers are still to be written.

With --script, the embedded mock mines a block as soon as a transaction waits;
--mock-automine=false lets them wait.

Where nobody is asked, a test runner on this machine can give rules, read calls
and the verdict, and switch account and network while the bridge runs; the routes
are described at /.chainscope/control/openapi.json.`,
		Example: `  chainscope bridge
  chainscope bridge --proxy http://localhost:3000
  chainscope bridge --script wallet.yaml --calls calls.jsonl`,
		Args: cli.NoArgs,
		RunE: wallet.checked(func(cmd *cobra.Command, _ []string) error {
			if flags.script != "" && !cmd.Flags().Changed(cli.MockPrefix+"automine") {
				app.Settings.Mock.MineAtOnce()
			}
			wallet.Follow(cmd, &app.Settings.Mock)
			return runBridge(cmd.Context(), app, flags, wallet)
		}),
	}
	flags.register(cmd.Flags())
	wallet.register(cmd.Flags())
	cli.CompleteFlag(cmd, "as", []string{"chainscope", "leather", "xverse"})
	return cmd
}

// runBridge serves until the context ends.
func runBridge(ctx context.Context, app *cli.App, flags *bridgeFlags, wallet *Flags) error {
	if flags.untilEOF && flags.script == "" && wallet.approve == approveAsk {
		return cli.Usagef("--until-eof: a person answers on standard input\nuse --script, --approve=always or --approve=never")
	}
	options, err := flags.options(ctx)
	if err != nil {
		return err
	}
	behaviour, prompter := provider.Rejects, (*prompter)(nil)
	if options.Script == nil {
		if behaviour, prompter, err = behaviourOf(app, wallet.approve); err != nil {
			return err
		}
	}
	options.Unattended = prompter == nil
	note := func(string, ...any) {} // for the user at the terminal, if there is one
	if prompter != nil {
		prompter.fresh, note = true, app.PrintNote
	}
	if err := flags.checkReports(options.Unattended); err != nil {
		return err
	}
	options.Isolation.OnEscape = func(l bridge.Escape) {
		if !app.JSON() {
			app.PrintNote("%s", l)
		}
	}
	calls, err := flags.openCalls(ctx, app, &options)
	if err != nil {
		return err
	}
	defer calls()
	desk, end, err := openBridgeDesk(ctx, app, wallet, behaviour, prompter, note, &options)
	if err != nil {
		return err
	}
	defer end()
	reports := newReportFiles(flags.report, desk.wallet.BridgeReport)
	options.OnChange = reports.changed
	if options.Listener, err = listenBridge(app, flags.addr); err != nil {
		return err
	}
	if err := desk.wallet.StartBridge(options); err != nil {
		return cli.Usagef("%v", err)
	}
	if _, err := fmt.Fprintf(app.Streams.Out, "bridge listening on http://%s\n", options.Listener.Addr()); err != nil {
		return err
	}
	flags.printProxy(app, options)
	app.Guard.Go(reports.run)
	served, cancel := app.Bounded(ctx, flags.untilEOF)
	defer cancel()
	err = desk.wallet.WaitBridge(served)
	err = cmp.Or(err, reports.close())
	report := desk.wallet.BridgeReport()
	desk.wallet.StopBridge()
	if err != nil {
		return err
	}
	return verdict(report.Verdict)
}

// printProxy returns where the pages of the dapp are and where their requests go.
func (b *bridgeFlags) printProxy(app *cli.App, options service.BridgeOptions) {
	if b.proxy == "" || app.JSON() {
		return
	}
	app.PrintNote("pages of %s get the wallet; open them at http://%s", text.Line(b.proxy), options.Listener.Addr())
	if len(options.Isolation.Hosts) > 0 {
		app.PrintNote("their requests to %s go to %s", strings.Join(options.Isolation.Hosts, ", "), options.Isolation.API)
	}
}

// options reads the flags of the bridge.
func (b *bridgeFlags) options(ctx context.Context) (o service.BridgeOptions, err error) {
	o.AllowOrigin = b.allow
	if o.As, err = provider.ParsePersonality(b.as); err != nil {
		return o, cli.Usagef("--as: %v", err)
	}
	if o.Proxy, err = b.proxyURL(); err != nil {
		return o, err
	}
	if o.Isolation.Hosts, err = b.apiHosts(); err != nil {
		return o, err
	}
	if b.script != "" {
		o.Script, err = readScript(ctx, b.script)
	}
	return o, err
}

// apiHosts reads --api-for.
func (b *bridgeFlags) apiHosts() ([]string, error) {
	switch {
	case len(b.apiFor) == 0 && b.proxy != "":
		return bridge.PublicAPIHosts(), nil
	case len(b.apiFor) == 1 && b.apiFor[0] == "none":
		return nil, nil
	}
	var hosts []string
	for _, text := range b.apiFor {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/")+u.RawQuery+u.Fragment != "" {
			return nil, cli.Usagef("--api-for: %q is not the address of an API; use one such as https://api.hiro.so", text)
		}
		hosts = append(hosts, u.Host)
	}
	return hosts, nil
}

// checkReports refuses reports of the user, and those that cannot be written.
func (b *bridgeFlags) checkReports(unattended bool) error {
	if len(b.report) > 0 && !unattended {
		return cli.Usagef("--report: a person answers here, so nothing is expected\nuse --script, --approve=always or --approve=never")
	}
	for _, path := range b.report {
		if err := atomicfile.Check(path); err != nil {
			return cli.Usagef("--report: %v", err)
		}
	}
	return nil
}

// openCalls lets calls be printed when they come that were not expected, or that an
// older library made and nobody is there to read; and every call be written to the
// file of --calls, as one JSON object a line. The function that it returns closes the
// file.
func (b *bridgeFlags) openCalls(ctx context.Context, a *cli.App, o *service.BridgeOptions) (func(), error) {
	var refused sync.Map // origins that were reported
	o.OnCall = func(r bridge.CallRecord) {
		denied := o.Unattended && r.Answer.Error != nil && r.Answer.Error.Code == jsonrpc.MethodAccessDenied
		switch {
		case a.JSON():
		case denied:
			if _, reported := refused.LoadOrStore(r.Origin, true); !reported {
				a.PrintNote("%s", r.Answer.Error.Message)
				a.PrintNote("try: %s", new(cli.Error).TryFlagToo("allow-origin", r.Origin).Line(a.Typed))
			}
		case r.Unexpected != nil:
			a.PrintNote("%s", r.Unexpected)
		case o.Unattended && r.Answer.Error != nil && provider.IsLegacy(r.Method):
			a.PrintNote("%s: %s", r.Origin, r.Answer.Error.Message)
		}
	}
	if b.calls == "" {
		return func() {}, nil
	}
	file, err := cli.OpenToAppend(ctx, b.calls)
	if err != nil {
		return nil, cli.ReadProblem("--calls", b.calls, 0, err)
	}
	var mu sync.Mutex
	report := o.OnCall
	o.OnCall = func(r bridge.CallRecord) {
		report(r)
		line, err := json.Marshal(r)
		if err != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		_, err = file.Write(append(line, '\n'))
		a.Note("--calls", err)
	}
	return func() { file.Close() }, nil
}

// openBridgeDesk opens the wallet that pages talk to, and notes in the options which
// mock is its chain. The function that it returns ends both.
func openBridgeDesk(
	ctx context.Context, a *cli.App, w *Flags, behaviour provider.Behaviour, p *prompter, note func(string, ...any), o *service.BridgeOptions,
) (*walletDesk, func(), error) {
	from, err := w.keys(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	store, err := a.OpenStore(a.Notice)
	if err != nil {
		return nil, nil, err
	}
	n, mock, closeNode, err := openBridgeNode(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	desk, err := openDesk(ctx, a, w, service.Options{
		Store: store, Node: n.client, Nonces: n.nonces, Source: n.source, Behaviour: behaviour, Keys: from,
	}, p, note)
	if err != nil {
		closeNode()
		return nil, nil, err
	}
	o.Mock = mock
	undescribed := undescribedFromNow(ctx, a, mock)
	end := func() { undescribed.print(a); desk.close(); closeNode() }
	if o.Isolation.API = mock; mock == nil && len(o.Isolation.Hosts) > 0 {
		end()
		return nil, nil, cli.Usagef("--api-for: the API of --api is not on this machine, so that nothing can be kept on it\n" +
			"use a mock, such as --api http://127.0.0.1:3999, or let pages ask public APIs with --api-for none")
	}
	if err := desk.wallet.Fund(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return desk, end, nil
}

// openBridgeNode returns the node of --api; here the embedded mock is one too, as it
// lives as long as the bridge. The URL is that of a server on this machine, which
// may be a mock; nil for any other.
func openBridgeNode(ctx context.Context, a *cli.App) (*walletNode, *url.URL, func(), error) {
	baseURL, err := a.Settings.BaseURL()
	if err != nil {
		return nil, nil, nil, err
	}
	embedded := &cli.Connection{BaseURL: baseURL}
	if baseURL == "" {
		if err := embedded.StartMock(ctx, a, nil); err != nil {
			return nil, nil, nil, err
		}
	}
	n, err := nodeAt(ctx, a, embedded.BaseURL, nil)
	if err != nil {
		embedded.Close()
		return nil, nil, nil, err
	}
	return n, n.client.Local(), func() { n.close(); embedded.Close() }, nil
}

// proxyURL reads --proxy, nil for none.
func (b *bridgeFlags) proxyURL() (*url.URL, error) {
	if b.proxy == "" {
		return nil, nil
	}
	u, err := url.Parse(b.proxy)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, cli.Usagef("--proxy: %q is not the address of a dapp; use one such as http://localhost:3000", b.proxy).TryFlag("proxy", "http://"+cmp.Or(authority(b.proxy), "localhost:3000"))
	}
	return u, nil
}

// authority returns the host and port that a text begins with, "" where it begins otherwise.
func authority(of string) string {
	if u, err := url.Parse("http://" + of); err == nil && u.User == nil && !strings.Contains(of, "://") {
		return u.Host
	}
	return ""
}

// maxScriptBytes bounds a script.
const maxScriptBytes = 4 << 20

func readScript(ctx context.Context, path string) (*bridge.Script, error) {
	data, err := cli.ReadFile(ctx, path, maxScriptBytes)
	if err != nil {
		return nil, cli.AtFile(cli.ReadProblem("--script", path, maxScriptBytes, err), "script", path)
	}
	script, err := bridge.ParseScript(data)
	if err != nil {
		return nil, cli.Usagef("--script %s: %v", path, err)
	}
	return script, nil
}

// listenBridge listens on an address. Loopback is the rule; elsewhere
// anybody on the network can ask the wallet, which is said.
func listenBridge(a *cli.App, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	if err != nil || ip == nil || ip.IsLoopback() {
		return cli.Listen("--addr", addr)
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 0 {
		return nil, cli.Usagef("--addr: %q is not a port; use 0 to 65535", port)
	}
	network := "tcp"
	if ip.To4() != nil {
		network = "tcp4"
	}
	l, err := net.Listen(network, addr)
	if err != nil {
		return nil, cli.Usagef("--addr: %v", err)
	}
	fmt.Fprintln(a.Streams.Err, "chainscope: warning: the bridge listens beyond this machine: others on the network can ask the wallet")
	return l, nil
}

// verdict returns the outcome of a script: a failure that says what was missed.
func verdict(v bridge.Verdict) error {
	lines := v.Lines()
	if len(lines) == 0 {
		return nil
	}
	return &cli.Error{Kind: cli.KindUnexpected, Message: "the calls did not match the script\n" + strings.Join(lines, "\n"), Err: errors.New("script")}
}

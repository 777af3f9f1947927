package command

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/text"
	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// bridgeFlags are the bridge's own.
type bridgeFlags struct {
	addr   string
	script string
	allow  []string
	as     string
	proxy  string
	calls  string
}

func (b *bridgeFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&b.addr, "addr", "127.0.0.1:3998", "`address` to listen on")
	fs.StringVar(&b.script, "script", "", "answer by the rules of a YAML `file` instead of asking; see below")
	fs.StringArrayVar(&b.allow, "allow-origin", nil, "`origin` of pages that need no asking, such as http://localhost:3000 (repeatable)")
	fs.StringVar(&b.as, "as", string(provider.PlayChainscope), "`wallet` that pages see: chainscope, leather or xverse")
	fs.StringVar(&b.proxy, "proxy", "", "serve a dapp under development at a `URL`, with the script already in its pages")
	fs.StringVar(&b.calls, "calls", "", "append every call to a `file`, one JSON line each")
}

func newBridge(app *app) *cobra.Command {
	flags, wallet := &bridgeFlags{}, &walletFlags{}
	cmd := &cobra.Command{
		Use:   "bridge",
		Short: "Be the wallet of a web page",
		Long: `Serve the wallet to web pages until interrupted. A page loads /provider.js and
finds the wallet among its others; its calls are described here and answered by
hand, always, never, or by a script.

A script is a YAML list of rules; a call is answered by the first rule that fits
and has times left, and is rejected when none fits:

  - expect: METHOD or "*"
    with: {subset of params}
    origin: ORIGIN
    answer: approve | reject | {result: JSON} | {error: {code, message}} | {delay: 2s, then: ANSWER}
    times: 1, or any

At the end, what was expected and did not come, and what came unexpected, is
printed, and the exit code is 1. A script decides whatever --approve says.`,
		Example: `  chainscope bridge
  chainscope bridge --proxy http://localhost:3000
  chainscope bridge --script wallet.yaml --calls calls.jsonl`,
		Args: noArgs,
		RunE: wallet.checked(func(cmd *cobra.Command, _ []string) error {
			return runBridge(cmd.Context(), app, flags, wallet)
		}),
	}
	flags.register(cmd.Flags())
	wallet.register(cmd.Flags())
	wallet.complete(cmd)
	_ = cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions([]string{"chainscope", "leather", "xverse"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// runBridge serves until the context ends.
func runBridge(ctx context.Context, app *app, flags *bridgeFlags, wallet *walletFlags) (err error) {
	var ends []func()
	defer func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
	}()
	desk := &bridgeDesk{app: app}
	options := bridge.Options{As: bridge.Personality(flags.as), AllowOrigin: flags.allow}
	personality, err := provider.ParsePersonality(flags.as)
	if err != nil {
		return usagef("--as: %v", err)
	}
	if options.Proxy, err = flags.proxyURL(); err != nil {
		return err
	}
	if flags.script != "" {
		if desk.script, err = readScript(flags.script); err != nil {
			return err
		}
	} else if desk.approver, err = app.approver(wallet.approve); err != nil {
		return err
	}
	if desk.prompter, _ = desk.approver.(*prompter); desk.prompter != nil {
		desk.prompter.fresh = true
	}
	ring, err := app.ring(wallet)
	if err != nil {
		return err
	}
	store, err := app.openStore(app.notice)
	if err != nil {
		return err
	}
	options.Origins = origins{service.NewStrings(store, service.OriginsDocument)}
	options.Attended = desk.prompter != nil
	options.NameEveryOrigin = !ring.PublicTest()
	if options.Attended {
		options.AskOrigin = desk.askOrigin
	}
	if flags.calls != "" {
		file, err := os.OpenFile(flags.calls, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return usagef("--calls: %v", err)
		}
		ends = append(ends, func() { file.Close() })
		options.Calls = file
	}

	n, end, err := app.bridgeNode()
	if err != nil {
		return err
	}
	ends = append(ends, end)
	env := wallet.env()
	env.Keys, env.Source = ring, n.source
	engine := provider.NewSigning(provider.SigningOptions{
		Env: func() signer.Env { return env }, Approver: desk, Node: n.client, Nonces: n.nonces, Report: desk.report,
	})
	desk.wallets = newPageWallets(personality, engine)
	options.Handler = desk.answer

	server, err := bridge.New(options)
	if err != nil {
		return usagef("%v", err)
	}
	ends = append(ends, func() { _ = server.Close() })
	l, err := app.listenBridge(flags.addr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(app.streams.Out, "bridge listening on http://%s\n", l.Addr()); err != nil {
		_ = l.Close()
		return err
	}
	if err := serve(ctx, bridgeServer{server}, l); err != nil {
		return err
	}
	return desk.verdict()
}

// bridgeServer ends a bridge at once: what waits for a person cannot finish.
type bridgeServer struct{ *bridge.Server }

// Shutdown ends every call that waits.
func (s bridgeServer) Shutdown(context.Context) error { return s.Close() }

// bridgeNode is the node of --api; here the embedded mock is one too, as it
// lives as long as the bridge.
func (a *app) bridgeNode() (*walletNode, func(), error) {
	baseURL, err := a.settings.baseURL()
	if err != nil {
		return nil, nil, err
	}
	embedded := &connection{baseURL: baseURL}
	if baseURL == "" {
		if err := embedded.startMock(a, nil); err != nil {
			return nil, nil, err
		}
	}
	n, err := a.nodeAt(embedded.baseURL, nil)
	if err != nil {
		embedded.close()
		return nil, nil, err
	}
	return n, func() { n.close(); embedded.close() }, nil
}

// proxyURL reads --proxy, nil for none.
func (b *bridgeFlags) proxyURL() (*url.URL, error) {
	if b.proxy == "" {
		return nil, nil
	}
	u, err := url.Parse(b.proxy)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, usagef("--proxy: %q is no address of a dapp; give one such as http://localhost:3000", b.proxy)
	}
	return u, nil
}

// maxScriptBytes bounds a script.
const maxScriptBytes = 4 << 20

func readScript(path string) (*bridge.Script, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, usagef("--script: %v", err)
	}
	if info.Size() > maxScriptBytes {
		return nil, usagef("--script: %s has more than %d bytes", path, maxScriptBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, usagef("--script: %v", err)
	}
	script, err := bridge.ParseScript(data)
	if err != nil {
		return nil, usagef("--script %s: %v", path, err)
	}
	return script, nil
}

// listenBridge listens where it is told to. Loopback is the rule; elsewhere
// anybody on the network can ask the wallet, which is said.
func (a *app) listenBridge(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	if err != nil || ip == nil || ip.IsLoopback() {
		return listen("--addr", addr)
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 0 {
		return nil, usagef("--addr: %q is no port; give 0 to 65535", port)
	}
	network := "tcp"
	if ip.To4() != nil {
		network = "tcp4"
	}
	l, err := net.Listen(network, addr)
	if err != nil {
		return nil, usagef("--addr: %v", err)
	}
	fmt.Fprintln(a.streams.Err, "chainscope: warning: the bridge listens beyond this machine: others on the network can ask the wallet")
	return l, nil
}

// verdict is the outcome of a script: a failure that says what was missed.
func (d *bridgeDesk) verdict() error {
	if d.script == nil {
		return nil
	}
	missed := d.script.Missed()
	if len(missed) == 0 {
		return nil
	}
	return &Error{Kind: KindUnexpected, Message: "the script was not played as written\n" + strings.Join(missed, "\n"), err: errors.New("script")}
}

// tell writes a line for the person at the terminal; there is none otherwise.
func (d *bridgeDesk) tell(format string, args ...any) {
	if d.prompter == nil {
		return
	}
	fmt.Fprintln(d.app.streams.Err, text.Line(fmt.Sprintf(format, args...)))
}

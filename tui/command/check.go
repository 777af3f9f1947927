package command

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/apiclient/check"
	"chainscope/apiclient/wire"
	"chainscope/mockserver/api"
	"chainscope/mockserver/tape"
	"chainscope/tui/command/cli"
	"chainscope/tui/text"
)

func newCheck(app *cli.App) *cobra.Command {
	var against string
	cmd := &cobra.Command{
		Use:   "check [URL] [--against mock|URL|DIR]",
		Short: "Compare what a server serves with the contract",
		Long: `Ask a server for each route of the contract, with one request that it has to
answer and, where the contract says what is invalid, one that it has to refuse. How
it serves the route is printed: served, deprecated, gone or different. Where an answer differs from the contract, a line
says how: an error breaks a client, a warning does not. It takes 15 to 20 requests.

With --against, the answers are also compared with those of another server (mock is
the embedded one) or with a folder that "chainscope mock --record" has filled.

The exit code is 1 when a route of the contract is gone or different.`,
		Example: `  chainscope check
  chainscope check http://127.0.0.1:3999 -o json
  chainscope check https://api.hiro.so --against mock`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if _, err := cli.APIURL("check", args[0]); err != nil {
					return err
				}
				app.Settings.API = args[0]
			}
			return runCheck(cmd.Context(), app, against)
		},
	}
	cmd.Flags().StringVar(&against, "against", "", "another server to compare with: mock, a URL, or the `folder` of a recording")
	_ = cmd.RegisterFlagCompletionFunc("against", cobra.FixedCompletions([]string{cli.APIMock}, cobra.ShellCompDirectiveDefault))
	return cmd
}

// checkResult holds what check prints as JSON.
type checkResult struct {
	URL string `json:"url"`
	check.Report
	// InForce says which routes chainscope reads the server by, such as
	// "API 9 · blocks by v2".
	InForce string `json:"in_force,omitempty"`
	// Against names what the server was compared with; Differences are nil without.
	Against     string             `json:"against,omitempty"`
	Differences []check.Difference `json:"differences,omitzero"`
}

// runCheck holds a server against the contract, and against another side.
func runCheck(ctx context.Context, a *cli.App, against string) error {
	checker, err := check.New(api.Contract())
	if err != nil {
		return err
	}
	c, err := a.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	a.PrintMock(c)
	here, err := serverOf(a, c)
	if err != nil {
		return err
	}
	answers, err := checker.Server(ctx, here)
	if err != nil {
		return apiclient.Failure(err, here.BaseURL)
	}
	result := checkResult{URL: here.BaseURL, Report: checker.Judge(answers), Against: against}
	findReadBy(ctx, c.Client, result.Routes)
	result.InForce = c.Client.InForce().String()
	if against != "" {
		if result.Differences, err = compareServers(ctx, a, checker, here, answers, against); err != nil {
			return err
		}
	}
	if err := printCheck(ctx, a, result); err != nil {
		return err
	}
	if n := result.Failed(); n > 0 {
		return &cli.Error{Kind: cli.KindUnexpected, Message: fmt.Sprintf("%d of %s not served as the contract says", n, text.Plural(len(result.Routes), "route"))}
	}
	return nil
}

// serverOf returns a connection's server as check uses it: by the same gate, headers
// and log as the client.
func serverOf(a *cli.App, c *cli.Connection) (check.Server, error) {
	header, err := a.Header(c.BaseURL)
	if err != nil {
		return check.Server{}, err
	}
	t, err := wire.NewTransport(wire.TransportOptions{
		BaseURL: c.BaseURL, Header: header, Log: c.Client.Log(), Gate: c.Client.Gate(),
	})
	if err != nil {
		return check.Server{}, cli.Usagef("--api: %v", err)
	}
	c.AtEnd(t.CloseIdleConnections)
	return check.Server{BaseURL: c.Client.BaseURL(), Transport: t, Timeout: a.Settings.Timeout}, nil
}

// compareServers holds a server against another one, or against a recording.
func compareServers(ctx context.Context, a *cli.App, checker *check.Checker, here check.Server, answers []check.Answer, against string) ([]check.Difference, error) {
	if info, err := os.Stat(against); err == nil && info.IsDir() {
		recorded, err := recordedAnswers(against)
		if err != nil {
			return nil, cli.Usagef("--against: %v", err)
		}
		recorded = checker.Recorded(recorded)
		same, err := checker.Repeat(ctx, here, recorded)
		if err != nil {
			return nil, apiclient.Failure(err, here.BaseURL)
		}
		return checker.Compare(same, recorded), nil
	}
	other := &cli.App{Streams: a.Streams, Settings: a.Settings}
	other.Settings.API, other.Settings.Headers = against, nil // headers are for one origin
	if _, err := other.Settings.BaseURL(); err != nil {
		return nil, cli.Usagef("--against: %q is neither mock, a URL nor a folder", against)
	}
	c, err := other.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	there, err := serverOf(other, c)
	if err != nil {
		return nil, err
	}
	theirs, err := checker.Server(ctx, there)
	if err != nil {
		return nil, apiclient.Failure(err, there.BaseURL)
	}
	return checker.Compare(answers, theirs), nil
}

// recordedAnswers reads the answers of a tape.
func recordedAnswers(dir string) ([]check.Answer, error) {
	player, err := tape.Open(dir)
	if err != nil {
		return nil, err
	}
	var all []check.Answer
	player.All(func(e *tape.Exchange) {
		if e.Method == http.MethodGet {
			all = append(all, check.Answer{Target: e.Target, Status: e.Status, Header: e.Header, Body: e.Body})
		}
	})
	return all, nil
}

// findReadBy finds by the client what the retired lists of blocks are read by.
func findReadBy(ctx context.Context, client *apiclient.Client, routes []check.Route) {
	for i := range routes {
		if routes[i].State != check.Gone {
			continue
		}
		var err error
		switch routes[i].Route {
		case "/extended/v1/block":
			_, err = client.Blocks(ctx, apiclient.Page{Limit: 1})
		case "/extended/v2/burn-blocks/{height_or_hash}/blocks":
			_, err = client.BurnBlockBlocks(ctx, "latest", apiclient.Page{Limit: 1})
		default:
			continue
		}
		if served := client.InForce().Served; err == nil && len(served) > 0 {
			routes[i].ReadBy = served[len(served)-1].Route
		}
	}
}

// printCheck prints the result as JSON or for people.
func printCheck(ctx context.Context, a *cli.App, result checkResult) error {
	raw, err := json.Marshal(result)
	switch {
	case err != nil:
		return err
	case a.Rows() || a.JSON():
		return a.PrintRaw(ctx, raw)
	}
	title := result.URL
	if result.Version != "" {
		title += "  " + result.Version
	}
	lines := []string{title}
	if result.InForce != "" {
		lines = append(lines, "chainscope reads it as: "+result.InForce)
	}
	lines = append(lines, "")
	for _, r := range result.Routes {
		line := text.Pad(string(r.State), 14) + r.Route
		if r.ReadBy != "" {
			line += "  (read by " + r.ReadBy + ")"
		}
		lines = append(lines, line)
		for _, f := range r.Findings {
			lines = append(lines, "  "+text.Pad(string(f.Severity), 9)+"GET "+f.Request, "           "+strings.TrimSpace(f.Where+" "+f.What))
		}
	}
	if result.Against != "" {
		lines = append(lines, "", fmt.Sprintf("compared with %s: %s", result.Against, text.Plural(len(result.Differences), "difference")))
		for _, d := range result.Differences {
			lines = append(lines, "  "+strings.TrimSpace(d.Route+" "+d.Where), "    here "+d.Here+", there "+d.There)
		}
	}
	for i := range lines {
		lines[i] = text.Line(lines[i])
	}
	return a.Print(lines...)
}

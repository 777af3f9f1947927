package walletcmd

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"chainscope/tui/command/cli"
	"chainscope/tui/mockclient"
	"chainscope/tui/text"
)

// undescribedCalls reports, when a bridge ends, what pages called of contracts that nobody has
// described.
type undescribedCalls struct {
	mock  *mockclient.Client // nil where the API is no mock
	after int64              // what was requested before the bridge began
	flags string             // prefix of the mock's flags
}

// undescribedTimeout bounds the requests of the mock when the bridge begins and ends.
const undescribedTimeout = 2 * time.Second

// undescribedFromNow returns a reader of what is requested of the mock at a URL from now on without a description,
// nil for none.
func undescribedFromNow(ctx context.Context, a *cli.App, mock *url.URL) undescribedCalls {
	var v undescribedCalls
	if mock == nil {
		return v
	}
	client := mockclient.New(mock.String(), nil)
	ctx, cancel := context.WithTimeout(ctx, undescribedTimeout)
	defer cancel()
	requests, err := client.Undescribed(ctx, math.MaxInt64)
	if err != nil { // it is no mock, or one that has no chain
		return v
	}
	v.mock, v.after = client, requests.Next
	if baseURL, err := a.Settings.BaseURL(); err == nil && baseURL == "" {
		v.flags = cli.MockPrefix
	}
	return v
}

// print prints what was requested as a file of contracts that lacks only the answers.
func (v *undescribedCalls) print(a *cli.App) {
	if v.mock == nil || a.JSON() {
		return
	}
	// The bridge's own context has ended.
	ctx, cancel := context.WithTimeout(context.Background(), undescribedTimeout)
	defer cancel()
	requests, err := v.mock.Undescribed(ctx, v.after)
	if err != nil || requests.Contracts == "" {
		return
	}
	a.PrintNote("pages called contracts that are not described; write what they answer into a file for --%[1]scontracts, or take any call with --%[1]sany-contract:", v.flags)
	fmt.Fprintln(a.Streams.Err)
	for line := range strings.Lines(requests.Contracts) {
		fmt.Fprintln(a.Streams.Err, text.Line(strings.TrimSuffix(line, "\n")))
	}
	fmt.Fprintln(a.Streams.Err)
}

package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
)

const (
	// awayFor is the time that a command that has read something waits for a server that is away.
	awayFor = 90 * time.Second
	// brokenFor is the time that it waits for one that answers that it failed.
	brokenFor = 10 * time.Second
)

// patiently requests again while the server limits requests and, once something was read, for
// a while where the server is away. It says what it waits for.
func patiently[T any](ctx context.Context, app *cli.App, begun bool, call func() (T, error)) (T, error) {
	pause, waited := time.Second, time.Duration(0)
	for {
		value, err := call()
		var from *apiclient.Error
		if !errors.As(err, &from) {
			return value, err
		}
		var wait time.Duration
		why := from.Error()
		switch most := outage(from); {
		case from.Kind == apiclient.RateLimited:
			wait, why = max(from.RetryAfter, time.Second), "the server limits requests"
		case !begun || waited+pause > most:
			return value, err
		default:
			wait = max(pause, from.RetryAfter)
			waited += wait
			pause *= 2
		}
		app.Notice(fmt.Sprintf("%s; reading continues in %s", why, wait.Round(time.Second)))
		if err := app.Streams.Wait(ctx, wait); err != nil {
			return value, err
		}
	}
}

// outage returns how long a failure may last, 0 for one that is final.
func outage(from *apiclient.Error) time.Duration {
	switch {
	case from.Kind == apiclient.Offline, from.Kind == apiclient.Timeout,
		from.Status == http.StatusBadGateway, from.Status == http.StatusServiceUnavailable, from.Status == http.StatusGatewayTimeout:
		return awayFor
	case from.Kind == apiclient.ServerFault && from.Status != 0:
		return brokenFor
	}
	return 0
}

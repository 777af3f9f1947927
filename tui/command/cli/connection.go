package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"chainscope/apiclient"
	"chainscope/mockserver"
)

// Connection is the client of the chosen API, and the embedded mock if that is
// the API.
type Connection struct {
	Client  *apiclient.Client
	BaseURL string
	Mock    *mockserver.Server
	ends    []func()
}

// Connect starts the embedded mock if it is requested and makes the client.
func (a *App) Connect(ctx context.Context) (_ *Connection, err error) {
	c := &Connection{}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if c.BaseURL, err = a.Settings.BaseURL(); err != nil {
		return nil, err
	}
	header, err := a.Header(c.BaseURL)
	if err != nil {
		return nil, err
	}
	log, err := a.OpenLog(ctx)
	if err != nil {
		return nil, err
	}
	if log != nil {
		c.AtEnd(func() { _ = log.Close() })
	}
	if c.BaseURL == "" {
		if err := c.StartMock(ctx, a, log); err != nil {
			return nil, err
		}
	}
	c.Client, err = apiclient.New(apiclient.Options{
		BaseURL: c.BaseURL, Header: header, Timeout: a.Settings.Timeout, OnAttempt: a.OnAttempt, Now: a.Now, Network: a.Settings.Known(), Mock: a.Settings.API == APIMock,
	})
	if err != nil {
		return nil, Usagef("--api: %v", err)
	}
	c.AtEnd(c.Client.Close)
	if log != nil {
		c.AtEnd(a.LogExchanges(c.Client.Log(), log))
	}
	return c, nil
}

// StartMock serves the embedded mock on a loopback port.
func (c *Connection) StartMock(ctx context.Context, a *App, log *LogFile) error {
	var accessLog io.Writer = a.Streams.Err
	if log != nil {
		accessLog = log
	} else if a.FullScreen {
		accessLog = io.Discard
	}
	err := c.serve(ctx, a, cmp.Or(a.Settings.Mock.Addr, "127.0.0.1:0"), func() (*mockserver.Server, error) { return a.Settings.Mock.NewMock(a, MockPrefix, accessLog) })
	if err == nil {
		a.embedded = c.BaseURL
	}
	return err
}

// serve makes a mock and serves it.
func (c *Connection) serve(ctx context.Context, a *App, addr string, begin func() (*mockserver.Server, error)) error {
	server, err := Awaited(ctx, func() (*mockserver.Server, error) {
		server, err := begin()
		if err == nil && ctx.Err() != nil { // nobody waits for it any more
			_ = server.Close()
			return nil, ctx.Err()
		}
		return server, err
	})
	if err != nil {
		return err
	}
	var l net.Listener
	if l, err = Listen("--mock-addr", addr); err != nil {
		_ = server.Close()
		return err
	}
	done := make(chan struct{})
	a.Guard.Go(func() { defer close(done); _ = server.Serve(l) })
	c.Mock, c.BaseURL = server, "http://"+l.Addr().String()
	c.AtEnd(func() { _ = server.Close(); <-done })
	return nil
}

// AtEnd adds what close does, before all that was added.
func (c *Connection) AtEnd(end func()) { c.ends = append(c.ends, end) }

// Close ends everything in reverse order.
func (c *Connection) Close() {
	for i := len(c.ends) - 1; i >= 0; i-- {
		c.ends[i]()
	}
	c.ends = nil
}

// clientError converts a failure of the client into a command's failure.
func clientError(err error) (*Error, bool) {
	kind := apiclient.KindOf(err)
	if kind == "" {
		return nil, false
	}
	e := &Error{Kind: Kind(kind), Message: err.Error(), Err: err}
	var from *apiclient.Error
	if errors.As(err, &from) {
		e.Status, e.RetryAfter = from.Status, from.RetryAfter
		if from.Code != "" {
			e.Code = from.Code
		}
	}
	if e.Kind == KindCanceled {
		e.Message = "canceled"
	}
	if from != nil {
		e.wrongServer(from)
	}
	return e, true
}

// wrongServer returns what to do where the address of --api is not that of an API.
func (e *Error) wrongServer(from *apiclient.Error) {
	u, err := url.Parse(from.URL)
	if err != nil {
		return
	}
	host := net.ParseIP(u.Hostname())
	here := host.IsLoopback() || u.Hostname() == "localhost"
	switch {
	case errors.Is(e, http.ErrSchemeMismatch):
		_ = e.TryFlag("api", "http://"+u.Host)
	case from.Vacant() != "":
		e.Message += "\nno server is there; chainscope mock starts one, and without --api a command has one of its own"
		_ = e.Try("mock", "--addr", from.Vacant())
	case here && from.Status == http.StatusNotFound && apiclient.RouteGone(from) && from.Detail() == "":
		e.Message += "\na server is at " + u.Host + ", but not of this API; a mock is at port 3999 by default"
		_ = e.TryFlag("api", APIMock)
	}
}

// PrintText prints a line of any text.
func (a *App) PrintText(line string) error {
	if IsTerminal(a.Streams.Out) {
		line = string(PlainJSON([]byte(line)))
	}
	_, err := fmt.Fprintln(a.Streams.Out, line)
	return err
}

// PrintMock prints that the data come from the embedded mock, where nobody chose it.
func (a *App) PrintMock(c *Connection) {
	if c.Mock != nil && a.Settings.Mock.fork == "" && !a.FromCommandLine["api"] && a.from["api"] == "" {
		a.Notice(fmt.Sprintf("mock chain, seed %d; --api mainnet for the real one", a.Settings.Mock.seed))
	}
}

// PrintRaw prints the API's own JSON. On a terminal, characters that it would obey
// or hide are escaped; the JSON means the same. With --jq the filter's results are
// printed instead.
func (a *App) PrintRaw(ctx context.Context, raw json.RawMessage) error {
	if a.Settings.Filter != nil {
		return a.Settings.Filter.Run(ctx, &a.Guard, raw, a.PrintText)
	}
	if IsTerminal(a.Streams.Out) {
		raw = PlainJSON(raw)
	}
	_, err := fmt.Fprintf(a.Streams.Out, "%s\n", raw)
	return err
}

// PrintJSON prints a value of ours as JSON.
func (a *App) PrintJSON(ctx context.Context, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return a.PrintRaw(ctx, raw)
}

package command

import (
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

// connection is the client of the chosen API, and the embedded mock if that is
// the API.
type connection struct {
	client  *apiclient.Client
	baseURL string
	mock    *mockserver.Server
	ends    []func()
}

// connect starts the embedded mock if it is requested and makes the client.
func (a *app) connect(ctx context.Context) (_ *connection, err error) {
	c := &connection{}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	header, err := a.settings.header()
	if err != nil {
		return nil, err
	}
	if c.baseURL, err = a.settings.baseURL(); err != nil {
		return nil, err
	}
	log, err := a.openLog(ctx)
	if err != nil {
		return nil, err
	}
	if log != nil {
		c.atEnd(func() { _ = log.Close() })
	}
	if c.baseURL == "" {
		if err := c.startMock(ctx, a, log); err != nil {
			return nil, err
		}
	}
	c.client, err = apiclient.New(apiclient.Options{
		BaseURL: c.baseURL, Header: header, Timeout: a.settings.timeout, OnAttempt: a.onAttempt, Now: a.now, Network: a.settings.known(), Mock: a.settings.api == apiMock,
	})
	if err != nil {
		return nil, usagef("--api: %v", err)
	}
	c.atEnd(c.client.Close)
	if log != nil {
		c.atEnd(a.logExchanges(c.client.Log(), log))
	}
	return c, nil
}

// startMock serves the embedded mock on a loopback port.
func (c *connection) startMock(ctx context.Context, a *app, log *logFile) error {
	var accessLog io.Writer = a.streams.Err
	if log != nil {
		accessLog = log
	} else if a.fullScreen {
		accessLog = io.Discard
	}
	server, err := awaited(ctx, func() (*mockserver.Server, error) { return a.settings.mock.newMock(a, mockPrefix, accessLog) })
	if err != nil {
		return err
	}
	addr := a.settings.mock.addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	var l net.Listener
	if l, err = listen("--mock-addr", addr); err != nil {
		_ = server.Close()
		return err
	}
	done := make(chan struct{})
	a.guard.Go(func() { defer close(done); _ = server.Serve(l) })
	c.mock, c.baseURL = server, "http://"+l.Addr().String()
	a.embedded = c.baseURL
	c.atEnd(func() { _ = server.Close(); <-done })
	return nil
}

// atEnd adds what close does, before all that was added.
func (c *connection) atEnd(end func()) { c.ends = append(c.ends, end) }

// close ends everything in reverse order.
func (c *connection) close() {
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
	e := &Error{Kind: Kind(kind), Message: err.Error(), err: err}
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
		_ = e.tryFlag("api", "http://"+u.Host)
	case from.Vacant() != "":
		e.Message += "\nno server is there; chainscope mock starts one, and without --api a command has one of its own"
		_ = e.try("mock", "--addr", from.Vacant())
	case here && from.Status == http.StatusNotFound && apiclient.RouteGone(from) && from.Detail() == "":
		e.Message += "\na server is at " + u.Host + ", but not of this API; a mock is at port 3999 by default"
		_ = e.tryFlag("api", apiMock)
	}
}

// printText prints a line of any text.
func (a *app) printText(line string) error {
	if isTerminal(a.streams.Out) {
		line = string(plainJSON([]byte(line)))
	}
	_, err := fmt.Fprintln(a.streams.Out, line)
	return err
}

// sayMock says that the data come from the embedded mock, where nobody asked for it.
func (a *app) sayMock(c *connection) {
	if c.mock != nil && !a.fromCommandLine["api"] && a.from["api"] == "" {
		a.notice(fmt.Sprintf("mock chain, seed %d; --api mainnet for the real one", a.settings.mock.seed))
	}
}

// printRaw prints the API's own JSON. On a terminal, characters that it would obey
// or hide are escaped; the JSON means the same. With --jq the filter's results are
// printed instead.
func (a *app) printRaw(ctx context.Context, raw json.RawMessage) error {
	if a.settings.filter != nil {
		return a.settings.filter.run(ctx, &a.guard, raw, a.printText)
	}
	if isTerminal(a.streams.Out) {
		raw = plainJSON(raw)
	}
	_, err := fmt.Fprintf(a.streams.Out, "%s\n", raw)
	return err
}

// printJSON prints a value of ours as JSON.
func (a *app) printJSON(ctx context.Context, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return a.printRaw(ctx, raw)
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
)

// shutdownWait is the time that a server that ends lets open requests finish.
const shutdownWait = 1500 * time.Millisecond

// Listen opens a loopback address. A bare port is taken as one of 127.0.0.1.
func Listen(flag, addr string) (net.Listener, error) {
	name := strings.TrimPrefix(flag, "--")
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, Usagef("%s: %q is not an address; use one such as 127.0.0.1:3999", flag, addr).TryFlag(name, "127.0.0.1:"+portIn(addr))
	}
	switch ip := net.ParseIP(host); {
	case host == "":
		host = "127.0.0.1"
	case host == "localhost", ip != nil && ip.IsLoopback():
	default:
		return nil, Usagef("%s: %q is not a loopback address; use 127.0.0.1, ::1 or localhost", flag, addr).TryFlag(name, "127.0.0.1:"+port)
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 0 {
		return nil, Usagef("%s: %q is not a port; use 0 to 65535", flag, port)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		e := &Error{Kind: KindUnexpected, Message: fmt.Sprintf("%s: %s is in use by another program; use another port, or port 0 for a free one", flag, addr), Err: err}
		return nil, e.TryFlag(name, "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return l, nil
}

// portIn returns the port that a wrong address seems to have, else that of the mock.
func portIn(addr string) string {
	if bare := strings.TrimPrefix(addr, ":"); IsNumber(bare) {
		return bare
	}
	return "3999"
}

// RegisterUntilEOF adds the flag that ends a server with its standard input.
func RegisterUntilEOF(fs *pflag.FlagSet, value *bool, server string) {
	fs.BoolVar(value, "until-eof", false, "end when standard input ends, as it does when the program that started the "+server+" ends")
}

// Bounded returns a context that ends with standard input too, if it is requested.
// What prepares the server has the other: an input that ends at once must not
// interrupt it.
func (a *App) Bounded(ctx context.Context, untilEOF bool) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if untilEOF {
		a.Guard.Go(func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, a.Streams.In) // only its end counts
		})
	}
	return ctx, cancel
}

// server is a server that serve can run.
type server interface {
	Serve(net.Listener) error
	Shutdown(context.Context) error
}

// Serve runs a server until the context ends, and then ends it in order.
func (a *App) Serve(ctx context.Context, s server, l net.Listener) error {
	failed := make(chan error, 1)
	a.Guard.Go(func() { failed <- s.Serve(l) })
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownWait)
	defer cancel()
	if err := s.Shutdown(end); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return <-failed
}

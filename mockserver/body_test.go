package mockserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// dialled returns a connection to the server on which nothing was sent yet.
func dialled(t *testing.T, origin string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(origin, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c
}

// ends reads to the end of the connection and returns what came.
func ends(t *testing.T, c net.Conn) string {
	t.Helper()
	all, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("after %q: %v, want the end of the connection", all, err)
	}
	return string(all)
}

func TestABodyThatNeverComesIsEndedWhileTheConnectionStaysOpen(t *testing.T) {
	for _, c := range []struct {
		name, head string
		fault      string
		want       string
	}{
		{"a transaction", "POST /v2/transactions HTTP/1.1\r\nContent-Length: 100\r\n", "", "408 Request Timeout"},
		{"a fee", "POST /v2/fees/transaction HTTP/1.1\r\nContent-Length: 100\r\n", "", "408 Request Timeout"},
		{"the control interface", "POST /mock/v1/mine HTTP/1.1\r\nContent-Length: 100\r\n", "", "408 Request Timeout"},
		{"a body in chunks", "POST /v2/transactions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", "", "408 Request Timeout"},
		{"an answer that is damaged", "POST /v2/transactions HTTP/1.1\r\nContent-Length: 100\r\n", "fault=content-type", "408 Request Timeout"},
		{"an answer that is delayed", "POST /v2/transactions HTTP/1.1\r\nContent-Length: 100\r\n", "delay=80", "408 Request Timeout"},
		{"a route that reads no body", "POST /nope HTTP/1.1\r\nContent-Length: 100\r\n", "", "404 Not Found"},
		{"GET", "GET " + fullToken + " HTTP/1.1\r\nContent-Length: 100\r\n", "", "200 OK"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := Config{BodyTimeout: 50 * time.Millisecond}
			if c.fault != "" {
				cfg.Faults = rules(t, c.fault)
			}
			s, _ := newServer(t, cfg)
			conn := dialled(t, serving(t, s))
			if _, err := io.WriteString(conn, c.head+"Host: localhost\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			answer := ends(t, conn)
			if !strings.HasPrefix(answer, "HTTP/1.1 "+c.want) || !strings.Contains(answer, "Connection: close") {
				t.Errorf("answered %q", answer)
			}
			if strings.HasPrefix(c.want, "408") && !strings.Contains(answer, "the body did not arrive within 50ms") {
				t.Errorf("answered %q", answer)
			}
		})
	}
}

func TestABodyThatComesDropByDropIsEnded(t *testing.T) {
	s, _ := newServer(t, Config{BodyTimeout: 50 * time.Millisecond})
	conn := dialled(t, serving(t, s))
	if _, err := io.WriteString(conn, "POST /v2/transactions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	var drops sync.WaitGroup
	drops.Go(func() {
		for {
			if _, err := io.WriteString(conn, "1\r\n0\r\n"); err != nil {
				return // the server has closed the connection
			}
		}
	})
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.HasPrefix(answer, "HTTP/1.1 408") && !strings.HasPrefix(answer, "HTTP/1.1 413") {
		t.Errorf("answered %q %v", answer, err)
	}
	conn.Close()
	drops.Wait()
}

func TestABodyInTimeKeepsTheConnection(t *testing.T) {
	s, _ := newServer(t, Config{BodyTimeout: 50 * time.Millisecond})
	conn := dialled(t, serving(t, s))
	r := bufio.NewReader(conn)
	for range 3 {
		if _, err := io.WriteString(conn, "POST /mock/v1/mine HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n{\"blocks\":1}"); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		readBody(t, res)
		if res.StatusCode != 200 || res.Close {
			t.Fatalf("%s, closes %v", res.Status, res.Close)
		}
		time.Sleep(60 * time.Millisecond) // longer than the limit of a body
	}
}

func TestAnIdleConnectionIsClosed(t *testing.T) {
	s, _ := newServer(t, Config{IdleTimeout: 50 * time.Millisecond})
	conn := dialled(t, serving(t, s))
	if _, err := io.WriteString(conn, "GET "+fullToken+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if answer := ends(t, conn); !strings.HasPrefix(answer, "HTTP/1.1 200 OK") || strings.Contains(answer, "Connection: close") {
		t.Errorf("answered %q", answer)
	}
}

func TestDefaultTimeLimits(t *testing.T) {
	s, _ := newServer(t, Config{})
	if s.cfg.BodyTimeout != 10*time.Second || s.http.ReadHeaderTimeout != 10*time.Second || s.http.IdleTimeout != 2*time.Minute {
		t.Errorf("body %s, header %s, idle %s", s.cfg.BodyTimeout, s.http.ReadHeaderTimeout, s.http.IdleTimeout)
	}
}

// failing is a listener whose first Accept fails for a moment.
type failing struct {
	net.Listener
	once sync.Once
}

type fleeting struct{}

func (fleeting) Error() string   { return "too many open \x1b[2J files" }
func (fleeting) Timeout() bool   { return false }
func (fleeting) Temporary() bool { return true }

func (l *failing) Accept() (net.Conn, error) {
	failed := false
	l.once.Do(func() { failed = true })
	if failed {
		return nil, fleeting{}
	}
	return l.Listener.Accept()
}

func TestTheServersOwnErrorsNeverReachTheStandardLog(t *testing.T) {
	var standard, access bytes.Buffer
	log.SetOutput(&standard)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	for _, w := range []io.Writer{nil, &access} {
		s, _ := newServer(t, Config{AccessLog: w})
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- s.Serve(&failing{Listener: l}) }()
		res, err := http.Get("http://" + l.Addr().String() + fullToken)
		if err != nil {
			t.Fatal(err)
		}
		readBody(t, res)
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		if err := errors.Join(s.Close(), <-done); err != nil {
			t.Fatal(err)
		}
	}
	if standard.Len() > 0 {
		t.Errorf("the standard log has %q", standard.String())
	}
	if got := access.String(); !strings.Contains(got, `Accept error: too many open \\x1b[2J files`) && !strings.Contains(got, `Accept error: too many open \x1b[2J files`) {
		t.Errorf("the access log has %q", got)
	}
}

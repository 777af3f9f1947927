package direct

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// tell answers with what it was asked, in the ways that the paths name.
func tell(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := fmt.Sprintf("%s %s %s %q %v %q", r.Method, r.RequestURI, r.Host, r.URL.Path, r.Header, body)
	h := w.Header()
	switch r.URL.Path {
	case "/announced":
		h.Set("Content-Type", "text/x")
		h.Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = io.WriteString(w, text)
	case "/parts":
		h["X-B"], h["X-A"] = []string{"1", "2"}, []string{" a\r\nb "}
		h.Set("Content-Length", "6")
		for _, part := range []string{"ab", "", "cdef", ""} {
			_, _ = io.WriteString(w, part)
		}
		if _, err := io.WriteString(w, "more"); !errors.Is(err, http.ErrContentLength) {
			panic("more than announced was taken")
		}
	case "/short":
		h.Set("Content-Length", "20")
		_, _ = io.WriteString(w, "short")
	case "/large":
		h.Set("Content-Length", "100000")
		_, _ = w.Write(bytes.Repeat([]byte("0123456789"), 10_000))
	case "/kept":
		for range 100 {
			_, _ = io.WriteString(w, text)
		}
	case "/not-modified":
		h.Set("Etag", `"1"`)
		h.Set("Content-Type", "text/x")
		h.Set("Content-Length", "9")
		w.WriteHeader(http.StatusNotModified)
		w.WriteHeader(http.StatusTeapot)
		if _, err := w.Write([]byte("body")); !errors.Is(err, http.ErrBodyNotAllowed) {
			panic("a body was taken")
		}
	case "/nothing":
	case "/no-content":
		w.WriteHeader(http.StatusNoContent)
	case "/odd":
		w.WriteHeader(599)
	case "/late":
		w.WriteHeader(http.StatusNotFound)
		h.Set("X-Late", "1")
	case "/abort":
		panic(http.ErrAbortHandler)
	case "/broken":
		panic("a broken handler")
	default:
		_, _ = io.WriteString(w, text)
	}
}

type served struct {
	*Server
	addr string
	log  *safeBuffer
	done chan error
}

type safeBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *safeBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

func serve(t *testing.T, h http.HandlerFunc, direct func(*http.Request) bool) *served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{addr: l.Addr().String(), log: &safeBuffer{}, done: make(chan error, 1)}
	s.Server = &Server{
		HTTP:   &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(s.log, "", 0)},
		Direct: direct,
	}
	go func() { s.done <- s.Serve(l) }()
	t.Cleanup(func() {
		_ = s.Close()
		if err := <-s.done; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve ended with %v", err)
		}
	})
	return s
}

func always(*http.Request) bool { return true }
func never(*http.Request) bool  { return false }

func dial(t *testing.T, addr string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	return c, bufio.NewReader(c)
}

// answered is everything a client can see of an answer, the hour but for.
func answered(r *bufio.Reader, method string) string {
	got, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		return "the connection ended"
	}
	body, err := io.ReadAll(got.Body)
	if _, e := http.ParseTime(got.Header.Get("Date")); e != nil {
		return "no date: " + e.Error()
	}
	got.Header.Del("Date")
	if got.ContentLength < 0 { // net/http sends what nobody announced in chunks
		got.ContentLength = int64(len(body))
		got.Header.Set("Content-Length", fmt.Sprint(len(body)))
	}
	return fmt.Sprintf("%s %v %d %v %q %v", got.Status, got.Header, got.ContentLength, got.Close, body, err)
}

const fields = "Host: localhost:1\r\nUser-Agent: test\r\n"

// Every conversation is held with the direct server, with one that hands each
// connection over, and with net/http alone: nobody can tell them apart.
func TestItAnswersAsNetHTTP(t *testing.T) {
	servers := []*served{serve(t, tell, always), serve(t, tell, never)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	alone := &http.Server{Handler: http.HandlerFunc(tell), ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = alone.Serve(l) }()
	defer alone.Close()
	var all []string
	for _, path := range []string{
		"/", "/a/b?c=d%20&&e", "/announced", "/parts", "/large", "/kept", "/not-modified", "/nothing", "/no-content", "/odd", "/late",
		"/short", "/abort", "/broken", "/x%2fy", "//x", "/x?", "/x#y",
	} {
		all = append(all, "GET "+path+" HTTP/1.1\r\n"+fields+"\r\n")
	}
	all = append(all,
		"GET /announced HTTP/1.1\r\nhost: localhost\r\naccept: a\r\nACCEPT: b\r\n\r\n",
		"HEAD /announced HTTP/1.1\r\n"+fields+"\r\n",
		"POST / HTTP/1.1\r\n"+fields+"Content-Length: 4\r\n\r\nbody",
		"GET / HTTP/1.1\r\n"+fields+"Connection: close\r\n\r\n",
		"GET / HTTP/1.0\r\n"+fields+"\r\n",
		"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/9.1\r\n\r\n", "nonsense\r\n\r\n",
		"GET / HTTP/1.1\r\n"+fields+"X-Long: "+strings.Repeat("x", 2*maxRequest)+"\r\n\r\n",
	)
	talk := func(addr string, requests []string) string {
		c, r := dial(t, addr)
		var heard []string
		for _, request := range requests {
			for piece := range strings.SplitSeq(request, "|") {
				_, _ = io.WriteString(c, piece)
				if piece != request {
					time.Sleep(2 * time.Millisecond) // so that it comes in a read of its own
				}
			}
			method, _, _ := strings.Cut(request, " ")
			heard = append(heard, answered(r, method))
			if strings.Count(request, "HTTP/1.1\r\n") > 1 {
				heard = append(heard, answered(r, method))
			}
		}
		return strings.Join(heard, "\n")
	}
	plain := "GET /announced?1 HTTP/1.1\r\n" + fields + "\r\n"
	other := "GET /announced?2 HTTP/1.1\r\n" + fields + "Origin: x\r\n\r\n"
	var conversations [][]string
	for _, request := range all {
		conversations = append(conversations, []string{request, plain}, []string{plain, plain, other, request, plain})
	}
	conversations = append(conversations,
		[]string{plain + other, plain},
		[]string{plain, plain + other, plain},
		[]string{plain, plain[:20] + "|" + plain[20:], plain},
		[]string{plain[:3] + "|" + plain[3:60] + "|" + plain[60:], plain},
	)
	for _, requests := range conversations {
		want := talk(l.Addr().String(), requests)
		for i, s := range servers {
			if got := talk(s.addr, requests); got != want {
				t.Errorf("server %d answers %q\n%s\nnet/http answers\n%s", i, requests, got, want)
			}
		}
	}
	for _, s := range servers {
		if !strings.Contains(s.log.text(), "a broken handler") || strings.Contains(s.log.text(), "abort") {
			t.Errorf("logged: %s", s.log.text())
		}
	}
}

func TestAHandlerMayTakeTheConnection(t *testing.T) {
	for _, direct := range []func(*http.Request) bool{always, never} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			if _, ok := c.(interface{ SetLinger(int) error }); !ok {
				t.Errorf("%T cannot be reset", c)
			}
			if _, err := w.Write([]byte("x")); !errors.Is(err, http.ErrHijacked) {
				t.Errorf("written after it was taken: %v", err)
			}
			_, _ = io.WriteString(c, "own words")
			_ = c.Close()
		}, direct)
		c, r := dial(t, s.addr)
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n"+fields+"\r\n")
		if got, err := io.ReadAll(r); string(got) != "own words" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// Shutdown waits for the answer under way, and closes what waits.
func TestShutdown(t *testing.T) {
	for name, direct := range map[string]func(*http.Request) bool{"direct": always, "handed over": never} {
		t.Run(name, func(t *testing.T) {
			entered, release := make(chan bool), make(chan bool)
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/slow" {
					entered <- true
					<-release
				}
				tell(w, r)
			}, direct)
			_, fresh := dial(t, s.addr)
			waits, used := dial(t, s.addr)
			_, _ = io.WriteString(waits, "GET / HTTP/1.1\r\n"+fields+"\r\n")
			answered(used, "GET")
			c, slow := dial(t, s.addr)
			_, _ = io.WriteString(c, "GET /slow HTTP/1.1\r\n"+fields+"\r\n")
			<-entered
			ended := make(chan error, 1)
			go func() { ended <- s.Shutdown(context.Background()) }()
			for what, r := range map[string]*bufio.Reader{"a fresh connection": fresh, "a used connection": used} {
				if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
					t.Errorf("%s: %v, want its end", what, err)
				}
			}
			select {
			case err := <-ended:
				t.Fatalf("it did not wait: %v", err)
			case <-time.After(20 * time.Millisecond):
			}
			close(release)
			if got := answered(slow, "GET"); !strings.Contains(got, "/slow") {
				t.Errorf("the answer under way: %s", got)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if _, err := net.Dial("tcp", s.addr); err == nil {
				t.Error("it still listens")
			}
		})
	}
}

func TestShutdownEndsWithItsContext(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	s := serve(t, func(http.ResponseWriter, *http.Request) { entered <- true; <-release }, always)
	defer close(release)
	c, r := dial(t, s.addr)
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n"+fields+"\r\n")
	<-entered
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	_ = s.Close()
	if _, err := r.ReadByte(); err == nil {
		t.Error("Close left the connection open")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve after Close: %v", err)
	}
}

func TestAConnectionThatSaysNothingEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{HTTP: &http.Server{Handler: http.HandlerFunc(tell), ReadHeaderTimeout: 10 * time.Millisecond}, Direct: always}
	go func() { _ = s.Serve(l) }()
	defer s.Close()
	_, r := dial(t, l.Addr().String())
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("%v, want the end", err)
	}
}

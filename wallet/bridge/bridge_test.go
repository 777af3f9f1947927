package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/wallet/jsonrpc"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is what was decided about origins, in memory.
type memory struct {
	mu      sync.Mutex
	decided map[string]Access
}

func (m *memory) Access(origin string) (Access, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.decided[origin], nil
}

func (m *memory) SetAccess(origin string, access Access) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.decided == nil {
		m.decided = map[string]Access{}
	}
	m.decided[origin] = access
	return nil
}

// running is a bridge on a free loopback port.
type running struct {
	*Server
	t    *testing.T
	base string
	http *http.Client
}

func start(t *testing.T, options Options) *running {
	t.Helper()
	if options.Origins == nil {
		options.Origins = &memory{}
	}
	if options.Handler == nil {
		options.Handler = func(_ context.Context, call Call) Answer {
			return Answer{Result: json.RawMessage(fmt.Sprintf("{%q:%q}", "method", call.Method))}
		}
	}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	t.Cleanup(func() {
		server.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
	return &running{server, t, "http://" + listener.Addr().String(), client}
}

// response is an envelope as a page reads it.
type response struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

const page = "http://localhost:3000"

func (r *running) do(ctx context.Context, method, path, body string, headers ...string) (*http.Response, string) {
	request, err := http.NewRequestWithContext(ctx, method, r.base+path, strings.NewReader(body))
	if err != nil {
		r.t.Error(err)
		return nil, ""
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
			continue
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := r.http.Do(request)
	if err != nil {
		return nil, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err.Error()
	}
	return response, string(text)
}

func (r *running) call(origin, method, params string) response {
	return r.callIn(context.Background(), origin, method, params)
}

func (r *running) callIn(ctx context.Context, origin, method, params string) response {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":%q`, method)
	if params != "" {
		body += `,"params":` + params
	}
	_, text := r.do(ctx, http.MethodPost, "/rpc", body+"}", "Origin", origin, "Content-Type", "application/json")
	var got response
	if ctx.Err() == nil {
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			r.t.Errorf("%s: %q: %v", method, text, err)
		}
	}
	return got
}

func code(r response) int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

func TestAPageOnLoopbackIsAnswered(t *testing.T) {
	r := start(t, Options{})
	got := r.call(page, "getAddresses", "")
	if got.Error != nil || string(got.Result) != `{"method":"getAddresses"}` || string(got.ID) != `"1"` {
		t.Errorf("got %+v", got)
	}
}

func TestWhatIsRefusedBeforeAnythingRuns(t *testing.T) {
	r := start(t, Options{Handler: func(context.Context, Call) Answer {
		t.Error("the wallet was asked")
		return Answer{}
	}})
	const good = `{"jsonrpc":"2.0","id":1,"method":"getAddresses"}`
	asJSON := []string{"Content-Type", "application/json"}
	for name, c := range map[string]struct {
		method  string
		body    string
		headers []string
		status  int
	}{
		"no origin":                      {"POST", good, asJSON, 403},
		"a null origin":                  {"POST", good, append(asJSON, "Origin", "null"), 403},
		"an origin with a path":          {"POST", good, append(asJSON, "Origin", "http://localhost:3000/x"), 403},
		"an extension as origin":         {"POST", good, append(asJSON, "Origin", "chrome-extension://abc"), 403},
		"a form":                         {"POST", "a=b", []string{"Origin", page, "Content-Type", "application/x-www-form-urlencoded"}, 415},
		"a text/plain post":              {"POST", good, []string{"Origin", page, "Content-Type", "text/plain"}, 415},
		"no content type":                {"POST", good, []string{"Origin", page}, 415},
		"a GET":                          {"GET", "", append(asJSON, "Origin", page), 405},
		"a name that points at loopback": {"POST", good, append(asJSON, "Origin", page, "Host", "evil.example:80"), 421},
		"loopback at another port":       {"POST", good, append(asJSON, "Origin", page, "Host", "127.0.0.1:1"), 421},
		"a body of 1 MiB and more":       {"POST", `{"method":"` + strings.Repeat("x", maxBody) + `"}`, append(asJSON, "Origin", page), 413},
	} {
		t.Run(name, func(t *testing.T) {
			response, text := r.do(context.Background(), c.method, "/rpc", c.body, c.headers...)
			if response == nil || response.StatusCode != c.status {
				t.Errorf("got %v %q, want %d", response, text, c.status)
			}
		})
	}
	for name, c := range map[string]struct {
		body string
		code int
	}{
		"no JSON":       {`{`, jsonrpc.ParseError},
		"no envelope":   {`[1]`, jsonrpc.InvalidRequest},
		"no method":     {`{"jsonrpc":"2.0","id":1}`, jsonrpc.InvalidRequest},
		"a number":      {`{"jsonrpc":"2.0","id":1,"method":7}`, jsonrpc.InvalidRequest},
		"text as param": {`{"jsonrpc":"2.0","id":1,"method":"x","params":"y"}`, jsonrpc.InvalidRequest},
	} {
		_, text := r.do(context.Background(), "POST", "/rpc", c.body, "Origin", page, "Content-Type", "application/json")
		var got response
		if err := json.Unmarshal([]byte(text), &got); err != nil || code(got) != c.code {
			t.Errorf("%s: got %s", name, text)
		}
	}
}

func TestThePreflightEchoesTheOrigin(t *testing.T) {
	r := start(t, Options{})
	response, _ := r.do(context.Background(), http.MethodOptions, "/rpc", "", "Origin", "https://dapp.example", "Access-Control-Request-Method", "POST")
	want := map[string]string{
		"Access-Control-Allow-Origin": "https://dapp.example", "Access-Control-Allow-Headers": "content-type",
		"Access-Control-Allow-Private-Network": "true", "Vary": "Origin", "Access-Control-Allow-Credentials": "",
	}
	if response.StatusCode != http.StatusNoContent {
		t.Errorf("status %d", response.StatusCode)
	}
	for name, value := range want {
		if got := response.Header.Get(name); got != value {
			t.Errorf("%s: got %q, want %q", name, got, value)
		}
	}
}

func TestWithoutAPersonOnlyNamedOrLoopbackOriginsAreServed(t *testing.T) {
	named := "https://dapp.example"
	remembered := "https://remembered.example"
	for _, everyNamed := range []bool{false, true} {
		r := start(t, Options{AllowOrigin: []string{named}, NameEveryOrigin: everyNamed, Origins: &memory{decided: map[string]Access{remembered: Allowed}}})
		loopback := 0
		if everyNamed {
			loopback = jsonrpc.MethodAccessDenied
		}
		for origin, want := range map[string]int{
			named: 0, page: loopback, "http://127.0.0.1:5173": loopback, "http://app.localhost": loopback, "http://[::1]:1": loopback,
			"https://other.example": jsonrpc.MethodAccessDenied, "http://localhost.evil.example": jsonrpc.MethodAccessDenied, remembered: jsonrpc.MethodAccessDenied,
		} {
			if got := code(r.call(origin, "getAddresses", "")); got != want {
				t.Errorf("%s (every origin named: %v): got %d, want %d", origin, everyNamed, got, want)
			}
		}
	}
}

func TestANewOriginIsAskedForOnce(t *testing.T) {
	asked := 0
	decision := Undecided
	origins := &memory{}
	r := start(t, Options{Attended: true, Origins: origins, AskOrigin: func(context.Context, string) (Access, error) {
		asked++
		return decision, nil
	}})
	if got := code(r.call(page, "getAddresses", "")); got != jsonrpc.UserRejection {
		t.Errorf("refused: got %d", got)
	}
	decision = Allowed
	for range 2 {
		if got := code(r.call(page, "getAddresses", "")); got != 0 {
			t.Errorf("allowed: got %d", got)
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	decision = Blocked
	for range 2 {
		if got := code(r.call("https://bad.example", "getAddresses", "")); got != jsonrpc.MethodAccessDenied {
			t.Errorf("blocked: got %d", got)
		}
	}
	if asked != 3 || origins.decided["https://bad.example"] != Blocked || origins.decided[page] != Allowed {
		t.Errorf("asked %d times, decided %v", asked, origins.decided)
	}
}

// gate is a handler that waits until it is told to go on.
type gate struct {
	entered chan Call
	release chan struct{}
}

func newGate() *gate { return &gate{make(chan Call, 8192), make(chan struct{})} }

func (g *gate) handle(ctx context.Context, call Call) Answer {
	g.entered <- call
	select {
	case <-g.release:
		return Answer{Result: json.RawMessage(`{}`)}
	case <-ctx.Done():
		return Answer{}
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

func TestARequestWhosePageHasGoneIsWithdrawn(t *testing.T) {
	g := newGate()
	r := start(t, Options{Attended: true, Handler: g.handle, AllowOrigin: []string{page}})
	first, cancelFirst := context.WithCancel(context.Background())
	second, cancelSecond := context.WithCancel(context.Background())
	defer cancelFirst()
	var group sync.WaitGroup
	group.Go(func() { r.callIn(first, page, "first", "") })
	<-g.entered
	group.Go(func() { r.callIn(second, page, "second", "") })
	until(t, "two wait", func() bool { return len(r.Waiting()) == 2 })
	cancelSecond()
	until(t, "the second is withdrawn", func() bool { return len(r.Waiting()) == 1 })
	cancelFirst()
	until(t, "the first is withdrawn while it is decided", func() bool { return len(r.Waiting()) == 0 })
	group.Wait()
}

func TestAFloodIsBoundedAndOneKeyEndsIt(t *testing.T) {
	g := newGate()
	r := start(t, Options{Attended: true, Handler: g.handle, AllowOrigin: []string{page, "http://localhost:4000"}})
	codes := make(chan int, maxAttended+10)
	var group sync.WaitGroup
	for range maxAttended + 10 {
		group.Go(func() { codes <- code(r.call(page, "getAddresses", "")) })
	}
	until(t, "the queue is full", func() bool { return len(r.Waiting()) == maxAttended && len(codes) == 10 })
	for range 10 {
		if got := <-codes; got != jsonrpc.InternalError {
			t.Errorf("beyond the queue: got %d", got)
		}
	}
	if err := r.Block(page); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	for range maxAttended {
		if got := <-codes; got != jsonrpc.MethodAccessDenied {
			t.Errorf("of a blocked origin: got %d", got)
		}
	}
	close(g.release)
	if got := code(r.call("http://localhost:4000", "getAddresses", "")); got != 0 {
		t.Errorf("another origin afterwards: got %d", got)
	}
}

func TestTwoPlacesAreHeldByAnOriginThatIsNotAllowed(t *testing.T) {
	g := newGate()
	asked := make(chan string, 64)
	r := start(t, Options{
		Attended: true, Handler: g.handle, AllowOrigin: []string{page},
		AskOrigin: func(ctx context.Context, origin string) (Access, error) {
			asked <- origin
			<-ctx.Done()
			return Undecided, ctx.Err()
		},
	})
	ctx, leave := context.WithCancel(context.Background())
	var group sync.WaitGroup
	defer group.Wait()
	defer leave()
	refused := make(chan int, 256)
	call := func(origin string) {
		group.Go(func() {
			if got := r.callIn(ctx, origin, "getAddresses", ""); ctx.Err() == nil {
				refused <- code(got)
			}
		})
	}
	for range 40 {
		call("http://localhost:5555")
	}
	<-asked
	until(t, "the rest is refused", func() bool { return len(refused) == 38 })
	for n := range 20 { // a page with many origins
		call(fmt.Sprintf("http://a%d.localhost:5555", n))
		call(fmt.Sprintf("http://a%d.localhost:5555", n))
	}
	until(t, "origins that are not allowed fill half of the queue", func() bool { return len(r.Waiting()) == 16 && len(refused) == 38+26 })
	for range 16 {
		call(page)
	}
	until(t, "an allowed origin has the other half", func() bool { return len(r.Waiting()) == maxAttended })
	for len(refused) > 0 {
		if got := <-refused; got != jsonrpc.InternalError {
			t.Errorf("refused with %d", got)
		}
	}
}

// pipes is a listener for connections in memory, of which there may be any
// number.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

// pipe is one end of a connection in memory that looks like one of loopback.
type pipe struct{ net.Conn }

func (pipe) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 3998} }
func (pipe) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Addr() net.Addr { return pipe{}.LocalAddr() }
func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }

// startInMemory serves a bridge on connections in memory, and returns what makes
// a call on a connection of its own.
func startInMemory(t *testing.T, options Options) (*Server, func(origin, method string) response) {
	t.Helper()
	options.Origins = &memory{}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	listener := &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		if err := <-done; err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return server, func(origin, method string) response {
		client, served := net.Pipe()
		defer client.Close()
		listener.connections <- pipe{served}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":%q}`, method)
		fmt.Fprintf(client, "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:3998\r\nOrigin: %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", origin, len(body), body)
		var got response
		answer, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Error(err)
			return got
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		return got
	}
}

func TestEachOriginIsAnsweredInItsOrderAndNoneIsLost(t *testing.T) {
	const origins, each = 50, 20
	release := make(chan struct{})
	var mu sync.Mutex
	handled := map[string][]string{}
	server, call := startInMemory(t, Options{Handler: func(_ context.Context, call Call) Answer {
		<-release
		mu.Lock()
		defer mu.Unlock()
		handled[call.Origin] = append(handled[call.Origin], call.Method)
		return Answer{Result: json.RawMessage(fmt.Sprintf("%q", call.Origin+" "+call.Method))}
	}})
	// All wait at once, each known to have come before the next is sent.
	var group sync.WaitGroup
	want := make([]string, each)
	for i := range each {
		want[i] = fmt.Sprint("call-", i)
		for o := range origins {
			group.Go(func() {
				origin := fmt.Sprintf("http://localhost:%d", 3000+o)
				got := call(origin, want[i])
				if answer := fmt.Sprintf("%q", origin+" "+want[i]); string(got.Result) != answer {
					t.Errorf("%s got %s, %v", answer, got.Result, got.Error)
				}
			})
		}
		until(t, "all have come", func() bool { return len(server.Waiting()) == (i+1)*origins })
	}
	close(release)
	group.Wait()
	if len(handled) != origins {
		t.Errorf("%d origins were served", len(handled))
	}
	for origin, methods := range handled {
		if diff := cmp.Diff(want, methods); diff != "" {
			t.Errorf("%s: %s", origin, diff)
		}
	}
}

func TestTenThousandRequestsAtOnceLeaveTheBridgeAlive(t *testing.T) {
	const all = 10_000
	release := make(chan struct{})
	server, call := startInMemory(t, Options{Handler: func(context.Context, Call) Answer {
		<-release
		return Answer{Result: json.RawMessage(`{}`)}
	}})
	var group sync.WaitGroup
	var served, full, other atomic.Int64
	for range all {
		group.Go(func() {
			switch got := call(page, "getAddresses"); code(got) {
			case 0:
				served.Add(1)
			case jsonrpc.InternalError:
				full.Add(1)
			default:
				other.Add(1)
			}
		})
	}
	until(t, "as many are refused as have no room", func() bool { return int(full.Load()) == all-maxUnattended })
	if n := len(server.Waiting()); n != maxUnattended {
		t.Errorf("%d wait", n)
	}
	close(release)
	group.Wait()
	if served.Load() != maxUnattended || full.Load() != all-maxUnattended || other.Load() != 0 {
		t.Errorf("%d served, %d refused for lack of room, %d otherwise", served.Load(), full.Load(), other.Load())
	}
	if got := code(call(page, "getAddresses")); got != 0 {
		t.Errorf("afterwards it answers %d", got)
	}
}

func TestASlowBodyIsEnded(t *testing.T) {
	r := start(t, Options{BodyTimeout: 50 * time.Millisecond})
	connection, err := net.Dial("tcp", strings.TrimPrefix(r.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	// The rest never comes, and the page keeps the connection open.
	fmt.Fprintf(connection, "POST /rpc HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", strings.TrimPrefix(r.base, "http://"), page)
	if err := connection.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %d, %v", response.StatusCode, err)
	}
	if _, err := reader.ReadByte(); err != io.EOF {
		t.Errorf("the connection stays open: %v", err)
	}
}

func TestCallsAreRecordedWithoutSecrets(t *testing.T) {
	var got []CallRecord
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := start(t, Options{
		OnCall: func(c CallRecord) { got = append(got, c) },
		Now:    func() time.Time { return now },
		Handler: func(_ context.Context, call Call) Answer {
			return Answer{Result: json.RawMessage(`{"addresses":[{"address":"SP1","gaiaAppKey":"00ff"}]}`), Shown: json.RawMessage(`{"method":"x"}`)}
		},
	})
	r.call(page, "stx_getAccounts", `{"network":"testnet"}`)
	r.call("https://stranger.example", "getAddresses", "")
	want := []CallRecord{
		{
			ID: 1, Time: now, Origin: page, Method: "stx_getAccounts", Params: json.RawMessage(`{"network":"testnet"}`), Shown: json.RawMessage(`{"method":"x"}`),
			Answer: CallAnswer{Result: json.RawMessage(`{"addresses":[{"address":"SP1","gaiaAppKey":"[secret]"}]}`)},
		},
		{
			ID: 2, Time: now, Origin: "https://stranger.example", Method: "getAddresses", Refused: true,
			Answer: CallAnswer{Error: &jsonrpc.Error{Code: jsonrpc.MethodAccessDenied, Message: "the origin https://stranger.example may not call this wallet"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	line, err := json.Marshal(got[0])
	if want := `{"time":"2026-01-01T00:00:00Z","origin":"http://localhost:3000","method":"stx_getAccounts","params":{"network":"testnet"},` +
		`"shown":{"method":"x"},"answer":{"result":{"addresses":[{"address":"SP1","gaiaAppKey":"[secret]"}]}},"duration_ms":0}`; err != nil || string(line) != want {
		t.Errorf("written as %s, %v", line, err)
	}
}

func TestAStreamOfEventsThatEndsIsForgotten(t *testing.T) {
	r := start(t, Options{})
	listeners := func() int {
		r.events.mu.Lock()
		defer r.events.mu.Unlock()
		return len(r.events.listeners)
	}
	for range 3 {
		ctx, leave := context.WithCancel(context.Background())
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/.chainscope/events", nil)
		request.Header.Set("Origin", page)
		response, err := r.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		until(t, "it is listened to", func() bool { return listeners() == 1 })
		leave()
		response.Body.Close()
		until(t, "it is forgotten", func() bool { return listeners() == 0 })
	}
}

// plainWriter is a ResponseWriter that guesses no header, as net/http does.
type plainWriter struct {
	header http.Header
	body   strings.Builder
}

func (w *plainWriter) Header() http.Header         { return w.header }
func (w *plainWriter) Write(b []byte) (int, error) { return w.body.Write(b) }
func (w *plainWriter) WriteHeader(int)             {}

func TestTheDemoPageIsHTMLThatMayLoadNothingElse(t *testing.T) {
	r := start(t, Options{})
	w := &plainWriter{header: http.Header{}}
	r.demo(w, &http.Request{Method: http.MethodGet})
	if got := w.header.Get("Content-Type"); got != "text/html; charset=utf-8" || !strings.Contains(w.body.String(), "<html") {
		t.Errorf("the page is sent as %q", got)
	}
	for _, path := range []string{"/", "/.chainscope/demo"} {
		response, text := r.do(context.Background(), http.MethodGet, path, "")
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(text, "<html") {
			t.Errorf("%s: %d %s", path, response.StatusCode, response.Header.Get("Content-Type"))
		}
		if policy := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}

func TestEveryChangeOfTheQueueIsAnnounced(t *testing.T) {
	changes := 0
	q := newQueue(true, func() { changes++ })
	_, done, err := q.take(context.Background(), Call{Origin: page}, true)
	if err != nil || changes != 1 {
		t.Fatalf("%d changes after a call came, %v", changes, err)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	if _, _, err := q.take(gone, Call{Origin: page}, true); err == nil || changes != 3 {
		t.Errorf("%d changes after a call came and left, %v", changes, err)
	}
	done()
	if changes != 4 || len(q.waiting()) != 0 {
		t.Errorf("%d changes after the first was answered, %d wait", changes, len(q.waiting()))
	}
}

func TestOnlyTheHostOfTheListenerIsOurs(t *testing.T) {
	for _, c := range []struct {
		listener, host string
		ours           bool
	}{
		{"127.0.0.1:3998", "127.0.0.1:3998", true},
		{"127.0.0.1:3998", "localhost:3998", true},
		{"[::1]:3998", "[::1]:3998", true},
		{"[::1]:3998", "localhost:3998", true},
		{"127.0.0.1:80", "localhost", true},
		{"192.168.0.7:3998", "192.168.0.7:3998", true},
		{"127.0.0.1:3998", "127.0.0.1:3999", false},
		{"127.0.0.1:3998", "evil.example:3998", false},
		{"127.0.0.1:3998", "127.0.0.2:3998", false},
		{"192.168.0.7:3998", "localhost:3998", false},
		{"192.168.0.7:3998", "192.168.0.8:3998", false},
	} {
		addr, err := net.ResolveTCPAddr("tcp", c.listener)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.Addr(addr)), http.MethodGet, "http://"+c.host, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := ownHost(r); got != c.ours {
			t.Errorf("%s at %s: %v", c.host, c.listener, got)
		}
	}
}

func TestEventsReachOnlyOriginsThatMayTalkToTheWallet(t *testing.T) {
	r := start(t, Options{AllowOrigin: []string{"https://dapp.example"}})
	streams := map[string]*bufio.Scanner{}
	for _, origin := range []string{page, "https://dapp.example", "https://stranger.example"} {
		request, _ := http.NewRequest(http.MethodGet, r.base+"/.chainscope/events", nil)
		request.Header.Set("Origin", origin)
		response, err := r.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		streams[origin] = bufio.NewScanner(response.Body)
		if !streams[origin].Scan() || streams[origin].Text() != ": listening" || !streams[origin].Scan() {
			t.Fatalf("%s: %q", origin, streams[origin].Text())
		}
	}
	r.Publish(StacksAccountChange, json.RawMessage(`{"account":1}`))
	for _, origin := range []string{page, "https://dapp.example"} {
		s := streams[origin]
		if !s.Scan() || s.Text() != "event: stx_accountChange" || !s.Scan() || s.Text() != `data: {"account":1}` {
			t.Errorf("%s: %q", origin, s.Text())
		}
	}
	r.Close()
	if s := streams["https://stranger.example"]; s.Scan() {
		t.Errorf("a stranger learns %q", s.Text())
	}
	if response, _ := start(t, Options{}).do(context.Background(), http.MethodGet, "/.chainscope/events", ""); response.StatusCode != http.StatusForbidden {
		t.Errorf("without an origin: %d", response.StatusCode)
	}
}

func TestTheScriptNamesItsWalletAndOnlyItsOwnAddress(t *testing.T) {
	for _, page := range []Page{{}, {ID: "LeatherProvider", Name: "Leather", IsLeather: true, Legacy: []string{"psbtRequest"}, Globals: []string{"btc"}}} {
		r := start(t, Options{Page: page})
		want := page
		if page.ID == "" {
			want = plainPage
		}
		played, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		for path, rpc := range map[string]string{"/provider.js": "/rpc", "/.chainscope/provider.js": "/.chainscope/rpc"} {
			response, text := r.do(context.Background(), http.MethodGet, path, "")
			if response.StatusCode != 200 || !strings.Contains(text, `"wallet":`+string(played)) || !strings.Contains(text, `"rpc":"`+r.base+rpc+`"`) {
				t.Errorf("%s as %s: %d", path, want.Name, response.StatusCode)
			}
		}
	}
}

func TestAPageCanCarryTheCallsByAFunctionOfItsOwn(t *testing.T) {
	r := start(t, Options{})
	for binding, status := range map[string]int{"__wallet": 200, "": 200, "a.b": 400, "alert(1)": 400, `"};`: 400, strings.Repeat("a", 65): 400} {
		response, text := r.do(t.Context(), http.MethodGet, "/provider.js?binding="+url.QueryEscape(binding), "")
		if response.StatusCode != status || status == 200 != strings.Contains(text, `"binding":"`+binding+`"`) {
			t.Errorf("%q: %d", binding, response.StatusCode)
		}
	}
}

func TestParseOrigin(t *testing.T) {
	for text, ok := range map[string]bool{
		"http://localhost:3000": true, "https://dapp.example": true, "http://[::1]:81": true, "https://xn--e1afmkfd.example": true,
		"https://a:80": true, "http://a:443": true, "http://a:65535": true, "http://a.": true, "http://a.localhost": true,
		"http://a:80": false, "https://a:443": false, "http://[::1]:80": false, "http://a:": false, "http://a:0": false, "http://a:65536": false, "http://a:99999": false,
		"http://.localhost": false, "http://a..b": false, "http://a:080": false, "http://a:x": false,
		"": false, "null": false, "http://": false, "localhost:3000": false, "ftp://a": false, "http://a/": false, "http://a?b": false,
		"http://a#b": false, "http://u@a": false, "http://A": false, "http://a\x1b": false, "http://a\u202eb": false, "http:a": false, "file://": false,
	} {
		if _, err := ParseOrigin(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAnOriginThatWouldNeverMatchIsRefusedWithTheOneThatWould(t *testing.T) {
	for text, want := range map[string]string{
		"https://x.example:443":  "browsers send this origin as https://x.example",
		"http://localhost:80":    "browsers send this origin as http://localhost",
		"http://localhost:":      "browsers send this origin as http://localhost",
		"http://LOCALHOST:3000":  "browsers send this origin as http://localhost:3000",
		"http://localhost:5173/": "browsers send this origin as http://localhost:5173",
		"http://localhost:99999": "99999 is not a port",
		"http://.localhost":      "such as http://localhost:3000",
	} {
		_, err := New(Options{Handler: func(context.Context, Call) Answer { return Answer{} }, Origins: &memory{}, AllowOrigin: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseOrigin(f *testing.F) {
	f.Add("http://localhost:3000")
	f.Fuzz(func(t *testing.T, text string) {
		origin, err := ParseOrigin(text)
		if err != nil {
			return
		}
		for _, r := range origin {
			if r <= ' ' || r > '~' {
				t.Fatalf("%q holds %q", origin, r)
			}
		}
	})
}

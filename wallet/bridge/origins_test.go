package bridge

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"chainscope/wallet/jsonrpc"
)

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
			"https://other.example": jsonrpc.MethodAccessDenied, "http://localhost.evil.example": jsonrpc.MethodAccessDenied, "https://evillocalhost": jsonrpc.MethodAccessDenied, "http://evil-localhost:3000": jsonrpc.MethodAccessDenied, remembered: jsonrpc.MethodAccessDenied,
		} {
			if got := code(r.call(origin, "getAddresses", "")); got != want {
				t.Errorf("%s (every origin named: %v): got %d, want %d", origin, everyNamed, got, want)
			}
		}
	}
}

func TestANewOriginIsPromptedOnce(t *testing.T) {
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

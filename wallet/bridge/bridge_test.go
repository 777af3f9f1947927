package bridge

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/wallet/jsonrpc"
	"github.com/google/go-cmp/cmp"
)

func TestAPageOnLoopbackIsAnswered(t *testing.T) {
	r := start(t, Options{})
	got := r.call(page, "getAddresses", "")
	if got.Error != nil || string(got.Result) != `{"method":"getAddresses"}` || string(got.ID) != `"1"` {
		t.Errorf("got %+v", got)
	}
}

func TestWhatIsRefusedBeforeAnythingRuns(t *testing.T) {
	r := start(t, Options{Handler: func(context.Context, Call) Answer {
		t.Error("the wallet received a request")
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
			// The header forbids to guess, so a script without its type would not run.
			if kind, guess := response.Header.Get("Content-Type"), response.Header.Get("X-Content-Type-Options"); kind != "text/javascript; charset=utf-8" || guess != "nosniff" {
				t.Errorf("%s is sent as %q with %q", path, kind, guess)
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

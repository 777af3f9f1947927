package bridge

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// isolated starts a bridge whose pages send requests to an API on this machine, which says
// what they were.
func isolated(t *testing.T, base string, tell func(Escape)) *running {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s %s %q%q", r.Method, r.URL.EscapedPath(), r.URL.RawQuery, body, r.Header.Get(networkHeader), r.Header.Get("Origin"), r.Header.Get("Cookie"))
	}))
	t.Cleanup(api.Close)
	target, err := url.Parse(api.URL + base)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, Options{Isolation: &Isolation{API: target, Hosts: PublicAPIHosts(), OnEscape: tell}})
}

func TestARequestOfAPageToAPublicAPIGoesToTheOneOnThisMachine(t *testing.T) {
	for base, prefix := range map[string]string{"": "", "/w/one": "/w/one"} {
		r := isolated(t, base, nil)
		for target, want := range map[string]string{
			"api.hiro.so/v2/info?a=b%20c":   "GET " + prefix + `/v2/info a=b%20c   """"`,
			"api.testnet.hiro.so/v2/pox":    "GET " + prefix + `/v2/pox   testnet """"`,
			"api.hiro.so/x%2Fy/is-owner%3F": "GET " + prefix + `/x%2Fy/is-owner%3F    """"`,
		} {
			response, got := r.do(context.Background(), http.MethodGet, isolationPrefix+target, "", "Origin", "https://dapp.example", "Cookie", "secret=1", networkHeader, "x")
			if got != want || response.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s: %q, want %q", target, got, want)
			}
		}
		if _, got := r.do(context.Background(), http.MethodPost, isolationPrefix+"api.hiro.so/v2/transactions", "raw", "Origin", "https://dapp.example"); got != "POST "+prefix+`/v2/transactions  raw  """"` {
			t.Errorf("a post: %q", got)
		}
		for target, status := range map[string]int{
			"evil.example/v2/info":             404,
			"api.hiro.so/mock/v1/reset":        403,
			"api.hiro.so/w/x/mock/v1/reset":    403,
			"api.hiro.so//mock/v1/reset":       403,
			"api.hiro.so/v2/../mock/v1/reset":  403,
			"api.hiro.so/./mock/v1/catalog":    403,
			"api.hiro.so/w/../mock/v1/catalog": 403,
		} {
			if w := r.handle("GET", isolationPrefix+target); w.Code != status && w.Code != http.StatusTemporaryRedirect && w.Code != http.StatusMovedPermanently {
				t.Errorf("%s: %d, want %d", target, w.Code, status)
			}
		}
	}
}

func TestARedirectOfTheAPILeadsToTheSameHostAgain(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	}))
	t.Cleanup(api.Close)
	target, err := url.Parse(api.URL + "/w/one")
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, Options{Isolation: &Isolation{API: target, Hosts: PublicAPIHosts()}})
	for to, want := range map[string]string{
		"/w/one/extended/v1/tx/0xab?x=%2F":  isolationPrefix + "api.hiro.so/extended/v1/tx/0xab?x=%2F",
		api.URL + "/w/one/extended":         isolationPrefix + "api.hiro.so/extended",
		"/extended/is-owner%3F":             isolationPrefix + "api.hiro.so/extended/is-owner%3F",
		"https://elsewhere.example/v2/info": "https://elsewhere.example/v2/info",
		"relative":                          "relative",
	} {
		w := r.handle("GET", isolationPrefix+"api.hiro.so/v2/x?to="+url.QueryEscape(to))
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%s: %q, want %q", to, got, want)
		}
	}
}

func TestTheTestKitHasTheHostsOfThePublicAPIs(t *testing.T) {
	script, err := os.ReadFile("testkit/src/home.js")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(script), "export const publicHosts = [")
	list, _, _ = strings.Cut(list, "]")
	if got := strings.Fields(strings.NewReplacer("'", "", ",", " ").Replace(list)); !cmp.Equal(got, PublicAPIHosts()) {
		t.Errorf("%q, want %q", got, PublicAPIHosts())
	}
}

// handle sends a request without the client, which would clean the path.
func (r *running) handle(method, path string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://127.0.0.1"+path, nil)
	request.Host = "127.0.0.1"
	w := httptest.NewRecorder()
	r.ServeHTTP(w, request)
	return w
}

func TestAPageOfAnotherServerMayAsk(t *testing.T) {
	r := isolated(t, "", nil)
	response, _ := r.do(context.Background(), http.MethodOptions, isolationPrefix+"api.hiro.so/v2/transactions", "",
		"Origin", "https://dapp.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,x-api-key")
	if response.StatusCode != http.StatusNoContent || response.Header.Get("Access-Control-Allow-Headers") != "content-type,x-api-key" ||
		!strings.Contains(response.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("%d %v", response.StatusCode, response.Header)
	}
}

func TestEveryHostBeyondTheMachineIsReportedOnce(t *testing.T) {
	var heard []string
	r := isolated(t, "", func(l Escape) { heard = append(heard, l.String()) })
	report := func(origin, body string) int {
		response, _ := r.do(context.Background(), http.MethodPost, escapePath, body, "Origin", origin)
		return response.StatusCode
	}
	for _, host := range []string{"fonts.example", "fonts.example", "api.example"} {
		if status := report("https://dapp.example", `{"host":"`+host+`"}`); status != http.StatusNoContent {
			t.Errorf("%s: %d", host, status)
		}
	}
	for range 2 {
		if status := report("https://dapp.example", `{"worker":"https://dapp.example/w.js"}`); status != http.StatusNoContent {
			t.Errorf("a worker: %d", status)
		}
	}
	if diff := cmp.Diff([]string{
		"https://dapp.example asks fonts.example, which is not on this machine", "https://dapp.example asks api.example, which is not on this machine",
		"https://dapp.example runs the worker https://dapp.example/w.js, whose requests are not seen; with --proxy they are",
	}, heard); diff != "" {
		t.Error(diff)
	}
	for _, body := range []string{`{}`, `[]`, `{"host":"a","worker":"b"}`} {
		if status := report("https://dapp.example", body); status != http.StatusBadRequest {
			t.Errorf("%s: %d", body, status)
		}
	}
	if status := report("null", `{"host":"x"}`); status != http.StatusForbidden {
		t.Errorf("no origin: %d", status)
	}
	if status := report("https://dapp.example", strings.Repeat("x", maxEscape+1)); status != http.StatusBadRequest {
		t.Errorf("a long report: %d", status)
	}
	for i := range 2 * maxEscapes {
		report("https://dapp.example", fmt.Sprintf(`{"host":"h%d.example"}`, i))
	}
	if len(heard) > maxEscapes {
		t.Errorf("reported %d hosts", len(heard))
	}
}

func TestTheScriptIsolatesAPageOnlyWhereItIsConfigured(t *testing.T) {
	r := isolated(t, "", nil)
	_, script := r.do(context.Background(), http.MethodGet, "/provider.js", "")
	if !strings.Contains(script, `"hosts":["api.hiro.so"`) || strings.Contains(script, "/*settings*/ {}") {
		t.Error("the script does not have the hosts")
	}
	if _, script = r.do(context.Background(), http.MethodGet, "/provider.js?binding=wallet", ""); strings.Contains(script, "XMLHttpRequest") {
		t.Error("the script changes the requests of a page that a test runner keeps at home")
	}
	r = start(t, Options{})
	_, script = r.do(context.Background(), http.MethodGet, "/provider.js", "")
	if strings.Contains(script, "XMLHttpRequest") {
		t.Error("the script changes what it should not")
	}
	if response, _ := r.do(context.Background(), http.MethodGet, isolationPrefix+"api.hiro.so/v2/info", ""); response.StatusCode != http.StatusNotFound {
		t.Errorf("%d", response.StatusCode)
	}
}

// The guide quotes what the bridge says of a page.
func TestTheGuideQuotesWhatIsSaidOfAHost(t *testing.T) {
	guide, err := os.ReadFile("../../docs/dapps-in-ci.md")
	if err != nil {
		t.Fatal(err)
	}
	if said := "    " + (Escape{Origin: "http://127.0.0.1:3998", Host: "fonts.example"}).String() + "\n"; !strings.Contains(string(guide), said) {
		t.Errorf("the guide lacks the line %q", said)
	}
}

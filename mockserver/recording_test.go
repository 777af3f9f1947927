package mockserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const secretKey = "hunter2-hunter2"

// liveAPI returns an upstream that sends cookies, repeats the key and gets unwell.
func liveAPI(t *testing.T) (origin string, unwell *atomic.Bool, requested *atomic.Int64) {
	t.Helper()
	unwell, requested = &atomic.Bool{}, &atomic.Int64{}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested.Add(1)
		for _, name := range []string{"Cookie", "If-None-Match", "Origin", "Prefer"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s was forwarded", name)
			}
		}
		h := w.Header()
		h.Set("Set-Cookie", "session="+secretKey)
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Content-Type", jsonType)
		h.Set("ETag", `"tip"`)
		h.Set("X-RateLimit-Remaining-Stacks-Minute", "42")
		switch {
		case unwell.Load():
			w.WriteHeader(503)
			_, _ = fmt.Fprint(w, `{"error":"The database service is unavailable"}`)
		case strings.HasPrefix(r.URL.Path, "/base/moved"):
			h.Set("Location", "http://"+r.Host+"/base/v1/here?x=1")
			w.WriteHeader(302)
		case strings.HasPrefix(r.URL.Path, "/base/cut"):
			h.Set("Content-Length", "100")
			_, _ = fmt.Fprint(w, `{"half":`)
		default:
			_, _ = fmt.Fprintf(w, `{"path":%q,"key":%q}`, r.URL.EscapedPath(), r.Header.Get("X-Api-Key"))
		}
	}))
	t.Cleanup(api.Close)
	return api.URL + "/base", unwell, requested
}

func TestRecordingThenReplaying(t *testing.T) {
	origin, unwell, requested := liveAPI(t)
	dir := filepath.Join(t.TempDir(), "tape")
	live, _ := newServer(t, Config{Upstream: origin + "/", Record: dir})

	const target = "/v1/namespaces/a%2Fb/names?page=2&api_key=" + secretKey
	key := []string{"X-Api-Key", secretKey, "Cookie", "session=1", "Origin", "http://localhost:1", "If-None-Match", `"old"`, "Authorization", "Bearer " + secretKey}
	w := get(live, target, key...)
	if want := `{"path":"/base/v1/namespaces/a%2Fb/names","key":"` + secretKey + `"}`; w.Code != 200 || w.Body.String() != want {
		t.Fatalf("%d %s, want %s", w.Code, w.Body, want)
	}
	for name, want := range map[string]string{"Set-Cookie": "", "Access-Control-Allow-Origin": "", "X-Mock-Seed": "", "X-Ratelimit-Remaining-Stacks-Minute": "42", "Etag": `"tip"`} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if w := get(live, target, "If-None-Match", `"tip"`); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("with the upstream's ETag: %d", w.Code)
	}
	get(live, target, key...)
	if w := get(live, "/moved"); w.Code != 302 || w.Header().Get("Location") != "/v1/here?x=1" {
		t.Errorf("a redirect leads to %q", w.Header().Get("Location"))
	}
	if w := get(live, "/cut"); w.Code != 502 || !strings.Contains(w.Body.String(), "broke off") {
		t.Errorf("an answer cut short: %d %s", w.Code, w.Body)
	}
	call(live, "HEAD", "/head")

	t.Run("what is not GET or HEAD is not forwarded", func(t *testing.T) {
		before := requested.Load()
		for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
			if w := call(live, method, "/v2/map_entry", "Origin", "https://a.example", "Access-Control-Request-Method", "POST"); w.Code != 404 {
				t.Errorf("%s: %d", method, w.Code)
			}
		}
		if requested.Load() != before {
			t.Error("the upstream got a request")
		}
	})
	t.Run("the catalogue says that this is no pure mock", func(t *testing.T) {
		if w := get(live, "/mock/v1/catalog"); !strings.Contains(w.Body.String(), `"upstream":"`+origin) {
			t.Errorf("got %s", w.Body)
		}
	})
	t.Run("no secret is on disk", func(t *testing.T) {
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 3 {
			t.Fatalf("%d files, want 3: %v", len(files), err)
		}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(f.Name()+string(data), "hunter2") || strings.Contains(strings.ToLower(string(data)), "cookie") {
				t.Errorf("%s:\n%s", f.Name(), data)
			}
		}
	})
	t.Run("an unwell answer does not replace a good one", func(t *testing.T) {
		unwell.Store(true)
		defer unwell.Store(false)
		if w := get(live, target); w.Code != 503 {
			t.Errorf("the client sees %d", w.Code)
		}
		get(live, "/only-unwell")
	})

	replay, _ := newServer(t, Config{Replay: dir})
	before := requested.Load()
	if w := get(replay, "/v1/namespaces/a%2Fb/names?page=2"); w.Code != 200 || w.Body.String() != `{"path":"/base/v1/namespaces/a%2Fb/names","key":""}` && !strings.Contains(w.Body.String(), "[removed]") {
		t.Errorf("replayed %d %s", w.Code, w.Body)
	}
	if w := get(replay, "/only-unwell"); w.Code != 503 {
		t.Errorf("an unwell answer is kept where there is none better: %d", w.Code)
	}
	if w := get(replay, "/moved"); w.Code != 302 || w.Header().Get("Location") != "/v1/here?x=1" {
		t.Errorf("replayed redirect: %d %v", w.Code, w.Header())
	}
	if w := call(replay, "HEAD", "/head"); w.Code != 200 {
		t.Errorf("replayed HEAD: %d", w.Code)
	}
	if w := get(replay, "/head"); w.Code != 404 {
		t.Errorf("GET of what only HEAD recorded: %d", w.Code)
	}
	if requested.Load() != before {
		t.Error("replaying sent a request to the upstream")
	}
}

func TestAnUpstreamThatIsGoneIsABadGateway(t *testing.T) {
	api := httptest.NewServer(http.NotFoundHandler())
	origin := api.URL
	api.Close()
	dir := t.TempDir()
	s, _ := newServer(t, Config{Upstream: origin, Record: dir})
	w := get(s, "/x?api_key="+secretKey)
	if w.Code != 502 || !strings.Contains(w.Body.String(), "the upstream gave no answer") || strings.Contains(w.Body.String(), "hunter2") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("%d files kept: %v", len(files), err)
	}
}

func TestFaultsApplyToATape(t *testing.T) {
	s, _ := newServer(t, Config{Replay: "testdata/tape-epoch3", Faults: rules(t, "status=503,times=1")})
	if w := get(s, "/extended/v1/block"); w.Code != 503 {
		t.Errorf("first: %d", w.Code)
	}
	if w := get(s, "/extended/v1/block"); w.Code != 200 {
		t.Errorf("second: %d", w.Code)
	}
}

func TestWhatReadsWithAPostIsForwardedAndReplayedByItsBody(t *testing.T) {
	var requested []string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		requested = append(requested, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Content-Type")+" "+string(body))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"okay":true,"result":"answer %d"}`, len(requested))
	}))
	defer api.Close()
	dir := t.TempDir()
	live, _ := newServer(t, Config{Upstream: api.URL, Record: dir})
	const (
		call  = "/v2/contracts/call-read/SP000000000000000000002Q6VF78/pox/get-pox-info?tip=latest"
		entry = "/v2/map_entry/SP000000000000000000002Q6VF78/pox/m?proof=0"
		first = `{"sender":"SP000000000000000000002Q6VF78","arguments":["0x01"]}`
	)
	for i, one := range []struct{ target, body string }{{call, first}, {call, `{"sender":"x","arguments":[]}`}, {entry, `"0x0c00"`}} {
		if w := post(live, one.target, "application/json", []byte(one.body)); w.Code != 200 || !strings.Contains(w.Body.String(), fmt.Sprintf("answer %d", i+1)) {
			t.Errorf("%s: %d %s", one.target, w.Code, w.Body)
		}
	}
	if len(requested) != 3 || requested[1] != `POST `+call+` application/json {"arguments":[],"sender":"x"}` {
		t.Errorf("%q", requested)
	}
	for target, status := range map[string]int{call: 400, "/v2/transactions": 410, "/v2/fees/transaction": 400, "/v2/elsewhere": 404} {
		if w := post(live, target, "application/json", []byte("no JSON")); w.Code != status {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if len(requested) != 3 {
		t.Errorf("forwarded too: %q", requested[3:])
	}
	replay, _ := newServer(t, Config{Replay: dir})
	for body, want := range map[string]string{
		first: "answer 1", `{ "arguments": ["0x01"], "sender": "SP000000000000000000002Q6VF78" }`: "answer 1", `{"sender":"x","arguments":[]}`: "answer 2",
		`{"sender":"y","arguments":[]}`: "not on the tape",
	} {
		if w := post(replay, call, "application/json", []byte(body)); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	if w := post(replay, entry, "application/json", []byte(`"0x0c00"`)); w.Code != 200 || !strings.Contains(w.Body.String(), "answer 3") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestFlagsThatMeanNothingBesideARecordingAreRefused(t *testing.T) {
	at := newClock().at
	for flag, cfg := range map[string]Config{
		"--freeze": {Freeze: &at}, "--block-interval": {BlockInterval: time.Second}, "--burn-interval": {BurnInterval: time.Hour}, "--names": {Names: 7},
		"--scenario": {Scenario: "reorg"},
	} {
		cfg.Upstream = "http://127.0.0.1:1"
		var bad *ConfigError
		if _, err := New(cfg); !errors.As(err, &bad) || bad.Flag != flag || !strings.Contains(bad.Reason, "needs the mock chain") {
			t.Errorf("%s: %v", flag, err)
		}
	}
	newServer(t, Config{Upstream: "http://127.0.0.1:1", Scenario: "flaky", Seed: 3}) // which requests it hits
}

func TestAnUpstreamThatIsNoURLIsShown(t *testing.T) {
	for upstream, says := range map[string]string{
		"127.0.0.1:4100": `"127.0.0.1:4100" is no http`, "ftp://u:hunter2@x/?k=hunter2": `"ftp://u:xxxxx@x/" is no http`, "u:hunter2@x:4100%zz?": "the value given is no http",
	} {
		if _, err := New(Config{Upstream: upstream}); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", upstream, err)
		}
	}
}

// An answer of a server that is unwell, or has had enough, stays off a tape that has a good one;
// another good one replaces it.
func TestATapeKeepsTheGoodAnswerOverEachThatIsUnwell(t *testing.T) {
	for status, replaces := range map[int]bool{429: false, 500: false, 502: false, 503: false, 504: false, 200: true, 404: true, 422: true} {
		now := &atomic.Int64{}
		now.Store(200)
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", jsonType)
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(int(now.Load()))
			_, _ = fmt.Fprintf(w, `{"status":%d}`, now.Load())
		}))
		t.Cleanup(api.Close)
		dir := filepath.Join(t.TempDir(), "tape")
		live, _ := newServer(t, Config{Upstream: api.URL, Record: dir})
		get(live, "/extended")
		now.Store(int64(status))
		if w := get(live, "/extended"); w.Code != status {
			t.Errorf("%d reaches the client as %d", status, w.Code)
		}
		replay, _ := newServer(t, Config{Replay: dir})
		want := 200
		if replaces {
			want = status
		}
		if w := get(replay, "/extended"); w.Code != want || !strings.Contains(w.Body.String(), fmt.Sprintf(`{"status":%d`, want)) {
			t.Errorf("after a %d the tape has %d %s, want %d", status, w.Code, w.Body, want)
		}
	}
}

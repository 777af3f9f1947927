package mockserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/fault"
)

const fullToken = "/metadata/v1/ft/" + deployer + ".ft-full"

// serving runs the server on a free port and gives its origin.
func serving(t *testing.T, s *Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return "http://" + l.Addr().String()
}

func TestRoutesThatAreNotThere(t *testing.T) {
	s, _ := newServer(t, Config{})
	for _, c := range []struct{ method, target string }{
		{"GET", "/nope"},
		{"GET", "/"},
		{"GET", "/nope?x=1&y=<b>"},
		{"POST", fullToken},
		{"DELETE", fullToken},
		{"PUT", "/nope"},
		{"GET", "/metadata//v1/ft/x"},
		{"GET", "/a/../openapi.json"},
		{"POST", "/mock/v1/catalog"},
		{"GET", "/mock/v1"},
		{"GET", "/mock/v1/nope"},
		{"DELETE", "/mock/v1/scenario"},
		{"OPTIONS", "/mock/v1/catalog"},
	} {
		w := call(s, c.method, c.target)
		if w.Code != 404 || w.Body.String() != noRoute(c.method, c.target) {
			t.Errorf("%s %s: %d %s", c.method, c.target, w.Code, w.Body)
		}
	}
}

func TestErrorsOfTheRealServicesAreAnsweredAlike(t *testing.T) {
	for _, e := range readJSON[[]recordedError](t, "recorded/errors.json") {
		s, _ := newServer(t, Config{APIVersion: "8"})
		// The recorded namespace id was small; ours has a page 99.
		w := get(s, strings.Replace(e.Path, "page=99", "page=9999999", 1))
		if w.Code != e.Status || compact(t, w.Body.Bytes()) != compact(t, e.Body) {
			t.Errorf("%s: got %d %s\nwant %d %s", e.Path, w.Code, w.Body, e.Status, compact(t, e.Body))
		}
	}
}

func TestHeadersOfAnswers(t *testing.T) {
	s, _ := newServer(t, Config{Seed: 7, Scenario: "reorg"})
	cases := []struct {
		name, path string
		want       map[string]string
	}{
		{"a record", fullToken, map[string]string{
			"Content-Type": jsonType, "Cache-Control": "public, no-cache, must-revalidate", "Access-Control-Allow-Origin": "*",
			"X-Mock-Seed": "7", "X-Mock-Scenario": "reorg", "X-Api-Version": "v9.0.2 (chainscope:mock)",
		}},
		{"an unknown route", "/nope", map[string]string{"Cache-Control": "no-store", "Access-Control-Allow-Origin": "*", "X-Api-Version": "v9.0.2 (chainscope:mock)"}},
		{"a validation error", "/metadata/v1/ft/bad", map[string]string{"Cache-Control": "", "X-Api-Version": "", "Etag": "", "Access-Control-Allow-Origin": "*", "X-Mock-Seed": "7"}},
		{"the control interface", "/mock/v1/scenario", map[string]string{"Access-Control-Allow-Origin": "", "X-Mock-Scenario": "reorg"}},
		{"the contract", "/openapi.json", map[string]string{"Content-Type": jsonType}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := get(s, c.path)
			for name, want := range c.want {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestHEADHasTheHeadersOfGET(t *testing.T) {
	s, _ := newServer(t, Config{})
	origin := serving(t, s)
	for _, path := range []string{fullToken, "/nope", "/openapi.json", "/mock/v1/catalog"} {
		head, err := http.Head(origin + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = head.Body.Close()
		got, err := http.Get(origin + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		_ = got.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if head.StatusCode != got.StatusCode || path != "/nope" && head.ContentLength != int64(len(body)) || head.Header.Get("ETag") != got.Header.Get("ETag") {
			t.Errorf("%s: HEAD %d of %d, GET %d of %d", path, head.StatusCode, head.ContentLength, got.StatusCode, len(body))
		}
	}
}

func TestPreflight(t *testing.T) {
	s, _ := newServer(t, Config{})
	w := call(s, "OPTIONS", fullToken, "Origin", "https://dapp.example", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "prefer,x-api-key")
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Access-Control-Allow-Headers") != "prefer,x-api-key" || !strings.Contains(w.Header().Get("Access-Control-Allow-Methods"), "GET") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := call(s, "OPTIONS", fullToken); w.Code != 400 || w.Body.String() != "Invalid Preflight Request" {
		t.Errorf("without its headers: %d %s", w.Code, w.Body)
	}
}

func TestHostsThatAreServed(t *testing.T) {
	s, _ := newServer(t, Config{})
	listen := func(addr string) { s.hosts.listen(&net.TCPAddr{IP: net.ParseIP(addr), Port: 3999}) }
	check := func(host string, want bool) {
		t.Helper()
		w := get(s, fullToken, "Host", host)
		if got := w.Code == 200; got != want {
			t.Errorf("Host %q: %d %s", host, w.Code, w.Body)
		}
	}
	listen("127.0.0.1")
	for _, host := range []string{"localhost", "LOCALHOST:80", "127.0.0.1:3999", "127.9.9.9", "[::1]:3999", "[::ffff:127.0.0.1]"} {
		check(host, true)
	}
	for _, host := range []string{"", "evil.example", "evil.example:3999", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.5:3999", "localhost:x", "[::2]"} {
		check(host, false)
	}
	if w := get(s, "/mock/v1/catalog", "Host", "evil.example"); w.Code != 403 || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the control interface under a foreign name: %d", w.Code)
	}
	listen("192.168.1.5")
	check("192.168.1.5:3999", true)
	check("192.168.1.6:3999", false)
	listen("0.0.0.0")
	check("192.168.1.6:3999", true)
	check("evil.example", false)
}

func TestControlInterfaceIsForThisMachineOnly(t *testing.T) {
	s, _ := newServer(t, Config{})
	for _, from := range []string{"192.0.2.1:5000", "", "[2001:db8::1]:1"} {
		r := httptest.NewRequest("GET", "/mock/v1/catalog", nil)
		r.Host, r.RemoteAddr = "127.0.0.1:3999", from
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 403 {
			t.Errorf("from %q: %d", from, w.Code)
		}
	}
	r := httptest.NewRequest("PUT", "/mock/v1/scenario", strings.NewReader(`{"scenario":"down"}`))
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:1"
	r.Header.Set("Origin", "https://evil.example")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 403 || s.Scenario() != fault.Healthy {
		t.Errorf("from a web page: %d, scenario %s", w.Code, s.Scenario())
	}
}

func send(s http.Handler, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:1"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestScenarioIsSwitchedWhileRunning(t *testing.T) {
	s, _ := newServer(t, Config{})
	const all = `"scenarios":["healthy","slow","flaky","limited","down","corrupt","reorg"]}`
	if w := get(s, "/mock/v1/scenario"); w.Body.String() != `{"scenario":"healthy",`+all {
		t.Errorf("at first %s", w.Body)
	}
	if w := send(s, "PUT", "/mock/v1/scenario", `{"scenario":"slow"}`); w.Code != 200 || w.Body.String() != `{"scenario":"slow",`+all || w.Header().Get("X-Mock-Scenario") != "slow" {
		t.Errorf("PUT: %d %s", w.Code, w.Body)
	}
	if s.Scenario() != fault.Slow || get(s, fullToken).Header().Get("X-Mock-Scenario") != "slow" {
		t.Error("slow does not hold")
	}
	for _, bad := range []string{``, `{`, `[]`, `{}`, `{"scenario":""}`, `{"scenario":"nope"}`, `{"scenario":1}`, `{"scenario":"down"} x`, `{"scenaro":"down"}`} {
		if w := send(s, "PUT", "/mock/v1/scenario", bad); w.Code != 400 || s.Scenario() != fault.Slow {
			t.Errorf("PUT %s: %d %s", bad, w.Code, w.Body)
		}
	}
	if w := send(s, "PUT", "/mock/v1/scenario", `{"scenario":"`+strings.Repeat("x", maxControlBody)+`"}`); w.Code != 413 {
		t.Errorf("a body too large: %d", w.Code)
	}
}

func TestMiningMovesTheTipAndResetForgets(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen})
	tip := func() (b catalogBody) {
		t.Helper()
		if err := json.Unmarshal(get(s, "/mock/v1/catalog").Body.Bytes(), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	if got := tip().Tip.Height; got != 1_000_000 {
		t.Errorf("the chain is at %d on 2026-01-01", got)
	}
	w := send(s, "POST", "/mock/v1/mine", `{"blocks":3}`)
	if w.Code != 200 || tip().Tip.Height != 1_000_003 || !strings.HasPrefix(w.Body.String(), `{"tip":{"height":1000003,"burn_height":`) {
		t.Errorf("mined to %d: %d %s", tip().Tip.Height, w.Code, w.Body)
	}
	for _, bad := range []string{`{}`, `{"blocks":0}`, `{"blocks":-1}`, `{"blocks":1.5}`, `{"blocks":"1"}`, `{"blocks":1000001}`, `{"block":1}`, `[]`} {
		if w := send(s, "POST", "/mock/v1/mine", bad); w.Code != 400 || tip().Tip.Height != 1_000_003 {
			t.Errorf("mine %s: %d %s", bad, w.Code, w.Body)
		}
	}
	if w := send(s, "POST", "/mock/v1/reset", ""); w.Code != 200 || tip().Tip.Height != 1_000_000 {
		t.Errorf("reset to %d: %d %s", tip().Tip.Height, w.Code, w.Body)
	}
}

func TestTheCatalogueHasItsShape(t *testing.T) {
	s, _ := newServer(t, Config{Seed: 1<<64 - 1})
	w := get(s, "/mock/v1/catalog")
	var got map[string]json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if string(got["seed"]) != `"18446744073709551615"` || got["upstream"] != nil || got["replay"] != nil {
		t.Errorf("seed %s, upstream %s, replay %s", got["seed"], got["upstream"], got["replay"])
	}
	for key, fields := range map[string][]string{
		"ft": {"principal", "what", "locales"}, "nft": {"principal", "token_id", "what", "locales"},
		"namespaces": {"name", "count"}, "heights": {"height", "burn_height", "what"},
	} {
		var rows []map[string]any
		if err := json.Unmarshal(got[key], &rows); err != nil || len(rows) == 0 {
			t.Fatalf("%s: %d rows, %v", key, len(rows), err)
		}
		for _, row := range rows {
			for _, field := range fields {
				if row[field] == nil {
					t.Errorf("%s: %v has no %s", key, row, field)
				}
			}
			more := 0
			if name, ok := row["name"].(string); ok && key == "nft" {
				more++
				if row["what"] == "error" || row["what"] == "pending" || name == "" {
					t.Errorf("%v has a name that no client could read", row)
				}
			}
			if len(row) != len(fields)+more {
				t.Errorf("%s: %v has other fields", key, row)
			}
		}
	}
}

func TestConfigThatCannotBeServedNamesItsFlag(t *testing.T) {
	cases := []struct {
		name string
		cfg  Config
		flag string
		says string
	}{
		{"an unknown scenario", Config{Scenario: "nope"}, "--scenario", "healthy, slow, flaky, limited, down, corrupt, reorg"},
		{"a negative latency", Config{Latency: -1}, "--latency", "0 or more"},
		{"a negative number of names", Config{Names: -1}, "--names", "250000"},
		{"a rule that does nothing", Config{Faults: []fault.Rule{{Rate: 1}}}, "--fault", "add status, delay or fault"},
		{"recording nothing", Config{Record: "x"}, "--record", "--upstream"},
		{"replay and upstream", Config{Replay: ".", Upstream: "http://a"}, "--replay", "not both"},
		{"an upstream that is no URL", Config{Upstream: "api.hiro.so"}, "--upstream", "https://api.hiro.so"},
		{"an upstream with a password", Config{Upstream: "https://u:hunter2@a"}, "--upstream", "x-api-key"},
		{"a key in the upstream", Config{Upstream: "ftp://a?key=hunter2"}, "--upstream", "http"},
		{"a tape that is not there", Config{Replay: "testdata/nope"}, "--replay", "--record"},
		{"a tape that is a file", Config{Replay: "doc.go"}, "--replay", "no folder"},
		{"a folder without a tape", Config{Replay: "testdata"}, "--replay", "no recorded answer"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(c.cfg)
			var bad *ConfigError
			if !errors.As(err, &bad) || bad.Flag != c.flag || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAccessLogHoldsVisibleASCIIOnly(t *testing.T) {
	var log bytes.Buffer
	s, _ := newServer(t, Config{AccessLog: &log})
	r := httptest.NewRequest("GET", "/x", nil)
	r.Host, r.RemoteAddr, r.Method = "127.0.0.1", "127.0.0.1:1\x1b[2J", "G\u202eT\n"
	r.RequestURI = "/\x1b]0;owned\x07\u200b?\u202e"
	s.ServeHTTP(httptest.NewRecorder(), r)
	get(s, fullToken)
	lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %q", len(lines), log.String())
	}
	for _, line := range lines {
		for _, b := range []byte(line) {
			if b < ' ' || b > '~' {
				t.Fatalf("byte %#x in %q", b, line)
			}
		}
	}
	if !strings.HasPrefix(lines[1], "2026-01-01T00:00:00.000Z 127.0.0.1:40000 GET \""+fullToken+"\" 200 ") {
		t.Errorf("got %q", lines[1])
	}
}

func TestServeEndsCleanly(t *testing.T) {
	s, _ := newServer(t, Config{})
	origin := serving(t, s)
	res, err := http.Get(origin + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(readBody(t, res)) {
		t.Error("the contract is no JSON")
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

func readBody(t *testing.T, res *http.Response) []byte {
	t.Helper()
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

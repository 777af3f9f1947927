package check_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chainscope/apiclient/check"
	"chainscope/mockserver"
	"chainscope/mockserver/api"
	"chainscope/mockserver/tape"
)

// served runs a mock behind a handler that may change its answers.
func served(t *testing.T, change func(http.Handler, http.ResponseWriter, *http.Request)) check.Server {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Names: 300, Freeze: &at, APIVersion: "8"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { change(mock, w, r) }))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	return check.Server{BaseURL: server.URL, Transport: server.Client().Transport, Timeout: 5 * time.Second}
}

func unchanged(mock http.Handler, w http.ResponseWriter, r *http.Request) { mock.ServeHTTP(w, r) }

func newChecker(t *testing.T) *check.Checker {
	t.Helper()
	k, err := check.New(api.Contract())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func report(t *testing.T, s check.Server) check.Report {
	t.Helper()
	k := newChecker(t)
	answers, err := k.Server(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return k.Judge(answers)
}

// states returns the state of each route.
func states(r check.Report) map[string]check.State {
	m := map[string]check.State{}
	for _, route := range r.Routes {
		m[route.Route] = route.State
	}
	return m
}

const (
	blocks      = "/extended/v1/block"
	blocksSlash = "/extended/v1/block/"
	byHeight    = "/extended/v1/block/by_burn_block_height/{burn_block_height}"
	byHash      = "/extended/v1/block/by_burn_block_hash/{burn_block_hash}"
	burnBlocks  = "/extended/v2/burn-blocks/{height_or_hash}/blocks"
	ft          = "/metadata/v1/ft/{principal}"
	nft         = "/metadata/v1/nft/{principal}/{token_id}"
	names       = "/v1/namespaces/{tld}/names"
)

func TestTheMockServesTheContractInSomeSeventeenRequests(t *testing.T) {
	requested := 0
	r := report(t, served(t, func(mock http.Handler, w http.ResponseWriter, r *http.Request) {
		requested++
		mock.ServeHTTP(w, r)
	}))
	want := map[string]check.State{
		blocks: check.Deprecated, blocksSlash: check.Deprecated, byHeight: check.Deprecated, byHash: check.Deprecated,
		burnBlocks: check.Served, ft: check.Served, nft: check.Served, names: check.Served,
	}
	if d := cmp.Diff(want, states(r)); d != "" {
		t.Error(d)
	}
	for _, route := range r.Routes {
		if len(route.Findings) > 0 || route.Status != 200 {
			t.Errorf("%s: status %d, %v", route.Route, route.Status, route.Findings)
		}
	}
	if r.Failed() != 0 || !strings.HasPrefix(r.Version, "v8.") || requested > 17 {
		t.Errorf("%d failed, version %q, %d requests", r.Failed(), r.Version, requested)
	}
}

// answerWith answers with a body of one's own.
func answerWith(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// edited replaces text in the answers of the mock to paths with a prefix.
func edited(prefix, old, by string) func(http.Handler, http.ResponseWriter, *http.Request) {
	return func(mock http.Handler, w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		mock.ServeHTTP(rec, r)
		body := rec.Body.Bytes()
		if strings.HasPrefix(r.URL.Path, prefix) {
			body = bytes.ReplaceAll(body, []byte(old), []byte(by))
		}
		rec.Header().Del("Content-Length")
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(rec.Code)
		_, _ = w.Write(body)
	}
}

func TestWhatDiffersIsFoundOnItsRoute(t *testing.T) {
	gone := func(prefix string, status int, body string) func(http.Handler, http.ResponseWriter, *http.Request) {
		return func(mock http.Handler, w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, prefix) {
				answerWith(w, status, body)
				return
			}
			mock.ServeHTTP(w, r)
		}
	}
	for name, c := range map[string]struct {
		change   func(http.Handler, http.ResponseWriter, *http.Request)
		route    string
		state    check.State
		severity check.Severity
		finding  string
	}{
		"retired":      {gone("/extended/v1/block", 410, `{"error":"Gone","message":"off"}`), byHash, check.Gone, check.Error, "retired this route (status 410)"},
		"unknown":      {gone("/extended/v2", 404, `{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}`), burnBlocks, check.Gone, check.Error, "does not know this route"},
		"renamed":      {edited("/extended/v2", `"tx_count"`, `"txs_count"`), burnBlocks, check.Different, check.Error, "results[].tx_count is missing"},
		"another type": {edited("/metadata/v1/ft", `"decimals":`, `"decimals":[],"d":`), ft, check.Different, check.Error, "decimals is array"},
		"new field":    {edited("/extended/v1/block", `"height":`, `"signers":[],"height":`), blocks, check.Deprecated, check.Warning, "results[].signers is unknown to the contract (array)"},
		"no JSON":      {edited("/v1/namespaces/btc", `[`, `<`), names, check.Different, check.Error, "not JSON"},
		"broken": {
			gone("/metadata/v1/nft", 500, `{"statusCode":500,"error":"Internal Server Error","message":"x"}`), nft, check.Different, check.Error,
			"refused with status 500",
		},
		"a list that is not found": {
			gone("/extended/v1/block/", 404, `{"statusCode":404,"error":"Not Found","message":"cannot find block by hash"}`), blocksSlash, check.Different, check.Error,
			"refused with status 404",
		},
		"takes what it must refuse": {func(mock http.Handler, w http.ResponseWriter, r *http.Request) {
			if r.FormValue("limit") == "31" {
				r.URL.RawQuery = ""
			}
			mock.ServeHTTP(w, r)
		}, burnBlocks, check.Different, check.Error, "answered with status 200, the contract refuses it"},
		"an empty refusal": {func(mock http.Handler, w http.ResponseWriter, r *http.Request) {
			if r.FormValue("page") == "none" {
				answerWith(w, 400, `{}`)
				return
			}
			mock.ServeHTTP(w, r)
		}, names, check.Served, check.Warning, "error is missing"},
		"pages from 0": {func(mock http.Handler, w http.ResponseWriter, r *http.Request) {
			if r.FormValue("page") == "1" {
				r.URL.RawQuery = "page=2"
			}
			mock.ServeHTTP(w, r)
		}, names, check.Served, check.Warning, "not answered as without the parameter"},
	} {
		t.Run(name, func(t *testing.T) {
			r := report(t, served(t, c.change))
			for _, route := range r.Routes {
				if route.Route != c.route {
					continue
				}
				raw, _ := json.Marshal(route.Findings)
				found := false
				for _, f := range route.Findings {
					found = found || f.Severity == c.severity && strings.Contains(f.Where+" "+f.What, c.finding) && strings.HasPrefix(f.Request, "/")
				}
				if route.State != c.state || !found {
					t.Errorf("%s, %s", route.State, raw)
				}
			}
			if failed := r.Failed() > 0; failed != (c.severity == check.Error) {
				t.Errorf("%d routes failed", r.Failed())
			}
		})
	}
}

func TestTwoServersAreCompared(t *testing.T) {
	k := newChecker(t)
	here, err := k.Server(t.Context(), served(t, unchanged))
	if err != nil {
		t.Fatal(err)
	}
	if same := k.Compare(here, here); len(same) != 0 {
		t.Errorf("a server differs from itself: %v", same)
	}
	there, err := k.Server(t.Context(), served(t, edited("/extended/v2", `"tx_count":`, `"more":true,"tx_count":1.5,"x":`)))
	if err != nil {
		t.Fatal(err)
	}
	want := []check.Difference{
		{Route: burnBlocks, Here: "served", There: "different"},
		{Route: burnBlocks, Request: "/extended/v2/burn-blocks/latest/blocks?limit=2", Where: "results[].more", Here: "absent", There: "boolean"},
		{Route: burnBlocks, Request: "/extended/v2/burn-blocks/latest/blocks?limit=2", Where: "results[].tx_count", Here: "integer", There: "number"},
		{Route: burnBlocks, Request: "/extended/v2/burn-blocks/latest/blocks?limit=2", Where: "results[].x", Here: "absent", There: "integer"},
	}
	if d := cmp.Diff(want, k.Compare(here, there)); d != "" {
		t.Error(d)
	}
}

func TestAServerIsComparedWithARecording(t *testing.T) {
	player, err := tape.Open("../../mockserver/testdata/tape-epoch3")
	if err != nil {
		t.Fatal(err)
	}
	var recorded []check.Answer
	player.All(func(e *tape.Exchange) {
		recorded = append(recorded, check.Answer{Target: e.Target, Status: e.Status, Header: e.Header, Body: e.Body})
	})
	k := newChecker(t)
	recorded = k.Recorded(recorded)
	same, err := k.Repeat(t.Context(), served(t, edited("/extended/v1/block", `"tenure_height"`, `"coinbase_height"`)), recorded)
	if err != nil {
		t.Fatal(err)
	}
	if len(same) != len(recorded) || len(same) < 8 || len(same) > 16 {
		t.Errorf("%d answers for %d recorded ones", len(same), len(recorded))
	}
	var fields []string
	for _, d := range k.Compare(same, recorded) {
		fields = append(fields, d.Route+" "+d.Where+" "+d.Here)
	}
	for _, want := range []string{blocks + " results[].coinbase_height integer", blocks + " results[].tenure_height absent"} {
		if !strings.Contains(strings.Join(fields, "\n"), want) {
			t.Errorf("not found: %s\nin %s", want, strings.Join(fields, "\n"))
		}
	}
	for route, state := range states(k.Judge(recorded)) {
		if state == check.Different || state == check.Gone {
			t.Errorf("the recording: %s is %s", route, state)
		}
	}
}

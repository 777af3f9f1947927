package mockserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"chainscope/mockserver/api"
	"chainscope/mockserver/tape"
)

// schema is an OpenAPI document with its router.
type schema struct {
	name   string
	router routers.Router
}

func loadSchema(t testing.TB, name string, data []byte) schema {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	doc.Servers = nil // the router would match them as a prefix
	// The services' documents have examples that their own schemas refuse.
	if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	router, err := legacy.NewRouter(doc, openapi3.DisableExamplesValidation())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schema{name, router}
}

func loadSchemas(t testing.TB) []schema {
	t.Helper()
	all := []schema{loadSchema(t, "our own", api.Contract())}
	files, err := filepath.Glob("testdata/*.openapi.json")
	if err != nil || len(files) != 4 {
		t.Fatalf("%d schemas of the services, want 4: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, loadSchema(t, filepath.Base(file), data))
	}
	return all
}

// agrees checks an answer against every schema that describes the route, and says
// how many did. A status that a service's schema does not name (the gateway's
// 429, a server error) is checked against ours alone.
func agrees(t testing.TB, all []schema, target string, w *httptest.ResponseRecorder) int {
	t.Helper()
	u, err := url.Parse("http://127.0.0.1" + target)
	if err != nil {
		t.Fatal(err)
	}
	// The router looks at the decoded path, where %2F would begin a segment.
	u.Path, u.RawPath = u.EscapedPath(), ""
	r := &http.Request{Method: "GET", URL: u, Header: http.Header{}, Host: u.Host}
	known := 0
	for _, s := range all {
		route, params, err := s.router.FindRoute(r)
		if err != nil {
			continue
		}
		responses := route.Operation.Responses
		named := responses.Status(w.Code) != nil || responses.Value(fmt.Sprintf("%dXX", w.Code/100)) != nil
		// Neither token schema names its framework's 400.
		if !named && s.name != "our own" {
			continue
		}
		err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
			Status:                 w.Code, Header: w.Header(), Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())),
			Options: &openapi3filter.Options{IncludeResponseStatus: true},
		})
		if err != nil {
			t.Errorf("%s against %s: %d %.300s\n%v", target, s.name, w.Code, w.Body, err)
		}
		known++
	}
	return known
}

// requests returns every route with every catalogue entry, good and bad parameters.
func requests(t testing.TB, s *Server) (out []string) {
	t.Helper()
	var c catalogBody
	if err := json.Unmarshal(get(s, "/mock/v1/catalog").Body.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	locales := func(path string, known []string) {
		out = append(out, path)
		for _, code := range append([]string{"", "xx", "\x1b[2J", "日本"}, known...) {
			out = append(out, path+"?locale="+url.QueryEscape(code))
		}
	}
	for _, ft := range c.FT {
		locales("/metadata/v1/ft/"+ft.Principal, ft.Locales)
		locales("/metadata/v1/nft/"+ft.Principal+"/1", ft.Locales)
	}
	for _, nft := range c.NFT {
		locales("/metadata/v1/nft/"+nft.Principal+"/"+nft.TokenID, nft.Locales)
		locales("/metadata/v1/nft/"+nft.Principal+"/123456789", nft.Locales)
		locales("/metadata/v1/ft/"+nft.Principal, nft.Locales)
	}
	if !s.replaced() {
		out = append(out, chainRequests(c)...)
	}
	return append(out, "/metadata/v1/ft/bad", "/metadata/v1/nft/bad/1", "/metadata/v1/nft/"+deployer+".nft/x")
}

// chainRequests are for the block and name routes around every landmark.
func chainRequests(c catalogBody) (out []string) {
	pages := []string{"", "?limit=0", "?limit=1", "?limit=30", "?limit=31", "?limit=-1", "?limit=x", "?offset=7", "?offset=-1", "?offset=x", "?offset=1000000000", "?offset=1e300", "?limit=3&offset=3"}
	heights := []string{"0", "1", "-1", "abc", "1.5", "99999999999", "2147483647", "0x87"}
	for _, h := range c.Heights {
		for d := int64(-3); d <= 3; d++ {
			heights = append(heights, fmt.Sprint(h.BurnHeight+d))
		}
		for _, page := range pages {
			out = append(out, "/extended/v1/block"+join(page, fmt.Sprintf("offset=%d", max(0, c.Tip.Height-h.Height))))
		}
	}
	for _, h := range heights {
		out = append(out, "/extended/v1/block/by_burn_block_height/"+h)
		for _, page := range pages {
			out = append(out, "/extended/v2/burn-blocks/"+h+"/blocks"+page)
		}
	}
	for _, page := range pages {
		out = append(out, "/extended/v1/block"+page, "/extended/v1/block/"+page, "/extended/v2/burn-blocks/latest/blocks"+page)
	}
	for _, hash := range []string{"0x", "0x1234", "0xzz", "0x" + strings.Repeat("0", 64), "0X" + strings.Repeat("0", 64), strings.Repeat("f", 64)} {
		out = append(out, "/extended/v1/block/by_burn_block_hash/"+hash, "/extended/v2/burn-blocks/"+hash+"/blocks")
	}
	for _, namespace := range append([]Namespace{{Name: "nope"}, {Name: "BTC"}, {Name: "a%2Fb"}}, c.Namespaces...) {
		for _, query := range []string{"", "?page=0", "?page=1", "?page=2", "?page=1.5", "?page=-1", "?page=x", "?page=1e9", "?unanchored=true", "?unanchored=false", "?unanchored=1", "?page=1&unanchored=true"} {
			out = append(out, "/v1/namespaces/"+namespace.Name+"/names"+query)
		}
	}
	return out
}

func join(query, more string) string {
	if query == "" {
		return "?" + more
	}
	return query + "&" + more
}

func TestAnswersAgreeWithAllSchemas(t *testing.T) {
	notRaced(t)
	all := loadSchemas(t)
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, APIVersion: "8"})
	answers, checks := 0, 0
	byStatus := map[int]int{}
	check := func(target string, headers ...string) {
		w := get(s, target, headers...)
		if w.Code == http.StatusNotFound && strings.HasPrefix(w.Body.String(), `{"message":"Route `) {
			t.Errorf("%s: no route", target)
			return
		}
		known := agrees(t, all, target, w)
		if known == 0 {
			t.Errorf("%s: no schema describes it", target)
		}
		answers++
		checks += known
		byStatus[w.Code]++
	}
	targets := requests(t, s)
	for _, target := range targets {
		check(target)
		for _, code := range []string{"400", "404", "410", "422", "429", "500", "502", "503", "504"} {
			check(target, "Prefer", "code="+code)
		}
	}
	t.Logf("%d answers to %d requests, %d checks against schemas, by status %v", answers, len(targets), checks, byStatus)
	if answers < 2_000 {
		t.Errorf("only %d answers", answers)
	}
}

func TestTheContractNamesEveryRoute(t *testing.T) {
	s, _ := newServer(t, Config{})
	var doc struct {
		OpenAPI string                    `json:"openapi"`
		Paths   map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(get(s, "/openapi.json").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.") {
		t.Errorf("openapi %q", doc.OpenAPI)
	}
	for _, path := range []string{
		"/metadata/v1/ft/{principal}", "/metadata/v1/nft/{principal}/{token_id}", "/extended/v2/burn-blocks/{height_or_hash}/blocks",
		"/extended/v1/block/by_burn_block_height/{burn_block_height}", "/extended/v1/block/by_burn_block_hash/{burn_block_hash}",
		"/extended/v1/block", "/extended/v1/block/", "/v1/namespaces/{tld}/names",
	} {
		if doc.Paths[path]["get"] == nil {
			t.Errorf("%s is not in the contract", path)
		}
	}
}

// TestRecordedAnswersAgreeWithTheContract holds our document against what the
// real services said.
func TestRecordedAnswersAgreeWithTheContract(t *testing.T) {
	own := []schema{loadSchema(t, "our own", api.Contract())}
	checked := 0
	for _, name := range []string{"epoch3", "mainnet-2021"} {
		s, _ := newServer(t, Config{Replay: "testdata/tape-" + name})
		s.tape.All(func(e *tape.Exchange) {
			// The service's own tests use short transaction ids and ids like 0x123456.
			if e.Status == 200 && strings.Contains(e.Target, "hello-world") || e.Target == "/nope" || strings.HasSuffix(e.Target, ".nft") {
				return
			}
			w := httptest.NewRecorder()
			maps.Copy(w.Header(), e.Header)
			w.WriteHeader(e.Status)
			_, _ = w.Write(e.Body) // a recorder takes everything
			if agrees(t, own, e.Target, w) == 0 {
				t.Errorf("%s: the contract does not know it", e.Target)
			}
			checked++
		})
	}
	if checked < 150 {
		t.Errorf("only %d answers", checked)
	}
}

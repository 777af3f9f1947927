package mockserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// controlDocument reads the document that a server serves.
func controlDocument(t testing.TB, s *Server) (*openapi3.T, routers.Router) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(get(s, "/mock/v1/openapi.json").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = nil // the router would match them as a prefix
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc, router
}

// controlled sends a request of the control interface and checks the answer
// against the document; body "" sends none.
func controlled(t testing.TB, s *Server, router routers.Router, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:1"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	requested := httptest.NewRequest(method, "http://127.0.0.1"+target[strings.Index(target, "/mock/"):], strings.NewReader(body))
	requested.Header.Set("Content-Type", "application/json")
	route, params, err := router.FindRoute(requested)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	input := &openapi3filter.RequestValidationInput{Request: requested, PathParams: params, Route: route}
	if w.Code == 200 {
		if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
			t.Errorf("%s %s %s is accepted, and not in the document: %v", method, target, body, err)
		}
	}
	err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: w.Code, Header: w.Header(), Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		t.Errorf("%s %s %s: %d %s\n%v", method, target, body, w.Code, w.Body, err)
	}
	return w
}

const counterEntry = `{"contract":"SP000000000000000000002Q6VF78.counter","reads":{"get-count":{"args":[],"result":"(ok u5)"}},"calls":{"increment":[{"args":["u2"],"result":"(err u1)"},{"result":"(ok u6)"}]}}`

func TestEveryControlRouteAnswersAsItsDocumentSays(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, Worlds: true})
	doc, router := controlDocument(t, s)
	get(s, "/extended/v1/block?limit=1", "Prefer", "code=503")
	bob := someone("bob").address(true)
	for _, base := range []string{"", "/w/a"} {
		for _, c := range []struct{ call, body, want string }{
			{"GET /mock/v1/catalog", "", `"tip":{"height":1000000,`},
			{"POST /mock/v1/snapshot", "", `{"name":"1","tip":{"height":1000000,"burn_height":930400}}`},
			{"POST /mock/v1/snapshot", `{"name":"start"}`, `{"name":"start","tip":{"height":1000000,`},
			{"POST /mock/v1/mine", `{"blocks":3}`, `{"tip":{"height":1000003,`},
			{"POST /mock/v1/reorg", `{"depth":2}`, `{"tip":{"height":1000003,`},
			{"POST /mock/v1/mempool", `{"hold":true}`, `"held":true,"pending":0}`},
			{"POST /mock/v1/mempool", `{"hold":false}`, `"held":false,"pending":0}`},
			{"POST /mock/v1/impersonations", `{"addresses":["` + bob + `"]}`, `{"addresses":["` + bob + `"]}`},
			{"POST /mock/v1/impersonations", `{"addresses":["all"]}`, `{"addresses":["all"]}`},
			{"DELETE /mock/v1/impersonations", `{"addresses":["all"]}`, `{"addresses":["` + bob + `"]}`},
			{"GET /mock/v1/impersonations", "", `{"addresses":["` + bob + `"]}`},
			{"DELETE /mock/v1/impersonations", "", `{"addresses":[]}`},
			{"POST /mock/v1/clock", `{"advance":"3h"}`, `"clock":"2026-01-01T03:00:30.000Z","frozen":true}`},
			{"POST /mock/v1/clock", `{"set":"2026-01-02T00:00:00Z"}`, `"clock":"2026-01-02T00:00:00.000Z","frozen":true}`},
			{"POST /mock/v1/clock", `{"freeze":false}`, `"frozen":false}`},
			{"POST /mock/v1/clock", `{"freeze":true}`, `"frozen":true}`},
			{"POST /mock/v1/accounts", `{"address":"` + bob + `","balance":"7","nonce":3}`, `{"address":"` + bob + `","balance":"7","nonce":3}`},
			{"POST /mock/v1/accounts", `{"address":"` + bob + `","balance":8}`, `{"address":"` + bob + `","balance":"8","nonce":3}`},
			{"POST /mock/v1/contracts", counterEntry, `{"contract":"SP000000000000000000002Q6VF78.counter","answers":3}`},
			{"GET /mock/v1/contracts", "", `{"limit":50,"offset":0,"total":3,"results":[{"contract":"SP000000000000000000002Q6VF78.counter","kind":"reads","name":"get-count","args":[],"result":"(ok u5)"},` +
				`{"contract":"SP000000000000000000002Q6VF78.counter","kind":"calls","name":"increment","args":["u2"],"result":"(err u1)"},{"contract":`},
			{"GET /mock/v1/contracts?offset=2&limit=1", "", `{"limit":1,"offset":2,"total":3,"results":[{"contract":"SP000000000000000000002Q6VF78.counter","kind":"calls","name":"increment","args":null,"result":"(ok u6)"}]}`},
			{"GET /mock/v1/contracts?offset=3", "", `{"limit":50,"offset":3,"total":3,"results":[]}`},
			{"PUT /mock/v1/scenario", `{"scenario":"slow"}`, `{"scenario":"slow",`},
			{"POST /mock/v1/revert", `{"to":"start"}`, `{"name":"start","tip":{"height":1000000,"burn_height":930400}}`},
			{"GET /mock/v1/snapshot", "", `{"snapshots":[{"name":"1","tip":{"height":1000000,"burn_height":930400}},{"name":"start",`},
			{"GET /mock/v1/snapshot", "", `"at":"start","undone":1,"tip":{"height":1000000,"burn_height":930400},"clock":"2026-01-01T00:00:00.000Z","frozen":true,"contracts":`},
			{"POST /mock/v1/redo", "", `{"tip":{"height":10`},
			{"GET /mock/v1/scenario", "", `{"scenario":"slow",`},
			{"POST /mock/v1/revert", `{"to":"start"}`, `{"name":"start","tip":{"height":1000000,"burn_height":930400}}`},
			{"GET /mock/v1/scenario", "", `{"scenario":"healthy",`},
			{"GET /mock/v1/requests", "", `{"requests":[`},
			{"GET /mock/v1/requests?after=100", "", `{"requests":[],"next":`},
			{"POST /mock/v1/reset", "", `{"tip":{"height":1000000,`},
			{"GET /mock/v1/openapi.json", "", `"openapi": "3.0.3"`},
		} {
			method, path, _ := strings.Cut(c.call, " ")
			w := controlled(t, s, router, method, base+path, c.body)
			if w.Code != 200 || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%s%s %s: %d %s, want %s", base, c.call, c.body, w.Code, w.Body, c.want)
			}
		}
	}
	described := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described[method+" "+path] = true
		}
	}
	for _, r := range s.controlRoutes() {
		if !described[r.Method+" "+r.Pattern] {
			t.Errorf("%s %s is not described", r.Method, r.Pattern)
		}
		delete(described, r.Method+" "+r.Pattern)
	}
	if len(described) > 0 {
		t.Errorf("described and not served: %v", described)
	}
}

func TestBadInputOfTheControlInterfaceIsRefusedWithWhatWouldBeRight(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen})
	_, router := controlDocument(t, s)
	alice, bob := someone("alice"), someone("bob")
	accepted(t, s, alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(true), 5))))
	send(s, "POST", "/mock/v1/snapshot", `{"name":"known"}`)
	before := get(s, "/mock/v1/catalog").Body.String() + get(s, "/v2/accounts/"+bob.address(true)).Body.String()
	for _, c := range []struct {
		call, body string
		status     int
		says       string
	}{
		{"POST /mock/v1/snapshot", `{`, 400, `{"name":"start"}`},
		{"POST /mock/v1/snapshot", `[]`, 400, `{"name":"start"}`},
		{"POST /mock/v1/snapshot", `{"nam":"x"}`, 400, `unknown field \"nam\"`},
		{"POST /mock/v1/snapshot", `{"name":1}`, 400, `{"name":"start"}`},
		{"POST /mock/v1/snapshot", `{"name":"\u001b[2J"}`, 400, "visible ASCII"},
		{"POST /mock/v1/snapshot", `{"name":"` + strings.Repeat("x", 65) + `"}`, 400, "at most 64"},
		{"POST /mock/v1/revert", `{"to":1}`, 400, `{"to":"start"}`},
		{"POST /mock/v1/revert", `{"to":"nope"}`, 404, `no snapshot "nope"; there are known`},
		{"POST /mock/v1/revert", `{"to":null}`, 400, `{"to":"start"}`},
		{"POST /mock/v1/clock", `{}`, 400, `one of advance, set and freeze`},
		{"POST /mock/v1/clock", `{"advance":"1h","freeze":true}`, 400, `one of advance, set and freeze`},
		{"POST /mock/v1/clock", `{"advance":"soon"}`, 400, "such as 3h"},
		{"POST /mock/v1/clock", `{"advance":"-1h"}`, 400, "from 0 to 2562047h"},
		{"POST /mock/v1/clock", `{"advance":"9999999h"}`, 400, "from 0 to 2562047h"},
		{"POST /mock/v1/clock", `{"advance":3600}`, 400, `{"advance":"3h"}`},
		{"POST /mock/v1/clock", `{"set":"tomorrow"}`, 400, "2026-01-01T00:00:00Z"},
		{"POST /mock/v1/clock", `{"set":"1999-01-01T00:00:00Z"}`, 400, "the chain begins at"},
		{"POST /mock/v1/clock", `{"set":"9999-12-31T23:59:59.9999Z"}`, 400, "9999"},
		{"POST /mock/v1/clock", `{"freeze":"yes"}`, 400, `{"freeze":true}: body/freeze must be true or false, not string`},
		{"POST /mock/v1/reorg", ``, 400, "it is empty"},
		{"POST /mock/v1/mine", `{"blocks":`, 400, "it ends too early"},
		{"POST /mock/v1/mine", `{"blocks":1.5}`, 400, "body/blocks must be an integer, not number 1.5"},
		{"POST /mock/v1/mine", `[1]`, 400, ": body must be an object, not array"},
		{"POST /mock/v1/reorg", `{}`, 400, `{"depth":2}`},
		{"POST /mock/v1/reorg", `{"depth":0}`, 400, "body/depth must be an integer from 1 to 100"},
		{"POST /mock/v1/reorg", `{"depth":101}`, 400, "from 1 to 100"},
		{"POST /mock/v1/reorg", `{"depth":1.5}`, 400, `{"depth":2}`},
		{"POST /mock/v1/reorg", `{"depth":"2"}`, 400, `{"depth":2}`},
		{"POST /mock/v1/mempool", `{}`, 400, "either drop or hold"},
		{"POST /mock/v1/mempool", `{"drop":"00","hold":true}`, 400, "either drop or hold"},
		{"POST /mock/v1/mempool", `{"hold":true,"reason":"problematic"}`, 400, "body/reason belongs to drop"},
		{"POST /mock/v1/mempool", `{"hold":"yes"}`, 400, `{"hold":true}`},
		{"POST /mock/v1/mempool", `{"hold":true,"mined":true}`, 400, "body/mined is for state files"},
		{"POST /mock/v1/mempool", `{"drop":"0xab"}`, 400, `64 hexadecimal digits`},
		{"POST /mock/v1/mempool", `{"drop":"` + strings.Repeat("0", 64) + `"}`, 400, "no transaction 0000"},
		{"POST /mock/v1/mempool", `{"drop":"` + strings.Repeat("0", 64) + `","reason":"replace_by_fee"}`, 400, `too_expensive`},
		{"POST /mock/v1/impersonations", `{}`, 400, `body/addresses must be a list of addresses`},
		{"POST /mock/v1/impersonations", `{"addresses":[]}`, 400, `body/addresses must be a list of addresses`},
		{"POST /mock/v1/impersonations", `{"addresses":"all"}`, 400, `body/addresses must be a list, not string`},
		{"POST /mock/v1/impersonations", `{"addresses":["all","bob"]}`, 400, `body/addresses/1 "bob" is no address`},
		{"POST /mock/v1/impersonations", `{"addresses":["` + bob.address(true) + `.vault"]}`, 400, `is no address`},
		{"POST /mock/v1/impersonations", `{"addresses":["all"],"end":true}`, 400, `body/end belongs to a state file; DELETE`},
		{"DELETE /mock/v1/impersonations", `{}`, 400, `without a body all are ended`},
		{"DELETE /mock/v1/impersonations", `{"addresses":["bob"]}`, 400, `"bob" is no address`},
		{"DELETE /mock/v1/impersonations", `x`, 400, `{"addresses":["SP000000000000000000002Q6VF78"]}`},
		{"POST /mock/v1/accounts", `{}`, 400, `"address"`},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `"}`, 400, `"balance"`},
		{"POST /mock/v1/accounts", `{"address":"bob","balance":1}`, 400, "SP000000000000000000002Q6VF78"},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","balance":-1}`, 400, "-1 is no integer"},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","balance":"1.5"}`, 400, "is no integer"},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","balance":"\"}`, 400, "the body must be JSON"},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","balance":"99999999999999999999"}`, 400, "is no integer"},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","balance":"10000000000000001"}`, 400, "at most 10000000000000000 micro-STX"},
		{"POST /mock/v1/accounts", `{"address":"` + alice.address(true) + `","nonce":7}`, 400, "mine a block first"},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","tokens":{"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usdb":"1"}}`, 400, `has no fungible token "usdb", but usda`},
		{"POST /mock/v1/accounts", `{"address":"` + bob.address(true) + `","tokens":{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light":"1"}}`, 400, "has no fungible token; a non-fungible one is sent"},
		{"POST /mock/v1/contracts", ``, 400, "get-count"},
		{"POST /mock/v1/contracts", `{}`, 400, "ADDRESS.NAME"},
		{"POST /mock/v1/contracts", `{"contract":"SP000000000000000000002Q6VF78.c","reads":{"f":{"result":"u"}}}`, 400, `reads/f/result: \"u\" is no Clarity literal`},
		{"POST /mock/v1/contracts", `{"contract":"SP000000000000000000002Q6VF78.c","calls":{"f":{"result":"u1"}}}`, 400, "(ok …) or (err …)"},
		{"POST /mock/v1/contracts", `{"contract":"` + strings.Repeat("x", maxControlBody) + `"}`, 413, "larger than 65536"},
		{"GET /mock/v1/contracts?limit=x", ``, 400, "?limit=50"},
		{"GET /mock/v1/contracts?limit=201", ``, 400, "querystring/limit must be one integer from 0 to 200, such as ?limit=50"},
		{"GET /mock/v1/contracts?offset=-1", ``, 400, "?offset=0"},
		{"GET /mock/v1/requests?after=x", ``, 400, "?after=0"},
		{"GET /mock/v1/requests?after=-1", ``, 400, "?after=0"},
		{"GET /mock/v1/requests?after=1&after=2", ``, 400, "?after=0"},
		{"POST /mock/v1/mine", `{"blocks":0}`, 400, `{"blocks":1}`},
		{"PUT /mock/v1/scenario", `{"scenario":"nope"}`, 400, "healthy, slow"},
	} {
		method, target, _ := strings.Cut(c.call, " ")
		w := controlled(t, s, router, method, target, c.body)
		message := strings.ReplaceAll(w.Body.String(), `\"`, `"`)
		if w.Code != c.status || !strings.Contains(message, strings.ReplaceAll(c.says, `\"`, `"`)) {
			t.Errorf("%s %.80s: %d %s, want %d with %s", c.call, c.body, w.Code, w.Body, c.status, c.says)
		}
	}
	if after := get(s, "/mock/v1/catalog").Body.String() + get(s, "/v2/accounts/"+bob.address(true)).Body.String(); after != before {
		t.Errorf("a refusal changed the world: %s, was %s", after, before)
	}
}

func TestAPageIsRefusedByEachControlRoute(t *testing.T) {
	s, _ := newServer(t, Config{Worlds: true})
	_, router := controlDocument(t, s)
	for _, r := range s.controlRoutes() {
		for _, headers := range [][]string{{"Origin", "http://127.0.0.1:3999"}, {"Origin", "null"}, {"Origin", ""}, {"Sec-Fetch-Site", "cross-site"}} {
			if headers[0] != "Origin" && r.Method == "GET" {
				continue // a page cannot read the answer
			}
			for _, base := range []string{"", "/w/a"} {
				w := controlled(t, s, router, r.Method, base+r.Pattern, `{"blocks":1}`, headers...)
				if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "without an Origin header") {
					t.Errorf("%s %s%s with %v: %d %s", r.Method, base, r.Pattern, headers, w.Code, w.Body)
				}
			}
		}
	}
}

func TestRequestsAreListed(t *testing.T) {
	s, _ := newServer(t, Config{Worlds: true, Faults: rules(t, "fault=truncate,path=/v1/*")})
	get(s, "/extended/v1/block?limit=1")
	get(s, "/w/a/v1/namespaces/btc/names")
	get(s, "/w/b/extended/v1/tx/0x"+zeros, "Prefer", "code=503")
	call(s, "POST", "/w/a/nope")
	type row struct {
		N                   int
		Method, Path        string
		Status              int
		Fault, World, Stamp string
	}
	for target, want := range map[string][]row{
		"/mock/v1/requests": {
			{1, "GET", "/extended/v1/block?limit=1", 200, "", "", ""},
			{2, "GET", "/v1/namespaces/btc/names", 200, "a rule", "a", ""},
			{3, "GET", "/extended/v1/tx/0x" + zeros, 503, "the Prefer header", "b", ""},
			{4, "POST", "/nope", 404, "", "a", ""},
		},
		"/mock/v1/requests?after=3": {{4, "POST", "/nope", 404, "", "a", ""}},
		"/w/a/mock/v1/requests": {
			{1, "GET", "/v1/namespaces/btc/names", 200, "a rule", "a", ""},
			{2, "POST", "/nope", 404, "", "a", ""},
		},
		"/w/c/mock/v1/requests": nil,
	} {
		body := read[struct {
			Requests []row
			Next     int
		}](t, get(s, target))
		if fmt.Sprint(body.Requests) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", target, body.Requests, want)
		}
	}
}

func TestRevertWithoutANameGoesToTheLastSnapshot(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen})
	if w := send(s, "POST", "/mock/v1/revert", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "no snapshot was taken") {
		t.Errorf("without a snapshot: %d %s", w.Code, w.Body)
	}
	send(s, "POST", "/mock/v1/snapshot", `{"name":"first"}`)
	mine(t, s, 2)
	send(s, "POST", "/mock/v1/snapshot", `{"name":"second"}`)
	for _, body := range []string{"", "{}"} {
		mine(t, s, 1)
		if w := send(s, "POST", "/mock/v1/revert", body); w.Code != 200 || w.Body.String() != `{"name":"second","tip":{"height":1000002,"burn_height":930400}}` {
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	}
}

func FuzzControl(f *testing.F) {
	for _, r := range []string{"snapshot", "revert", "clock", "reorg", "accounts", "contracts", "mine", "scenario"} {
		f.Add(r, `{"name":"a","to":"a","advance":"1h"}`)
	}
	f.Add("clock", `{"set":"2026-01-01T00:00:00Z"}`)
	f.Add("clock", `{"advance":"2562047h47m16.854775807s"}`)
	f.Add("contracts", counterEntry)
	f.Add("accounts", `{"address":"SP000000000000000000002Q6VF78","balance":"5","nonce":1}`)
	f.Add("reorg", `{"depth":3}`)
	at := newClock().at
	s, err := New(Config{Freeze: &at, Names: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, route, body string) {
		method := "POST"
		if route == "scenario" {
			method = "PUT"
		}
		for _, r := range s.controlRoutes() {
			if r.Pattern != controlPrefix+"/"+route || r.Method != method {
				continue
			}
			w := send(s, method, r.Pattern, body)
			if w.Code != 200 && w.Code != 400 && w.Code != 404 && w.Code != 413 || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s %s: %d %s", route, body, w.Code, w.Body)
			}
			if w := get(s, "/extended/v1/block?limit=3"); !json.Valid(w.Body.Bytes()) {
				t.Errorf("after %s %s: %s", route, body, w.Body)
			}
			return
		}
	})
}

// Without a body one block is meant.
func TestMiningWithoutABodyMinesOneBlock(t *testing.T) {
	s := anchored(t)
	before := s.world.State().Tip().Height
	if w := request(t, s, "POST", "/mock/v1/mine"); w.Code != 200 || s.world.State().Tip().Height != before+1 {
		t.Errorf("%d %s: from %d to %d", w.Code, w.Body, before, s.world.State().Tip().Height)
	}
}

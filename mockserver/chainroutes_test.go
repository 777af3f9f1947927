package mockserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/world"

	"chainscope/mockserver/names"
)

func TestFaultyRequestsAreAnsweredInTheServicesWords(t *testing.T) {
	const anyOf = `params/height_or_hash must be equal to constant, params/height_or_hash must match pattern "^(0x)?[a-fA-F0-9]{64}$", params/height_or_hash must be integer, params/height_or_hash must match a schema in anyOf`
	latest := burnURL + "latest/blocks"
	type row struct {
		target string
		status int
		body   string
	}
	var rows []row
	for _, list := range []string{blockURL, blockURL + "/", latest} {
		for _, limit := range []string{"abc", "", "1.5", "NaN", "null", "true", "1&limit=2", "0x", "1e-1", "1_0"} {
			rows = append(rows, row{list + "?limit=" + limit, 400, validation("querystring/limit must be integer")})
		}
		rows = append(rows,
			row{list + "?limit=31", 400, validation("querystring/limit must be <= 30")},
			row{list + "?limit=-1", 400, validation("querystring/limit must be >= 0")},
			row{list + "?offset=-1", 400, validation("querystring/offset must be >= 0")},
			row{list + "?offset=abc", 400, validation("querystring/offset must be integer")},
			row{list + "?offset=", 400, validation("querystring/offset must be integer")},
			row{list + "?offset=1e19", 400, `{"statusCode":400,"code":"22003","error":"Bad Request","message":"value \"1e19\" is out of range for type bigint"}`},
		)
	}
	for _, h := range []string{"abc", "1.5", "latest", "0xzz"} {
		rows = append(rows, row{byHeight + h, 400, validation("params/burn_block_height must be integer")})
	}
	for _, h := range []string{"9999", "1", "0x87", "1e2", "2147483647", "2147483648", "1e300", "99999999999999999999"} {
		rows = append(rows, row{byHeight + h, 404, thrown(404, "cannot find block by height")})
	}
	rows = append(rows, row{byHeight + "-1", 400, validation("params/burn_block_height must be >= 0")})
	for _, h := range []string{"0x" + zeros, "0x1234", "0x", "0x123", "0x" + zeros + "00", "0x" + strings.Repeat("F", 64)} {
		rows = append(rows, row{byHash + h, 404, thrown(404, "cannot find block by burn block hash")})
	}
	for _, h := range []string{"0xzz", "0x%1b[2J", "0x12%2F34"} {
		rows = append(rows, row{byHash + h, 400, thrown(400, "Invalid hash characters")})
	}
	for _, h := range []string{"LATEST", "abc", "0xzz", "1.5", "", "0x123g", "%20x"} {
		rows = append(rows, row{burnURL + h + "/blocks", 400, validation(anyOf)})
	}
	for _, h := range []string{"-1", "0X" + zeros} {
		rows = append(rows, row{burnURL + h + "/blocks", 400, thrown(400, "Invalid block height or hash")})
	}
	for _, h := range []string{"9999", "2147483648", "1e30", "0x" + zeros, zeros} {
		rows = append(rows, row{burnURL + h + "/blocks", 404, thrown(404, "Burn block not found")})
	}
	for _, ns := range []string{"nope", "BTC", "ID", "", "b%2Ftc", "%25", "%20", "%1b"} {
		rows = append(rows, row{"/v1/namespaces/" + ns + "/names", 400, `{"error":"No such namespace"}`})
	}
	for _, page := range []string{"0", "0.5", "2501", "99999", "1e300", "Infinity"} {
		rows = append(rows, row{"/v1/namespaces/btc/names?page=" + page, 400, `{"error":"Invalid page"}`})
	}
	rows = append(rows,
		row{"/v1/namespaces/graphite/names?page=2", 400, `{"error":"Invalid page"}`},
		row{"/v1/namespaces/btc/names?page=-1", 400, `{"statusCode":400,"code":"2201X","error":"Bad Request","message":"OFFSET must not be negative"}`},
	)
	for _, page := range []string{"abc", "", "NaN", "1&page=2"} {
		rows = append(rows, row{"/v1/namespaces/btc/names?page=" + page, 400, validation("querystring/page must be number")})
	}
	for _, u := range []string{"maybe", "1", "", "TRUE"} {
		rows = append(rows, row{"/v1/namespaces/btc/names?unanchored=" + u, 400, validation("querystring/unanchored must be boolean")})
	}

	s := anchored(t, version("8"))
	for _, r := range rows {
		w := fetch(t, s, r.target)
		if w.Code != r.status || w.Body.String() != r.body {
			t.Errorf("GET %s: %d %s\nwant %d %s", r.target, w.Code, w.Body, r.status, r.body)
		}
		if got := w.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
			t.Errorf("GET %s: content type %q", r.target, got)
		}
		checked := strings.Contains(r.body, "FST_ERR_VALIDATION") || strings.Contains(r.target, "offset=1e19")
		if tagged := w.Header().Get("Etag") != ""; tagged == checked {
			t.Errorf("GET %s: ETag %q", r.target, w.Header().Get("Etag"))
		}
		if warned := w.Header().Get("Warning") != ""; warned != strings.HasPrefix(r.target, blockURL) {
			t.Errorf("GET %s: Warning %q", r.target, w.Header().Get("Warning"))
		}
	}
}

func TestBlockListsTakeNumbersAsJavaScriptReadsThem(t *testing.T) {
	s := anchored(t)
	for query, want := range map[string][2]int64{
		"": {20, 0}, "?limit=30": {30, 0}, "?limit=0": {20, 0}, "?limit=-0": {20, 0}, "?limit=1e1": {10, 0}, "?limit=1.0": {1, 0},
		"?limit=+2": {2, 0}, "?limit=%2B2": {2, 0}, "?limit=%202": {2, 0}, "?limit=0x1e": {30, 0}, "?limit=3&offset=7": {3, 7},
		"?offset=1e3": {20, 1000}, "?Limit=1": {20, 0}, "?what=ever": {20, 0}, "?limit=1&offset=999999": {1, 999_999},
	} {
		for _, path := range []string{blockURL, blockURL + "/"} {
			p := read[listBody](t, fetch(t, s, path+query))
			if p.Limit != want[0] || p.Offset != want[1] || p.Total != 1_000_000 || int64(len(p.Results)) != min(want[0], p.Total-p.Offset) {
				t.Errorf("%s%s: limit %d, offset %d, total %d, %d results", path, query, p.Limit, p.Offset, p.Total, len(p.Results))
				continue
			}
			for i, b := range p.Results {
				if b.Height != 1_000_000-want[1]-int64(i) || !b.Canonical {
					t.Errorf("%s%s: result %d is height %d", path, query, i, b.Height)
				}
			}
		}
	}
	for _, offset := range []string{"1000000", "2000000", "9007199254740993", "9e18"} {
		p := read[listBody](t, fetch(t, s, blockURL+"?offset="+offset))
		if p.Total != 1_000_000 || p.Results == nil || len(p.Results) != 0 {
			t.Errorf("offset %s: total %d, %d results", offset, p.Total, len(p.Results))
		}
	}
}

func TestABurnBlockIsFoundByEveryAddress(t *testing.T) {
	s := anchored(t)
	newest := read[listBody](t, fetch(t, s, blockURL+"?limit=1")).Results[0]
	hash := newest.BurnBlockHash
	want := fetch(t, s, burnURL+"latest/blocks").Body.String()
	for _, address := range []string{
		fmt.Sprint(newest.BurnBlockHeight), fmt.Sprintf("%#x", newest.BurnBlockHeight), fmt.Sprintf("%d.0", newest.BurnBlockHeight),
		hash, hash[2:], "0x" + strings.ToUpper(hash[2:]), strings.ToUpper(hash[2:]),
	} {
		if got := fetch(t, s, burnURL+address+"/blocks/").Body.String(); got != want {
			t.Errorf("%s gives %s, latest %s", address, got, want)
		}
	}
	one := fetch(t, s, byHeight+fmt.Sprint(newest.BurnBlockHeight)).Body.String()
	for _, target := range []string{byHash + hash, byHash + "0x" + strings.ToUpper(hash[2:]), byHash + hash + "/", byHeight + fmt.Sprintf("%#x", newest.BurnBlockHeight)} {
		if got := fetch(t, s, target).Body.String(); got != one {
			t.Errorf("%s gives %s, by height %s", target, got, one)
		}
	}
}

func TestAPageOfABurnBlockPastTheEndHasNoTotal(t *testing.T) {
	s := anchored(t)
	whole := read[listBody](t, fetch(t, s, burnURL+"latest/blocks"))
	if whole.Total < 1 || whole.Limit != 20 {
		t.Fatalf("total %d, limit %d", whole.Total, whole.Limit)
	}
	for query, want := range map[string][3]int64{
		"?limit=0":                               {0, 0, 0},
		fmt.Sprintf("?offset=%d", whole.Total):   {20, whole.Total, 0},
		"?offset=9e18":                           {20, 9e18, 0},
		fmt.Sprintf("?offset=%d", whole.Total-1): {20, whole.Total - 1, whole.Total},
	} {
		p := read[listBody](t, fetch(t, s, burnURL+"latest/blocks"+query))
		if p.Limit != want[0] || p.Offset != want[1] || p.Total != want[2] || p.Results == nil {
			t.Errorf("%s: limit %d, offset %d, total %d", query, p.Limit, p.Offset, p.Total)
		}
	}
}

func TestAHashWithoutItsPrefixIsRedirected(t *testing.T) {
	s := anchored(t)
	for path, to := range map[string]string{
		"latest": "0xlatest", zeros: "0x" + zeros, "0XAB": "0x0XAB", zeros + "?a=b": "0x" + zeros + "?a=b", "%0d%0aa": "0x%0D%0Aa", "a%2Fb": "0xa%2Fb",
	} {
		w := fetch(t, s, byHash+path)
		if w.Code != http.StatusFound || w.Header().Get("Location") != byHash+to || w.Body.Len() != 0 {
			t.Errorf("%s: %d to %q", path, w.Code, w.Header().Get("Location"))
		}
	}
}

func TestTheGenesisRecordIsAtBurnHeightZero(t *testing.T) {
	s := anchored(t)
	b := read[blockBody](t, fetch(t, s, byHeight+"0"))
	if b.Height != 0 || b.Canonical || b.BurnBlockHeight != 0 {
		t.Errorf("burn height 0 gives %+v", b)
	}
	if p := read[listBody](t, fetch(t, s, burnURL+"0/blocks")); p.Total != 0 || len(p.Results) != 0 {
		t.Errorf("burn height 0 lists %+v", p)
	}
}

func TestTheTipIsTheValidatorOfEveryChainRoute(t *testing.T) {
	s := anchored(t)
	newest := read[listBody](t, fetch(t, s, blockURL+"?limit=1")).Results[0]
	tag := `"` + newest.Index + `"`
	targets := []string{
		blockURL, blockURL + "/?limit=3", byHeight + fmt.Sprint(newest.BurnBlockHeight), byHash + newest.BurnBlockHash,
		burnURL + "latest/blocks", "/v1/namespaces/btc/names", byHeight + "9999", burnURL + "9999/blocks", "/v1/namespaces/nope/names",
	}
	for _, target := range targets {
		w := fetch(t, s, target)
		if w.Header().Get("Etag") != tag || w.Header().Get("Cache-Control") != "public, no-cache, must-revalidate" ||
			w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("X-Mock-Seed") != "1" {
			t.Errorf("%s: headers %v", target, w.Header())
		}
		for _, given := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			w := fetch(t, s, target, "If-None-Match", given)
			if w.Code != http.StatusNotModified || w.Body.Len() != 0 || w.Header().Get("Etag") != tag {
				t.Errorf("%s, If-None-Match %s: %d", target, given, w.Code)
			}
		}
		if w := fetch(t, s, target, "If-None-Match", `"0x12"`); w.Code == http.StatusNotModified {
			t.Errorf("%s: another tag is taken for this one", target)
		}
	}
	if w := fetch(t, s, blockURL+"?limit=31", "If-None-Match", "*"); w.Code != 400 {
		t.Errorf("a fault of the request comes before the validator: %d", w.Code)
	}
	if _, err := s.world.Mine(1); err != nil {
		t.Fatal(err)
	}
	if w := fetch(t, s, blockURL, "If-None-Match", tag); w.Code != 200 || w.Header().Get("Etag") == tag {
		t.Errorf("a new block leaves the validator: %d", w.Code)
	}
}

func TestHeadHasTheHeadersOfGet(t *testing.T) {
	ts := httptest.NewServer(anchored(t))
	defer ts.Close()
	for _, target := range []string{blockURL, burnURL + "latest/blocks", byHeight + "1", "/v1/namespaces/id/names?page=3"} {
		head, err := http.Head(ts.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		head.Body.Close()
		g, err := http.Get(ts.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		g.Body.Close()
		if head.StatusCode != g.StatusCode || head.ContentLength != g.ContentLength || head.Header.Get("Etag") != g.Header.Get("Etag") || g.ContentLength <= 0 {
			t.Errorf("%s: HEAD %d, %d bytes; GET %d, %d bytes", target, head.StatusCode, head.ContentLength, g.StatusCode, g.ContentLength)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if w := request(t, anchored(t), method, blockURL); w.Code != 404 {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

func TestNamesComeInPagesOfAHundredCountedFromOne(t *testing.T) {
	s := anchored(t)
	page := func(ns, query string) []string {
		return read[[]string](t, fetch(t, s, "/v1/namespaces/"+ns+"/names"+query))
	}
	first, second := page("btc", ""), page("btc", "?page=2")
	if len(first) != 100 || len(second) != 100 || first[99] >= second[0] {
		t.Fatalf("%d names to %s, then %d from %s", len(first), first[len(first)-1], len(second), second[0])
	}
	for query, want := range map[string][]string{
		"?page=1": first, "?page=1.0": first, "?page=1e0": first, "?page=+1": first, "?unanchored=false": first, "?page=1.5": append(first[50:100:100], second[:50]...), "?other=1": first,
	} {
		if got := page("btc", query); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s begins with %s, want %s", query, got[0], want[0])
		}
	}
	if last := page("btc", "?page=2500"); len(last) != 100 {
		t.Errorf("the last page holds %d names", len(last))
	}
	if last := page("btc", "?page=2503&unanchored=true"); len(last) != 250_000/1023%100 {
		t.Errorf("the last page with unanchored names holds %d", len(last))
	}
	for _, query := range []string{"", "?page=1"} {
		if got := fetch(t, s, "/v1/namespaces/graphite/names"+query).Body.String(); got != "[]" {
			t.Errorf("the empty namespace%s: %s", query, got)
		}
	}
	few := anchored(t, func(c *Config) { c.Names = 7 })
	if got := read[[]string](t, fetch(t, few, "/v1/namespaces/btc/names/")); len(got) != 7 {
		t.Errorf("--names 7 gives %d", len(got))
	}
}

func TestMiningAndBroadcastShowOnEveryEndpoint(t *testing.T) {
	s := anchored(t)
	const height = 1_000_001
	alice := someone("alice")
	id := accepted(t, s, alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 1))))
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://127.0.0.1/mock/v1/mine", strings.NewReader(`{"blocks":3}`))
	r.RemoteAddr = "127.0.0.1:50000"
	s.ServeHTTP(w, r)
	if tip := read[tipAnswer](t, w).Tip.Height; tip != 1_000_003 {
		t.Fatalf("three blocks mined: tip %d", tip)
	}
	p := read[listBody](t, fetch(t, s, blockURL+"?limit=1&offset=2"))
	b := p.Results[0]
	if p.Total != 1_000_003 || b.Height != height || b.Txs[0] != "0x"+id {
		t.Fatalf("total %d, block %+v", p.Total, b)
	}
	for _, l := range read[listBody](t, fetch(t, s, burnURL+b.BurnBlockHash+"/blocks?limit=30")).Results {
		if l.Height == height && l.TxCount != len(b.Txs) {
			t.Errorf("endpoint 3 counts %d transactions, endpoint 6 lists %d", l.TxCount, len(b.Txs))
		}
	}
	r = httptest.NewRequest("POST", "http://127.0.0.1/mock/v1/reset", nil)
	r.RemoteAddr = "127.0.0.1:50000"
	s.ServeHTTP(httptest.NewRecorder(), r)
	if p := read[listBody](t, fetch(t, s, blockURL)); p.Total != 1_000_000 {
		t.Errorf("after a reset the tip is %d", p.Total)
	}
}

func TestTheScenarioReorgChangesOnlyTheMovingEnd(t *testing.T) {
	a, b := anchored(t), anchored(t, func(c *Config) { c.Scenario = "reorg" })
	if x, y := fetch(t, a, blockURL+"?offset=300").Body.String(), fetch(t, b, blockURL+"?offset=300").Body.String(); x != y {
		t.Error("settled blocks differ between two scenarios")
	}
	replaced := 0
	last := ""
	for range 200 {
		if _, err := b.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		p := read[listBody](t, fetch(t, b, blockURL+"?limit=2"))
		if last != "" && p.Results[1].Index != last {
			replaced++
		}
		last = p.Results[0].Index
	}
	if replaced < 20 {
		t.Errorf("%d of 200 tips were replaced", replaced)
	}
}

func TestTheCatalogueLeadsToWhatItSays(t *testing.T) {
	s := anchored(t)
	body := read[struct {
		Tip        world.Tip
		Namespaces []Namespace
		Heights    []chain.Landmark
	}](t, fetch(t, s, "/mock/v1/catalog"))
	if body.Tip.Height != 1_000_000 || len(body.Namespaces) < 4 {
		t.Fatalf("tip %+v, %d namespaces", body.Tip, len(body.Namespaces))
	}
	seen := map[string]bool{}
	for _, l := range body.Heights {
		seen[l.What] = true
		w := fetch(t, s, byHeight+fmt.Sprint(l.BurnHeight))
		if l.What == "void" {
			if w.Code != 404 {
				t.Errorf("%+v gives %d", l, w.Code)
			}
			continue
		}
		b := read[blockBody](t, w)
		if stale := l.What == "orphan" || l.What == "genesis"; b.Canonical == stale {
			t.Errorf("%+v gives canonical %v", l, b.Canonical)
		}
		if l.What == "orphan" || l.What == "genesis" {
			continue
		}
		p := read[listBody](t, fetch(t, s, fmt.Sprintf("%s?limit=1&offset=%d", blockURL, body.Tip.Height-l.Height)))
		if r := p.Results[0]; r.Height != l.Height || r.BurnBlockHeight != l.BurnHeight || (l.What == "full" && len(r.Txs) < 90) || (l.What == "single" && len(r.Txs) != 1) {
			t.Errorf("%+v leads to %+v", l, r)
		}
	}
	for _, what := range []string{"tip", "full", "single", "void", "orphan", "short_tenure", "replaced", "anchor", "newer_era", "microblocks", "first", "genesis"} {
		if !seen[what] {
			t.Errorf("no %s in the catalogue", what)
		}
	}
}

func TestAPaceOrFreezeThatCarriesNoChainNamesItsFlag(t *testing.T) {
	early := time.Date(2009, 1, 3, 0, 0, 0, 0, time.UTC)
	for flag, cfg := range map[string]Config{
		"--freeze":         {Freeze: &early},
		"--block-interval": {BlockInterval: time.Millisecond},
		"--burn-interval":  {BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Second},
		"--names":          {Names: int(names.MaxCount()) + 1},
	} {
		_, err := New(cfg)
		var bad *ConfigError
		if !errors.As(err, &bad) || bad.Flag != flag || bad.Reason == "" {
			t.Errorf("%s: %v", flag, err)
		}
	}
	for _, cfg := range []Config{{BurnInterval: time.Second}, {BlockInterval: time.Hour}, {BlockInterval: 50 * time.Millisecond}} {
		if s, err := New(cfg); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		} else {
			_ = s.Close()
		}
	}
}

// TestABlockByItsHashIsTheBlockByItsHeight compares endpoint 5 with endpoint 4.
func TestABlockByItsHashIsTheBlockByItsHeight(t *testing.T) {
	s := anchored(t)
	byHeight := fetch(t, s, "/extended/v1/block/by_burn_block_height/930390")
	var b struct {
		Hash string `json:"burn_block_hash"`
	}
	if err := json.Unmarshal(byHeight.Body.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if byHash := fetch(t, s, "/extended/v1/block/by_burn_block_hash/"+b.Hash); byHash.Body.String() != byHeight.Body.String() {
		t.Errorf("by hash %s\nby height %s", byHash.Body, byHeight.Body)
	}
}

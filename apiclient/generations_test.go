package apiclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const goneBody = `{"error":"Gone","message":"This endpoint has been disabled. See https://docs.hiro.so/stacks/api for more information"}`

// recordedAnswer is one answer of a recording of a generation.
type recordedAnswer struct {
	Path   string          `json:"path"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// recordedAPI answers from recordings, as a server on which every route that begins
// with one of gone has been switched off.
type recordedAPI struct {
	gone    []string
	answers map[string]recordedAnswer

	mu        sync.Mutex
	requested []string
}

func newRecordedAPI(t testing.TB, gone []string, files ...string) *recordedAPI {
	t.Helper()
	s := &recordedAPI{gone: gone, answers: map[string]recordedAnswer{}}
	for _, name := range files {
		var list []recordedAnswer
		if err := json.Unmarshal(recorded(t, "generations/"+name), &list); err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if _, twice := s.answers[a.Path]; !twice {
				s.answers[a.Path] = a
			}
		}
	}
	return s
}

func (s *recordedAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requested = append(s.requested, r.URL.String())
	s.mu.Unlock()
	for _, prefix := range s.gone {
		if strings.HasPrefix(r.URL.Path, prefix) {
			answer(w, 410, goneBody)
			return
		}
	}
	w.Header().Set("X-API-Version", "v9.0.2 (main:0000000)")
	if a, ok := s.answers[r.URL.String()]; ok {
		answer(w, a.Status, string(a.Body))
		return
	}
	answer(w, 404, fmt.Sprintf(`{"message":"Route GET:%s not found","error":"Not Found","statusCode":404}`, r.URL))
}

// took returns what was requested since the last call.
func (s *recordedAPI) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requested := s.requested
	s.requested = nil
	return requested
}

var sunset = []string{"/extended/v1/block"}

func TestAfterTheSunsetBlocksAreReadByV2(t *testing.T) {
	s := newRecordedAPI(t, sunset, "v2-blocks-list.json")
	c := serve(t, s.ServeHTTP)
	if got := c.InForce().String(); got != "" {
		t.Errorf("before any answer it says %q", got)
	}
	a, err := c.Blocks(t.Context(), rows(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"/extended/v1/block?limit=3", "/extended/v2/blocks?limit=3"}, s.took()); d != "" {
		t.Error(d)
	}
	b := a.Value.Results[0]
	if a.Value.Total != 50 || len(a.Value.Results) != 3 || b.Height != 50 || b.BurnBlockHeight != 136 || !b.Canonical ||
		b.IndexBlockHash != "0xf5be33abc4e508bdaf2191e88339372edcb3358c44e2a31e1b9b44f2880dde09" ||
		b.ParentIndexBlockHash != "0xf30f7def1df3af5783284896e71192e69e9ac23d08ff35215abe5f6f401ae2fe" {
		t.Errorf("got %+v", a.Value)
	}
	if n, known := b.Transactions(); n != 3 || !known || b.Txs != nil || !b.Lacks["txs"] || !b.Lacks["microblocks_accepted"] || b.Lacks["tx_count"] {
		t.Errorf("%d transactions, %v; lacks %v", n, known, b.Lacks)
	}
	// The retired route is not requested again.
	if _, err := c.Blocks(t.Context(), rows(2, 2)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"/extended/v2/blocks?limit=2&offset=2"}, s.took()); d != "" {
		t.Error(d)
	}
	f := c.InForce()
	if f.String() != "API 9 · blocks by v2" || !cmp.Equal(f.Gone, []string{"/extended/v1/block"}) {
		t.Errorf("in force: %q, gone %v", f, f.Gone)
	}
}

func TestAPagePastTheEndOfV2KeepsTheTotal(t *testing.T) {
	s := newRecordedAPI(t, sunset, "v2-blocks-list.json")
	s.answers["/extended/v2/blocks?limit=1"] = s.answers["/extended/v2/blocks?limit=3"]
	c := serve(t, s.ServeHTTP)
	a, err := c.Blocks(t.Context(), rows(3, 50))
	if err != nil || a.Value.Total != 50 || len(a.Value.Results) != 0 || a.Value.Offset != 50 || a.Value.Limit != 3 {
		t.Errorf("%+v, %v", a.Value, err)
	}
}

func TestTheBlockOfABurnBlockIsTheFirstOfItsListingInV2(t *testing.T) {
	s := newRecordedAPI(t, sunset, "v2-burn-blocks.json", "v2-reorg.json")
	const path = "/extended/v2/burn-blocks/"
	for _, burn := range []string{"131", "124", "666102"} {
		a := s.answers[path+burn+"/blocks"]
		a.Path += "?limit=1"
		s.answers[a.Path] = a
	}
	c := serve(t, s.ServeHTTP)
	a, err := c.BlockByBurnHeight(t.Context(), 131)
	var raw struct{ Height int64 }
	if json.Unmarshal(a.Raw, &raw) != nil || err != nil || a.Value.Height != 38 || raw.Height != 38 {
		t.Errorf("%+v, %s, %v", a.Value, a.Raw, err)
	}
	for _, burn := range []int64{124, 666102} {
		_, err = c.BlockByBurnHeight(t.Context(), burn)
		if KindOf(err) != NotFound || !EmptyBurnBlock(err) {
			t.Errorf("burn block %d: %v", burn, err)
		}
	}
	if list, err := c.BurnBlockBlocks(t.Context(), "131", Page{}); err != nil || list.Value.Total != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}

// chainV2 is a chain whose list has cursors and offsets as v2 has them.
type chainV2 struct {
	tip int64
	// forked is the height from which on all blocks were replaced, 0 for none.
	forked    int64
	requested []string
	// mines is the number of blocks that come before each answer.
	mines int64
}

// index returns the index hash of a block: its height, and whether it replaced another.
func (s *chainV2) index(h int64) string {
	if s.forked > 0 && h >= s.forked {
		return fmt.Sprintf("0xf%063x", h)
	}
	return fmt.Sprintf("0x%064x", h)
}

func (s *chainV2) block(h int64) string {
	return fmt.Sprintf(`{"canonical":true,"height":%d,"index_block_hash":%q,"parent_index_block_hash":%q,"tx_count":1}`, h, s.index(h), s.index(h-1))
}

func (s *chainV2) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requested = append(s.requested, r.URL.RequestURI())
	s.tip += s.mines
	if which, ok := strings.CutPrefix(r.URL.Path, "/extended/v2/blocks/"); ok {
		var h int64
		_, _ = fmt.Sscan(which, &h)
		answer(w, 200, s.block(h))
		return
	}
	if r.URL.Path != "/extended/v2/blocks" {
		answer(w, 410, goneBody)
		return
	}
	limit, offset, first := int64(20), int64(0), s.tip
	_, _ = fmt.Sscan(r.FormValue("limit"), &limit)
	_, _ = fmt.Sscan(r.FormValue("offset"), &offset)
	if offset > 300 {
		answer(w, 400, `{"error":"Bad Request","message":"querystring/offset must be <= 300"}`)
		return
	}
	if cursor := r.FormValue("cursor"); cursor != "" {
		_, _ = fmt.Sscanf(cursor[len(cursor)-16:], "%x", &first)
		if cursor != s.index(first) {
			answer(w, 404, `{"statusCode":404,"error":"Not Found","message":"Cursor not found"}`)
			return
		}
	}
	var list []string
	for h := first - offset; h > first-offset-limit && h > 0; h-- {
		list = append(list, s.block(h))
	}
	answer(w, 200, fmt.Sprintf(`{"limit":%d,"offset":%d,"total":%d,"results":[%s]}`, limit, offset, s.tip, strings.Join(list, ",")))
}

func TestEveryOffsetIsReachedOverCursors(t *testing.T) {
	s := &chainV2{tip: 5000}
	c := serve(t, s.ServeHTTP)
	for _, step := range []struct {
		offset, requests int
	}{
		{0, 2},
		{300, 1},
		{330, 1},
		{360, 1},
		{2000, 2},
		{1970, 1},
		{2060, 1},
		{1700, 1},
		{2359, 1},
		{2800, 2}, // from a block that is known, within 300
		{4990, 2},
		{5000, 1},
		{4790, 1},
	} {
		s.requested = nil
		a, err := c.Blocks(t.Context(), rows(30, step.offset))
		if err != nil {
			t.Fatal(err)
		}
		if a.Value.Offset != int64(step.offset) || a.Value.Total != 5000 {
			t.Errorf("offset %d: answered %d of %d", step.offset, a.Value.Offset, a.Value.Total)
		}
		if want := 5000 - int64(step.offset); want > 0 && a.Value.Results[0].Height != want {
			t.Errorf("offset %d begins at %d", step.offset, a.Value.Results[0].Height)
		}
		if len(s.requested) != step.requests {
			t.Errorf("offset %d took %q", step.offset, s.requested)
		}
	}
	// Blocks that are known were replaced.
	s.forked, s.requested = 190, nil
	if a, err := c.Blocks(t.Context(), rows(30, 4800)); err != nil || a.Value.Results[0].Height != 200 || len(s.requested) != 3 {
		t.Errorf("after a fork: %v, requested %q", err, s.requested)
	}
	// A chain that grows under the reader: offset and rows still agree.
	s.mines = 1
	a, err := c.Blocks(t.Context(), rows(30, 1000))
	if err != nil || a.Value.Total-a.Value.Offset != a.Value.Results[0].Height {
		t.Errorf("offset %d of %d begins at %d: %v", a.Value.Offset, a.Value.Total, a.Value.Results[0].Height, err)
	}
}

// v3Names are records of v3 under names that its other routes use.
const v3Names = `{"total":2,"limit":2,"cursor":{"next":"older","previous":null,"current":"x"},"results":[
	{"height":50,"hash":"0xb50","index_hash":"0xi50","time":1700.0,"tenure_height":9,"tx_count":4,"bitcoin_block":{"height":136,"time":1690},"parent":{"hash":"0xb49"},"signers":[1]},
	{"block_height":49,"block_hash":"0xb49","burn_block_height":135,"transaction_count":"many","execution_cost":{"read_count":7}}]}`

func TestWhereV1AndV2AreGoneBlocksAreReadByV3Leniently(t *testing.T) {
	s := newRecordedAPI(t, []string{"/extended/v1/block", "/extended/v2/"})
	s.answers["/extended/v3/blocks?limit=2"] = recordedAnswer{Status: 200, Body: json.RawMessage(v3Names)}
	s.answers["/extended/v3/blocks?limit=2&cursor=older"] = recordedAnswer{Status: 200, Body: json.RawMessage(`{"total":2,"limit":2,"cursor":{"next":null},"results":[{"height":48}]}`)}
	s.answers["/extended/v3/bitcoin-blocks/136/blocks?limit=1"] = s.answers["/extended/v3/blocks?limit=2"]
	s.answers["/extended/v3/blocks/7"] = recordedAnswer{Status: 200, Body: json.RawMessage(`{"time":1}`)}
	c := serve(t, s.ServeHTTP)
	a, err := c.Blocks(t.Context(), rows(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	first, second := a.Value.Results[0], a.Value.Results[1]
	if first.Height != 50 || first.Hash != "0xb50" || first.IndexBlockHash != "0xi50" || first.BlockTime != 1700 || *first.TenureHeight != 9 ||
		first.BurnBlockHeight != 136 || first.BurnBlockTime != 1690 || first.ParentBlockHash != "0xb49" || *first.TxCount != 4 || string(first.Extra["signers"]) != "[1]" {
		t.Errorf("got %+v", first)
	}
	for field, lacks := range map[string]bool{"burn_block_hash": true, "canonical": true, "execution_cost_runtime": true, "txs": true, "height": false, "block_time": false, "burn_block_time": false} {
		if first.Lacks[field] != lacks {
			t.Errorf("lacks %s: %v", field, first.Lacks[field])
		}
	}
	if second.Height != 49 || second.Hash != "0xb49" || second.BurnBlockHeight != 135 || second.ReadCount != 7 || second.TxCount != nil || string(second.Extra["tx_count"]) != `"many"` {
		t.Errorf("got %+v", second)
	}
	// As JSON it has what is known, under the names of REST.
	for b, want := range map[*Block]string{
		&first: `{"height":50,"hash":"0xb50","block_time":1700,"tenure_height":9,"index_block_hash":"0xi50","parent_block_hash":"0xb49",` +
			`"burn_block_time":1690,"burn_block_height":136,"tx_count":4,"signers":[1]}`,
		&second: `{"height":49,"hash":"0xb49","burn_block_height":135,"execution_cost_read_count":7,"tx_count":"many"}`,
	} {
		if got, err := json.Marshal(b); string(got) != want || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	}
	if a.Generation != 3 {
		t.Errorf("answered by v%d", a.Generation)
	}
	older, err := c.Blocks(t.Context(), rows(2, 2))
	if err != nil || len(older.Value.Results) != 1 || older.Value.Results[0].Height != 48 || older.Value.Offset != 2 {
		t.Errorf("%+v, %v", older.Value, err)
	}
	if b, err := c.BlockByBurnHeight(t.Context(), 136); err != nil || b.Value.Height != 50 {
		t.Errorf("%+v, %v", b.Value, err)
	}
	if _, err := c.Block(t.Context(), "7"); KindOf(err) != Decode || !strings.Contains(err.Error(), "none of height, hash, index_block_hash") {
		t.Errorf("says %v", err)
	}
	if got := c.InForce().String(); got != "API 9 · blocks by v3" {
		t.Errorf("in force: %q", got)
	}
}

func TestAServerWithoutAnyRouteSaysWhatTheFirstOneSaid(t *testing.T) {
	s := newRecordedAPI(t, []string{"/extended/v1/", "/extended/v2/"})
	now := time.Now()
	c := serve(t, s.ServeHTTP, func(o *Options) { o.Now = func() time.Time { return now } })
	for _, want := range []int{3, 0} {
		_, err := c.Blocks(t.Context(), Page{})
		if KindOf(err) != Gone || !strings.Contains(err.Error(), "has been disabled") {
			t.Errorf("got %v", err)
		}
		if requested := s.took(); len(requested) != want {
			t.Errorf("requested %q", requested)
		}
	}
	// Later they are requested again: the switch may have been turned.
	s.gone = nil
	s.answers["/extended/v1/block"] = recordedAnswer{Status: 200, Body: json.RawMessage(emptyList)}
	now = now.Add(recheckAfter)
	if _, err := c.Blocks(t.Context(), Page{}); err != nil {
		t.Error(err)
	}
}

func TestABlockIsReadByHeightHashAndIndexHash(t *testing.T) {
	s := newRecordedAPI(t, sunset, "v2-blocks-one.json", "v2-reorg.json")
	c := serve(t, s.ServeHTTP)
	for _, which := range []string{"50", "latest", "5705546ec6741f77957bb3e73bf795dcf120c0a869c1d408396e7e30a3b2f94f"} {
		if a, err := c.Block(t.Context(), which); err != nil || a.Value.Height != 50 || !a.Value.Lacks["txs"] {
			t.Errorf("%s: %+v, %v", which, a.Value, err)
		}
	}
	_, err := c.Block(t.Context(), "0x670b86f6187f6d6fa48ae2df31f22c07aecb2abb4a8852a8c6c1b7b0e2231743")
	if KindOf(err) != NotFound || RouteGone(err) {
		t.Errorf("a replaced block: %v", err)
	}
}

func TestBurnBlocksComeInOneRequest(t *testing.T) {
	s := newRecordedAPI(t, sunset, "v2-burn-blocks.json")
	c := serve(t, s.ServeHTTP)
	a, err := c.BurnBlocks(t.Context(), rows(8, 0))
	if err != nil || len(a.Value.Results) != 8 || len(s.took()) != 1 {
		t.Fatalf("%+v, %v", a.Value, err)
	}
	b := a.Value.Results[0]
	if b.Height != 136 || len(b.StacksBlocks) != 1 || *b.Blocks != 1 || *b.Transactions != 3 || *b.AverageBlockTime != 0 || b.Time != 1710344237 {
		t.Errorf("got %+v", b)
	}
	old := httptest.NewServer(newRecordedAPI(t, nil))
	defer old.Close()
	if _, err := newClient(t, Options{BaseURL: old.URL}).BurnBlocks(t.Context(), Page{}); !RouteGone(err) {
		t.Errorf("a server without the listing: %v", err)
	}
}

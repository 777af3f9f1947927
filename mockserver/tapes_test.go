package mockserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/world"

	"chainscope/mockserver/tape"
)

// record is one recorded block, kept byte for byte.
type record struct {
	raw  json.RawMessage
	Hash string `json:"index_block_hash"`
	Burn int64  `json:"burn_block_height"`
	Of   string `json:"burn_block_hash"`
}

func (r *record) UnmarshalJSON(data []byte) error {
	type plain record
	r.raw = slices.Clone(data)
	return json.Unmarshal(data, (*plain)(r))
}

type recordedError struct {
	Path   string
	Status int
	Body   json.RawMessage
}

// tapeMaker lays the recorded answers out as a tape.
type tapeMaker struct {
	t     *testing.T
	etag  string
	files map[string][]byte
}

func (m *tapeMaker) add(target string, status int, body []byte) {
	m.t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		m.t.Fatal(err)
	}
	var tight bytes.Buffer
	if err := json.Compact(&tight, body); err != nil {
		m.t.Fatal(err)
	}
	e := tape.Exchange{
		Method: "GET", Target: tape.Target(u), Status: status, Upstream: "http://127.0.0.1:3999",
		Recorded: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Body: tight.Bytes(),
		Header: http.Header{"Content-Type": {jsonType}},
	}
	if !strings.HasPrefix(target, "/metadata/") && status != http.StatusBadRequest {
		e.Header["Etag"] = []string{`"` + m.etag + `"`}
		e.Header["Cache-Control"] = []string{"public, no-cache, must-revalidate"}
	}
	if strings.HasPrefix(target, "/extended/v1/") {
		e.Header["Warning"] = []string{`299 - "Deprecated: See https://docs.hiro.so/stacks/api for more information"`}
	}
	m.files[tape.FileName(e.Method, e.Target, e.NormalBody)] = e.Encode()
}

// chain files block records and burn listings: pages of 20 and 30 over all
// records, each burn block by height and by hash.
func (m *tapeMaker) chain(name string) {
	blocks := readJSON[[]record](m.t, "recorded/blocks-"+name+".json")
	m.etag = blocks[0].Hash
	for _, limit := range []int{20, 30} {
		for offset := 0; offset < len(blocks); offset += limit {
			rows := blocks[offset:min(offset+limit, len(blocks))]
			raws := make([]json.RawMessage, len(rows))
			for i := range rows {
				raws[i] = rows[i].raw
			}
			body, err := json.Marshal(struct {
				Limit   int               `json:"limit"`
				Offset  int               `json:"offset"`
				Total   int               `json:"total"`
				Results []json.RawMessage `json:"results"`
			}{limit, offset, len(blocks), raws})
			if err != nil {
				m.t.Fatal(err)
			}
			target := fmt.Sprintf("/extended/v1/block?limit=%d&offset=%d", limit, offset)
			if limit == 20 && offset == 0 {
				target = "/extended/v1/block"
			}
			m.add(target, 200, body)
		}
	}
	hashes := map[string]string{}
	for i, b := range blocks { // newest first: the first of a burn block is its answer
		if i > 0 && blocks[i-1].Burn == b.Burn {
			continue
		}
		hashes[fmt.Sprint(b.Burn)] = b.Of
		m.add(fmt.Sprintf("/extended/v1/block/by_burn_block_height/%d", b.Burn), 200, b.raw)
		m.add("/extended/v1/block/by_burn_block_hash/"+b.Of, 200, b.raw)
	}
	listings := readJSON[map[string]json.RawMessage](m.t, "recorded/burn-listings-"+name+".json")
	for height, body := range listings {
		m.add("/extended/v2/burn-blocks/"+height+"/blocks", 200, body)
		m.add("/extended/v2/burn-blocks/"+hashes[height]+"/blocks", 200, body)
	}
	m.add("/extended/v2/burn-blocks/latest/blocks", 200, listings[fmt.Sprint(blocks[0].Burn)])
}

// rest files tokens, names and errors.
func (m *tapeMaker) rest() {
	const deployer = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS"
	fts := readJSON[map[string]json.RawMessage](m.t, "recorded/ft-metadata.json")
	m.add("/metadata/v1/ft/"+deployer+".hello-world", 200, fts["test_valid_ft"])
	m.add("/metadata/v1/ft/"+deployer+".hello-world-bare", 200, fts["test_empty_metadata"])
	m.add("/metadata/v1/ft/"+deployer+".ft-nulls", 200, fts["recorded_all_columns_null"])
	nfts := readJSON[map[string]json.RawMessage](m.t, "recorded/nft-metadata.json")
	m.add("/metadata/v1/nft/"+deployer+".nft/1", 200, nfts["test_valid_nft"])
	m.add("/metadata/v1/nft/"+deployer+".nft/2", 200, nfts["recorded_nothing_known"])
	m.add("/metadata/v1/nft/"+deployer+".nft-bare/1", 200, nfts["test_empty_metadata"])

	names := readJSON[map[string][]string](m.t, "recorded/names.json")
	by := map[string][]string{}
	for _, namespace := range names["import_test_namespaces"] {
		by[namespace] = []string{}
	}
	for _, name := range slices.Concat(names["import_test_names"], names["doc_example_id"]) {
		_, namespace, _ := strings.Cut(name, ".")
		by[namespace] = append(by[namespace], name)
	}
	for namespace, list := range by {
		slices.Sort(list)
		body, err := json.Marshal(list)
		if err != nil {
			m.t.Fatal(err)
		}
		m.add("/v1/namespaces/"+namespace+"/names", 200, body)
		m.add("/v1/namespaces/"+namespace+"/names?page=0", 200, body)
		m.add("/v1/namespaces/"+namespace+"/names?page=1", 400, []byte(`{"error":"Invalid page"}`))
	}
	for _, e := range readJSON[[]recordedError](m.t, "recorded/errors.json") {
		m.add(e.Path, e.Status, e.Body)
	}
}

// TestTapesOfRecordedAnswers keeps the tapes equal to the recorded answers;
// run it with -update to rewrite them.
func TestTapesOfRecordedAnswers(t *testing.T) {
	for _, name := range []string{"epoch3", "mainnet-2021"} {
		t.Run(name, func(t *testing.T) {
			m := &tapeMaker{t: t, files: map[string][]byte{}}
			m.chain(name)
			if name == "epoch3" {
				m.rest()
			}
			dir := filepath.Join("testdata", "tape-"+name)
			if *update {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				for file, data := range m.files {
					if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) != len(m.files) {
				t.Errorf("%d files on disk, %d made; run with -update", len(entries), len(m.files))
			}
			for file, want := range m.files {
				got, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s differs; run with -update", file)
				}
			}
		})
	}
}

func TestReplayServesRecordedBlocksByteForByte(t *testing.T) {
	for _, name := range []string{"epoch3", "mainnet-2021"} {
		s, _ := newServer(t, Config{Replay: filepath.Join("testdata", "tape-"+name)})
		blocks := readJSON[[]record](t, "recorded/blocks-"+name+".json")
		for limit := 1; limit <= 30; limit += 7 {
			for offset := 0; offset <= len(blocks); offset += 5 {
				w := get(s, fmt.Sprintf("/extended/v1/block/?limit=%d&offset=%d", limit, offset))
				var page struct {
					Limit, Offset, Total int
					Results              []record
				}
				if how := w.Header().Get("X-Mock-Tape"); how != "joined" && how != "replay" {
					t.Fatalf("%s limit %d offset %d: X-Mock-Tape %q", name, limit, offset, how)
				}
				if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != 200 {
					t.Fatalf("%s limit %d offset %d: %d %v", name, limit, offset, w.Code, err)
				}
				want := blocks[offset:min(offset+limit, len(blocks))]
				if page.Total != len(blocks) || page.Limit != limit || page.Offset != offset || len(page.Results) != len(want) {
					t.Fatalf("%s limit %d offset %d: got %d of %d rows", name, limit, offset, len(page.Results), page.Total)
				}
				for i := range want {
					if compact(t, page.Results[i].raw) != compact(t, want[i].raw) {
						t.Fatalf("%s limit %d offset %d: row %d differs", name, limit, offset, i)
					}
				}
			}
		}
		for _, b := range blocks {
			w := get(s, "/extended/v1/block/by_burn_block_hash/"+b.Of)
			if w.Code != 200 || w.Header().Get("X-Mock-Tape") != "replay" || w.Header().Get("ETag") != `"`+blocks[0].Hash+`"` || w.Header().Get("Warning") == "" {
				t.Errorf("%s burn block %d: %d %v", name, b.Burn, w.Code, w.Header())
			}
			if w := get(s, "/extended/v1/block/by_burn_block_hash/"+b.Of, "If-None-Match", `"`+blocks[0].Hash+`"`); w.Code != 304 || w.Body.Len() > 0 {
				t.Errorf("%s burn block %d with its ETag: %d", name, b.Burn, w.Code)
			}
		}
	}
}

func TestReplayServesRecordedErrors(t *testing.T) {
	s, _ := newServer(t, Config{Replay: "testdata/tape-epoch3"})
	for _, e := range readJSON[[]recordedError](t, "recorded/errors.json") {
		if w := get(s, e.Path); w.Code != e.Status || compact(t, w.Body.Bytes()) != compact(t, e.Body) {
			t.Errorf("%s: %d %s", e.Path, w.Code, w.Body)
		}
	}
}

func TestReplayListsWhatItHolds(t *testing.T) {
	s, _ := newServer(t, Config{Replay: "testdata/tape-epoch3"})
	var c catalogBody
	w := get(s, "/mock/v1/catalog")
	if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	if c.Replay != "testdata/tape-epoch3" || c.Upstream != "" {
		t.Errorf("the catalogue says replay %q, upstream %q", c.Replay, c.Upstream)
	}
	if c.Tip != (world.Tip{Height: 50, BurnHeight: 136}) || len(c.FT) != 3 || len(c.NFT) != 3 || len(c.Namespaces) != 5 || len(c.Heights) != 31 {
		t.Errorf("tip %v, %d fungible, %d non-fungible, %d namespaces, %d heights", c.Tip, len(c.FT), len(c.NFT), len(c.Namespaces), len(c.Heights))
	}
	if w.Header().Get("X-Mock-Seed") != "" || get(s, "/v1/namespaces/id/names").Header().Get("X-Mock-Seed") != "" {
		t.Error("a tape has no seed, but X-Mock-Seed was sent")
	}
}

func TestReplaySaysWhatWasNeverRecorded(t *testing.T) {
	s, _ := newServer(t, Config{Replay: "testdata/tape-epoch3"})
	for target, near := range map[string]string{
		"/extended/v1/block?limit=0":                    "GET /extended/v1/block, GET /extended/v1/block/by_burn_block_hash/0x",
		"/v1/namespaces/btc/names":                      "GET /v1/namespaces/",
		"/metadata/v1/ft/SP1.x":                         "GET /metadata/v1/ft/",
		"/extended/v1/block?limit=20&offset=9999999999": "GET /extended/v1/block, ",
		"/other": "GET /extended/v1/block, ",
	} {
		w := get(s, target)
		var body notRecordedBody
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if w.Code != 404 || w.Header().Get("X-Mock-Tape") != "not recorded" || body.Error != "Not recorded" || body.Path != target ||
			body.Tape != "testdata/tape-epoch3" || len(body.Recorded) != 10 {
			t.Errorf("%s: %d %v %+v", target, w.Code, w.Header(), body)
		}
		start := "not on the tape testdata/tape-epoch3; recorded: " + near
		if !strings.HasPrefix(body.Message, start) || !strings.HasSuffix(body.Message, " more") {
			t.Errorf("%s: %s", target, body.Message)
		}
	}
	for _, target := range []string{"/mock/v1/mine", "/mock/v1/reset"} {
		if w := call(s, "POST", target); w.Code != 404 || !strings.Contains(w.Body.String(), "no mock chain") {
			t.Errorf("POST %s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := call(s, "POST", "/extended/v1/block"); w.Code != 404 {
		t.Errorf("POST to a tape: %d", w.Code)
	}
	if w := call(s, "HEAD", "/extended/v1/block"); w.Code != 200 {
		t.Errorf("HEAD of a recorded GET: %d", w.Code)
	}
}

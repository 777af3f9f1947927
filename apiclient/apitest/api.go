package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// API is a server of one version of the API. It answers what was recorded of the real
// one; other pages of its lists of blocks and burn blocks, and other blocks, it makes of
// the records of the same chain: 50 blocks in the burn blocks 103 to 136. It has one
// fungible and one non-fungible token, both of Contract, and the namespace "id". Blocks
// by v3 were recorded of no server.
type API struct {
	version string // as the recordings name it
	answers map[string]answer
	records []map[string]any // as v1 has them, the newest first
	blocks  []map[string]any // as v2 has them, the newest first
	burns   []map[string]any // the newest first
	whole   map[string]any   // transactions by their ids
	names   []string
	tokens  map[string]json.RawMessage // by path
}

// The versions that were recorded: 8, 9, and 9 with its deprecated routes switched off.
const (
	Version8 = "8"
	Version9 = "9"
	Sunset   = "sunset"
)

// Contract is the contract of the tokens of an API; the non-fungible one has the id 1.
const Contract = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.hello-world"

// Block holds what was recorded of a block.
type Block struct {
	Height          int64    `json:"height"`
	Hash            string   `json:"hash"`
	IndexBlockHash  string   `json:"index_block_hash"`
	ParentBlockHash string   `json:"parent_block_hash"`
	BurnBlockHash   string   `json:"burn_block_hash"`
	BurnBlockHeight int64    `json:"burn_block_height"`
	MinerTxID       string   `json:"miner_txid"`
	Txs             []string `json:"txs"`
}

// Blocks returns the blocks of the chain of an API, the newest first.
func Blocks() []Block { return read[[]Block]("blocks-epoch3") }

type answer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"`
}

// New reads the recordings of a version.
func New(version string) *API {
	s := &API{version: version, answers: map[string]answer{}, whole: map[string]any{}, tokens: map[string]json.RawMessage{}}
	files := []string{"v2-blocks-list", "v2-blocks-one", "v2-blocks-errors", "v2-burn-blocks", "namespaces", "ft-list"}
	if version != Version8 {
		files = append(files, "v3-9.0.2")
	}
	for i, file := range files {
		files[i] = "generations/" + file
	}
	for _, file := range append(files, "errors") {
		for _, a := range read[[]struct {
			Path string
			answer
		}](file) {
			if _, there := s.answers[a.Path]; !there {
				s.answers[a.Path] = a.answer
			}
		}
	}
	for _, file := range []string{"by-generation", "names-errors"} {
		for _, recorded := range read[[]map[string]json.RawMessage]("generations/" + file) {
			path, a := value[string](recorded["path"]), value[answer](recorded[version])
			if a.Body != nil || a.Status != http.StatusOK { // not all bodies were kept
				s.answers[path] = a
			}
		}
	}
	for _, a := range read[[]struct {
		Generation string
		answer
	}]("generations/status") {
		if a.Generation == version {
			s.answers["/extended"] = a.answer
		}
	}
	s.records, s.blocks = read[[]map[string]any]("blocks-epoch3"), read[[]map[string]any]("blocks-epoch3")
	s.readChain()
	for path, a := range s.answers {
		if strings.HasPrefix(path, "/extended/v3/blocks/50/transactions") && a.Status == http.StatusOK {
			for _, tx := range a.Body.(map[string]any)["results"].([]any) {
				s.whole[tx.(map[string]any)["tx_id"].(string)] = tx
			}
		}
	}
	s.names = read[map[string][]string]("names")["import_test_names"]
	s.tokens["/metadata/v1/ft/"+Contract] = read[map[string]json.RawMessage]("ft-metadata")["test_valid_ft"]
	s.tokens["/metadata/v1/nft/"+Contract+"/1"] = read[map[string]json.RawMessage]("nft-metadata")["test_valid_nft"]
	return s
}

// readChain makes the records of v2 out of those of v1, which name the same fields, and
// groups them by burn block.
func (s *API) readChain() {
	for i, b := range s.blocks {
		txs, _ := b["txs"].([]any)
		b["tx_count"] = len(txs)
		for field := range b {
			if field == "txs" || strings.Contains(field, "microblock") {
				delete(b, field)
			}
		}
		if i+1 < len(s.blocks) {
			b["parent_index_block_hash"] = s.blocks[i+1]["index_block_hash"]
		} else { // the first block: its boot transactions are not counted
			b["parent_index_block_hash"], b["tx_count"] = "0x55c9861be5cff984a20ce6d99d4aa65941412889bdc665094136429b84f8c2ee", 5
		}
	}
	for first := 0; first < len(s.blocks); {
		burn, last := s.blocks[first], first
		hashes, count := []any{}, 0
		for ; last < len(s.blocks) && s.blocks[last]["burn_block_height"] == burn["burn_block_height"]; last++ {
			hashes, count = append(hashes, s.blocks[last]["hash"]), count+s.blocks[last]["tx_count"].(int)
		}
		average := 0
		if n := last - first - 1; n > 0 {
			average = int(burn["block_time"].(float64)-s.blocks[last-1]["block_time"].(float64)) / n
		}
		s.burns = append(s.burns, map[string]any{
			"burn_block_time": burn["burn_block_time"], "burn_block_time_iso": burn["burn_block_time_iso"],
			"burn_block_hash": burn["burn_block_hash"], "burn_block_height": burn["burn_block_height"],
			"stacks_blocks": hashes, "avg_block_time": average, "total_tx_count": count,
		})
		first = last
	}
}

// deprecated reports whether the server warns that a route will be retired.
func (s *API) deprecated(path string) bool {
	if strings.HasPrefix(path, "/extended/v1/block") {
		return true
	}
	if s.version == Version8 {
		return false
	}
	for _, prefix := range []string{"/extended/v1/tx", "/extended/v1/address", "/extended/v1/microblock"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return strings.HasPrefix(path, "/extended/v2/blocks/") && strings.HasSuffix(path, "/transactions")
}

// ServeHTTP answers one request.
func (s *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const gone = "This endpoint has been disabled. See https://docs.hiro.so/stacks/api for more information"
	if s.deprecated(r.URL.Path) {
		w.Header().Set("Warning", `299 - "Deprecated: See https://docs.hiro.so/stacks/api for more information"`)
		if s.version == Sunset {
			write(w, http.StatusGone, map[string]any{"error": "Gone", "message": gone})
			return
		}
	}
	a, recorded := s.answers[r.URL.String()]
	if !recorded {
		a.Status, a.Body = s.make(r.URL)
	}
	if a.Status == 0 {
		a.Status, a.Body = http.StatusNotFound, map[string]any{"message": fmt.Sprintf("Route GET:%s not found", r.URL), "error": "Not Found", "statusCode": 404}
	}
	if a.Status != http.StatusBadRequest {
		w.Header().Set("X-API-Version", map[string]string{Version8: "v8.13.6", Version9: "v9.0.2", Sunset: "v9.0.2"}[s.version]+" (main:0000000)")
	}
	if to := a.Headers["location"]; to != "" {
		w.Header().Set("Location", to)
	}
	write(w, a.Status, a.Body)
}

// make makes an answer out of the records, or returns the status 0.
func (s *API) make(u *url.URL) (int, any) {
	if token, ok := s.tokens[u.Path]; ok {
		return http.StatusOK, token
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch {
	case u.Path == "/metadata/v1/ft":
		for _, by := range []string{"name", "symbol"} {
			if a, recorded := s.answers[u.Path+"?"+by+"="+u.Query().Get(by)]; recorded {
				return a.Status, a.Body
			}
		}
		return http.StatusOK, s.answers[u.Path+"?symbol=nosuch"].Body
	case u.Path == "/v1/namespaces/id/names":
		if page := u.Query().Get("page"); page != "" && page != "0" { // it counts from 0
			return http.StatusBadRequest, map[string]any{"error": "Invalid page"}
		}
		return http.StatusOK, s.names
	case strings.HasPrefix(u.Path, "/v1/namespaces/"):
		return http.StatusBadRequest, map[string]any{"error": "No such namespace"}
	case strings.HasPrefix(u.Path, "/metadata/v1/ft/"), strings.HasPrefix(u.Path, "/metadata/v1/nft/"):
		return http.StatusNotFound, map[string]any{"error": "Contract not found"}
	case u.Path == "/extended/v1/block", u.Path == "/extended/v1/block/":
		return s.page(u, s.records)
	case strings.HasPrefix(u.Path, "/extended/v1/block/"):
		return s.record(strings.TrimPrefix(u.Path, "/extended/v1/block/"))
	case u.Path == "/extended/v2/blocks":
		return s.page(u, s.blocks)
	case u.Path == "/extended/v2/burn-blocks":
		return s.page(u, s.burns)
	case len(parts) == 5 && parts[1] == "v3" && parts[2] == "blocks" && parts[4] == "transactions" && s.version != Version8:
		return s.transactions(u, parts[3])
	case len(parts) == 4 && parts[1] == "v2" && parts[2] == "blocks":
		return one(s.blocks, parts[3], "Block not found", "height", "hash", "index_block_hash")
	case len(parts) == 4 && parts[1] == "v2" && parts[2] == "burn-blocks":
		return one(s.burns, parts[3], "Not found", "burn_block_height", "burn_block_hash")
	case len(parts) == 5 && parts[1] == "v2" && parts[2] == "burn-blocks" && parts[4] == "blocks":
		status, burn := one(s.burns, parts[3], "Burn block not found", "burn_block_height", "burn_block_hash")
		if status != http.StatusOK {
			return status, burn
		}
		var rows []map[string]any
		for _, b := range s.blocks {
			if b["burn_block_height"] == burn["burn_block_height"] {
				rows = append(rows, b)
			}
		}
		return s.page(u, rows)
	}
	return 0, nil
}

// record finds a block by one of the routes of v1.
func (s *API) record(path string) (int, any) {
	by, which, named := strings.Cut(path, "/")
	switch {
	case !named:
		return one(s.records, path, "cannot find block by hash", "hash", "index_block_hash")
	case by == "by_height":
		return one(s.records, which, "cannot find block by height", "height")
	case by == "by_burn_block_height":
		return one(s.records, which, "cannot find block by height", "burn_block_height")
	case by == "by_burn_block_hash":
		return one(s.records, which, "cannot find block by burn block hash", "burn_block_hash")
	}
	return 0, nil
}

// transactions cuts a page out of the transactions of a block, the last first. Those of the
// newest block were recorded whole; of the others there are the ids.
func (s *API) transactions(u *url.URL, which string) (int, any) {
	status, block := one(s.records, which, "Block not found", "height", "hash", "index_block_hash")
	if status != http.StatusOK {
		return status, block
	}
	ids := block["txs"].([]any)
	at := func(i int) any {
		if i < 0 || i >= len(ids) {
			return nil
		}
		return fmt.Sprintf("%v:2147483647:%d", block["height"], len(ids)-1-i)
	}
	limit, err := strconv.Atoi(u.Query().Get("limit"))
	if err != nil {
		limit = 20
	}
	first := 0
	for i := range ids {
		if at(i) == u.Query().Get("cursor") {
			first = i
		}
	}
	results := []any{}
	for _, id := range ids[first:min(len(ids), first+limit)] {
		if whole, recorded := s.whole[id.(string)]; recorded {
			results = append(results, whole)
		} else {
			results = append(results, map[string]any{"tx_id": id})
		}
	}
	return http.StatusOK, map[string]any{
		"total": len(ids), "limit": limit, "results": results,
		"cursor": map[string]any{"next": at(first + limit), "previous": at(first - limit), "current": at(first)},
	}
}

// one finds a row by one of its fields, or the newest.
func one(rows []map[string]any, which, missing string, fields ...string) (int, map[string]any) {
	for _, row := range rows {
		if which == "latest" {
			return http.StatusOK, row
		}
		for _, field := range fields {
			if text := fmt.Sprint(row[field]); text == which || text == "0x"+which {
				return http.StatusOK, row
			}
		}
	}
	return http.StatusNotFound, map[string]any{"statusCode": 404, "error": "Not Found", "message": missing}
}

// page cuts a page out of rows. The list of blocks has cursors: the index hash of a
// page's first block.
func (s *API) page(u *url.URL, rows []map[string]any) (int, any) {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(u.Query().Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	limit, offset, first := number("limit", 20), number("offset", 0), 0
	body := map[string]any{"limit": limit, "offset": offset}
	cursors := u.Path == "/extended/v2/blocks"
	if cursor := u.Query().Get("cursor"); cursor != "" {
		first = slices.IndexFunc(rows, func(b map[string]any) bool { return b["index_block_hash"] == cursor })
	}
	first += offset
	if first < 0 || first >= len(rows) {
		if cursors {
			body["next_cursor"], body["prev_cursor"], body["cursor"] = nil, nil, nil
		}
		body["total"], body["results"] = 0, []any{}
		return http.StatusOK, body
	}
	at := func(i int) any {
		if i < 0 || i >= len(rows) {
			return nil
		}
		return rows[i]["index_block_hash"]
	}
	if cursors {
		body["next_cursor"], body["prev_cursor"], body["cursor"] = at(first-limit), at(first+limit), at(first)
	}
	// The listing of burn blocks counts Stacks blocks.
	body["total"], body["results"] = len(rows), rows[first:min(len(rows), first+limit)]
	if u.Path == "/extended/v2/burn-blocks" {
		body["total"] = len(s.blocks)
	}
	return http.StatusOK, body
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

// read reads a recording.
func read[T any](name string) T {
	data, err := Recorded.ReadFile("recorded/" + name + ".json")
	if err != nil {
		panic(err) // there is no such recording in this package
	}
	return value[T](data)
}

// value reads a part of a recording.
func value[T any](data []byte) (v T) {
	if err := json.Unmarshal(data, &v); err != nil {
		panic(err) // a recording of this package that is no recording
	}
	return v
}

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

// Sunset is a server of version 9 of the API with its deprecated routes switched off. It
// answers what was recorded of the real one; other pages of its lists of blocks and burn
// blocks, and other blocks, it makes of the records of the same chain: 50 blocks in the
// burn blocks 103 to 136. It has one fungible and one non-fungible token, both of
// SunsetContract, and the namespace "id".
type Sunset struct {
	answers map[string]sunsetAnswer
	blocks  []map[string]any // the newest first
	burns   []map[string]any // the newest first
	names   []string
	tokens  map[string]json.RawMessage // by path
}

// SunsetContract is the contract of the tokens of a Sunset; the non-fungible one has the
// id 1.
const SunsetContract = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.hello-world"

type sunsetAnswer struct {
	Status int `json:"status"`
	Body   any `json:"body"`
}

// NewSunset reads the recordings.
func NewSunset() *Sunset {
	s := &Sunset{answers: map[string]sunsetAnswer{}, tokens: map[string]json.RawMessage{}}
	for _, file := range []string{"v2-blocks-list", "v2-blocks-one", "v2-blocks-errors", "v2-burn-blocks", "v3-9.0.2", "namespaces", "ft-list"} {
		for _, a := range read[[]struct {
			Path string
			sunsetAnswer
		}]("generations/" + file) {
			if _, there := s.answers[a.Path]; !there {
				s.answers[a.Path] = a.sunsetAnswer
			}
		}
	}
	for _, file := range []string{"by-generation", "names-errors"} {
		for _, a := range read[[]struct {
			Path   string
			Sunset sunsetAnswer
		}]("generations/" + file) {
			if a.Sunset.Body != nil {
				s.answers[a.Path] = a.Sunset
			}
		}
	}
	for _, a := range read[[]struct {
		Generation string
		sunsetAnswer
	}]("generations/status") {
		if a.Generation == "sunset" {
			s.answers["/extended"] = a.sunsetAnswer
		}
	}
	s.readChain()
	s.names = read[map[string][]string]("names")["import_test_names"]
	s.tokens["/metadata/v1/ft/"+SunsetContract] = read[map[string]json.RawMessage]("ft-metadata")["test_valid_ft"]
	s.tokens["/metadata/v1/nft/"+SunsetContract+"/1"] = read[map[string]json.RawMessage]("nft-metadata")["test_valid_nft"]
	return s
}

// readChain makes the records of v2 out of those of v1, which name the same fields, and
// groups them by burn block.
func (s *Sunset) readChain() {
	s.blocks = read[[]map[string]any]("blocks-epoch3")
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

// ServeHTTP answers one request.
func (s *Sunset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const gone = "This endpoint has been disabled. See https://docs.hiro.so/stacks/api for more information"
	for _, prefix := range []string{"/extended/v1/block", "/extended/v1/tx", "/extended/v1/address", "/extended/v1/microblock"} {
		if strings.HasPrefix(r.URL.Path, prefix) {
			w.Header().Set("Warning", `299 - "Deprecated: See https://docs.hiro.so/stacks/api for more information"`)
			write(w, http.StatusGone, map[string]any{"error": "Gone", "message": gone})
			return
		}
	}
	w.Header().Set("X-API-Version", "v9.0.2 (main:0000000)")
	if a, ok := s.answers[r.URL.String()]; ok {
		write(w, a.Status, a.Body)
		return
	}
	if status, body := s.make(r.URL); status != 0 {
		write(w, status, body)
		return
	}
	write(w, http.StatusNotFound, map[string]any{"message": fmt.Sprintf("Route GET:%s not found", r.URL), "error": "Not Found", "statusCode": 404})
}

// make makes an answer out of the records, or returns the status 0.
func (s *Sunset) make(u *url.URL) (int, any) {
	if token, ok := s.tokens[u.Path]; ok {
		return http.StatusOK, token
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch {
	case u.Path == "/v1/namespaces/id/names":
		if page := u.Query().Get("page"); page != "" && page != "0" { // it counts from 0
			return http.StatusBadRequest, map[string]any{"error": "Invalid page"}
		}
		return http.StatusOK, s.names
	case strings.HasPrefix(u.Path, "/v1/namespaces/"):
		return http.StatusBadRequest, map[string]any{"error": "No such namespace"}
	case strings.HasPrefix(u.Path, "/metadata/v1/ft/"), strings.HasPrefix(u.Path, "/metadata/v1/nft/"):
		return http.StatusNotFound, map[string]any{"error": "Contract not found"}
	case u.Path == "/extended/v2/blocks":
		return s.page(u, s.blocks)
	case u.Path == "/extended/v2/burn-blocks":
		return s.page(u, s.burns)
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
func (s *Sunset) page(u *url.URL, rows []map[string]any) (int, any) {
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
	_ = json.NewEncoder(w).Encode(body)
}

// read reads a recording.
func read[T any](name string) T {
	var value T
	data, err := Recorded.ReadFile("recorded/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, &value)
	}
	if err != nil {
		panic(err) // a recording of this package that is no recording
	}
	return value
}

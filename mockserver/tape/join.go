package tape

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// blockList is the part of a list envelope that joining needs.
type blockList struct {
	Limit   int64             `json:"limit"`
	Offset  int64             `json:"offset"`
	Total   int64             `json:"total"`
	Results []json.RawMessage `json:"results"`
}

const (
	defaultLimit = 20
	maxLimit     = 30
)

// join answers a page of a block list that was not recorded as such out of
// recorded pages of that list that hold all its rows. Only pages with one total
// are joined: they were answered at one tip of the chain.
func (p *Player) join(method string, u *url.URL) (*Exchange, bool) {
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if !strings.HasPrefix(path, "/extended/") || method != http.MethodGet && method != http.MethodHead {
		return nil, false
	}
	limit, ok := wholeParam(u, "limit", defaultLimit)
	offset, also := wholeParam(u, "offset", 0)
	if !ok || !also || limit < 1 || limit > maxLimit || offset < 0 {
		return nil, false
	}
	byTotal := map[int64]map[int64]json.RawMessage{} // total -> place in the list -> row
	newest := map[int64]*Exchange{}
	for _, e := range p.by {
		var page blockList
		of, _, _ := strings.Cut(e.Target, "?")
		if strings.TrimSuffix(of, "/") != path || e.Status != http.StatusOK || e.Method != http.MethodGet ||
			json.Unmarshal(e.Body, &page) != nil || page.Results == nil {
			continue
		}
		rows := byTotal[page.Total]
		if rows == nil {
			rows = map[int64]json.RawMessage{}
			byTotal[page.Total] = rows
		}
		for i, row := range page.Results {
			rows[page.Offset+int64(i)] = row
		}
		if at := newest[page.Total]; at == nil || e.Recorded.After(at.Recorded) {
			newest[page.Total] = e
		}
	}
	var best *Exchange
	var body []byte
	var bestTotal int64
	for total, rows := range byTotal {
		joined, ok := joinRows(rows, limit, offset, total)
		if ok && (best == nil || total > bestTotal) {
			best, body, bestTotal = newest[total], joined, total
		}
	}
	if best == nil {
		return nil, false
	}
	made := *best
	made.Target, made.Body = Target(u), body
	return &made, true
}

func joinRows(rows map[int64]json.RawMessage, limit, offset, total int64) ([]byte, bool) {
	out := blockList{Limit: limit, Offset: offset, Total: total, Results: []json.RawMessage{}}
	for place := offset; place < min(offset+limit, total); place++ {
		row, ok := rows[place]
		if !ok {
			return nil, false
		}
		out.Results = append(out.Results, row)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		return nil, false
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), true
}

func wholeParam(u *url.URL, name string, fallback int64) (int64, bool) {
	values := u.Query()[name]
	if len(values) == 0 {
		return fallback, true
	}
	n, err := strconv.ParseInt(values[0], 10, 32)
	return n, err == nil && len(values) == 1
}

package tape

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"chainscope/mockserver/internal/plainjson"
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

// chainList is the list of all blocks: a row's distance from its end is the
// height of the block, so that pages recorded at different tips fit together.
const chainList = "/extended/v1/block"

// recordedPage is a recorded page of a block list.
type recordedPage struct {
	*Exchange
	list blockList
}

// join answers a page of a block list that was not recorded as such out of
// recorded pages of that list that hold all its rows.
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
	pages := p.pages(path)
	for i, page := range pages { // the highest total first
		if i > 0 && pages[i-1].list.Total == page.list.Total {
			continue
		}
		if body, ok := joinAt(page.list.Total, pages, limit, offset, path == chainList); ok {
			made := *page.Exchange
			made.Target, made.Body, made.Joined = Target(u), body, true
			return &made, true
		}
	}
	return nil, false
}

// pages returns the recorded pages of a list, those with the highest total
// first and of these the newest.
func (p *Player) pages(path string) []recordedPage {
	var all []recordedPage
	for _, e := range p.by {
		var list blockList
		of, _, _ := strings.Cut(e.Target, "?")
		if strings.TrimSuffix(of, "/") == path && e.Status == http.StatusOK && e.Method == http.MethodGet &&
			json.Unmarshal(e.Body, &list) == nil && list.Results != nil {
			all = append(all, recordedPage{e, list})
		}
	}
	slices.SortFunc(all, func(a, b recordedPage) int {
		return cmp.Or(cmp.Compare(b.list.Total, a.list.Total), b.Recorded.Compare(a.Recorded), cmp.Compare(a.Target, b.Target))
	})
	return all
}

// joinAt joins a page as it was when the list had so many rows. Rows of pages
// with another total are used only in the chain's list, and only if each row
// names the next one as its parent.
func joinAt(total int64, pages []recordedPage, limit, offset int64, chain bool) ([]byte, bool) {
	rows, borrowed := map[int64]json.RawMessage{}, map[int64]json.RawMessage{}
	for _, page := range pages {
		into, shift := rows, total-page.list.Total
		if shift != 0 {
			into = borrowed
		}
		for i, row := range page.list.Results {
			place := page.list.Offset + int64(i) + shift
			if _, known := into[place]; !known {
				into[place] = row
			}
		}
	}
	out := blockList{Limit: limit, Offset: offset, Total: total, Results: []json.RawMessage{}}
	linked := true
	for place := offset; place < min(offset+limit, total); place++ {
		row, ok := rows[place]
		if !ok && chain {
			row, ok = borrowed[place]
			linked = false
		}
		if !ok {
			return nil, false
		}
		out.Results = append(out.Results, row)
	}
	if !linked && !areParents(out.Results) {
		return nil, false
	}
	return plainjson.Encode(out), true
}

// areParents reports whether each row is the parent of the one before it.
func areParents(rows []json.RawMessage) bool {
	parent := ""
	for i, row := range rows {
		var b struct {
			Hash   string `json:"hash"`
			Parent string `json:"parent_block_hash"`
		}
		if json.Unmarshal(row, &b) != nil || b.Hash == "" || i > 0 && b.Hash != parent {
			return false
		}
		parent = b.Parent
	}
	return true
}

func wholeParam(u *url.URL, name string, fallback int64) (int64, bool) {
	values := u.Query()[name]
	if len(values) == 0 {
		return fallback, true
	}
	n, err := strconv.ParseInt(values[0], 10, 32)
	return n, err == nil && len(values) == 1
}

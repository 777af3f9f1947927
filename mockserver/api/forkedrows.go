package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chainscope/mockserver/fork"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// page is a list as the API answers it, its fields in their order.
type page struct {
	names  []string
	values map[string]json.RawMessage
	rows   []json.RawMessage
}

// UnmarshalJSON reads an object that has results.
func (p *page) UnmarshalJSON(text []byte) error {
	p.values = map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return errors.New("it is no object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		p.names, p.values[name.(string)] = append(p.names, name.(string)), value
	}
	if results, is := p.values["results"]; is {
		return json.Unmarshal(results, &p.rows)
	}
	return nil
}

// MarshalJSON writes the fields in the order in which they were read.
func (p page) MarshalJSON() ([]byte, error) {
	rows, err := json.Marshal(append([]json.RawMessage{}, p.rows...))
	if err != nil {
		return nil, err
	}
	var o object
	for _, name := range p.names {
		if name == "results" {
			o = append(o, field{name, json.RawMessage(rows)})
			continue
		}
		o = append(o, field{name, p.values[name]})
	}
	return o.MarshalJSON()
}

// number returns a field that is a number, 0 for none.
func (p *page) number(name string) int64 {
	n, _ := strconv.ParseInt(string(p.values[name]), 10, 64)
	return n
}

func (p *page) setNumber(name string, n int64) {
	if _, there := p.values[name]; there {
		p.values[name] = json.RawMessage(strconv.FormatInt(n, 10))
	}
}

// rowBounds say of the rows of a list where they have their height, and the highest that the fork has.
type rowBounds struct {
	names   []string
	highest int64
}

func (b rowBounds) has(row json.RawMessage) bool {
	height, known := heightOf(row, b.names...)
	return !known || height <= b.highest
}

// boundsOf returns those of the route.
func (x *Exchange) boundsOf(f *world.Fork) rowBounds {
	tip := f.Tip()
	switch p := x.route.Pattern; {
	case strings.HasSuffix(p, "/burn-blocks"), strings.HasSuffix(p, "/bitcoin-blocks"):
		return rowBounds{burnHeights, tip.BurnHeight}
	case strings.HasSuffix(p, "/blocks"), strings.HasSuffix(p, "/block"):
		return rowBounds{blockHeights, tip.Height}
	}
	return rowBounds{txHeights, tip.Height}
}

// anchor returns the parameter by which a list begins with the newest row of the fork, "" where there is
// none.
func (x *Exchange) anchor(f *world.Fork) (name, value string) {
	tip := f.Tip()
	const last = 2147483647 // of microblocks and of places in a block
	switch x.route.Pattern {
	case "/extended/v2/blocks":
		return "cursor", tip.IndexHash
	case "/extended/v3/blocks":
		return "cursor", strconv.FormatInt(tip.Height, 10)
	case "/extended/v3/bitcoin-blocks":
		return "cursor", strconv.FormatInt(tip.BurnHeight, 10)
	case "/extended/v1/tx":
		return "end_time", strconv.FormatInt(tip.Time, 10)
	case "/extended/v3/transactions", "/extended/v3/principals/{principal}/transactions":
		return "cursor", fmt.Sprintf("%d:%d:%d", tip.Height, last, last)
	}
	return "", ""
}

// rows answers with a list: the mock's own rows first, then those of the live chain that are not above the
// fork.
func rows(x *Exchange, f *world.Fork) {
	cursor, given := QueryValue(x.R.URL.RawQuery, "cursor")
	own, ok := x.own()
	if !ok {
		return
	}
	if given > 0 && cursor != "" && len(own.rows) == 0 { // a page below the mock's own rows
		x.forwardBelow(f, own.number("total"))
		return
	}
	limit, total := own.number("limit"), own.total(x)
	count := total // of own rows
	if v := x.state().View; x.route.Pattern == burnBlocksV2 {
		count = v.TipBurnHeight() - f.Tip().BurnHeight
	}
	wanted := max(0, limit-int64(len(own.rows)))
	var below page
	if name, value := x.anchor(f); name == "cursor" {
		below, ok = x.livePage(f, withQuery(x.Target(), "limit", strconv.FormatInt(max(1, wanted), 10), "offset", "0", name, value))
		if x.isV3() && ok {
			own.followBy(&below, wanted)
		}
		if offset := own.number("offset") - count; ok && offset > 0 {
			below, ok = x.livePage(f, withQuery(x.Target(), name, value, "offset", strconv.FormatInt(offset, 10)))
		}
	} else {
		below, ok = x.liveOffset(f, max(0, own.number("offset")-count), max(1, wanted))
	}
	if !ok {
		return
	}
	if wanted > 0 {
		own.rows = append(own.rows, below.rows[:min(int64(len(below.rows)), wanted)]...)
	}
	if more, ok := x.countBelow(f, &below); ok {
		own.setNumber("total", total+more)
		x.W.Header()[forwardedHeader] = []string{f.Tip().API}
		x.Value(http.StatusOK, own)
	}
}

// burnBlocksV2 is the list whose total is not that of its rows, but of the Stacks blocks.
const burnBlocksV2 = "/extended/v2/burn-blocks"

// total returns how many own rows there are: an empty page says 0.
func (p *page) total(x *Exchange) int64 {
	if len(p.rows) > 0 || p.number("offset") == 0 {
		return p.number("total")
	}
	first := *x
	r := *x.R
	u := *x.R.URL
	_, u.RawQuery, _ = strings.Cut(withQuery(x.Target(), "offset", "0", "limit", "1"), "?")
	r.URL, r.RequestURI = &u, ""
	first.R = &r
	one, ok := first.own()
	if !ok {
		return 0
	}
	return one.number("total")
}

// followBy lets the cursors of a page of v3 lead on to the rows below.
func (p *page) followBy(below *page, wanted int64) {
	var own, live struct {
		Next     any `json:"next"`
		Previous any `json:"previous"`
		Current  any `json:"current"`
	}
	if json.Unmarshal(p.values["cursor"], &own) != nil || json.Unmarshal(below.values["cursor"], &live) != nil || own.Next != nil {
		return
	}
	if own.Next = live.Next; wanted == 0 {
		own.Next = live.Current
	}
	if own.Current == nil {
		own.Current = live.Current
	}
	p.values["cursor"], _ = json.Marshal(own)
}

// forwardBelow passes on a page that a cursor of the live chain names.
func (x *Exchange) forwardBelow(f *world.Fork, own int64) {
	p, ok := x.livePage(f, x.Target())
	if !ok {
		return
	}
	if count, ok := x.countBelow(f, &p); ok {
		p.setNumber("total", own+count)
		x.W.Header()[forwardedHeader] = []string{f.Tip().API}
		x.Value(http.StatusOK, p)
	}
}

// forwardRows passes on a list that belongs to one thing of the live chain, without what is above the fork.
func (x *Exchange) forwardRows(f *world.Fork, path string, highest int64, names ...string) {
	a, ok := x.live(f, path)
	if !ok {
		return
	}
	var p page
	if json.Unmarshal(a.Body, &p) != nil || a.Status != http.StatusOK {
		x.pass(f, a)
		return
	}
	all := len(p.rows)
	if p.rows = slices.DeleteFunc(p.rows, func(r json.RawMessage) bool { return !(rowBounds{names, highest}).has(r) }); len(p.rows) < all {
		p.setNumber("total", p.number("total")-int64(all-len(p.rows)))
		a.Body, _ = json.Marshal(p)
	}
	x.pass(f, a)
}

// livePage reads a page of the live chain, without what is above the fork; on false it has answered.
func (x *Exchange) livePage(f *world.Fork, path string) (p page, ok bool) {
	a, ok := x.live(f, path)
	if !ok {
		return p, false
	}
	if err := json.Unmarshal(a.Body, &p); err != nil || a.Status != http.StatusOK {
		return p, !x.unread(&fork.UnreadError{What: path, Why: fmt.Sprintf("status %d, and no list", a.Status)})
	}
	in := x.boundsOf(f)
	p.rows = slices.DeleteFunc(p.rows, func(r json.RawMessage) bool { return !in.has(r) || x.movedHere(r) })
	return p, true
}

// maxAbove limits the pages of rows above the fork that are read for the first row that is not.
const maxAbove = 12

// liveOffset reads rows of a list that is counted from its newest row: those above the fork, of which there
// are more with time, are left out of the count.
func (x *Exchange) liveOffset(f *world.Fork, offset, limit int64) (p page, ok bool) {
	in, skip := x.boundsOf(f), int64(0)
	name, value := x.anchor(f)
	at := func(offset, limit int64) (page, int, bool) {
		path := withQuery(x.Target(), "limit", strconv.FormatInt(limit, 10), "offset", strconv.FormatInt(offset, 10))
		if name != "" {
			path = withQuery(path, name, value)
		}
		a, ok := x.live(f, path)
		var raw page
		if ok && (json.Unmarshal(a.Body, &raw) != nil || a.Status != http.StatusOK) {
			ok = !x.unread(&fork.UnreadError{What: path, Why: fmt.Sprintf("status %d, and no list", a.Status)})
		}
		first := slices.IndexFunc(raw.rows, in.has)
		return raw, first, ok
	}
	for try := 0; ; try++ {
		raw, first, ok := at(skip, limit)
		if !ok {
			return p, false
		}
		switch {
		case try == maxAbove:
			return p, !x.unread(&fork.UnreadError{What: x.Target(), Why: "more rows than are looked through are above the height of the fork"})
		case first > 0:
			skip += int64(first)
		case first < 0 && len(raw.rows) > 0:
			last, _ := heightOf(raw.rows[len(raw.rows)-1], in.names...)
			skip += int64(len(raw.rows))
			if in.names[0] != txHeights[0] { // one row is one height
				skip += max(0, last-in.highest-1)
			}
		default:
			if offset > 0 {
				moves := name == "" && x.route.Pattern != burnBlocksV2 // whose total is not that of its rows
				raw, ok = x.withoutGrowth(&raw, moves, func(shift int64) (page, bool) {
					later, _, ok := at(skip+offset+shift, limit)
					return later, ok
				})
				if !ok {
					return p, false
				}
			}
			raw.rows = slices.DeleteFunc(raw.rows, func(r json.RawMessage) bool { return !in.has(r) || x.movedHere(r) })
			raw.setNumber("total", max(0, raw.number("total")-skip))
			raw.values["skipped"] = nil
			return raw, true
		}
	}
}

// withoutGrowth reads a later page of a list than the first one, which stays as it was read at first, while the
// live chain grows: each row that came since moves all others by one, if moves is true. begin reads the page so many rows further.
func (x *Exchange) withoutGrowth(first *page, moves bool, begin func(shift int64) (page, bool)) (later page, ok bool) {
	shift := int64(0)
	for range maxAbove {
		if later, ok = begin(shift); !ok {
			return later, false
		}
		grown := later.number("total") - first.number("total")
		if grown == shift || grown < 0 || !moves {
			later.setNumber("total", first.number("total"))
			return later, true
		}
		shift = grown
	}
	return later, !x.unread(&fork.UnreadError{What: x.Target(), Why: "the list grows faster than it is read; try again"})
}

// countBelow returns how many rows of the live chain a list has at the height of the fork. The lists of
// blocks count all up to their tip, which may be newer.
func (x *Exchange) countBelow(f *world.Fork, p *page) (int64, bool) {
	total := p.number("total")
	in := x.boundsOf(f)
	if _, counted := p.values["skipped"]; counted && x.route.Pattern != burnBlocksV2 || in.names[0] == txHeights[0] || x.route.Pattern == "/extended/v2/block-tenures/{tenure_height}/blocks" {
		return total, true
	}
	newest, ok := x.live(f, "/extended/v2/blocks?limit=1")
	if !ok {
		return 0, false
	}
	var top page
	if json.Unmarshal(newest.Body, &top) != nil || len(top.rows) == 0 {
		return total, true
	}
	height, _ := heightOf(top.rows[0], blockHeights...)
	return f.Tip().Height + top.number("total") - height, true
}

// movedHere reports whether a row is a non-fungible token of an account that was moved here since.
func (x *Exchange) movedHere(row json.RawMessage) bool {
	if !strings.HasSuffix(x.route.Pattern, "/nft/holdings") && !strings.HasSuffix(x.route.Pattern, "/balances/nft") {
		return false
	}
	var one struct {
		Asset string `json:"asset_identifier"`
		Value struct {
			Hex string `json:"hex"`
		} `json:"value"`
	}
	if json.Unmarshal(row, &one) != nil {
		return false
	}
	asset, err := stxtx.ParseAsset(one.Asset)
	token, wrong := clarity.DecodeHex(one.Value.Hex)
	return err == nil && wrong == nil && x.state().Ledger(asset.Contract).Moved(asset, token)
}

package api

import (
	"encoding/json"
	"math/big"
	"net/http"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
)

// plus adds to a decimal amount, and is never below zero.
func plus(amount string, more *big.Int) string {
	n, ok := new(big.Int).SetString(amount, 10)
	if !ok {
		n = new(big.Int)
	}
	if n.Add(n, more); n.Sign() < 0 {
		n.SetInt64(0)
	}
	return n.String()
}

// changes returns how much more or less an account has of a token here than on the live chain.
func changes(h *ledger.Holding) *big.Int { return new(big.Int).Sub(h.Received, h.Sent) }

// ofAssets answers with all that an account has: STX as the mock counts them, tokens as the live chain
// has them, and what was moved of them here.
func ofAssets(x *Exchange, f *world.Fork) {
	p, err := clarity.ParsePrincipal(x.param(0))
	if err == nil && x.unread(f.ReadAccounts(x.R.Context(), p)) {
		return
	}
	own, ok := x.own()
	if !ok || err != nil {
		return
	}
	a, ok := x.live(f, withQuery(x.Target(), "until_block", decimal(uint64(f.Tip().Height))))
	if !ok {
		return
	}
	var live map[string]map[string]map[string]string
	var tokens struct {
		Fungibles    map[string]map[string]string `json:"fungible_tokens"`
		NonFungibles map[string]map[string]string `json:"non_fungible_tokens"`
	}
	if json.Unmarshal(a.Body, &tokens) != nil || a.Status != http.StatusOK {
		x.pass(f, a)
		return
	}
	live = map[string]map[string]map[string]string{"fungible_tokens": tokens.Fungibles, "non_fungible_tokens": tokens.NonFungibles}
	for _, h := range x.state().Ledger(p).Holdings(p) {
		kind, name := "fungible_tokens", "balance"
		if h.Unique {
			kind, name = "non_fungible_tokens", "count"
		}
		one := live[kind][h.Asset.String()]
		if one == nil {
			continue // the mock's own row is kept
		}
		one[name] = plus(one[name], changes(h))
		one["total_sent"], one["total_received"] = plus(one["total_sent"], h.Sent), plus(one["total_received"], h.Received)
	}
	for kind, all := range live {
		var mine map[string]json.RawMessage
		_ = json.Unmarshal(own.values[kind], &mine) // it is the mock's own
		for asset, one := range all {
			mine[asset], _ = json.Marshal(one)
		}
		own.values[kind], _ = json.Marshal(mine)
	}
	x.W.Header()[forwardedHeader] = []string{f.Tip().API}
	x.Value(http.StatusOK, own)
}

// ofFungible answers with what an account has of one token.
func ofFungible(x *Exchange, f *world.Fork) {
	own, ok := x.own()
	if !ok {
		return
	}
	p, _ := clarity.ParsePrincipal(x.param(0)) // the handler has checked it
	a, ok := x.live(f, x.Target())
	if !ok {
		return
	}
	var live struct {
		Balance string `json:"balance"`
	}
	_ = json.Unmarshal(a.Body, &live) // an account without the token
	if h := x.fungibles(p)[x.param(1)]; h != nil {
		live.Balance = plus(live.Balance, changes(h))
	}
	own.values["balance"], _ = json.Marshal(plus(live.Balance, new(big.Int)))
	x.W.Header()[forwardedHeader] = []string{f.Tip().API}
	x.Value(http.StatusOK, own)
}

// fungibles returns the fungible tokens that were moved here to or from somebody, by their assets.
func (x *Exchange) fungibles(p clarity.Principal) map[string]*ledger.Holding {
	all := map[string]*ledger.Holding{}
	for _, h := range x.state().Ledger(p).Holdings(p) {
		if !h.Unique {
			all[h.Asset.String()] = h
		}
	}
	return all
}

// ofFungibles lists the tokens that an account has: those of the live chain with what was moved here, and on
// the first page before them those that it has here alone. A token of the live chain is one of these where the live
// list is on one page.
func ofFungibles(x *Exchange, f *world.Fork) {
	own, ok := x.own()
	if !ok {
		return
	}
	p, _ := clarity.ParsePrincipal(x.param(0)) // the handler has checked it
	live, ok := x.livePage(f, x.Target())
	if !ok {
		return
	}
	moved := x.fungibles(p)
	rows := []json.RawMessage{}
	for _, row := range live.rows {
		var one map[string]string
		_ = json.Unmarshal(row, &one) // as it came
		asset := one["token"] + one["asset_identifier"]
		if h := moved[asset]; h != nil {
			one["balance"] = plus(one["balance"], changes(h))
			row, _ = json.Marshal(one)
			delete(moved, asset)
		}
		if one["balance"] != "0" {
			rows = append(rows, row)
		}
	}
	_, below := QueryValue(x.R.URL.RawQuery, "cursor")
	if own.number("offset") == 0 && below == 0 {
		whole := live.number("total") <= int64(len(live.rows)) // what is not listed he does not have there
		for _, row := range own.rows {
			var one map[string]string
			_ = json.Unmarshal(row, &one) // it is the mock's own
			asset := one["token"] + one["asset_identifier"]
			id, _, _ := strings.Cut(asset, "::")
			if contract, err := clarity.ParseContract(id); err == nil && (x.isOwn(contract) || whole && moved[asset] != nil) {
				rows = append([]json.RawMessage{row}, rows...)
				live.setNumber("total", live.number("total")+1)
			}
		}
	}
	live.rows = rows
	x.W.Header()[forwardedHeader] = []string{f.Tip().API}
	x.Value(http.StatusOK, live)
}

package mockserver

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// filledPath returns the path of a route of the published document, with something for each of its parameters.
func filledPath(t *testing.T, s *Server, route string) string {
	t.Helper()
	latest := answerTo(t, s, "/extended/v2/blocks/latest")
	signer := textOf(answerTo(t, s, "/extended/v3/staking/signers"), "results", 0, "signer")
	values := map[string]string{
		"principal": anAccount, "address": anAccount, "stx_address": anAccount, "pool_principal": anAccount, "contract_id": signer,
		"hash": textOf(latest, "hash"), "block_hash": textOf(latest, "hash"), "burn_block_hash": textOf(latest, "burn_block_hash"),
		"height": fmt.Sprintf("%.0f", latest["height"]), "burn_block_height": fmt.Sprintf("%.0f", latest["burn_block_height"]), "height_or_hash": "latest",
		"tx_id": textOf(answerTo(t, s, "/extended/v3/transactions"), "results", 0, "tx_id"), "asset_identifier": signer + "::x", "token": signer + "::x",
		"pox": "pox4", "tld": "btc", "blockchain": "stacks", "timestamp": "1700000000", "tenure_height": "100", "bond_index": "1", "cycle_number": "90",
	}
	if strings.Contains(route, "/v3/") {
		values["cycle_number"] = "current"
	}
	return regexp.MustCompile(`\{[^}]*\}`).ReplaceAllStringFunc(strings.TrimSuffix(route, "/"), func(name string) string {
		if value := values[name[1:len(name)-1]]; value != "" {
			return value
		}
		return "1"
	})
}

// Every parameter in the query of every GET route that is served is held within what the service
// publishes, and a page is as long as it says where none is given.
func TestLimitsAreThoseThatTheServicePublishes(t *testing.T) {
	notRaced(t)
	s := anchored(t, today)
	data, err := os.ReadFile("testdata/limits-9.0.2.tsv")
	if err != nil {
		t.Fatal(err)
	}
	// What has to be there, by the end of a route.
	neededBy := map[string]string{
		"balance-changes": "tx_id=0x" + zeros, "multiple": "tx_id=0x" + zeros, "by_trait": "trait_abi=%7B%22functions%22:%5B%5D%7D", "holdings": "principal=" + anAccount,
		"history": "asset_identifier=" + anAccount + ".x::y&value=0x0100000000000000000000000000000001", "mints": "asset_identifier=" + anAccount + ".x::y",
	}
	tried, route, path, required := 0, "", "", ""
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		cells := append(strings.Split(line, "\t"), make([]string, 11)...)
		name, fallback, least, most, pattern, items, words := cells[2], cells[5], cells[6], cells[7], cells[8], cells[9], cells[10]
		if cells[0] != route {
			route = cells[0]
			path = filledPath(t, s, route)
			required = neededBy[path[strings.LastIndexByte(path, '/')+1:]]
		}
		if w := fetch(t, s, path); cells[3] != "query" || w.Code == 501 {
			continue
		}
		refuses := func(value, message string) {
			t.Helper()
			tried++
			target := path + "?" + name + "=" + url.QueryEscape(value)
			if !strings.HasPrefix(required, name+"=") {
				target += "&" + required
			}
			var body struct{ Code, Message string }
			w := fetch(t, s, target)
			if err := json.Unmarshal(w.Body.Bytes(), &body); message == "" {
				if w.Code == 400 && body.Code != "" && strings.Contains(body.Message, "/"+name) {
					t.Errorf("%s: %d %s", target, w.Code, w.Body)
				}
			} else if err != nil || w.Code != 400 || body.Code != "FST_ERR_VALIDATION" || !strings.Contains(body.Message, "querystring/"+name) || !strings.Contains(body.Message, message) {
				t.Errorf("%s: %d %s, want %s", target, w.Code, w.Body, message)
			}
		}
		if least != "" {
			n, _ := strconv.Atoi(least)
			refuses(strconv.Itoa(n-1), "must be >= "+least)
			refuses(least, "")
			refuses("abc", "must be ")
		}
		if most != "" {
			n, _ := strconv.Atoi(most)
			refuses(strconv.Itoa(n+1), "must be <= "+most)
			refuses(most, "")
		}
		if pattern != "" {
			refuses("~", `must match pattern "`+pattern)
		}
		if words != "" {
			refuses("nonsense", "must be equal to constant")
			for word := range strings.SplitSeq(words, ",") {
				refuses(word, "")
			}
		}
		if n, _ := strconv.Atoi(items); n > 0 {
			refuses(strings.Repeat(",0x"+zeros, n+1)[1:], "must NOT have more than "+items+" items")
			refuses(strings.Repeat(",0x"+zeros, n)[1:], "")
		}
		if w := fetch(t, s, path+"?"+required); name == "limit" && w.Code == 200 {
			var page struct{ Limit *json.Number }
			if json.Unmarshal(w.Body.Bytes(), &page) == nil && page.Limit != nil && page.Limit.String() != fallback {
				t.Errorf("%s: a page of %s, want %s", path, page.Limit, fallback)
			}
		}
	}
	if tried < 450 {
		t.Errorf("only %d values were tried", tried)
	}
}

// listRule is a list of v3 as the service has it.
type listRule struct {
	list          string
	fallback, max int
	pattern       string
	top, past     string // cursors of no row, before the first and behind the last one
	keepsTotal    bool   // past the end
	wholeBefore   bool   // the page before is named only where it has all its rows
}

const (
	placePattern   = `^[0-9]+:[0-9]+:[0-9]+$`
	receiptPattern = `^\d+:(0x)?[a-fA-F0-9]{64}$`
	signerPattern  = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$`
)

// Every list of v3 has the envelope, the sizes, the pattern and the rules of cursors of the service.
func TestEveryListOfV3KeepsTheRulesOfTheService(t *testing.T) {
	s := anchored(t, today)
	holders := answerTo(t, s, "/extended/v1/tokens/ft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-point::point/holders?limit=50")
	who := ""
	for _, row := range valueAt(holders, "results").([]any) {
		if textOf(row, "balance") == "1200" {
			who = textOf(row, "address") // one who has several of everything
		}
	}
	p, often := someone("mover"), ""
	for _, row := range walked(t, s, "/extended/v3/staking/bonds/1/registrations") {
		if staker := textOf(row, "staker"); answerTo(t, s, "/extended/v3/principals/"+staker+"/staking/bonds")["total"] == 3. {
			often = staker
		}
	}
	contract := p.address(true) + ".many"
	moves := `{"asset":"STX","from":"sender","to":"contract","amount":"u5"},{"asset":"` + contract + `::a","to":"sender","amount":"u5"},{"asset":"` + contract + `::b","to":"sender","amount":"u5"}`
	if w := post(s, "/mock/v1/contracts", "application/json", fmt.Appendf(nil, `{"contract":%q,"calls":{"go":{"result":"(ok true)","moves":[%s]}}}`, contract, moves)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	tx := p.mainnetTx(0, 3_000, stxtx.ContractCall{Contract: principalOf(t, contract), Function: "go", Args: []clarity.Value{}})
	tx.PostConditionMode = stxtx.ModeAllow
	id := "0x" + accepted(t, s, p.signed(t, tx))
	mine(t, s, 1)
	for nonce := range uint64(3) {
		accepted(t, s, p.signed(t, p.mainnetTx(1+nonce, 300, to(t, anAccount, 1))))
	}
	block := ""
	for height := valueAt(answerTo(t, s, "/extended/v2/blocks/latest"), "height").(float64); block == ""; height-- {
		if b := answerTo(t, s, fmt.Sprintf("/extended/v2/blocks/%.0f", height)); b["tx_count"].(float64) > 3 {
			block = fmt.Sprintf("%.0f", height)
		}
	}
	signer := ""
	for _, row := range walked(t, s, "/extended/v3/staking/signers") {
		if answerTo(t, s, "/extended/v3/staking/signers/"+textOf(row, "signer")+"/stakers")["total"].(float64) > 3 {
			signer = textOf(row, "signer")
		}
	}
	low, high := strings.Repeat("0", 41), strings.Repeat("Z", 41)
	mover, waits := "principals/"+p.address(true), "9999999999:"+strings.Repeat("f", 64)
	none := "0:" + strings.Repeat("0", 64)
	for _, r := range []listRule{
		{"staking/signers", 100, 250, signerPattern, low, high, false, false},
		{"staking/signers/" + signer + "/stakers", 100, 200, signerPattern, low, high, false, false},
		{"staking/bonds", 20, 50, `^\d+$`, "9999", "", true, false},
		{"staking/bonds/1/allowlist", 20, 50, placePattern, "99999999:0:0", "0:0:0", true, false},
		{"staking/bonds/1/registrations", 20, 50, placePattern, "99999999:0:0", "0:0:0", true, false},
		{"principals/" + often + "/staking/bonds", 20, 50, `^\d+$`, "", "9999", true, false},
		{"transactions", 20, 50, placePattern, "99999999:0:0", "0:0:0", false, false},
		{"blocks/" + block + "/transactions", 20, 50, placePattern, "99999999:0:0", "0:0:0", false, false},
		{"principals/" + who + "/transactions", 20, 50, placePattern, "99999999:0:0", "0:0:0", false, false},
		{"transactions/" + id + "/events", 20, 100, `^[0-9]+$`, "", "99", true, false},
		{"mempool/transactions", 20, 50, receiptPattern, waits, none, false, false},
		{mover + "/mempool/transactions", 20, 50, receiptPattern, waits, none, false, false},
		{"principals/" + who + "/balances/ft", 100, 200, `^\d+:.+$`, strings.Repeat("9", 30) + ":a", "0:zzz", false, false},
		{"principals/" + who + "/balances/nft", 100, 200, `^0x[0-9a-fA-F]*:.+$`, "0x:A", "0xff:zzz", false, false},
		{mover + "/transactions/" + id + "/balance-changes", 20, 50, `^[0-9]+:\S+$`, "0:a", "9:z", false, false},
		{mover + "/balance-changes?tx_id=" + id, 20, 50, `^[0-9]+:[0-9]+:[0-9]+:[0-9]+:\S+$`, "99999999:0:0:1:stx", "0:0:0:9:z", false, true},
	} {
		t.Run(r.list, func(t *testing.T) { keepsTheRules(t, s, r) })
	}
}

func keepsTheRules(t *testing.T, s *Server, r listRule) {
	target := "/extended/v3/" + r.list
	answer := func(query string) string {
		if strings.Contains(target, "?") {
			return target + "&" + query
		}
		return target + "?" + query
	}
	page := func(query string) (rows []any, next, previous, current any, total float64) {
		t.Helper()
		w := fetch(t, s, answer(query))
		if w.Code != 200 || !regexp.MustCompile(`^\{"total":\d+,"limit":\d+,"cursor":\{"next":(null|"[^"]*"),"previous":(null|"[^"]*"),"current":(null|"[^"]*")\},"results":\[`).Match(w.Body.Bytes()) {
			t.Fatalf("%s: %d %.300s", query, w.Code, w.Body)
		}
		body := read[map[string]any](t, w)
		c := body["cursor"]
		return body["results"].([]any), valueAt(c, "next"), valueAt(c, "previous"), valueAt(c, "current"), body["total"].(float64)
	}
	wants := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	wants("the size of a page", answerTo(t, s, answer(""))["limit"], r.fallback)
	wants("the largest page", answerTo(t, s, answer(fmt.Sprintf("limit=%d", r.max)))["limit"], r.max)
	for query, message := range map[string]string{
		"limit=0": "querystring/limit must be >= 1", fmt.Sprintf("limit=%d", r.max+1): fmt.Sprintf("querystring/limit must be <= %d", r.max), "limit=abc": "querystring/limit must be integer",
		"cursor=": `querystring/cursor must match pattern "` + r.pattern + `"`, "cursor=~": `querystring/cursor must match pattern "` + r.pattern + `"`,
	} {
		w := fetch(t, s, answer(query))
		quoted := strings.ReplaceAll(message, `\`, `\\`)
		wants(query, w.Body, `{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"`+strings.ReplaceAll(quoted, `"`, `\"`)+`"}`)
	}
	all, end, _, first, total := page(fmt.Sprintf("limit=%d", r.max))
	if len(all) < 3 || end == nil && total != float64(len(all)) {
		t.Fatalf("%d rows of %.0f", len(all), total)
	}
	rows, second, above, current, _ := page("limit=1")
	wants("the first page", []any{rows, above, current}, []any{all[:1], nil, first})
	rows, third, above, current, _ := page("limit=1&cursor=" + url.QueryEscape(second.(string)))
	wants("the second page", []any{rows, above, current}, []any{all[1:2], first, second})
	rows, _, above, current, _ = page("limit=2&cursor=" + url.QueryEscape(third.(string)))
	wants("the page from the third row on", []any{rows, above, current}, []any{all[2:min(4, len(all))], first, third})
	_, _, above, _, _ = page("limit=2&cursor=" + url.QueryEscape(second.(string)))
	wants("the page before the second row, of two", above, map[bool]any{false: first}[r.wholeBefore])
	if r.top != "" {
		rows, next, above, current, _ := page("limit=1&cursor=" + url.QueryEscape(r.top))
		wants("from before the first row on", []any{rows, next, above, current}, []any{all[:1], second, nil, first})
	}
	if r.past != "" {
		rows, next, above, current, left := page("limit=2&cursor=" + url.QueryEscape(r.past))
		wants("past the end", []any{len(rows), next, above, current, left}, []any{0, nil, nil, nil, map[bool]float64{true: total}[r.keepsTotal]})
	}
}

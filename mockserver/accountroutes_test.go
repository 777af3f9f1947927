package mockserver

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"
)

// answerTo decodes the answer of a route, and fails for anything but 200.
func answerTo(t testing.TB, s *Server, target string) map[string]any {
	t.Helper()
	var body map[string]any
	if w := get(s, target); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &body) != nil {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return body
}

// valueAt follows names and places into what was decoded.
func valueAt(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

// Every route that reports what somebody has says the same, and supply is the sum of balances.
func TestAllRoutesReportTheSameBalance(t *testing.T) {
	d := newScene(t, apitest.Version9, nil)
	token := d.call("").Contract.String() + "::demo"
	sum := new(big.Int)
	holders := answerTo(t, d.s, "/extended/v1/tokens/ft/"+token+"/holders")
	for i := range 2 {
		who, balance := valueAt(holders, "results", i, "address").(string), valueAt(holders, "results", i, "balance")
		n, _ := new(big.Int).SetString(balance.(string), 10)
		sum.Add(sum, n)
		v1, v2, v3 := "/extended/v1/address/"+who, "/extended/v2/addresses/"+who, "/extended/v3/principals/"+who
		for where, got := range map[string]any{
			"v1":        valueAt(answerTo(t, d.s, v1+"/balances"), "fungible_tokens", token, "balance"),
			"v2":        valueAt(answerTo(t, d.s, v2+"/balances/ft"), "results", 0, "balance"),
			"one of v2": valueAt(answerTo(t, d.s, v2+"/balances/ft/"+token), "balance"),
			"v3":        valueAt(answerTo(t, d.s, v3+"/balances/ft"), "results", 0, "balance"),
			"one of v3": valueAt(answerTo(t, d.s, v3+"/balances/ft/"+token), "balance"),
		} {
			if got != balance {
				t.Errorf("%s has %v by %s, by its holders %v", who, got, where, balance)
			}
		}
		stx := valueAt(answerTo(t, d.s, v1+"/stx"), "balance")
		node := fmt.Sprint(valueAt(answerTo(t, d.s, "/v2/accounts/"+who), "balance"))
		micro, _ := new(big.Int).SetString(strings.TrimPrefix(node, "0x"), 16)
		for where, got := range map[string]any{
			"v2": valueAt(answerTo(t, d.s, v2+"/balances/stx"), "balance"), "v3": valueAt(answerTo(t, d.s, v3+"/balances/stx"), "balance"),
			"the node": micro.String(), "a search": valueAt(answerTo(t, d.s, "/extended/v1/search/"+who+"?include_metadata=true"), "result", "metadata", "balance"),
		} {
			if got != stx {
				t.Errorf("%s has %v micro-STX by %s, by v1 %v", who, got, where, stx)
			}
		}
	}
	if got := fmt.Sprint(valueAt(holders, "total_supply")); got != sum.String() || got != "999999" {
		t.Errorf("the supply is %s, the balances are %s", got, sum)
	}
	ticket := strings.TrimSuffix(token, "demo") + "ticket"
	one := "/extended/v1/tokens/nft/history?asset_identifier=" + ticket + "&value=" + "0x01" + strings.Repeat("0", 31) + "1"
	for target, want := range map[string]float64{one: 1, strings.TrimSuffix(one, "1") + "2": 0, "/extended/v1/tokens/nft/mints?asset_identifier=" + ticket: 1} {
		if got := valueAt(answerTo(t, d.s, target), "total"); got != want {
			t.Errorf("%s: %v events, want %v", target, got, want)
		}
	}
	if got := valueAt(answerTo(t, d.s, one+"&tx_metadata=true"), "results", 0, "tx", "tx_status"); got != "success" {
		t.Errorf("the transaction of a mint is %v", got)
	}
}

// An ETag is valid as long as its answer.
func TestValidatorsHoldAsLongAsTheirAnswers(t *testing.T) {
	untouched := anchored(t)
	if a, b := get(untouched, blockURL), get(untouched, "/extended/v1/tx?limit=1"); a.Header().Get("Etag") != b.Header().Get("Etag") {
		t.Errorf("nothing was done: %q for blocks, %q for transactions", a.Header().Get("Etag"), b.Header().Get("Etag"))
	}
	v := newVillage(t, version("9"))
	alice, bob := v.alice.address(false), v.bob.address(false)
	const unused = "/extended/v3/principals/ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC/balances/stx"
	tag := func(target string) string { return get(v.s, target).Header().Get("Etag") }
	mined, waits := "/extended/v3/transactions/"+v.paid, "/extended/v1/tx/"+v.late
	contract := "/extended/v3/principals/" + v.token.String() + "/transactions"
	before := map[string]string{}
	for _, target := range []string{mined, waits, contract, "/extended/v3/principals/" + bob + "/nonces", "/extended/v1/tx", "/extended/v3/mempool/transactions"} {
		if before[target] = tag(target); before[target] == "" {
			t.Errorf("%s has no validator", target)
		}
		if w := get(v.s, target, "If-None-Match", before[target]); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("%s, the same: %d %s", target, w.Code, w.Body)
		}
	}
	if w := get(v.s, unused); w.Header().Get("Etag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("an account that nobody used: %v", w.Header())
	}
	mine(t, v.s, 1)
	for target, old := range before {
		if stays := target == mined || target == contract; (tag(target) == old) != stays {
			t.Errorf("%s: the validator stays: %t, want %t", target, !stays, stays)
		}
	}
	if w := post(v.s, "/mock/v1/accounts", "application/json", []byte(`{"address":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC","balance":"5"}`)); w.Code != 200 || tag(unused) == "" {
		t.Errorf("an account that was set has no validator: %d", w.Code)
	}
	if w := get(v.s, "/extended/v1/address/"+alice+"/transactions?limit=x", "If-None-Match", "*"); w.Code != 400 {
		t.Errorf("a wrong limit with a validator: %d", w.Code)
	}
}

// A query has room for as many ids as the first line of a request.
func TestManyTransactionsAreFoundAtOnce(t *testing.T) {
	v := newVillage(t)
	ids := slices.Repeat([]string{v.paid}, 240)
	if got := answerTo(t, v.s, "/extended/v1/tx/multiple?tx_id="+strings.Join(ids, ",")); len(got) != 1 || valueAt(got, v.paid, "found") != true {
		t.Errorf("found %v", got)
	}
	w := get(v.s, "/extended/v1/tx/multiple?tx_id="+strings.Join(ids, "&tx_id="))
	if w.Code != 431 || !strings.Contains(w.Body.String(), `"statusCode":431`) {
		t.Errorf("more than fits: %d %s", w.Code, w.Body)
	}
	if w := get(v.s, "/extended/v1/tx/multiple?tx_id="+v.paid[2:]); w.Code != 400 || !strings.Contains(w.Body.String(), `missing the \"0x\" prefix`) {
		t.Errorf("without 0x: %d %s", w.Code, w.Body)
	}
}

// The list of transactions is narrowed and ordered as requested.
func TestTransactionsAreFilteredAndOrdered(t *testing.T) {
	v := newVillage(t)
	alice, bob := v.alice.address(false), v.bob.address(false)
	for query, want := range map[string][]string{
		"from_address=" + alice:                {v.failed, v.paid, v.moved, v.deploy},
		"from_address=" + alice + "&order=asc": {v.deploy, v.moved, v.paid, v.failed},
		"from_address=" + alice + "&nonce=2":   {v.paid},
		"to_address=" + bob:                    {v.paid},
		"contract_id=" + v.token.String():      {v.failed, v.moved},
		"contract_id=" + v.token.String() + "&type=contract_call&function_name=add": {v.failed},
		"from_address=" + alice + "&start_time=99999999999":                         {},
		"from_address=" + alice + "&end_time=1":                                     {},
	} {
		got := []string{}
		body := answerTo(t, v.s, "/extended/v1/tx?"+query)
		for i := range int(valueAt(body, "total").(float64)) {
			got = append(got, valueAt(body, "results", i, "tx_id").(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	accepted(t, v.s, v.bob.signed(t, v.bob.testnetTx(0, 9_000, to(t, alice, 1))))
	for query, want := range map[string]string{"order_by=fee": "9000", "order_by=fee&order=asc": "3000", "sender_address=" + bob: "9000"} {
		if got := valueAt(answerTo(t, v.s, "/extended/v1/tx/mempool?"+query), "results", 0, "fee_rate"); got != want {
			t.Errorf("%s: the first pays %v, want %s", query, got, want)
		}
	}
}

// An id is searched for whatever it is of.
func TestSearchReportsWhatAnIDIs(t *testing.T) {
	v := newVillage(t)
	tip := read[listBody](t, get(v.s, blockURL+"?limit=1")).Results[0]
	for id, want := range map[string]string{
		v.paid: "tx_id", v.paid[2:]: "tx_id", v.late: "mempool_tx_id", tip.Hash: "block_hash", v.token.String(): "contract_address", v.alice.address(false): "standard_address",
	} {
		body := answerTo(t, v.s, "/extended/v1/search/"+id)
		if got := valueAt(body, "result", "entity_type"); got != want || valueAt(body, "result", "metadata") != nil {
			t.Errorf("%s is a %v, want %s", id, got, want)
		}
	}
	for _, id := range []string{v.token.String(), "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full"} {
		deployed := valueAt(answerTo(t, v.s, "/extended/v1/contract/"+id), "tx_id")
		for _, query := range []string{"", "?include_metadata=true"} {
			found := valueAt(answerTo(t, v.s, "/extended/v1/search/"+id+query), "result")
			if got := valueAt(found, "tx_data", "tx_id"); deployed == nil || got != deployed || valueAt(found, "tx_data", "tx_type") != "smart_contract" {
				t.Errorf("%s%s was deployed by %v, want %v", id, query, got, deployed)
			}
		}
	}
	for id, want := range map[string]string{
		"0x" + strings.Repeat("ab", 32): "unknown_hash", "\x1b[2J": "invalid_term", someone("nobody").address(true): "standard_address", v.alice.address(false) + ".none": "contract_address",
	} {
		w := get(v.s, "/extended/v1/search/"+strings.ReplaceAll(id, "\x1b", "%1b"))
		if w.Code != 404 || !strings.Contains(w.Body.String(), `{"found":false,"result":{"entity_type":"`+want+`"}`) || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q: %d %s", id, w.Code, w.Body)
		}
	}
}

// The cursors of v2 lead from page to page, older ones by prev_cursor.
func TestHistoryIsWalkedByTheCursorsOfV2(t *testing.T) {
	v := newVillage(t, version("9"))
	target := "/extended/v2/addresses/" + v.alice.address(false) + "/transactions?limit=1"
	var seen []string
	for next := any(""); next != nil; {
		body := answerTo(t, v.s, target+strings.TrimSuffix("&cursor="+next.(string), "&cursor="))
		seen = append(seen, valueAt(body, "results", 0, "tx", "tx_id").(string))
		if newer := valueAt(body, "next_cursor"); (newer == nil) != (len(seen) == 1) || valueAt(body, "total") != 4.0 {
			t.Errorf("page %d: newer %v, total %v", len(seen), newer, valueAt(body, "total"))
		}
		next = valueAt(body, "prev_cursor")
	}
	if want := []string{v.failed, v.paid, v.moved, v.deploy}; !slices.Equal(seen, want) {
		t.Errorf("walked %v, want %v", seen, want)
	}
	if w := get(v.s, target+"&cursor=0x12:1:1"); w.Code != 404 {
		t.Errorf("a cursor of nothing: %d %s", w.Code, w.Body)
	}
}

// A block is the same by its hash, its height and as the newest of its burn block.
func TestABlockIsTheSameByHashAndHeight(t *testing.T) {
	v := newVillage(t)
	tip := read[listBody](t, get(v.s, blockURL+"?limit=1")).Results[0]
	want := get(v.s, byHash+tip.BurnBlockHash)
	for _, target := range []string{blockURL + "/" + tip.Hash, fmt.Sprintf("%s/by_height/%d", blockURL, tip.Height)} {
		if w := get(v.s, target); w.Code != 200 || w.Body.String() != want.Body.String() {
			t.Errorf("%s: %d %s\nwant %s", target, w.Code, w.Body, want.Body)
		}
	}
	if w := get(v.s, blockURL+"/"+tip.Hash[2:]); w.Code != 302 || w.Header().Get("Location") != blockURL+"/"+tip.Hash {
		t.Errorf("without 0x: %d %s", w.Code, w.Header())
	}
	d := newScene(t, apitest.Version8, nil)
	held := "/extended/v1/tokens/nft/holdings?principal=" + d.people[recordedA].address(false)
	id := valueAt(answerTo(t, d.s, held), "results", 0, "tx_id")
	if got := valueAt(answerTo(t, d.s, held+"&tx_metadata=true"), "results", 0); id == "" || valueAt(got, "tx", "tx_id") != id || valueAt(got, "tx_id") != nil {
		t.Errorf("held since %v: %v", id, got)
	}
}

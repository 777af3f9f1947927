package mockserver

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"chainscope/mockserver/history"
	"chainscope/wallet/c32"
)

// TestTheHistoryOfAKnownAccountAddsUp reads the account on both networks through
// every route, and each of its transactions in its block.
func TestTheHistoryOfAKnownAccountAddsUp(t *testing.T) {
	s := anchored(t)
	known, err := c32.ParseAddress("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	if err != nil {
		t.Fatal(err)
	}
	onTestnet := c32.Address{Version: c32.TestnetP2PKH, Hash160: known.Hash160}
	for who, count := range map[string]int{known.String(): 12, onTestnet.String(): 8} {
		list := read[struct {
			Total   int
			Results []struct {
				Received string         `json:"stx_received"`
				Tx       map[string]any `json:"tx"`
			}
		}](t, get(s, "/extended/v1/address/"+who+"/transactions_with_transfers?limit=50"))
		if list.Total != count || len(list.Results) != count {
			t.Fatalf("%s: %d of %d transactions, want %d", who, len(list.Results), list.Total, count)
		}
		sum := new(big.Int)
		last := 1e18
		for _, r := range list.Results {
			received, _ := new(big.Int).SetString(r.Received, 10)
			sum.Add(sum, received)
			height := r.Tx["block_height"].(float64)
			if height > last {
				t.Errorf("%s: block %v comes after %v", who, height, last)
			}
			last = height
			b := blockAt(t, s, int64(height), int64(r.Tx["burn_block_height"].(float64)))
			if index := int(r.Tx["tx_index"].(float64)); b.Txs[len(b.Txs)-1-index] != r.Tx["tx_id"] {
				t.Errorf("%s: %v is not at %d of block %v", who, r.Tx["tx_id"], index, height)
			}
			if one := read[map[string]any](t, get(s, "/extended/v1/tx/"+r.Tx["tx_id"].(string))); one["tx_status"] != "success" || one["block_hash"] != b.Hash {
				t.Errorf("%v", one)
			}
		}
		stx := read[map[string]any](t, get(s, "/extended/v1/address/"+who+"/stx"))
		if sum.String() != stx["total_received"] || stx["balance"] != stx["total_received"] {
			t.Errorf("%s received %s in transactions, and %v in all", who, sum, stx)
		}
	}
	balances := read[map[string]map[string]any](t, get(s, "/extended/v1/address/"+known.String()+"/balances"))
	if len(balances["fungible_tokens"]) != 3 || len(balances["non_fungible_tokens"]) != 2 { // one of them a name
		t.Errorf("%v", balances)
	}
	holdings := read[struct{ Total int }](t, get(s, "/extended/v1/tokens/nft/holdings?principal="+known.String()))
	if holdings.Total != 2 {
		t.Errorf("%d non-fungible tokens", holdings.Total)
	}
}

// blockAt finds a block through its burn block.
func blockAt(t *testing.T, s *Server, height, burn int64) blockTxs {
	t.Helper()
	tip := read[catalogBody](t, get(s, "/mock/v1/catalog")).Tip.Height
	page := read[struct{ Results []blockTxs }](t, get(s, fmt.Sprintf("/extended/v1/block?limit=1&offset=%d", tip-height))).Results
	if len(page) != 1 || page[0].Height != height || page[0].BurnHeight != burn {
		t.Fatalf("block %d of burn block %d: %+v", height, burn, page)
	}
	return page[0]
}

func TestTheGiversHistoryHasWhatItGave(t *testing.T) {
	s := anchored(t)
	known := history.Accounts(true)[0].String()
	giver := read[struct{ Results []map[string]any }](t, get(s, "/extended/v1/address/"+known+"/transactions")).Results[0]["sender_address"].(string)
	all := read[struct {
		Total   int
		Results []map[string]any
	}](t, get(s, "/extended/v1/address/"+giver+"/transactions?limit=50"))
	account := read[struct{ Nonce int }](t, get(s, "/v2/accounts/"+giver+"?proof=0"))
	if all.Total != account.Nonce || all.Results[0]["nonce"] != float64(account.Nonce-1) {
		t.Errorf("%d transactions, the next nonce is %d, the newest %v", all.Total, account.Nonce, all.Results[0]["nonce"])
	}
}

// TestAHistoryStaysBehindTheClock goes to a time at which some of it was to come.
func TestAHistoryStaysBehindTheClock(t *testing.T) {
	s := anchored(t)
	total := func() int {
		return read[struct{ Total int }](t, get(s, "/extended/v1/address/SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J/transactions")).Total
	}
	before := total()
	if w := post(s, "/mock/v1/clock", "application/json", []byte(`{"set":"2025-12-10T00:00:00Z"}`)); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if after := total(); after == 0 || after >= before {
		t.Errorf("%d transactions, and %d earlier", before, after)
	}
	alice := someone("alice")
	id := "0x" + accepted(t, s, alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 1))))
	mine(t, s, 1)
	list := read[struct{ Results []map[string]json.RawMessage }](t, get(s, "/extended/v1/tx?limit=1")).Results
	if !slices.Equal([]byte(`"`+id+`"`), list[0]["tx_id"]) {
		t.Errorf("the newest is %s, want %s", list[0]["tx_id"], id)
	}
}

// Some strangers have several tokens of each kind and several transactions, so that each of their
// lists has pages, in which every row comes once; holders of a token are among them.
func TestTheListsOfSomeStrangersHavePages(t *testing.T) {
	s := anchored(t)
	holders := answerTo(t, s, "/extended/v1/tokens/ft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-point::point/holders?limit=50")
	var regulars []string
	for _, row := range valueAt(holders, "results").([]any) {
		if textOf(row, "balance") == "1200" {
			regulars = append(regulars, textOf(row, "address"))
		}
	}
	if len(regulars) != 6 {
		t.Fatalf("%d strangers have the same: %v", len(regulars), holders)
	}
	for _, who := range regulars[:2] {
		v3 := "/extended/v3/principals/" + who
		for list, least := range map[string]int{"/transactions": 21, "/balances/ft": 6, "/balances/nft": 7} {
			rows := walked(t, s, v3+list)
			seen := map[string]bool{}
			for _, row := range rows {
				seen[fmt.Sprint(row)] = true
			}
			if len(rows) < least || len(seen) != len(rows) {
				t.Errorf("%s%s: %d rows, %d of them others", who, list, len(rows), len(seen))
			}
		}
		received, sum := answerTo(t, s, "/extended/v1/address/"+who+"/stx"), new(big.Int)
		for _, row := range walked(t, s, v3+"/transactions") {
			sum.Add(sum, amountOf(t, row, "balance_changes", "stx", "received"))
		}
		if textOf(received, "total_received") != sum.String() || received["balance"] != received["total_received"] {
			t.Errorf("%s received %s in transactions, and has %v", who, sum, received)
		}
	}
}

package mockserver

import (
	"net/http"
	"strings"
	"testing"
)

// What a faucet sends is a transfer like any: it waits, is mined, and moves 500 STX.
func TestTheFaucetSendsToAnyAddress(t *testing.T) {
	for _, mainnet := range []bool{true, false} {
		s := anchored(t, version("9"))
		to := someone("thirsty").address(mainnet)
		stx := func() string {
			return read[struct{ Balance string }](t, fetch(t, s, "/extended/v1/address/"+to+"/stx")).Balance
		}
		before := stx()
		var ids []string
		for range 30 { // more than one account may have waiting
			got := read[struct {
				Success bool
				TxID    string `json:"txId"`
				Raw     string `json:"txRaw"`
			}](t, ask(t, s, "POST", "/extended/v1/faucets/stx?address="+to))
			if !got.Success || len(got.TxID) != 66 || !strings.HasPrefix(got.Raw, "00000000") && !strings.HasPrefix(got.Raw, "80800000") {
				t.Fatalf("%+v", got)
			}
			ids = append(ids, got.TxID)
		}
		if stx() != before {
			t.Error("it came before a block had it")
		}
		for range 2 {
			if _, err := s.world.Mine(1); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range ids {
			tx := read[struct {
				Status   string `json:"tx_status"`
				Transfer struct {
					Amount    string
					Recipient string `json:"recipient_address"`
				} `json:"token_transfer"`
			}](t, fetch(t, s, "/extended/v1/tx/"+id))
			if tx.Status != "success" || tx.Transfer.Amount != "500000000" || tx.Transfer.Recipient != to {
				t.Fatalf("%s: %+v", id, tx)
			}
		}
		if before != "1000000000000" || stx() != "1015000000000" {
			t.Errorf("from %s to %s", before, stx())
		}
		for target, want := range map[string]string{"": "address required", "?address=ST1": `invalid STX address \"ST1\"`} {
			if w := ask(t, s, "POST", "/extended/v1/faucets/stx"+target); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Body.String(), `"success":false`) {
				t.Errorf("%q: %d %s", target, w.Code, w.Body)
			}
		}
	}
}

// A name says who has it, the owner's names have it, and a free one is 404 in the service's words.
func TestNamesAreFoundByNameAndByOwner(t *testing.T) {
	s := anchored(t, version("9"))
	name := read[struct {
		Address, Blockchain, Status string
		LastTxID                    string `json:"last_txid"`
	}](t, fetch(t, s, "/v1/names/muneeb.btc"))
	if name.Address == "" || name.Blockchain != "stacks" {
		t.Fatalf("%+v", name)
	}
	of := read[struct{ Names []string }](t, fetch(t, s, "/v1/addresses/stacks/"+name.Address))
	if len(of.Names) != 1 || of.Names[0] != "muneeb.btc" {
		t.Errorf("%s has %v", name.Address, of.Names)
	}
	listed := read[[]string](t, fetch(t, s, "/v1/namespaces/btc/names?page=3"))
	other := read[struct{ Address string }](t, fetch(t, s, "/v1/names/"+listed[7]))
	if of := read[struct{ Names []string }](t, fetch(t, s, "/v1/addresses/stacks/"+other.Address)); len(of.Names) != 1 || of.Names[0] != listed[7] {
		t.Errorf("%s of %s has %v", other.Address, listed[7], of.Names)
	}
	for target, want := range map[string]string{
		"/v1/names/nobody-has-this.btc": `{"error":"cannot find name nobody-has-this.btc"}`,
		"/v1/names/muneeb.nothing":      `{"error":"cannot find name muneeb.nothing"}`,
		"/v1/names/muneeb":              `{"error":"cannot find name muneeb"}`,
		"/v1/names/a.muneeb.btc":        `{"error":"cannot find subdomain a.muneeb.btc"}`,
	} {
		if w := fetch(t, s, target); w.Code != 404 || w.Body.String() != want || w.Header().Get("X-Mock-Missing") != "" {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := fetch(t, s, "/v1/addresses/bitcoin/"+name.Address); w.Code != 400 || w.Body.String() != thrown(400, "Unsupported blockchain") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := fetch(t, s, "/v1/addresses/stacks/zzz"); w.Body.String() != `{"names":[]}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The supply is what /v2/pox says, in each of its forms.
func TestTheSupplyIsThatOfPoX(t *testing.T) {
	s := anchored(t, version("9"))
	pox := read[struct {
		Supply int64 `json:"total_liquid_supply_ustx"`
	}](t, fetch(t, s, "/v2/pox"))
	if pox.Supply != 1_700_000_000_000_000 {
		t.Fatal(pox.Supply)
	}
	for path, want := range map[string]string{
		"":                   `{"unlocked_percent":"100.00","total_stx":"1700000000.000000","total_stx_year_2050":"2318000000.000000","unlocked_stx":"1700000000.000000","block_height":1000000}`,
		"?height=5":          `{"unlocked_percent":"100.00","total_stx":"1700000000.000000","total_stx_year_2050":"2318000000.000000","unlocked_stx":"1700000000.000000","block_height":5}`,
		"/total/plain":       "1700000000.000000",
		"/circulating/plain": "1700000000.000000",
		"/legacy_format": `{"unlockedPercent":"100.00","totalStacks":"1700000000.000000","totalStacksFormatted":"1,700,000,000.000000",` +
			`"totalStacksYear2050":"2318000000.000000","totalStacksYear2050Formatted":"2,318,000,000.000000","unlockedSupply":"1700000000.000000",` +
			`"unlockedSupplyFormatted":"1,700,000,000.000000","blockHeight":"1000000"}`,
	} {
		if w := fetch(t, s, "/extended/v1/stx_supply"+path); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := ask(t, s, "POST", "/extended/v1/fee_rate/"); w.Body.String() != `{"fee_rate":400}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

package mockserver

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
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
			}](t, request(t, s, "POST", "/extended/v1/faucets/stx?address="+to))
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
			if w := request(t, s, "POST", "/extended/v1/faucets/stx"+target); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Body.String(), `"success":false`) {
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
	if w := request(t, s, "POST", "/extended/v1/fee_rate/"); w.Body.String() != `{"fee_rate":400}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The list of all names is that of the namespaces, in one order; its pages count from 0.
func TestAllNamesAreThoseOfTheNamespaces(t *testing.T) {
	const few = 2_000
	s := anchored(t, version("9"), func(c *Config) { c.Names = few })
	var want []string
	for _, space := range read[struct{ Namespaces []string }](t, fetch(t, s, "/v1/namespaces")).Namespaces {
		for page := 1; ; page++ {
			w := fetch(t, s, fmt.Sprintf("/v1/namespaces/%s/names?page=%d&unanchored=true", space, page))
			if w.Code != http.StatusOK || w.Body.String() == "[]" {
				break
			}
			want = append(want, read[[]string](t, w)...)
		}
	}
	slices.Sort(want)
	for _, page := range []int{0, 1, 7, len(want) / 200, len(want) / 100} {
		got := read[[]string](t, fetch(t, s, fmt.Sprintf("/v1/names?unanchored=true&page=%d", page)))
		if !slices.Equal(got, want[100*page:min(len(want), 100*page+100)]) {
			t.Errorf("page %d of %d names: %d, from %s", page, len(want), len(got), got[0])
		}
	}
	for target, refused := range map[string]string{
		fmt.Sprintf("/v1/names?page=%d", len(want)/100+1): `{"error":"Invalid page"}`,
		"/v1/names?page=-1":   validation("querystring/page must be >= 0"),
		"/v1/names?page=1e18": `{"error":"Invalid page"}`,
	} {
		if w := fetch(t, s, target); w.Code != http.StatusBadRequest || w.Body.String() != refused {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if first := read[[]string](t, fetch(t, s, "/v1/names")); len(first) != 100 || !slices.IsSorted(first) {
		t.Errorf("%v", first)
	}
}

// Prices are those of BNS v1, and what lies below a name is what the name itself says.
func TestWhatANameCostsAndHas(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("8"))
	own := []schema{loadSchema(t, "our own", fetch(t, s, "/openapi.json").Body.Bytes())}
	for target, want := range map[string]string{
		"/v2/prices/names/muneeb.btc":       `{"units":"STX","amount":"2000000"}`,
		"/v2/prices/names/x.btc":            `{"units":"STX","amount":"2000000"}`,
		"/v2/prices/names/a.id":             `{"units":"STX","amount":"10240000"}`,
		"/v2/prices/names/xx.id":            `{"units":"STX","amount":"640000"}`, // a quarter without vowels
		"/v2/prices/names/a1.id":            `{"units":"STX","amount":"640000"}`, // and with digits
		"/v2/prices/names/aaaaaaa.id":       `{"units":"STX","amount":"2500"}`,
		"/v2/prices/names/muneeb":           `{"error":"Invalid name"}`,
		"/v2/prices/names/a.b.btc":          `{"error":"Invalid name"}`,
		"/v2/prices/names/a.nowhere":        `{"error":"Invalid name"}`,
		"/v2/prices/namespaces/a":           `{"units":"STX","amount":"640000000000"}`,
		"/v2/prices/namespaces/abc":         `{"units":"STX","amount":"64000000000"}`,
		"/v2/prices/namespaces/abcd":        `{"units":"STX","amount":"6400000000"}`,
		"/v2/prices/namespaces/abcdefgh":    `{"units":"STX","amount":"640000000"}`,
		"/v2/prices/namespaces/" + zeros:    `{"error":"Invalid namespace"}`,
		"/v1/names/muneeb.btc/zonefile":     `{"zonefile":""}`,
		"/v1/names/nobody.nowhere/zonefile": `{"error":"No such name or zonefile does not exist"}`,
		"/v1/names/muneeb.btc/zonefile/b1":  `{"error":"No such name or zonefile"}`,
		"/v1/names/muneeb.btc/subdomains":   `[]`,
	} {
		w := fetch(t, s, target)
		if agrees(t, own, target, w) == 0 {
			t.Errorf("%s is in no document", target)
		}
		if w.Body.String() != want || strings.Contains(want, "Invalid") != (w.Code == http.StatusBadRequest) || strings.Contains(want, "No such") != (w.Code == http.StatusNotFound) {
			t.Errorf("%s: %d %s, want %s", target, w.Code, w.Body, want)
		}
	}
}

// The faucet's transaction pays 0.01 BTC to whatever address, in the query or in the body.
func TestTheFaucetPaysBitcoinToAnyAddress(t *testing.T) {
	s := anchored(t, version("9"))
	const main, key = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "0014e8df018c7e326cc253faac7e46cdc51e68542c42"
	seen := map[string]bool{}
	pays := func(w *httptest.ResponseRecorder, script string, amount int64) {
		t.Helper()
		got := read[struct {
			TxID    string `json:"txid"`
			Raw     string `json:"raw_tx"`
			Success bool
		}](t, w)
		raw, _ := hex.DecodeString(got.Raw)
		var tx wire.MsgTx
		if err := tx.Deserialize(bytes.NewReader(raw)); err != nil || !got.Success || tx.TxHash().String() != got.TxID || seen[got.TxID] {
			t.Fatalf("%+v: %v", got, err)
		}
		seen[got.TxID] = true
		if out := tx.TxOut[0]; out.Value != amount || hex.EncodeToString(out.PkScript) != script {
			t.Errorf("%+v pays %+v", got, tx.TxOut[0])
		}
	}
	const faucet = "/extended/v1/faucets/btc"
	for range 2 {
		pays(request(t, s, "POST", faucet+"?address="+main), key, 1_000_000)
	}
	pays(request(t, s, "POST", faucet+"?xlarge=true&address=2N4M94S1ZPt8HfxydXzL2P7qyzgVq7MHWts"), "a91479c7c3eae5bddacb7337be86cae89a746e493b7087", 50_000_000)
	post := func(body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("POST", "http://127.0.0.1"+faucet, strings.NewReader(body)))
		return w
	}
	pays(post(`{"address":"`+main+`"}`), key, 1_000_000)
	pays(post("address="+main), key, 1_000_000)
	for target, want := range map[string]string{
		"":             "address required",
		"?address=ST1": "Invalid BTC regtest address",
		"?large=true&xlarge=true&address=" + main: "cannot simultaneously request a large and xlarge amount",
	} {
		if w := request(t, s, "POST", faucet+target); w.Code != http.StatusBadRequest || w.Body.String() != `{"error":"`+want+`","success":false}` {
			t.Errorf("%q: %d %s", target, w.Code, w.Body)
		}
	}
}

// A node answers with the bytes of a transaction in its mempool, in every version of the API, and of no other.
func TestANodeReturnsTheBytesOfWhatWaits(t *testing.T) {
	for _, v := range []string{"8", "9", "sunset", "v3"} {
		s := anchored(t, version(v))
		alice, bob := someone("alice"), someone("bob")
		raw := alice.signed(t, alice.mainnetTx(0, 500, to(t, bob.address(true), 7)))
		id := accepted(t, s, raw)
		target := "/v2/transactions/unconfirmed/" + id
		if w := fetch(t, s, target); w.Code != 200 || w.Body.String() != fmt.Sprintf(`{"tx":"%x","status":"Mempool"}`, raw) {
			t.Errorf("%s: %d %s", v, w.Code, w.Body)
		}
		if w := post(s, "/mock/v1/mine", "application/json", []byte(`{"blocks":1}`)); w.Code != 200 {
			t.Fatalf("%s: %d %s", v, w.Code, w.Body)
		}
		missing := "Transaction " + id + " not found in mempool or unconfirmed microblock stream"
		if w := fetch(t, s, target); w.Code != 404 || w.Body.String() != missing {
			t.Errorf("%s, mined: %d %s", v, w.Code, w.Body)
		}
		if w := fetch(t, s, "/v2/transactions/unconfirmed/0x"+id); w.Code != 404 || !strings.Contains(w.Body.String(), "Route GET:") {
			t.Errorf("%s, with 0x: %d %s", v, w.Code, w.Body)
		}
	}
}

package mockserver

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// txPage is a page of the transactions of a block.
type txPage struct {
	Total, Limit int
	Cursor       cursorsV3
	Results      []struct {
		ID   string `json:"tx_id"`
		Type string
	}
}

// TestTransactionsOfABlockAreThoseOfItsRecord walks every block down and up, with
// every size of page.
func TestTransactionsOfABlockAreThoseOfItsRecord(t *testing.T) {
	s := anchored(t, version("9"))
	data, err := os.ReadFile("testdata/generations.strict.json")
	if err != nil {
		t.Fatal(err)
	}
	all := []schema{loadSchema(t, "generations", data)}
	from := someone("a")
	sent := "0x" + stxtx.ID(from.signed(t, from.mainnetTx(0, 300, to(t, someone("b").address(true), 7))))
	accepted(t, s, from.signed(t, from.mainnetTx(0, 300, to(t, someone("b").address(true), 7))))
	mine(t, s, 1)
	for i, b := range read[listBody](t, fetch(t, s, blockURL+"?limit=12")).Results {
		limit := 1 + i%4
		path := fmt.Sprintf("/extended/v3/blocks/%d/transactions?limit=%d", b.Height, limit)
		var down, up []string
		page := func(cursor *string) txPage {
			w := fetch(t, s, path+at(cursor))
			if agrees(t, all, path, w) == 0 {
				t.Fatalf("no schema describes %s", path)
			}
			p := read[txPage](t, w)
			if p.Total != len(b.Txs) {
				t.Fatalf("block %d: total %d, it has %d", b.Height, p.Total, len(b.Txs))
			}
			return p
		}
		p := page(nil)
		for n := 0; ; n++ {
			if n > len(b.Txs) {
				t.Fatalf("block %d: the walk down does not end: %v", b.Height, down)
			}
			for _, tx := range p.Results {
				down = append(down, tx.ID)
			}
			if p.Cursor.Next == nil {
				break
			}
			p = page(p.Cursor.Next)
		}
		for n := 0; ; n++ {
			if n > len(b.Txs) {
				t.Fatalf("block %d: the walk up does not end: %v", b.Height, up)
			}
			for _, tx := range slices.Backward(p.Results) {
				if !slices.Contains(up, tx.ID) {
					up = append(up, tx.ID)
				}
			}
			if p.Cursor.Previous == nil {
				break
			}
			p = page(p.Cursor.Previous)
		}
		slices.Reverse(up)
		if !slices.Equal(down, b.Txs) || !slices.Equal(up, b.Txs) {
			t.Errorf("block %d: down %v\nup %v\nits record %v", b.Height, down, up, b.Txs)
		}
		if i == 0 && down[0] != sent {
			t.Errorf("what was sent is not the last of block %d: %v", b.Height, down)
		}
	}
	one := fetch(t, s, "/extended/v3/transactions/"+sent).Body.String()
	if !strings.Contains(one, `"status":"success","parent_block":{"hash":"0x`) || !strings.Contains(one, `"vm_error":null,"type":"token_transfer","token_transfer":{"recipient":"`+someone("b").address(true)+`","amount":"7"`) {
		t.Error(one)
	}
}

// TestV3RefusesAsTheRealServer requests what was recorded.
func TestV3RefusesAsTheRealServer(t *testing.T) {
	s := anchored(t, version("sunset"))
	requested := 0
	for _, r := range recordings(t, "v3-9.0.2.json") {
		if r.Status == 200 || strings.Contains(r.Path, "mempool") {
			continue
		}
		requested++
		w := get(s, strings.Replace(r.Path, "/blocks/51/", "/blocks/1000001/", 1))
		if want := compactKeepingOrder(t, r.Body); w.Code != r.Status || w.Body.String() != want {
			t.Errorf("GET %s: %d %s\nrecorded %d %s", r.Path, w.Code, w.Body, r.Status, want)
		}
	}
	if requested < 8 {
		t.Errorf("only %d refusals", requested)
	}
	w := fetch(t, s, "/extended/v3/principals/"+someone("a").address(true)+"/nonces")
	if want := `{"next_nonce":0,"last_confirmed_nonce":null,"mempool":{"last_nonce":null,"pending_nonces":[],"missing_nonces":[]}}`; w.Body.String() != want {
		t.Errorf("%s", w.Body)
	}
}

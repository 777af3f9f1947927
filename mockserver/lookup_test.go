package mockserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// ownBody is a transaction as v1 has it.
type ownBody struct {
	ID          string `json:"tx_id"`
	Status      string `json:"tx_status"`
	Type        string `json:"tx_type"`
	BlockHash   string `json:"block_hash"`
	BlockHeight int64  `json:"block_height"`
	BurnHeight  int64  `json:"burn_block_height"`
	Index       int    `json:"tx_index"`
	Canonical   bool   `json:"canonical"`
	Microblock  string `json:"microblock_hash"`
	Sequence    int64  `json:"microblock_sequence"`
	Transfer    *struct{ Amount string }
	Coinbase    *struct{ Data string }                       `json:"coinbase_payload"`
	Tenure      *struct{ Previous_tenure_end, Cause string } `json:"tenure_change_payload"`
}

// TestEveryTransactionThatABlockListsIsFound requests the transactions of all kinds of
// blocks, by every route.
func TestEveryTransactionThatABlockListsIsFound(t *testing.T) {
	s := anchored(t, version("9"))
	heights := read[struct {
		Heights []struct {
			Burn int64 `json:"burn_height"`
			What string
		}
	}](t, fetch(t, s, "/mock/v1/catalog")).Heights
	kinds := map[string]int{}
	for _, l := range heights {
		if l.What == "void" {
			continue
		}
		b := read[blockBody](t, fetch(t, s, fmt.Sprintf("/extended/v1/block/by_burn_block_height/%d", l.Burn)))
		for i, id := range b.Txs {
			w := fetch(t, s, "/extended/v1/tx/"+id)
			tx := read[ownBody](t, w)
			if tx.ID != id || tx.BlockHash != b.Hash || tx.BlockHeight != b.Height || tx.BurnHeight != l.Burn ||
				tx.Canonical != b.Canonical || tx.Index != len(b.Txs)-1-i {
				t.Fatalf("%s, transaction %d: %+v\nof %+v", l.What, i, tx, b)
			}
			kinds[tx.Type]++
			if tx.Microblock != "0x" {
				kinds["in a microblock"]++
				if !slices.Contains(b.Microblocks, tx.Microblock) || tx.Sequence > 3 || tx.Type == "coinbase" {
					t.Errorf("%s: %+v", l.What, tx)
				}
			}
			if (tx.Type == "coinbase") != (tx.Coinbase != nil) || (tx.Type == "tenure_change") != (tx.Tenure != nil) {
				t.Errorf("%s: %s", l.What, w.Body)
			}
			if i%7 > 0 {
				continue // one is as good as another
			}
			multiple := fetch(t, s, "/extended/v1/tx/multiple?tx_id="+id).Body.String()
			if multiple != `{"`+id+`":{"found":true,"result":`+w.Body.String()+`}}` {
				t.Errorf("multiple: %s", multiple)
			}
			raw := read[struct {
				RawTx string `json:"raw_tx"`
			}](t, fetch(t, s, "/extended/v1/tx/"+id+"/raw"))
			if decoded, err := stxtx.DecodeHex(raw.RawTx); err != nil || !strings.Contains(decoded.Payload.Type().String(), tx.Type) {
				t.Errorf("raw: %v of %s", err, tx.Type)
			}
			newer := fetch(t, s, "/extended/v3/transactions/"+id).Body.String()
			if !strings.Contains(newer, fmt.Sprintf(`"height":%d,"hash":%q`, b.Height, b.Hash)) || !strings.Contains(newer, `"type":"`+tx.Type+`"`) {
				t.Errorf("v3: %s", newer)
			}
		}
	}
	for _, kind := range []string{"coinbase", "tenure_change", "token_transfer", "in a microblock"} {
		if kinds[kind] == 0 {
			t.Errorf("no transaction is %s: %v", kind, kinds)
		}
	}
	for _, id := range []string{strings.Repeat("0", 64), strings.Repeat("9a", 32)} {
		if w := get(s, "/extended/v1/tx/0x"+id); w.Code != 404 {
			t.Errorf("%s: %d", id, w.Code)
		}
	}
}

// TestATenureBeginsWithItsChangeAndTheCoinbase reads the newest tenures.
func TestATenureBeginsWithItsChangeAndTheCoinbase(t *testing.T) {
	s := anchored(t)
	blocks := read[listBody](t, fetch(t, s, blockURL+"?limit=30")).Results
	begun := 0
	for i, b := range blocks[:len(blocks)-1] {
		parent := blocks[i+1]
		for n, id := range b.Txs {
			place := len(b.Txs) - 1 - n
			tx := read[ownBody](t, fetch(t, s, "/extended/v1/tx/"+id))
			want := ""
			if parent.BurnBlockHeight != b.BurnBlockHeight && place < 2 {
				want = []string{"tenure_change", "coinbase"}[place]
				begun++
			}
			if tx.Type != want && (want != "" || tx.Type == "coinbase" || tx.Type == "tenure_change") {
				t.Errorf("block %d, transaction %d is a %s, want %s", b.Height, place, tx.Type, want)
			}
			if tx.Tenure != nil && (tx.Tenure.Cause != "block_found" || tx.Tenure.Previous_tenure_end != parent.Index) {
				t.Errorf("block %d: %+v", b.Height, tx.Tenure)
			}
		}
	}
	if begun == 0 {
		t.Error("no tenure began")
	}
}

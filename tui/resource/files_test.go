package resource

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient"
)

// A column of a file that has a name of the API has the value of the API.
func TestAFileHasTheAPIsNamesOnlyForTheAPIsValues(t *testing.T) {
	same := 0
	same += checkFile(t, Transactions(), `{"tx_id":"0x01","nonce":4,"fee_rate":"180","sender_address":"SP1","sponsor_address":"SP2","tx_status":"abort_by_response",
		"block_height":7,"block_time":1767268800,"event_count":2,"tx_type":"token_transfer","token_transfer":{"recipient_address":"SP3","amount":"1000000","memo":"0x"},
		"stx_sent":"1000180","stx_received":"5"}`, func(a apiclient.Transaction) Transaction { return Transaction{Transaction: &a} })
	same += checkFile(t, Blocks(), `{"canonical":true,"height":7,"hash":"0x01","block_time":1767268800,"tenure_height":3,"index_block_hash":"0x02","parent_block_hash":"0x03",
		"burn_block_hash":"0x04","burn_block_height":5,"miner_txid":"0x05","tx_count":9,"execution_cost_read_count":1,"execution_cost_read_length":2,"execution_cost_runtime":3,
		"execution_cost_write_count":4,"execution_cost_write_length":5}`, func(a apiclient.Block) Block { return BlockOf(&a) })
	if same < 20 {
		t.Errorf("only %d columns have a name of the API: is anything compared?", same)
	}
}

func checkFile[A, T any](t *testing.T, kind Kind[T], answer string, of func(A) T) (same int) {
	t.Helper()
	var api A
	var fields map[string]any
	for _, into := range []any{&api, &fields} {
		d := json.NewDecoder(strings.NewReader(answer))
		d.UseNumber()
		if err := d.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	columns, rows := kind.Export([]T{of(api)})
	for i, name := range columns {
		want, there := fields[name]
		if there && rows[0][i] != fmt.Sprint(want) {
			t.Errorf("%s: a file has %q under %s, the API %v", kind.Name, rows[0][i], name, want)
		} else if there {
			same++
		}
	}
	return same
}

// What is exported has one name for one thing.
func TestFilesOfTransactionsHaveOneVocabulary(t *testing.T) {
	want := []string{"tx_id", "what", "sender_address", "fee_stx", "tx_status", "time", "nonce", "block_height", "tx_type", "function_name", "to", "amount_stx", "sponsor_address", "sent_stx", "received_stx", "event_count", "cost"}
	if got := Transactions().Files(); !slices.Equal(got, want) {
		t.Errorf("files of transactions have %q, want %q", got, want)
	}
}

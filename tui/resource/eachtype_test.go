package resource_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/resource"
)

// The words for ten transactions of each type, beside what the API says of them: whoever changes
// a word reads them all.
func TestTheWordsOfEachTypeInEachState(t *testing.T) {
	types := []string{
		`"tx_type":"token_transfer","token_transfer":{"recipient_address":"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7","amount":"1500000","memo":"0x72656e74"}`,
		`"tx_type":"contract_call","contract_call":{"contract_id":"SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.club","function_name":"join","function_args":[]}`,
		`"tx_type":"smart_contract","smart_contract":{"clarity_version":2,"contract_id":"SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.club","source_code":"(ok 1)"}`,
		`"tx_type":"coinbase","coinbase_payload":{"data":"0x6869","alt_recipient":"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7"}`,
		`"tx_type":"tenure_change","tenure_change_payload":{"tenure_consensus_hash":"0x01","prev_tenure_consensus_hash":"0x02","burn_view_consensus_hash":"0x03","previous_tenure_end":"0x04","previous_tenure_blocks":11,"cause":"block_found","pubkey_hash":"0x05"}`,
		`"tx_type":"poison_microblock","poison_microblock":{"microblock_header_1":"0x01","microblock_header_2":"0x02"}`,
	}
	mined := `"canonical":true,"microblock_canonical":true,"block_height":7,"block_hash":"0x06",`
	states := []string{
		`"tx_status":"success",` + mined,
		`"tx_status":"success",` + strings.Replace(mined, "true", "false", 1),
		`"tx_status":"abort_by_response","tx_result":{"hex":"0x0801000000000000000000000000000000c8","repr":"(err u200)"},` + mined,
		`"tx_status":"abort_by_response","tx_result":{"hex":"0x0809","repr":"(err none)"},"vm_error":"Runtime(ArithmeticUnderflow)",` + mined,
		`"tx_status":"abort_by_post_condition","tx_result":{"hex":"0x0703","repr":"(ok true)"},` + mined,
		`"tx_status":"pending",`,
		`"tx_status":"dropped_replace_by_fee","replaced_by_tx_id":"0x07",`,
		`"tx_status":"dropped_replace_across_fork",`,
		`"tx_status":"dropped_too_expensive",`,
		`"tx_status":"dropped_stale_garbage_collect",`,
	}
	var out strings.Builder
	for _, of := range types {
		for _, state := range states {
			raw := `{"tx_id":"0x08","nonce":4,"fee_rate":"180","sender_address":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J","post_conditions":[],"post_condition_mode":"deny",` + state + of + "}"
			var api apiclient.Transaction
			if err := json.Unmarshal([]byte(raw), &api); err != nil {
				t.Fatal(err)
			}
			one := resource.Transaction{Transaction: &api}
			out.WriteString("{" + state + of + "}\n    " + one.State() + ": " + one.What() + "\n    " + one.Sentence() + "\n\n")
		}
	}
	uitest.GoldenText(t, "words", out.String())
}

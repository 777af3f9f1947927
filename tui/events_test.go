package tui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"

	"github.com/charmbracelet/x/ansi"
)

// manyEvents serves a transaction of 250 transfers of 1 STX and as many prints in turn.
func manyEvents(t *testing.T) (url string, requested *[]string) {
	t.Helper()
	requested = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requested = append(*requested, r.URL.Path)
		from, _ := strconv.Atoi(r.URL.Query().Get("event_offset"))
		events := []any{}
		for i := from; i < min(from+100, 500); i++ {
			event := map[string]any{"event_index": i, "event_type": "stx_asset", "asset": map[string]any{"asset_event_type": "transfer", "sender": someone, "recipient": someone + ".vault", "amount": "1000000"}}
			if i%2 == 1 {
				event = map[string]any{"event_index": i, "event_type": "smart_contract_log", "contract_log": map[string]any{"contract_id": someone + ".vault", "topic": "print", "value": map[string]any{"hex": fmt.Sprintf("0x01%032x", i), "repr": fmt.Sprintf("u%d", i)}}}
			}
			events = append(events, event)
		}
		condition := map[string]any{"principal": map[string]any{"type_id": "principal_standard", "address": someone}, "condition_code": "sent_equal_to", "amount": "250000000", "type": "stx"}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"tx_id": someTxID, "nonce": 3, "fee_rate": "180", "sender_address": someone, "tx_status": "success", "tx_type": "coinbase", "block_height": 7, "block_time": 1,
			"post_condition_mode": "deny", "post_conditions": []any{condition}, "event_count": 500, "events": events,
		})
	}))
	t.Cleanup(server.Close)
	return server.URL, requested
}

// The events after the first hundred are read when enter is pressed on the row that says how
// many there are: a request for each hundred, and no other. Until then nothing is called whole.
func TestTheRestOfTheEventsIsReadOnDemand(t *testing.T) {
	url, requested := manyEvents(t)
	d := showsTransactions(t, url, 200, 400)
	d.Open(nav.Transaction(someTxID))
	for page := 1; page < 5; page++ {
		left := fmt.Sprintf("%d events", 500-100*page)
		d.Sees(fmt.Sprintf("What moved in the first %d of 500 events", 100*page), fmt.Sprintf("-%d STX", 50*page), "not checked", left)
		for i := 0; ; i++ { // to the row of the rest
			if sub := d.Screen.Subject(); len(sub.Copies) > 1 && sub.Copies[1].Text == left {
				break
			}
			if i > 400 {
				t.Fatal("the cursor never comes to the rest of the events")
			}
			d.Screen.Key(uitest.Key("j"))
		}
		if hint := ansi.Strip(d.Screen.Status().Hint); hint != "enter read more" {
			t.Errorf("the status line says %q", hint)
		}
		d.Press("enter")
	}
	d.Sees("-250 STX", "✓ sends exactly 250 STX", "u499")
	if len(*requested) != 5 {
		t.Errorf("requested %v", *requested)
	}
	var raw struct{ Events []json.RawMessage }
	if err := json.Unmarshal(d.Screen.Subject().Raw, &raw); err != nil || len(raw.Events) != 500 {
		t.Errorf("its JSON has %d events: %v", len(raw.Events), err)
	}
}

// In the list of an account stands what each transaction brought and took, also after it was
// read; elsewhere there is no such column.
func TestTheTransactionsOfAnAccountSayWhatEachMoved(t *testing.T) {
	d := listsTransactions(t, 120, 40)
	d.Sees("WHAT ", "SENDER ", "FEE ", "STATUS ", "AGE ")
	d.SeesNot("SENT ", "RECEIVED")
	d.Open(nav.TransactionsOf(someone))
	d.Sees("SENT ", "RECEIVED", "+400,000")
	d.Press("j", "enter", "esc") // the one that brought 400,000
	d.Sees("▸ 400,000 STX → SPC5", "+400,000")
	d.Open(nav.TransactionsOf("SP1HPGRB9DSSP6VVGCMG6CRBNCDJQ8000018RPQ9H"))
	d.Sees("-50,000.002")
	d.Open(nav.WaitingOf(someone))
	d.SeesNot("RECEIVED")
}

package tui

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/wallet/outcome"
)

// What explains a transaction costs one request besides its own at most, and none once it is
// known.
func TestABackgroundCostsOneRequest(t *testing.T) {
	const sender = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	var requested []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested = append(requested, strings.TrimPrefix(r.URL.Path, "/"))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasPrefix(r.URL.Path, "/metadata"):
			fmt.Fprint(w, `{"name":"Gold","symbol":"GLD","decimals":2,"tx_id":"0x","sender_address":"`+sender+`"}`)
		case strings.HasSuffix(r.URL.Path, "/nonces"):
			fmt.Fprint(w, `{"last_mempool_tx_nonce":6,"last_executed_tx_nonce":2,"possible_next_nonce":7,"detected_missing_nonces":[5,3],"detected_mempool_nonces":[4]}`)
		case strings.HasSuffix(r.URL.Path, "/mempool"):
			fmt.Fprint(w, `{"limit":50,"offset":0,"total":70,"results":[{"tx_id":"0x01","fee_rate":"500"},{"tx_id":"0x02","fee_rate":"100"},{"tx_id":"0x03","fee_rate":"181"}]}`)
		default:
			fmt.Fprint(w, `{"contract_id":"`+sender+`.vault","source_code":"(define-constant ERR-LATE (err u9))","abi":null}`)
		}
	}))
	t.Cleanup(server.Close)
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	nonce := int64(6)
	pending := &apiclient.Transaction{ID: "0xaa", Status: apiclient.StatusPending, Sender: sender, Nonce: &nonce, FeeRate: "180"}
	call := &apiclient.ContractCall{ContractID: sender + ".vault", Function: "take", Args: []apiclient.Argument{{}}}
	gold := apiclient.Event{Type: apiclient.EventFungible, Asset: &apiclient.AssetEvent{AssetID: sender + ".gold::gold", Amount: "150"}}
	known := NewBackgrounds(client)
	for _, tt := range []struct {
		name string
		of   *apiclient.Transaction
		want string
	}{
		{"one that waits: its nonces first", pending, "nonces"},
		{"then its place", pending, "mempool"},
		{"a call that answered an error", &apiclient.Transaction{ID: "0xbb", Status: apiclient.StatusAbortByResponse, ContractCall: call}, "vault"},
		{"the same contract again", &apiclient.Transaction{ID: "0xcc", Status: apiclient.StatusAbortByResponse, ContractCall: call}, ""},
		{"a token", &apiclient.Transaction{ID: "0xdd", Status: apiclient.StatusSuccess, Events: []apiclient.Event{gold}}, "gold"},
		{"the token that aborted it", &apiclient.Transaction{
			ID: "0xdf", Status: apiclient.StatusAbortByPostCondition, VMError: "Post-condition check failure on fungible asset " + sender + ".silver::silver owned by " + sender + ": 1 SentEq 2",
			Events: []apiclient.Event{{Type: apiclient.EventFungible, Asset: &apiclient.AssetEvent{AssetID: sender + ".copper::copper", Amount: "1"}}},
		}, "silver"},
		{"the same token again", &apiclient.Transaction{ID: "0xee", Status: apiclient.StatusSuccess, Events: []apiclient.Event{gold, gold}}, ""},
	} {
		requested = nil
		b, err := known.Read(t.Context(), tt.of)
		if got := strings.Join(requested, " "); err != nil || strings.Count(got, " ") > 0 || !strings.HasSuffix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: requested %q, %v", tt.name, got, err)
		}
		switch tt.want {
		case "mempool":
			if b.Waits == nil || *b.Waits.Missing != 3 || b.Queue.Place != 3 || b.Queue.Of != 3 || b.Queue.Total != 70 {
				t.Errorf("it waits for %+v at %+v", b.Waits, b.Queue)
			}
		case "gold":
			if u := b.Units[sender+".gold"]; u.Symbol != "GLD" || u.Decimals != 2 {
				t.Errorf("the unit is %+v", u)
			}
		}
	}
}

// One that has waited for long is told what others of its kind paid; one that was just sent is
// not.
func TestALowFeeExplainsALongWait(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/nonces") {
			fmt.Fprint(w, `{"last_mempool_tx_nonce":6,"last_executed_tx_nonce":5,"possible_next_nonce":7,"detected_missing_nonces":[],"detected_mempool_nonces":[6]}`)
			return
		}
		fmt.Fprint(w, `{"limit":50,"offset":0,"total":4,"results":[{"tx_id":"0x01","tx_type":"token_transfer","fee_rate":"900"},`+
			`{"tx_id":"0x02","tx_type":"contract_call","fee_rate":"3"},{"tx_id":"0x03","tx_type":"token_transfer","fee_rate":"400"},{"tx_id":"0x04","tx_type":"coinbase","fee_rate":"0"}]}`)
	}))
	t.Cleanup(server.Close)
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	nonce := int64(6)
	for age, want := range map[time.Duration]string{
		time.Hour:   "It waits for a block and pays 0.00018 STX; transactions of its kind in recent blocks paid at least 0.0004 STX.",
		time.Minute: "It waits for a block.",
	} {
		pending := &apiclient.Transaction{
			ID: "0xaa", Status: apiclient.StatusPending, Type: "token_transfer", Sender: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J",
			Nonce: &nonce, FeeRate: "180", ReceiptTime: time.Now().Add(-age).Unix(),
		}
		b, err := NewBackgrounds(client).Read(t.Context(), pending)
		if err != nil {
			t.Fatal(err)
		}
		if why := outcome.Explain(resource.Transaction{Transaction: pending}.With(b).Ended()); why.Sentence != want {
			t.Errorf("after %v it says %s", age, why.Sentence)
		}
	}
}

package tui

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/wallet/clarity"
)

// registryLog returns a print of the registry of sBTC.
func registryLog(t *testing.T, literal string) apiclient.Event {
	t.Helper()
	v, err := clarity.ParseLiteral(literal)
	if err != nil {
		t.Fatal(err)
	}
	digits, err := clarity.EncodeHex(v)
	if err != nil {
		t.Fatal(err)
	}
	return apiclient.Event{Type: apiclient.EventLog, Log: &apiclient.ContractLog{
		ContractID: "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-registry", Topic: "print", Value: apiclient.ClarityValue{Hex: digits, Repr: literal},
	}}
}

// A request for a withdrawal shows its Bitcoin address, and which transaction accepted or
// rejected it, as far as the newest 200 prints of the registry say it.
func TestAWithdrawalOfSBTCShowsWhatBecameOfIt(t *testing.T) {
	request := registryLog(t, `{topic: "withdrawal-create", request-id: u7, amount: u100000, max-fee: u300, sender: 'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J, block-height: u5,
		recipient: {version: 0x04, hashbytes: 0x751e76e8199196d454941c45d1b3a323f1433bd6}}`)
	tx := &apiclient.Transaction{ID: "0x" + strings.Repeat("ab", 32), Status: apiclient.StatusSuccess, Type: apiclient.TypeContractCall, ContractCall: &apiclient.ContractCall{}, Events: []apiclient.Event{request}}
	settler := "0x" + strings.Repeat("cd", 32)
	for name, c := range map[string]struct {
		topic string
		at    int // among the prints, from the newest
		want  string
	}{
		"accepted":           {"withdrawal-accept", 3, "accepted by: " + settler},
		"rejected":           {"withdrawal-reject", 120, "rejected by: " + settler},
		"the last of them":   {"withdrawal-accept", 199, "accepted by: " + settler},
		"before all of them": {"withdrawal-accept", 200, "settled: not among the newest 200 prints of the registry"},
	} {
		t.Run(name, func(t *testing.T) {
			requested := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requested++
				offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
				var rows []string
				for i := offset; i < offset+50; i++ {
					topic, id := "withdrawal-accept", i+100
					if i == c.at {
						topic, id = c.topic, 7
					}
					log := registryLog(t, fmt.Sprintf(`{topic: "%s", request-id: u%d}`, topic, id)).Log
					rows = append(rows, fmt.Sprintf(`{"event_index":0,"event_type":"smart_contract_log","tx_id":"%s","contract_log":{"contract_id":"%s","topic":"print","value":{"hex":"%s","repr":""}}}`, settler, log.ContractID, log.Value.Hex))
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"limit":50,"offset":%d,"results":[%s]}`, offset, strings.Join(rows, ","))
			}))
			t.Cleanup(server.Close)
			client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			background, err := NewBackgrounds(client).Read(t.Context(), tx)
			if err != nil {
				t.Fatal(err)
			}
			var shown []string
			for _, f := range resource.Transactions().Fields(resource.Transaction{Transaction: tx}.With(background)) {
				shown = append(shown, f.Label+": "+f.Value.Text(f.Type))
			}
			all := strings.Join(shown, "\n")
			for _, want := range []string{"withdrawal: request 7", "in words: withdraw 0.001 BTC to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, for a fee of at most 0.000003 BTC", c.want} {
				if !strings.Contains(all, want) {
					t.Errorf("no %q after %d requests in\n%s", want, requested, all)
				}
			}
			if requested > 4 {
				t.Errorf("%d requests", requested)
			}
		})
	}
}

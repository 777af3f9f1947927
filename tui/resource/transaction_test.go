package resource

import (
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
)

// recordedTransaction reads a transaction of the recordings of version 9.
func recordedTransaction(t *testing.T, name string) Transaction {
	t.Helper()
	for _, e := range apitest.Exchanges(apitest.Version9) {
		if e.Name == name {
			var listed apiclient.ListedTransaction
			if err := listed.UnmarshalJSON(e.Body); err != nil {
				t.Fatal(err)
			}
			return Transaction{Transaction: &listed.Transaction}
		}
	}
	t.Fatalf("%s is not recorded", name)
	return Transaction{}
}

func TestATransactionIsToldInASentence(t *testing.T) {
	for name, want := range map[string]string{
		"v1-tx-transfer":      "STAW…BMBN sent 1.5 STX to ST11…8P2Y",
		"v1-tx-call_events":   "STAW…BMBN called transfer of demo-token with amount u2500, sender STAW…BMBN, recipient ST11…8P2Y, memo (some 0x6c756e6368)",
		"v1-tx-deploy":        "STAW…BMBN deployed demo-token",
		"v1-tx-coinbase":      "took a miner's reward",
		"v1-tx-tenure_change": "began a tenure",
	} {
		if got := recordedTransaction(t, name).Sentence(); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// lines are the fields of a section as text, marks first.
func lines(of Transaction, section string) []string {
	var out []string
	in := ""
	for _, f := range of.fields() {
		if f.Section != "" {
			in = f.Section
			continue
		}
		if in != section {
			continue
		}
		mark := map[Mark]string{Good: "+ ", Bad: "- "}[f.Mark]
		out = append(out, strings.TrimSuffix(mark+f.Label+": "+f.Value.People(f.Type)+" | "+f.Note, " | "))
	}
	return out
}

// Beside each condition stands what was really sent. What was burned was sent too; the
// recording was made without a virtual machine, which would have aborted it.
func TestConditionsAreComparedWithWhatWasSent(t *testing.T) {
	got := strings.Join(lines(recordedTransaction(t, "v1-tx-call_events"), "Post-conditions"), "\n")
	want := `other transfers: are refused (deny)
- STAW…BMBN: sends exactly 2,500 demo | sent 2,501 demo
+ STAW…BMBN: sends at most 0.00001 STX | sent 0.000005 STX
+ STAW…BMBN: keeps u1 ticket`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Nothing is known to have been sent by a transaction that was aborted.
	for _, line := range lines(recordedTransaction(t, "v1-tx-call_abort_pc"), "Post-conditions") {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			t.Errorf("of an aborted transaction it says %q", line)
		}
	}
}

func TestWhatMovedIsSummedUp(t *testing.T) {
	got := strings.Join(lines(recordedTransaction(t, "v1-tx-call_events"), "What moved"), "\n")
	want := "STAW…BMBN: -2,501 demo\nST11…8P2Y: +2,500 demo\nSTAW…BMBN: -0.000005 STX\nST1H…PJKR: +0.000005 STX"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	whole := recordedTransaction(t, "v1-tx-call_events")
	whole.Events = whole.Events[:2]
	if got := lines(whole, "What moved"); got[len(got)-1] != "not shown: 2 events" {
		t.Errorf("with events left out it says %q", got)
	}
}

func TestTheKindsOfTheLedgerFitEveryWidth(t *testing.T) {
	for _, name := range []string{"v1-tx-call_events", "v1-tx-transfer", "v1-tx-pending", "v1-tx-dropped", "v1-tx-sponsored"} {
		checkKind(t, Transactions(), recordedTransaction(t, name))
	}
	checkKind(t, Accounts(), Account{Principal: "SP2X2Z28NXZVJFCJPBR9Q3NBVYBK3GPX8PXA3R83C", STX: &apiclient.STXBalance{Balance: "-2270762", Locked: "0"}, Nonces: &apiclient.Nonces{Next: 7}})
}

package resource

import (
	"strings"
	"testing"

	"chainscope/apiclient"
)

// A fee that is little for its length is not called nothing, and with --all nothing is left out.
func TestSmallFeesAndWholeValuesAreSaid(t *testing.T) {
	transfer := apiclient.Transaction{FeeRate: "3", TokenTransfer: &apiclient.TokenTransfer{Recipient: "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", Amount: "1"}}
	if got := (Transaction{Transaction: &transfer}).feeRate(); got != "less than 0.1 micro-STX a byte" {
		t.Errorf("a fee of 3 micro-STX is %q", got)
	}
	hex := "0x0b00000064" + strings.Repeat("03", 100) // a list of 100 bools
	api := apiclient.Transaction{Status: "success", Result: &apiclient.ClarityValue{Hex: hex, Repr: "(list true)"}}
	for whole, want := range map[bool]int{true: 101, false: maxParts + 1} {
		count := 0
		for _, f := range (Transaction{Transaction: &api, Whole: whole}).fields() {
			if strings.TrimSpace(f.Label) != "" && (f.Label == "result" || strings.HasPrefix(f.Label, "  ") || f.Label == "and more") {
				count++
			}
		}
		if count != want {
			t.Errorf("whole %v: %d fields of the value, want %d", whole, count, want)
		}
	}
}

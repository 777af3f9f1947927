package resource

import (
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient"
)

// What waits has not done anything yet, and what failed or was dropped has only tried.
func TestTheTenseOfATransactionFollowsItsStatus(t *testing.T) {
	types := map[string]apiclient.Transaction{
		"send 1 STX to SP2J…V9EJ7":             {TokenTransfer: &apiclient.TokenTransfer{Recipient: "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", Amount: "1000000"}},
		"call join of club":                    {ContractCall: &apiclient.ContractCall{ContractID: "SP1.club", Function: "join"}},
		"deploy club":                          {SmartContract: &apiclient.SmartContract{ContractID: "SP1.club"}},
		"claim a miner's reward":               {Type: apiclient.TypeCoinbase},
		"begin a tenure":                       {TenureChange: &apiclient.TenureChange{Cause: "block_found"}},
		"extend a tenure":                      {TenureChange: &apiclient.TenureChange{Cause: "extended"}},
		"report two microblocks of one miner":  {Type: apiclient.TypePoison},
		"change a tenure: extended read count": {TenureChange: &apiclient.TenureChange{Cause: "extended_read_count"}},
	}
	forms := map[string][2]string{
		"send": {"sends", "sent"}, "call": {"calls", "called"}, "deploy": {"deploys", "deployed"}, "claim": {"claims", "claimed"},
		"begin": {"begins", "began"}, "extend": {"extends", "extended"}, "report": {"reports", "reported"}, "change": {"changes", "changed"},
	}
	height := int64(5)
	for base, of := range types {
		verb, rest, _ := strings.Cut(base, " ")
		rest = strings.Replace(rest, "SP2J…V9EJ7", "SP2J…9EJ7", 1)
		for status, want := range map[string]string{
			"success": forms[verb][1], "pending": forms[verb][0], "abort_by_response": "tried to " + verb, "abort_by_post_condition": "tried to " + verb,
			"dropped_replace_by_fee": "tried to " + verb,
		} {
			of.Status, of.BlockHeight = status, nil
			if status == "success" || strings.HasPrefix(status, "abort") {
				of.BlockHeight = &height
			}
			if got := (Transaction{Transaction: &of}).What(); got != want+" "+rest {
				t.Errorf("%s: %q, want %q", status, got, want+" "+rest)
			}
		}
	}
}

// The payloads of miners have fields of their own.
func TestWhatMinersSignIsShown(t *testing.T) {
	eleven, hash := int64(11), "0x"+strings.Repeat("ab", 20)
	for section, c := range map[string]struct {
		of   apiclient.Transaction
		want []string
	}{
		"Miner's reward": {apiclient.Transaction{Sender: "SP1", Coinbase: &apiclient.Coinbase{AltRecipient: "SP2.pool", Data: "0x68690000"}}, []string{"goes to: SP2.pool", "paid: 100 tenures later, if the block is still in the chain then", "data: hi"}},
		"Tenure":         {apiclient.Transaction{TenureChange: &apiclient.TenureChange{Cause: "block_found", PreviousBlocks: &eleven, ConsensusHash: hash}}, []string{"cause: block found", "blocks before: 11 | of the tenure that this one follows", "consensus hash: " + hash}},
		"Reported":       {apiclient.Transaction{Poison: &apiclient.Poison{Header1: "0x01", Header2: "0x02"}}, []string{"header 1: 0x01", "header 2: 0x02"}},
	} {
		if got := lines(Transaction{Transaction: &c.of}, section); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", section, got)
		}
	}
}

// The API says of the first block that it is not canonical, and no other is in its place.
func TestTheFirstBlockIsNotOrphaned(t *testing.T) {
	if BlockOf(&apiclient.Block{}).Orphaned || !BlockOf(&apiclient.Block{Height: 1}).Orphaned || BlockOf(&apiclient.Block{Height: 1, Canonical: true}).Orphaned {
		t.Error("which blocks are orphaned is wrong")
	}
}

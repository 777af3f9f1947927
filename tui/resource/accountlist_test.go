package resource

import (
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// What moved of tokens is said beside STX, by the events that are known, of the account whose list
// it is.
func TestTokensThatMovedAreInTheListOfAnAccount(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	const mine, other, token = "SP2X2Z28NXZVJFCJPBR9Q3NBVYBK3GPX8PXA3R83C", "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7.demo"
	moved := func(from, to string, a apiclient.AssetEvent, kind string) apiclient.Event {
		a.Sender, a.Recipient = from, to
		return apiclient.Event{Type: kind, Asset: &a}
	}
	of := Transaction{Transaction: &apiclient.Transaction{Events: []apiclient.Event{
		moved(mine, other, apiclient.AssetEvent{AssetID: token + "::demo", Amount: "2500000"}, apiclient.EventFungible),
		moved(other, mine, apiclient.AssetEvent{AssetID: token + "::ticket", Value: &apiclient.ClarityValue{Repr: "u7"}}, apiclient.EventNonFungible),
		moved(other, other, apiclient.AssetEvent{AssetID: token + "::demo", Amount: "9"}, apiclient.EventFungible),
		moved(mine, other, apiclient.AssetEvent{Amount: "1000000"}, apiclient.EventSTX),
	}}, Sent: "1000000", Background: Background{Units: map[string]Unit{token: {Symbol: "DEMO", Decimals: 6}}}}
	for name, want := range map[string]string{"sent": "-1 -2.5 DEMO", "received": "+u7 ticket"} {
		c, _ := TransactionsOf(mine, false).Column(name)
		if got := c.Draw(of, 24, th); strings.TrimSpace(got) != want || text.Width(got) != 24 {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
		if c, _ := TransactionsOf(mine, true).Column(name); c.Head != "" {
			t.Errorf("%s is a column of what waits", name)
		}
	}
}

// The calls of a contract are told apart by who called and with what.
func TestTheCallsOfAContractSayWhoCalledWithWhat(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	of := recordedTransaction(t, "v1-tx-call_events")
	kind := TransactionsOf(of.To(), false)
	row := kind.Row(of, kind.Fit(66), th)
	if narrow := kind.Head(kind.Fit(46)); !strings.Contains(narrow, "SENDER") {
		t.Errorf("a narrow list has the columns %q", narrow)
	}
	for _, want := range []string{"transfer " + argumentText(of.ContractCall.Args[0].Repr)[:4], of.Sender[:4]} {
		if !strings.Contains(row, want) {
			t.Errorf("no %q in the row %q", want, row)
		}
	}
	if elsewhere := TransactionsOf("", false); !strings.Contains(elsewhere.Row(of, elsewhere.Fit(66), th), "transfer · demo-token") {
		t.Errorf("another list says %q", elsewhere.Row(of, elsewhere.Fit(66), th))
	}
}

// The fee of a sponsored transaction is that of the account that paid it, and of nobody else.
func TestTheFeeOfASponsoredTransactionIsThatOfTheSponsor(t *testing.T) {
	of := recordedTransaction(t, "v1-tx-sponsored")
	if of.Sponsor == "" || of.Sponsor == of.Sender {
		t.Fatalf("%s pays for %s", of.Sponsor, of.Sender)
	}
	own := of
	own.Transaction = &apiclient.Transaction{ID: of.ID, Sender: of.Sender, FeeRate: of.FeeRate, Status: of.Status}
	for _, c := range []struct {
		of   Transaction
		who  string
		pays bool
	}{{of, of.Sponsor, true}, {of, of.Sender, false}, {of, "SP000000000000000000002Q6VF78", false}, {own, of.Sender, true}, {own, of.Sponsor, false}} {
		entries := c.of.EntriesOf(c.who)
		if got := entries[0].Fee; (got != nil) != c.pays || got != nil && got.String() != c.of.FeeRate {
			t.Errorf("%s pays %v, want that: %v", c.who, got, c.pays)
		}
		for _, e := range entries[1:] {
			if e.Fee != nil {
				t.Errorf("%s pays more than once", c.who)
			}
		}
	}
}

package walletpane

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/widget/detail"
)

// What a call and its result name is a link, once each; what is no thing is none.
func TestACallLeadsToWhatItNames(t *testing.T) {
	const alice, token = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token"
	id := "0x" + strings.Repeat("ab", 32)
	params := json.RawMessage(`{"contract":"` + token + `","functionArgs":["0x05","` + alice + `"],"postConditions":[{"address":"` + alice + `","asset":"` + token + `::usda"}],"note":"call ` + alice + `"}`)
	rows := linkRows(nil, params, json.RawMessage(`{"txid":"`+id+`"}`))
	want := []struct {
		label string
		to    nav.Place
	}{{"contract", nav.Contract(token)}, {"functionArgs", rowsPlace(alice)}, {"asset", nav.Contract(token)}, {"txid", nav.Hash(id)}}
	if len(rows) != len(want) {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for i, w := range want {
		if rows[i].Label != w.label || *rows[i].To != w.to {
			t.Errorf("%s leads to %s, want %s to %s", rows[i].Label, rows[i].To, w.label, w.to)
		}
	}
	if rows := linkRows([]detail.Row{{Value: id}}, json.RawMessage(`{"txid":"`+id+`"}`)); len(rows) != 0 {
		t.Errorf("what stands above is listed again: %+v", rows)
	}
}

// rowsPlace returns where an address leads.
func rowsPlace(address string) nav.Place {
	return nav.Recognise(address, nav.RecogniseContext{})[0].Place
}

package resource

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/wallet/clarity"
)

// printed returns a print of a value, as a server tells it in its own words.
func printed(t testing.TB, v clarity.Value, repr string) Print {
	t.Helper()
	digits, err := clarity.EncodeHex(v)
	if err != nil {
		t.Fatal(err)
	}
	n := int64(3)
	return PrintOf(&apiclient.ContractEvent{TxID: "0x" + strings.Repeat("ab", 32), Event: apiclient.Event{
		Index: &n, Type: apiclient.EventLog, Log: &apiclient.ContractLog{ContractID: bookID, Topic: "print", Value: apiclient.ClarityValue{Hex: "0x" + digits, Repr: repr}},
	}})
}

// A value is that of its bytes, whatever the server says of it, and leads where it names
// something.
func TestAPrintIsTakenApart(t *testing.T) {
	who, err := clarity.ParseLiteral("'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	if err != nil {
		t.Fatal(err)
	}
	p := printed(t, clarity.OK{Value: clarity.Tuple{Fields: []clarity.Field{{Name: "op", Value: clarity.ASCII("lend")}, {Name: "to", Value: who}}}}, "(a lie)")
	columns := map[string]string{}
	for _, c := range Prints().Columns {
		columns[c.Name] = c.Value(p).Plain(c.Type)
	}
	if columns["value"] != `(ok { op: "lend", to: 'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J })` || columns["what"] != "lend" || columns["event"] != "3" || columns["topic"] != "print" {
		t.Errorf("%q", columns)
	}
	to := map[string]nav.Place{}
	for _, f := range Prints().Fields(p) {
		to[strings.TrimSpace(f.Label)] = leads(f)
	}
	if to["transaction"] != nav.Transaction(p.TxID) || to["contract"] != nav.Contract(bookID) || to["to"] != nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J") {
		t.Errorf("%v", to)
	}
}

// What happened is said by the entry that contracts have for it, and by no other.
func TestWhatAPrintSaysHappened(t *testing.T) {
	field := func(name string, v clarity.Value) clarity.Value {
		return clarity.Tuple{Fields: []clarity.Field{{Name: "amount", Value: clarity.ASCII("5")}, {Name: name, Value: v}}}
	}
	for want, v := range map[string]clarity.Value{
		"mint": field("event", clarity.ASCII("mint")), "burn": clarity.Some{Value: field("action", clarity.UTF8("burn"))}, "": field("kind", clarity.ASCII("mint")),
	} {
		if p := printed(t, v, ""); p.what != want {
			t.Errorf("%s says %q, not %q", p.words, p.what, want)
		}
	}
	for _, v := range []clarity.Value{field("event", clarity.Bool(true)), clarity.ASCII("mint")} {
		if p := printed(t, v, ""); p.what != "" {
			t.Errorf("%s says %q", p.words, p.what)
		}
	}
}

// FuzzPrintFields makes the fields of whatever a server says that a contract printed.
func FuzzPrintFields(f *testing.F) {
	f.Add([]byte(`{"event_index":0,"event_type":"smart_contract_log","tx_id":"0xab","contract_log":{"contract_id":"a.b","topic":"print","value":{"hex":"0x0c0000000206616d6f756e7401000000000000000000000000000009c4026f700d000000087472616e73666572","repr":"x"}}}`))
	f.Add([]byte(`{"event_type":"stx_asset","asset":{"amount":"-1"}}`))
	f.Add([]byte(`{"contract_log":{"value":{"hex":"0b00","repr":"\u001b[2J"}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var e apiclient.ContractEvent
		if json.Unmarshal(body, &e) != nil {
			return
		}
		p := PrintOf(&e)
		if fields := Prints().Fields(p); len(fields) > maxParts+10 {
			t.Errorf("%d fields", len(fields))
		}
		for _, column := range Prints().Columns {
			column.Value(p).Text(column.Type)
		}
	})
}

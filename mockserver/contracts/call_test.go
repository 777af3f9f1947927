package contracts

import (
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

const fund = "SP000000000000000000002Q6VF78.fund"

// pledge is a call that takes STX, mints a token, gives a ticket away and remembers it.
const pledge = `
- contract: ` + fund + `
  calls:
    pledge:
      result: (ok $1)
      moves:
        - {asset: STX, from: sender, to: contract, amount: $1}
        - {asset: ` + fund + `::share, to: $2, amount: $1}
        - {asset: ` + fund + `::seat, from: contract, to: sender, id: u7}
      prints: ["{ event: \"pledge\", by: $sender, of: $contract }"]
      sets: {vars: {last: $1}, maps: [{name: pledges, key: $sender, value: "{ amount: $1 }"}]}
`

func TestACallSaysWhatItDoes(t *testing.T) {
	book, err := ParseYAML([]byte(pledge))
	if err != nil {
		t.Fatal(err)
	}
	of, err := clarity.ParseContract(fund)
	if err != nil {
		t.Fatal(err)
	}
	sender, err := clarity.ParsePrincipal("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	if err != nil {
		t.Fatal(err)
	}
	by := Caller{stxtx.ContractCall{Contract: of, Function: "pledge", Args: []clarity.Value{clarity.NewUInt(250), of}}, sender}
	c, known, err := book.Call(by)
	if err != nil || !known || clarity.Repr(c.Result) != "(ok u250)" || len(c.Moves) != 3 {
		t.Fatalf("%+v, %v, %v", c, known, err)
	}
	if m := c.Moves[0]; m.Amount.String() != "250" || *m.From != sender || *m.To != of || m.Asset.Name != "" {
		t.Errorf("it takes %+v", m)
	}
	if m := c.Moves[1]; m.From != nil || *m.To != of || m.Asset.Name != "share" || m.Amount.String() != "250" {
		t.Errorf("it mints %+v", m)
	}
	if m := c.Moves[2]; *m.From != of || *m.To != sender || clarity.Repr(m.Token) != "u7" || m.Amount != nil {
		t.Errorf("it gives %+v", m)
	}
	if got := clarity.Repr(c.Prints[0]); !strings.Contains(got, "'"+sender.String()) || !strings.Contains(got, "'"+fund) {
		t.Errorf("it prints %s", got)
	}
	if len(c.Sets) != 2 || c.Sets[0].Key != nil || clarity.Repr(c.Sets[0].Value) != "u250" || c.Sets[1].Key != sender {
		t.Errorf("it sets %+v", c.Sets)
	}
	by.Args = []clarity.Value{clarity.Bool(true), of}
	if _, _, err := book.Call(by); err == nil || !strings.Contains(err.Error(), "moves/0: amount: true is no uint") {
		t.Errorf("arguments of another type: %v", err)
	}
	by.Args = nil
	if _, _, err := book.Call(by); err == nil || !strings.Contains(err.Error(), "0 arguments were given") {
		t.Errorf("no arguments: %v", err)
	}
}

// What is wrong is refused where it is, before anybody calls.
func TestABadCallIsRefusedWhereItIsWrong(t *testing.T) {
	for _, tt := range []struct{ writtenEffect, says string }{
		{`"result":"(ok $x)"`, `calls/f/result: "(ok $x)"`},
		{`"result":"$1"`, "is no response"},
		{`"result":"(ok true)","moves":[{"asset":"USD","to":"sender","amount":"u1"}]`, `calls/f/moves/0/asset: "USD" is neither STX`},
		{`"result":"(ok true)","moves":[{"asset":"STX","amount":"u1"}]`, `calls/f/moves/0: neither "from" nor "to"`},
		{`"result":"(ok true)","moves":[{"asset":"STX","to":"me","amount":"u1"}]`, `calls/f/moves/0/to: "me" is neither`},
		{`"result":"(ok true)","moves":[{"asset":"STX","to":"sender"}]`, `calls/f/moves/0: give "amount"`},
		{`"result":"(ok true)","moves":[{"asset":"STX","to":"sender","id":"u1"}]`, `calls/f/moves/0/id: STX have none`},
		{`"result":"(ok true)","moves":[{"asset":"STX","to":"sender","amount":"5"}]`, `calls/f/moves/0/amount: "5" is no uint`},
		{`"result":"(ok true)","prints":["u"]`, `calls/f/prints/0: "u"`},
		{`"result":"(ok true)","sets":{"vars":{"n":"x"}}`, `calls/f/sets/vars/n: "x"`},
		{`"result":"(ok true)","sets":{"maps":[{"name":"m","key":"u1","value":")"}]}`, `calls/f/sets/maps/0/value: ")"`},
	} {
		e, err := ParseJSON([]byte(`{"contract":"` + fund + `","calls":{"f":{` + tt.writtenEffect + `}}}`))
		if err == nil {
			_, err = Book{}.Add(e)
		}
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %s", tt.writtenEffect, err, tt.says)
		}
	}
	e, err := ParseJSON([]byte(`{"contract":"` + fund + `","reads":{"f":{"result":"u1","prints":["u1"]}}}`))
	if err == nil {
		_, err = Book{}.Add(e)
	}
	if err == nil || !strings.Contains(err.Error(), "belong to calls") {
		t.Errorf("a read-only function that prints: %v", err)
	}
}

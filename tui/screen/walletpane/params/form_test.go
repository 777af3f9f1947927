package params_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/screen/walletpane/params"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"

	"github.com/google/go-cmp/cmp"
)

func on(t testing.TB, network string) *params.Context {
	t.Helper()
	c, err := params.NewContext(keys.NewTestRing(), 0, network)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func formOf(t testing.TB, method string) params.Form {
	t.Helper()
	f, ok := params.Of(method)
	if !ok {
		t.Fatalf("no form for %s", method)
	}
	return f
}

func example(t testing.TB, c *params.Context, method string) params.Draft {
	t.Helper()
	d, err := c.Example(method)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryMethodHasAFormWithEveryParam(t *testing.T) {
	if len(params.All()) != len(signer.Methods()) {
		t.Errorf("%d forms for %d methods", len(params.All()), len(signer.Methods()))
	}
	for _, m := range signer.Methods() {
		f, known := params.Of(m.Name)
		if !known {
			t.Errorf("%s has no form", m.Name)
			continue
		}
		object := f
		if m.Entry != "" {
			object = params.Form{Fields: f.Fields[0].Items}
		}
		for _, p := range m.Params {
			field, there := object.Field(p.Name)
			if !there {
				t.Errorf("%s: no field for %s", m.Name, p.Name)
			} else if field.Optional != p.Optional {
				t.Errorf("%s: %s is optional %v, for the wallet %v", m.Name, p.Name, field.Optional, p.Optional)
			}
		}
		for _, field := range slices.Concat(f.Fields, object.Fields) {
			if field.About == "" && !field.Chosen() {
				t.Errorf("%s: nothing says what %s is", m.Name, field.Name)
			}
		}
	}
}

func TestEveryExampleIsTakenByTheWalletOnEveryNetwork(t *testing.T) {
	for _, network := range []string{"mainnet", "testnet", "devnet", "mocknet", "regtest"} {
		for _, account := range []uint32{0, 7, keys.MaxAccount} {
			ring := keys.NewTestRing()
			c, err := params.NewContext(ring, account, network)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range params.All() {
				t.Run(fmt.Sprintf("%s/%d/%s", network, account, f.Method), func(t *testing.T) {
					d := example(t, c, f.Method)
					if problems := f.Check(c, d); len(problems) > 0 {
						t.Errorf("the form finds something wrong: %v", problems)
					}
					params, err := f.Params(d)
					if err != nil {
						t.Fatal(err)
					}
					call, err := signer.Parse(f.Method, params, signer.Env{Keys: ring, Account: account, Network: network})
					if err != nil {
						t.Fatalf("%s\n%v", params, err)
					}
					if got := call.Describe().Network.Name; got != network && f.Method != "stx_signTransaction" {
						t.Errorf("the request is for %s", got)
					}
				})
			}
		}
	}
}

func TestFormAndJSONAreTwoSidesOfOneRequest(t *testing.T) {
	c := on(t, "testnet")
	for _, f := range params.All() {
		params, err := f.Params(example(t, c, f.Method))
		if err != nil {
			t.Fatal(err)
		}
		d, err := f.Load(params)
		if err != nil {
			t.Fatalf("%s: %v", f.Method, err)
		}
		again, err := f.Params(d)
		if err != nil {
			t.Fatalf("%s: %v", f.Method, err)
		}
		if diff := cmp.Diff(string(params), string(again)); diff != "" {
			t.Errorf("%s: there and back (-before +after):\n%s", f.Method, diff)
		}
	}
}

func TestAFormBecomesParams(t *testing.T) {
	const to = "SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS"
	for name, c := range map[string]struct {
		method string
		draft  params.Draft
		want   string
	}{
		"nothing is no params": {"getAddresses", params.Draft{}, ``},
		"what is empty is left out": {
			"stx_transferStx",
			params.Draft{Texts: map[string]string{"recipient": to, "amount": "1", "memo": ""}},
			`{"recipient":"` + to + `","amount":"1"}`,
		},
		"an empty text is a text": {"stx_signMessage", params.Draft{Texts: map[string]string{"message": ""}}, `{"message":""}`},
		"a boolean is none in quotes": {
			"stx_transferStx",
			params.Draft{Texts: map[string]string{"sponsored": "true", "network": "testnet"}},
			`{"network":"testnet","sponsored":true}`,
		},
		"a Clarity literal is a typed value": {
			"stx_callContract",
			params.Draft{Items: map[string][]params.Item{"functionArgs": {{"": "u1"}, {"": "(some true)"}}}},
			`{"functionArgs":[{"type":"uint","value":"1"},{"type":"some","value":{"type":"true"}}]}`,
		},
		"consensus bytes stay bytes": {
			"stx_transferSip9Nft",
			params.Draft{Texts: map[string]string{"assetId": "hex:0100000000000000000000000000000001"}},
			`{"assetId":"0100000000000000000000000000000001"}`,
		},
		"an index is a number": {
			"signPsbt",
			params.Draft{Texts: map[string]string{"psbt": "cHNi dP8\n="}, Items: map[string][]params.Item{"signInputs": {{"index": "2", "address": "bc1q"}}}},
			`{"psbt":"cHNidP8=","signInputs":[{"index":2,"address":"bc1q"}]}`,
		},
		"a post-condition on a token has its fields only": {
			"stx_callContract",
			params.Draft{Items: map[string][]params.Item{"postConditions": {
				{"type": "nft-postcondition", "address": "origin", "condition": "sent", "amount": "7", "asset": to + ".t::t", "assetId": "u1"},
				{"type": "stx-postcondition", "address": "origin", "condition": "lte", "amount": "7", "asset": "x"},
			}}},
			`{"postConditions":[{"type":"nft-postcondition","address":"origin","condition":"sent","asset":"` + to + `.t::t","assetId":{"type":"uint","value":"1"}},` +
				`{"type":"stx-postcondition","address":"origin","condition":"lte","amount":"7"}]}`,
		},
		"an array is the params itself": {
			"signMultipleMessages",
			params.Draft{Items: map[string][]params.Item{"": {{"message": "", "address": "bc1q", "protocol": "ECDSA"}, {"message": "b", "address": "bc1p"}}}},
			`[{"message":"","address":"bc1q","protocol":"ECDSA"},{"message":"b","address":"bc1p"}]`,
		},
		"what no field knows is kept":   {"getAddresses", params.Draft{Extra: []params.Param{{Name: "purposes", JSON: []byte(`["stacks"]`)}}}, `{"purposes":["stacks"]}`},
		"markup is no reason to escape": {"stx_signMessage", params.Draft{Texts: map[string]string{"message": "<b>&\u2028"}}, `{"message":"<b>&\u2028"}`},
	} {
		t.Run(name, func(t *testing.T) {
			params, err := formOf(t, c.method).Params(c.draft)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(params)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParamsThatNoFieldCanShowAreLeftToTheJSONEditor(t *testing.T) {
	for name, c := range map[string]struct{ method, params, want string }{
		"no object":                           {"stx_signMessage", `[1]`, "no object"},
		"a fraction":                          {"stx_transferStx", `{"amount":1.5}`, "amount"},
		"an object for a text":                {"stx_signMessage", `{"message":{}}`, "message"},
		"a network that is none":              {"getAddresses", `{"network":"moonnet"}`, "moonnet"},
		"recipients that are none":            {"sendTransfer", `{"recipients":{}}`, "recipients"},
		"a recipient with more than we know":  {"sendTransfer", `{"recipients":[{"address":"a","amount":"1","memo":"x"}]}`, "recipients[0]"},
		"a Clarity value of an unknown type":  {"stx_callContract", `{"functionArgs":[{"type":"moon"}]}`, "functionArgs[0]"},
		"a post-condition in damaged digits":  {"stx_callContract", `{"postConditions":["0011"]}`, "postConditions[0]"},
		"half of a surrogate pair":            {"stx_signMessage", `{"message":"\ud800"}`, "message"},
		"an object for an array":              {"signMultipleMessages", `{"message":"a"}`, "the params: is no array"},
		"a message that is no object":         {"signMultipleMessages", `["a"]`, "[0]"},
		"a kind of address that there is not": {"getAccounts", `{"purposes":["spark"]}`, "spark"},
		"inputs by address, as Xverse has it": {"signPsbt", `{"signInputs":{"bc1q":[0]}}`, "signInputs"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := formOf(t, c.method).Load(json.RawMessage(c.params))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want something about %q", err, c.want)
			}
		})
	}
}

func TestOtherSpellingsOfParamsAreRead(t *testing.T) {
	for name, c := range map[string]struct{ method, params, want string }{
		"a number for an amount":     {"stx_transferStx", `{"amount":15}`, `{"amount":"15"}`},
		"null is not given":          {"stx_transferStx", `{"amount":"15","memo":null}`, `{"amount":"15"}`},
		"an argument in hexadecimal": {"stx_callContract", `{"functionArgs":["0x03"]}`, `{"functionArgs":[{"type":"true"}]}`},
		"plain indexes of inputs":    {"signPsbt", `{"psbt":"","signInputs":[1]}`, `{"signInputs":[{"index":1}]}`},
		"a post-condition in hexadecimal": {
			"stx_callContract", `{"postConditions":["000103000000000000000a"]}`,
			`{"postConditions":[{"type":"stx-postcondition","address":"origin","condition":"gte","amount":"10"}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := formOf(t, c.method)
			d, err := f.Load(json.RawMessage(c.params))
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Params(d)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestATupleKeepsTheOrderOfItsKeysThroughTheForm(t *testing.T) {
	// The keys b, a in this order, which no literal would be encoded to.
	params := `{"message":"0c00000002016203016104","domain":"` + "0c00000002016203016104" + `"}`
	f := formOf(t, "stx_signStructuredMessage")
	d, err := f.Load(json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Params(d)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != params {
		t.Errorf("%s, want %s", got, params)
	}
}

func TestFieldsSayWhatWouldBeRight(t *testing.T) {
	c := on(t, "mainnet")
	const sp = "SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS"
	st := on(t, "testnet").Mine.STX
	type row struct {
		name, method, field, text string
		problem, note             string
	}
	for _, r := range []row{
		{"an amount is shown in STX", "stx_transferStx", "amount", "1500000", "", "1.500000 STX"},
		{"an amount of STX is turned into micro-STX", "stx_transferStx", "amount", "1.5 STX", "that would be 1500000", ""},
		{"a fraction of a micro-STX is none", "stx_transferStx", "amount", "0.0000001", "digits only", ""},
		{"nothing cannot be sent", "stx_transferStx", "amount", "0", "at least 1", ""},
		{"more than fits", "stx_transferStx", "amount", "18446744073709551616", "at most 18446744073709551615", ""},
		{"a missing amount", "stx_transferStx", "amount", "", "missing", ""},
		{"a missing memo is fine", "stx_transferStx", "memo", "", "", ""},
		{"a memo counts bytes", "stx_transferStx", "memo", "日本", "", "6 of 34 bytes"},
		{"a memo that is too long", "stx_transferStx", "memo", strings.Repeat("é", 18), "has 36 bytes", ""},
		{"an address of the other network", "stx_transferStx", "recipient", st, "the request is for mainnet", ""},
		{"an address of nobody", "stx_transferStx", "recipient", "bob", "ADDRESS.NAME, such as SP", ""},
		{"an address of the wallet", "stx_transferStx", "recipient", c.Next.STX, "", "account 1 of this wallet"},
		{"a stranger's address", "stx_transferStx", "recipient", sp, "", ""},
		{"a contract can receive", "stx_transferStx", "recipient", sp + ".bank", "", ""},
		{"a contract needs a name", "stx_callContract", "contract", sp, "must be ADDRESS.NAME", ""},
		{"a function is no sentence", "stx_callContract", "functionName", "do it", "", ""},
		{"an asset has two colons", "stx_transferSip10Ft", "asset", sp + ".coin:coin", "CONTRACT::TOKEN", ""},
		{"a literal shows its type", "stx_transferSip9Nft", "assetId", `{ a: u1, b: (list 1 2) }`, "", "(tuple (a uint) (b (list 2 int)))"},
		{"a literal that is none", "stx_transferSip9Nft", "assetId", "u", "", ""},
		{"the source is counted", "stx_deployContract", "clarityCode", "(ok 1)\n(ok 2)\n", "", "2 lines, 14 B"},
		{"a file is read by enter", "stx_deployContract", "clarityCode", "@counter.clar", "enter reads counter.clar", ""},
		{"a contract name begins with a letter", "stx_deployContract", "name", "1st", "", ""},
		{"a contract name shows the contract", "stx_deployContract", "name", "bank", "", c.Mine.STX + ".bank"},
		{"a PSBT that is none", "signPsbt", "psbt", "aGk=", "must be a PSBT", ""},
		{"a key of 33 bytes", "stx_signMessage", "publicKey", "00", "66 hexadecimal digits", ""},
		{"hidden characters are counted", "stx_signMessage", "message", "a\u202eb", "", "1 hidden character"},
	} {
		t.Run(r.name, func(t *testing.T) {
			field, ok := formOf(t, r.method).Field(r.field)
			if !ok {
				t.Fatal("no such field")
			}
			v := c.Check(field, r.text)
			if r.problem == "" && r.note == "" {
				// Only whether something is wrong is asked.
				bad := map[string]bool{"a function is no sentence": true, "a literal that is none": true, "a contract name begins with a letter": true}[r.name]
				if (v.Problem != "") != bad {
					t.Errorf("problem %q", v.Problem)
				}
				return
			}
			if !strings.Contains(v.Problem, r.problem) || (r.problem == "") != (v.Problem == "") {
				t.Errorf("problem %q, want %q", v.Problem, r.problem)
			}
			if !strings.Contains(v.Note, r.note) {
				t.Errorf("note %q, want %q", v.Note, r.note)
			}
		})
	}
}

func TestAWrongLiteralNamesThePosition(t *testing.T) {
	c := on(t, "mainnet")
	field, _ := formOf(t, "stx_transferSip9Nft").Field("assetId")
	if v := c.Check(field, "(list u1 ux)"); v.Problem == "" || v.Offset < 6 {
		t.Errorf("%+v", v)
	}
}

func TestFilesBecomeTexts(t *testing.T) {
	for name, c := range map[string]struct {
		kind    signer.Kind
		content string
		want    string
		bad     bool
	}{
		"a contract as it stands":        {signer.KindSource, "(ok 1)\r\n", "(ok 1)\r\n", false},
		"a contract that is no text":     {signer.KindSource, "\xff", "", true},
		"a PSBT in bytes":                {signer.KindPSBT, "psbt\xff\x01", "cHNidP8B", false},
		"a PSBT in hexadecimal digits":   {signer.KindPSBT, "70736274ff01\n", "cHNidP8B", false},
		"a PSBT in base64 of many lines": {signer.KindPSBT, "cHNi\ndP8B\n", "cHNidP8B", false},
		"a picture is no PSBT":           {signer.KindPSBT, "\x89PNG", "", true},
		"a transaction in digits":        {signer.KindTransaction, "00 01\n", "0001", false},
		"a transaction in bytes":         {signer.KindTransaction, "\x00\x01", "0001", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := params.FromBytes(params.Field{Kind: c.kind}, []byte(c.content))
			if (err != nil) != c.bad || got != c.want && !c.bad {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestItemsAreAddedAndRemoved(t *testing.T) {
	d := formOf(t, "sendTransfer").Empty()
	at := params.Place{Name: "recipients", Item: 0, Part: "amount"}
	d.Set(at, "1")
	if i := d.Add("recipients", 0); i != 1 {
		t.Errorf("the new recipient is number %d", i)
	}
	d.Set(params.Place{Name: "recipients", Item: 1, Part: "amount"}, "2")
	d.Remove("recipients", 0)
	if got := d.Get(at); got != "2" || len(d.Items["recipients"]) != 1 {
		t.Errorf("%q of %d", got, len(d.Items["recipients"]))
	}
	d.Remove("recipients", 5)
	if got := at.String(); got != "recipients[0].amount" {
		t.Error(got)
	}
}

func FuzzLoad(f *testing.F) {
	c := on(f, "mainnet")
	for i, form := range params.All() {
		raw, err := form.Params(example(f, c, form.Method))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, []byte(raw))
	}
	f.Add(2, []byte(`{"postConditions":["0001"],"functionArgs":[{"type":"list","value":[]}]}`))
	all := params.All()
	f.Fuzz(func(t *testing.T, n int, params []byte) {
		g := all[((n%len(all))+len(all))%len(all)]
		if !json.Valid(params) {
			return
		}
		d, err := g.Load(params)
		if err != nil {
			return
		}
		g.Check(c, d)
		first, err := g.Params(d)
		if err != nil {
			return // a required value is not there
		}
		again, err := g.Load(first)
		if err != nil {
			t.Fatalf("%s became %s, which is not read: %v", params, first, err)
		}
		second, err := g.Params(again)
		if err != nil || string(first) != string(second) {
			t.Fatalf("%s, then %s (%v)", first, second, err)
		}
	})
}

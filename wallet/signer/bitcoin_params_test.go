package signer

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

// onePSBT has one p2wpkh input.
const onePSBT = "cHNidP8BAHECAAAAARHiNXVr5HtppZeNJA5S+RXYdrbTEw7Nvr6nvU4zQwwJAAAAAAD/////AiBOAAAAAAAAFgAUUsQ960d4y6ya7deLcW6rzuesBXcPdAAAAAAAABYAFMDOvNbD08qMddxexi6+VTMO+RDiAAAAAAABAR9bwwAAAAAAABYAFMDOvNbD08qMddxexi6+VTMO+RDiAAAA"

// requestOf reads params that are right.
func requestOf(t *testing.T, method, params string) *request {
	t.Helper()
	o, err := parseObject(json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	m, known := Lookup(method)
	if !known {
		t.Fatalf("there is no %s", method)
	}
	r, err := m.request(o, "", Env{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecipientsAreReadInEveryForm(t *testing.T) {
	r := requestOf(t, "sendTransfer", `{"recipients":[{"address":"a","amount":"1000"},{"address":"b","amount":18446744073709551615}]}`)
	got, err := r.recipients()
	if err != nil {
		t.Fatal(err)
	}
	want := []bitcoin.Recipient{{Path: "recipients[0]", Address: "a", Amount: 1000}, {Path: "recipients[1]", Address: "b", Amount: 1<<64 - 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBadParamsOfBitcoinMethodsAreRefusedWithTheirPath(t *testing.T) {
	env := Env{Keys: keys.NewTestRing()}
	transfer := func(raw json.RawMessage) error { _, err := Parse("sendTransfer", raw, env); return err }
	psbt := func(raw json.RawMessage) error { _, err := Parse("signPsbt", raw, env); return err }
	cases := map[string]struct {
		parse   func(json.RawMessage) error
		params  string
		message string
	}{
		"no params":                   {transfer, ``, "recipients: is missing"},
		"params of null":              {transfer, `null`, "params: must be an object, here null"},
		"params that are a list":      {transfer, `[]`, "params: must be an object"},
		"no recipients":               {transfer, `{}`, "recipients: is missing"},
		"recipients that are text":    {transfer, `{"recipients":"x"}`, "recipients: must be an array"},
		"nobody":                      {transfer, `{"recipients":[]}`, "recipients: must have 1 to 1000"},
		"a recipient that is text":    {transfer, `{"recipients":["x"]}`, "recipients[0]: must be an object"},
		"a recipient of null":         {transfer, `{"recipients":[null]}`, "recipients[0]: must be an object"},
		"no address":                  {transfer, `{"recipients":[{"amount":1}]}`, "recipients[0].address"},
		"an address of null":          {transfer, `{"recipients":[{"address":null,"amount":1}]}`, "recipients[0].address"},
		"no amount":                   {transfer, `{"recipients":[{"address":"a"}]}`, "recipients[0].amount: is missing"},
		"an amount of nothing":        {transfer, `{"recipients":[{"address":"a","amount":"0"}]}`, "recipients[0].amount: must be an integer from 1"},
		"a negative amount":           {transfer, `{"recipients":[{"address":"a","amount":-5}]}`, "recipients[0].amount: must be an integer from 1"},
		"half a satoshi":              {transfer, `{"recipients":[{"address":"a","amount":0.5}]}`, "must be an integer from 1"},
		"an exponent":                 {transfer, `{"recipients":[{"address":"a","amount":1e3}]}`, "must be an integer from 1"},
		"an amount in hex":            {transfer, `{"recipients":[{"address":"a","amount":"0x10"}]}`, "must be an integer from 1"},
		"an empty amount":             {transfer, `{"recipients":[{"address":"a","amount":""}]}`, "must be an integer from 1"},
		"an amount above 64 bits":     {transfer, `{"recipients":[{"address":"a","amount":"18446744073709551616"}]}`, "to 18446744073709551615"},
		"a network of another type":   {transfer, `{"recipients":[],"network":true}`, "network: must be one of"},
		"no PSBT":                     {psbt, `{}`, "psbt: is missing"},
		"a PSBT that is a number":     {psbt, `{"psbt":1}`, "psbt: must be a string"},
		"a PSBT that is none":         {psbt, `{"psbt":"aGVsbG8="}`, "psbt: must be a PSBT"},
		"a PSBT that is not base64":   {psbt, `{"psbt":"!!!"}`, "psbt: must be a PSBT in base64"},
		"a PSBT in hex":               {psbt, `{"psbt":"70736274ff01"}`, "psbt: must be a PSBT in base64, is one in hex"},
		"hex that is none":            {psbt, `{"hex":"zz"}`, "hex: must be a PSBT in hex"},
		"broadcast that is text":      {psbt, `{"psbt":"` + onePSBT + `","broadcast":"yes"}`, "broadcast: must be true or false"},
		"inputs that are text":        {psbt, `{"psbt":"` + onePSBT + `","signInputs":"x"}`, "signInputs: must be an array"},
		"an input that is text":       {psbt, `{"psbt":"` + onePSBT + `","signInputs":["x"]}`, "signInputs[0]: must be the index"},
		"an input without index":      {psbt, `{"psbt":"` + onePSBT + `","signInputs":[{"address":"a"}]}`, "signInputs[0].index: is missing"},
		"an index that is a fraction": {psbt, `{"psbt":"` + onePSBT + `","signInputs":[{"index":0.5}]}`, "signInputs[0].index"},
		"an address that is a number": {psbt, `{"psbt":"` + onePSBT + `","signInputs":[{"index":0,"address":1}]}`, "signInputs[0].address"},
		"a key that is none":          {psbt, `{"psbt":"` + onePSBT + `","signInputs":[{"index":0,"publicKey":"02"}]}`, "signInputs[0].publicKey"},
		"indexes that are text":       {psbt, `{"psbt":"` + onePSBT + `","signInputs":{"a":"x"}}`, "signInputs"},
		"an index by address":         {psbt, `{"psbt":"` + onePSBT + `","signInputs":{"a":["x"]}}`, `signInputs["a"][0]`},
		"both forms of inputs":        {psbt, `{"psbt":"` + onePSBT + `","signInputs":[0],"signAtIndex":0}`, "signAtIndex: must not"},
		"an index that is an object":  {psbt, `{"psbt":"` + onePSBT + `","signAtIndex":{}}`, "signAtIndex[0]"},
		"an unknown sighash":          {psbt, `{"psbt":"` + onePSBT + `","allowedSighash":["SOME"]}`, "allowedSighash[0]: must be one of"},
		"an unknown sighash number":   {psbt, `{"psbt":"` + onePSBT + `","allowedSighash":[1,7]}`, "allowedSighash[1]"},
		"a sighash that is text":      {psbt, `{"psbt":"` + onePSBT + `","allowedSighash":"ALL"}`, "allowedSighash: must be an array"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := c.parse(json.RawMessage(c.params))
			var e *jsonrpc.Error
			if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.Contains(e.Message, c.message) {
				t.Errorf("got %v, want %q", err, c.message)
			}
		})
	}
}

func TestInputsToSignAreReadInEveryForm(t *testing.T) {
	cases := map[string]struct {
		params string
		want   []bitcoin.SignInput
	}{
		"absent":              {``, nil},
		"null":                {`,"signInputs":null`, nil},
		"none":                {`,"signInputs":[]`, []bitcoin.SignInput{}},
		"objects":             {`,"signInputs":[{"index":0,"address":"a"}]`, []bitcoin.SignInput{{Path: "signInputs[0].address", Index: 0, Address: "a"}}},
		"index out of range":  {`,"signInputs":[{"index":5,"address":"a"}]`, []bitcoin.SignInput{{Path: "signInputs[0].index", Index: 5, Address: "a"}}},
		"without address":     {`,"signInputs":[{"index":0}]`, []bitcoin.SignInput{{Path: "signInputs[0].index", Index: 0}}},
		"plain indexes":       {`,"signInputs":[0,1]`, []bitcoin.SignInput{{Path: "signInputs[0]", Index: 0}, {Path: "signInputs[1]", Index: 1}}},
		"indexes by address":  {`,"signInputs":{"b":[1],"a":[0]}`, []bitcoin.SignInput{{Path: `signInputs["a"][0]`, Index: 0, Address: "a"}, {Path: `signInputs["b"][0]`, Index: 1, Address: "b"}}},
		"Leather's one index": {`,"signAtIndex":0`, []bitcoin.SignInput{{Path: "signAtIndex[0]", Index: 0}}},
		"Leather's indexes":   {`,"signAtIndex":[1]`, []bitcoin.SignInput{{Path: "signAtIndex[0]", Index: 1}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, got, _ := requestOf(t, "signPsbt", `{"psbt":"`+onePSBT+`"`+c.params+`}`).signRequest()
			if diff := cmp.Diff(c.want, got.Inputs); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzBitcoinParams(f *testing.F) {
	f.Add(`{"recipients":[{"address":"a","amount":"1"}]}`)
	f.Add(`{"psbt":"` + onePSBT + `","signInputs":[0,{"index":0,"address":"a","publicKey":"02"}],"allowedSighash":["ALL",131],"broadcast":true}`)
	f.Add(`{"hex":"70736274ff","signAtIndex":[0],"signInputs":{"a":[1]}}`)
	env := Env{Keys: keys.NewTestRing()}
	f.Fuzz(func(t *testing.T, params string) {
		for _, method := range []string{"sendTransfer", "signPsbt"} {
			call, err := Parse(method, json.RawMessage(params), env)
			var e *jsonrpc.Error
			switch {
			case err == nil:
				call.Describe()
				if _, err := call.Sign(t.Context()); err != nil && !errors.As(err, &e) {
					t.Fatalf("an error of another kind: %v", err)
				}
			case !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams && e.Code != jsonrpc.MethodAddressMismatch:
				t.Fatalf("an error of another kind: %v", err)
			}
		}
	})
}

package signer

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// unsigned returns the bytes that a request would sign.
func unsigned(t *testing.T, method, params string) *stxtx.Transaction {
	t.Helper()
	call, err := Parse(method, json.RawMessage(params), Env{Keys: keys.NewTestRing()})
	if err != nil {
		t.Fatalf("%s: %v", params, err)
	}
	tx, err := stxtx.DecodeHex(call.Describe().Transaction.Unsigned)
	if err != nil {
		t.Fatalf("%s: %v", params, err)
	}
	return tx
}

// Deny and allow have numbers too; one for the other would let everything through.
func TestEverySpellingOfTheModeIsItsByte(t *testing.T) {
	for spelling, want := range map[string]stxtx.PostConditionMode{
		`1`: 0x01, `"allow"`: 0x01, `2`: 0x02, `"deny"`: 0x02, `3`: 0x03, `"originator"`: 0x03,
	} {
		got := unsigned(t, "stx_callContract", `{"contract":"SP000000000000000000002Q6VF78.pox-4","functionName":"f","fee":1,"nonce":0,"postConditionMode":`+spelling+`}`)
		if got.PostConditionMode != want {
			t.Errorf("%s is the byte %d, want %d", spelling, got.PostConditionMode, want)
		}
	}
}

// A param that can be written in more than one way is the same bytes in each.
func TestEveryFormOfAParamIsTheSameTransaction(t *testing.T) {
	const call = `{"contract":"SP000000000000000000002Q6VF78.pox-4","functionName":"f","functionArgs":[ARG],"fee":FEE,"nonce":NONCE,"postConditions":[CONDITION]}`
	forms := map[string][]string{
		"ARG":       {`"0100000000000000000000000000000005"`, `"0x0100000000000000000000000000000005"`, `{"type":"uint","value":"5"}`},
		"FEE":       {`180`, `"180"`},
		"NONCE":     {`7`, `"7"`},
		"CONDITION": {`{"type":"stx-postcondition","address":"origin","condition":"lte","amount":"9"}`, `{"type":"stx-postcondition","address":"origin","condition":"lte","amount":9}`, `"0001050000000000000009"`, `"0x0001050000000000000009"`},
	}
	written := func(other, as string) string {
		params := call
		for name, all := range forms {
			form := all[0]
			if name == other {
				form = as
			}
			params = strings.Replace(params, name, form, 1)
		}
		return params
	}
	first := written("", "")
	want, err := unsigned(t, "stx_callContract", first).Hex()
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range forms {
		for _, form := range all[1:] {
			if got, err := unsigned(t, "stx_callContract", written(name, form)).Hex(); err != nil || got != want {
				t.Errorf("%s as %s:\n%s, want\n%s (%v)", name, form, got, want, err)
			}
		}
	}
	tx := unsigned(t, "stx_callContract", first)
	if tx.Auth.Origin.Fee != 180 || tx.Auth.Origin.Nonce != 7 || len(tx.PostConditions) != 1 || tx.PostConditions[0].Condition != 0x05 || tx.PostConditions[0].Amount != 9 {
		t.Errorf("it is %+v", tx)
	}
}

package signer

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

func TestArgumentsAreFunctionArgs(t *testing.T) {
	unsigned := func(params string) string {
		t.Helper()
		call, err := Parse("stx_callContract", json.RawMessage(`{"contract":"`+contract+`","functionName":"f",`+params+`}`), testEnv())
		if err != nil {
			t.Fatal(err)
		}
		return call.Describe().Transaction.Unsigned
	}
	want := unsigned(`"functionArgs":["03","04"]`)
	if got := unsigned(`"arguments":["03","04"]`); got != want {
		t.Errorf("arguments: %s, want %s", got, want)
	}
	if got := unsigned(`"arguments":["03","04"],"functionArgs":["03", "04"]`); got != want {
		t.Errorf("both: %s, want %s", got, want)
	}
	var e *jsonrpc.Error
	_, err := Parse("stx_callContract", json.RawMessage(`{"contract":"`+contract+`","functionName":"f","arguments":["03"],"functionArgs":["04"]}`), testEnv())
	if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, "arguments: differs from functionArgs") {
		t.Errorf("two that differ: %v", err)
	}
	_, err = Parse("stx_callContract", json.RawMessage(`{"contract":"`+contract+`","functionName":"f","arguments":["zz"]}`), testEnv())
	if !errors.As(err, &e) || !strings.HasPrefix(e.Message, "arguments[0]: ") {
		t.Errorf("a bad one: %v", err)
	}
}

func TestAStructuredMessageIsNeverSignedAsText(t *testing.T) {
	for _, c := range signingVectors(t, "structured-messages.json") {
		params := map[string]any{"messageType": "structured", "message": c.Params["message"], "domain": c.Params["domain"]}
		plain := run(t, Env{Keys: testEnv().Keys}, "stx_signStructuredMessage", map[string]any{"message": c.Params["message"], "domain": c.Params["domain"]})
		if got := run(t, Env{Keys: testEnv().Keys}, "stx_signMessage", params); got["signature"] != plain["signature"] {
			t.Errorf("%s: %v, want %v", c.Name, got, plain)
		}
	}
	for params, path := range map[string]string{
		`{"message":"03","messageType":"structured"}`:               "domain: is missing",
		`{"message":"03","domain":"03"}`:                            "domain: goes with the messageType structured",
		`{"message":"03","messageType":"json"}`:                     "messageType: ",
		`{"message":"x","messageType":5}`:                           "messageType: must be a string",
		`{"message":"zz","messageType":"structured","domain":"03"}`: "message: ",
	} {
		var e *jsonrpc.Error
		if _, err := Parse("stx_signMessage", json.RawMessage(params), testEnv()); !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, path) {
			t.Errorf("%s: %v, want %s", params, err, path)
		}
	}
}

func TestABitcoinMessageIsSignedByTheAddressThatIsNamed(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Seed, Compare string
			AccountIndex        uint32
			Params              json.RawMessage
			LeatherParams       map[string]any
			Expect              struct{ Signature, MessageHash, Address, Protocol string }
		}
		Invalid []struct {
			Why    string
			Params json.RawMessage
		}
	}
	vectors.Read(t, "bitcoin-messages.json", &file)
	for _, c := range file.Cases {
		env := Env{Keys: ringOf(t, c.Seed), Account: c.AccountIndex}
		var params map[string]any
		if err := json.Unmarshal(c.Params, &params); err != nil {
			t.Fatal(err)
		}
		got := run(t, env, "signMessage", params)
		if got["address"] != c.Expect.Address || got["messageHash"] != c.Expect.MessageHash || got["protocol"] != c.Expect.Protocol || got["message"] != params["message"] {
			t.Errorf("%s: %v, want %+v", c.Name, got, c.Expect)
		}
		if c.Compare != "verify" && got["signature"] != c.Expect.Signature {
			t.Errorf("%s: signature %v, want %s", c.Name, got["signature"], c.Expect.Signature)
		}
		// From another account of the same wallet the address is found all the same.
		env.Account = (c.AccountIndex + 3) % 5
		if other := run(t, env, "signMessage", params); other["signature"] != got["signature"] {
			t.Errorf("%s: from account %d another signature", c.Name, env.Account)
		}
		if c.LeatherParams == nil {
			continue
		}
		env.Account = c.AccountIndex
		c.LeatherParams["message"] = params["message"]
		if leather := run(t, env, "signMessage", c.LeatherParams); leather["signature"] != got["signature"] {
			t.Errorf("%s: by payment type %v", c.Name, leather)
		}
	}
	for _, c := range file.Invalid {
		var e *jsonrpc.Error
		if _, err := Parse("signMessage", c.Params, testEnv()); !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams && e.Code != jsonrpc.MethodAddressMismatch {
			t.Errorf("%s: %v", c.Why, err)
		}
	}
}

func TestSeveralTransactionsAreSignedAtOnceOrNotAtAll(t *testing.T) {
	var given []string
	var want []any
	for _, c := range signingVectors(t, "stx-sign-transaction.json")[:3] {
		if c.Seed != "abandon12" {
			continue
		}
		text, _ := c.Params["transaction"].(string)
		given = append(given, text)
		want = append(want, run(t, testEnv(), "stx_signTransaction", map[string]any{"transaction": text})["transaction"])
	}
	got, _ := run(t, testEnv(), "stx_signTransactions", map[string]any{"transactions": given})["transactions"].([]any)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("transaction %d: %v, want %v", i, got[i], want[i])
		}
	}
	call, err := Parse("stx_signTransactions", encode(t, map[string]any{"transactions": given}), testEnv())
	if err != nil || len(call.Describe().Batch) != len(given) {
		t.Fatalf("%v, %+v", err, call)
	}
	for params, path := range map[string]string{
		`{"transactions":[]}`: "transactions: ", `{"transactions":["` + given[0] + `","00"]}`: "transactions[1]: ", `{"transactions":[5]}`: "transactions[0]: ",
	} {
		var e *jsonrpc.Error
		if _, err := Parse("stx_signTransactions", json.RawMessage(params), testEnv()); !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, path) {
			t.Errorf("%s: %v", params, err)
		}
	}
}

func TestAFeeOfZeroIsFilledInOnlyWhereTheModelDoes(t *testing.T) {
	text, err := testTransfer(t).Hex()
	if err != nil {
		t.Fatal(err)
	}
	params := map[string]any{"transaction": text}
	for _, fill := range []bool{false, true} {
		env := testEnv()
		env.FillZero = fill
		signed, _ := run(t, env, "stx_signTransaction", params)["transaction"].(string)
		tx, err := stxtx.DecodeHex(signed)
		if err != nil {
			t.Fatal(err)
		}
		if filled := tx.Auth.Origin.Fee == DefaultFee; filled != fill || tx.Verify() != nil {
			t.Errorf("fill %v: fee %d, %v", fill, tx.Auth.Origin.Fee, tx.Verify())
		}
	}
}

// testTransfer returns an unsigned transfer of account 0 without fee and nonce.
func testTransfer(t *testing.T) *stxtx.Transaction {
	t.Helper()
	call, err := Parse("stx_transferStx", json.RawMessage(`{"recipient":"`+somebody+`","amount":1,"fee":0,"nonce":0}`), testEnv())
	if err != nil {
		t.Fatal(err)
	}
	tx, err := stxtx.DecodeHex(call.Describe().Transaction.Unsigned)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

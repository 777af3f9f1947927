package verify_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
	"chainscope/wallet/verify"
)

type vector struct {
	Name, Method, Seed, Network string
	AccountIndex                uint32
	Params                      json.RawMessage
	Expect                      json.RawMessage
	AcceptedByReferenceLibrary  *bool
}

// flip changes one hexadecimal digit or base64 letter of a text.
func flip(text string, at int) string {
	b := []byte(text)
	if at %= len(b); b[at] == '0' {
		b[at] = '1'
	} else {
		b[at] = '0'
	}
	return string(b)
}

func TestTheMessagesOfOtherWalletsVerify(t *testing.T) {
	for _, file := range []string{"messages.json", "structured-messages.json", "bitcoin-messages.json"} {
		var in struct{ Cases []vector }
		vectors.Read(t, file, &in)
		for _, c := range in.Cases {
			if c.Method == "" {
				c.Method = map[string]string{"messages.json": "stx_signMessage", "structured-messages.json": "stx_signStructuredMessage"}[file]
			}
			if r := verify.Answer(c.Method, c.Params, c.Expect, verify.Known{}); !r.Valid || r.By == "" {
				t.Errorf("%s, %s: %+v", file, c.Name, r)
			}
			var result map[string]any
			if err := json.Unmarshal(c.Expect, &result); err != nil {
				t.Fatal(err)
			}
			signature, _ := result["signature"].(string)
			result["signature"] = flip(signature, 20)
			bad, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			if r := verify.Answer(c.Method, c.Params, bad, verify.Known{}); r.Valid {
				t.Errorf("%s, %s: verifies with another signature", file, c.Name)
			}
		}
		if len(in.Cases) < 5 {
			t.Errorf("%s: %d cases", file, len(in.Cases))
		}
	}
}

func TestTheTransactionsOfTheReferenceLibraryVerify(t *testing.T) {
	var in struct {
		Cases []struct {
			Name   string
			Expect struct{ SignedTx, UnsignedTx, TxID string }
		}
	}
	vectors.Read(t, "stx-transactions.json", &in)
	for _, c := range in.Cases {
		if r := verify.Transaction(c.Expect.SignedTx, c.Expect.TxID); !r.Valid {
			t.Errorf("%s: %+v", c.Name, r)
		}
		if r := verify.Transaction(c.Expect.SignedTx, flip(c.Expect.TxID, 3)); r.Valid {
			t.Errorf("%s: verifies with another id", c.Name)
		}
		if r := verify.Transaction(c.Expect.UnsignedTx, ""); r.Valid {
			t.Errorf("%s: verifies unsigned", c.Name)
		}
		if r := verify.Transaction(flip(c.Expect.SignedTx, 120), ""); r.Valid {
			t.Errorf("%s: verifies with another signature", c.Name)
		}
	}
	var several struct {
		Cases []struct {
			Name, Signed, TxID, Address string
			Required                    int
			Steps                       []struct {
				Signs bool
				After string
			}
		}
	}
	vectors.Read(t, "multisig.json", &several)
	for _, c := range several.Cases {
		if r := verify.Transaction(c.Signed, c.TxID); !r.Valid || r.By != c.Address {
			t.Errorf("%s: %+v", c.Name, r)
		}
		if first := c.Steps[0]; c.Required > 1 && first.Signs {
			if r := verify.Transaction(first.After, ""); r.Valid || !strings.Contains(r.Text, "incomplete: 1 of the") {
				t.Errorf("%s: with one signature %+v", c.Name, r)
			}
		}
	}
}

func TestTheSenderMayBeNamedByKeyOrAddress(t *testing.T) {
	var in struct{ Cases []vector }
	vectors.Read(t, "messages.json", &in)
	c := in.Cases[0]
	var params struct{ Message string }
	var result struct{ Signature, PublicKey string }
	if json.Unmarshal(c.Params, &params) != nil || json.Unmarshal(c.Expect, &result) != nil {
		t.Fatal("bad vector")
	}
	ring := keys.NewTestRing()
	call, err := signer.Parse("stx_signMessage", c.Params, signer.Env{Keys: ring})
	if err != nil {
		t.Fatal(err)
	}
	text, err := call.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{result.PublicKey, "0x" + result.PublicKey, "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", "STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ"} {
		if r := verify.Message(params.Message, result.Signature, by); !r.Valid || len(r.By) != 66 {
			t.Errorf("by %s: %+v", by, r)
		}
	}
	for _, by := range []string{"", "SP000000000000000000002Q6VF78", flip(result.PublicKey, 40), "somebody"} {
		if r := verify.Message(params.Message, result.Signature, by); r.Valid {
			t.Errorf("by %q: %+v", by, r)
		}
	}
}

// sign answers a request with the test keys on testnet.
func sign(t *testing.T, method, params string) json.RawMessage {
	t.Helper()
	call, err := signer.Parse(method, json.RawMessage(params), signer.Env{Keys: keys.NewTestRing(), Network: "testnet"})
	if err != nil {
		t.Fatal(err)
	}
	if call, err = call.Prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	result, err := call.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestATransferOfMockCoinsIsRunThroughTheScriptEngine(t *testing.T) {
	const params = `{"recipients":[{"address":"tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl","amount":"5000"}]}`
	result := sign(t, "sendTransfer", params)
	owner := func(account uint32) *bitcoin.Owner {
		ring := keys.NewTestRing()
		wpkh, err := ring.Bitcoin(keys.P2WPKH, 1, account)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := ring.Bitcoin(keys.P2TR, 1, account)
		if err != nil {
			t.Fatal(err)
		}
		a, err := bitcoin.NewAccount(bitcoin.Testnet, wpkh.Secp256k1(), tr.Secp256k1())
		if err != nil {
			t.Fatal(err)
		}
		return &a.Owner
	}
	known := verify.Known{Network: bitcoin.Testnet, Owner: owner(0)}
	if r := verify.Answer("sendTransfer", json.RawMessage(params), result, known); !r.Valid || r.By != known.Owner.P2WPKH.Address {
		t.Errorf("%+v", r)
	}
	for what, c := range map[string]struct {
		params, result string
		known          verify.Known
	}{
		"another amount":    {strings.Replace(params, "5000", "5001", 1), string(result), known},
		"another recipient": {strings.Replace(params, "tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl", known.Owner.P2TR.Address, 1), string(result), known},
		"another account":   {params, string(result), verify.Known{Network: bitcoin.Testnet, Owner: owner(1)}},
		"no account":        {params, string(result), verify.Known{Network: bitcoin.Testnet}},
	} {
		if r := verify.Answer("sendTransfer", json.RawMessage(c.params), json.RawMessage(c.result), c.known); r.Valid {
			t.Errorf("%s: %+v", what, r)
		}
	}
	var signed struct{ TxID, Transaction string }
	if err := json.Unmarshal(result, &signed); err != nil {
		t.Fatal(err)
	}
	// One bit of the witness, which the id does not cover.
	at := strings.Index(signed.Transaction, "0247304402")
	if at < 0 {
		at = strings.Index(signed.Transaction, "0248304502")
	}
	bad := strings.Replace(string(result), signed.Transaction, flip(signed.Transaction, at+40), 1)
	if r := verify.Answer("sendTransfer", json.RawMessage(params), json.RawMessage(bad), known); r.Valid || at < 0 {
		t.Errorf("a changed witness at %d: %+v", at, r)
	}
}

func TestEverySignedInputOfAPSBTIsRunThroughTheScriptEngine(t *testing.T) {
	var in struct {
		Cases []struct {
			Name, Network string
			Params        json.RawMessage
			Expect        struct {
				SignedIndexes []int
				PSBT          string
			}
		}
	}
	vectors.Read(t, "psbts.json", &in)
	for _, c := range in.Cases {
		network, err := bitcoin.NetworkNamed(c.Network)
		if err != nil {
			t.Fatal(err)
		}
		result, err := json.Marshal(map[string]string{"psbt": c.Expect.PSBT})
		if err != nil {
			t.Fatal(err)
		}
		r := verify.Answer("signPsbt", c.Params, result, verify.Known{Network: network})
		if !r.Valid || r.By == "" {
			t.Errorf("%s: %+v", c.Name, r)
		}
		unsigned := json.RawMessage(`{"psbt":` + string(member(t, c.Params, "psbt")) + `}`)
		if r := verify.Answer("signPsbt", c.Params, unsigned, verify.Known{Network: network}); r.Valid && len(c.Expect.SignedIndexes) > 0 && !strings.Contains(c.Name, "already") {
			t.Errorf("%s: verifies unsigned: %+v", c.Name, r)
		}
	}
	changed := 0
	for _, c := range in.Cases {
		p, err := bitcoin.ParsePSBT(c.Expect.PSBT)
		if err != nil {
			t.Fatal(err)
		}
		text, err := p.Hex()
		if err != nil {
			t.Fatal(err)
		}
		// The value of a partial signature of DER, or of a taproot key signature
		// (BIP-371, key 13), with one digit changed inside r.
		at := max(strings.LastIndex(text, "304402"), strings.LastIndex(text, "304502"), strings.LastIndex(text, "011340"))
		if at < 0 {
			continue
		}
		changed++
		network, err := bitcoin.NetworkNamed(c.Network)
		if err != nil {
			t.Fatal(err)
		}
		bad := json.RawMessage(`{"hex":"` + flip(text, at+30) + `"}`)
		if r := verify.Answer("signPsbt", c.Params, bad, verify.Known{Network: network}); r.Valid {
			t.Errorf("%s: a changed signature verifies: %+v", c.Name, r)
		}
	}
	if changed < 8 {
		t.Errorf("%d signatures were changed", changed)
	}
	first, second := in.Cases[0], in.Cases[1]
	other, err := json.Marshal(map[string]string{"psbt": second.Expect.PSBT})
	if err != nil {
		t.Fatal(err)
	}
	if r := verify.Answer("signPsbt", first.Params, other, verify.Known{Network: bitcoin.Mainnet}); r.Valid {
		t.Error("another PSBT than the requested one verifies")
	}
}

func member(t *testing.T, params json.RawMessage, name string) json.RawMessage {
	t.Helper()
	var o map[string]json.RawMessage
	if err := json.Unmarshal(params, &o); err != nil {
		t.Fatal(err)
	}
	return o[name]
}

func TestAnotherTransactionThanTheGivenOneIsNoAnswer(t *testing.T) {
	var in struct{ Cases []vector }
	vectors.Read(t, "stx-sign-transaction.json", &in)
	for i, c := range in.Cases {
		if r := verify.Answer(c.Method, c.Params, c.Expect, verify.Known{}); !r.Valid {
			t.Errorf("%s: %+v", c.Name, r)
		}
		other := in.Cases[(i+1)%len(in.Cases)].Expect
		if r := verify.Answer(c.Method, c.Params, other, verify.Known{}); r.Valid {
			t.Errorf("%s: another transaction verifies", c.Name)
		}
	}
}

func TestSeveralMessagesAreCheckedOneByOne(t *testing.T) {
	const params = `[{"address":"tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl","message":"a"},{"address":"tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl","message":"b","protocol":"BIP322"}]`
	result := sign(t, "signMultipleMessages", params)
	if r := verify.Answer("signMultipleMessages", json.RawMessage(params), result, verify.Known{}); !r.Valid {
		t.Errorf("%+v", r)
	}
	// The library with its overrides makes an object of an array.
	var list []json.RawMessage
	if err := json.Unmarshal(result, &list); err != nil {
		t.Fatal(err)
	}
	for numbered, valid := range map[string]bool{
		`{"0":` + string(list[0]) + `,"1":` + string(list[1]) + `}`: true,
		`{"0":` + string(list[1]) + `,"1":` + string(list[0]) + `}`: false,
		`{"0":` + string(list[0]) + `,"2":` + string(list[1]) + `}`: false,
	} {
		if r := verify.Answer("signMultipleMessages", json.RawMessage(params), json.RawMessage(numbered), verify.Known{}); r.Valid != valid {
			t.Errorf("%s: %+v", numbered, r)
		}
	}
	swapped := strings.Replace(params, `"message":"b"`, `"message":"c"`, 1)
	if r := verify.Answer("signMultipleMessages", json.RawMessage(swapped), result, verify.Known{}); r.Valid || !strings.HasPrefix(r.Text, "message 2: ") {
		t.Errorf("%+v", r)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("stx_signMessage", []byte(`{"message":"x"}`), []byte(`{"signature":"00","publicKey":"03"}`))
	f.Add("signPsbt", []byte(`{"psbt":"cHNidP8="}`), []byte(`{"hex":"70736274ff"}`))
	f.Add("sendTransfer", []byte(`{"recipients":[{"address":"tb1","amount":1}]}`), []byte(`{"txid":"","transaction":"0200"}`))
	f.Add("stx_signTransactions", []byte(`{"transactions":["00"]}`), []byte(`{"transactions":["00"]}`))
	f.Fuzz(func(t *testing.T, method string, params, result []byte) {
		if r := verify.Answer(method, params, result, verify.Known{Network: bitcoin.Testnet}); r.Valid && r.Kind == "" {
			t.Errorf("%s: valid, and of no kind", method)
		}
	})
}

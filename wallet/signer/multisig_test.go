package signer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
)

type multisigFile struct {
	Cases []struct {
		Name, Address, TxID string
		Required            int
		Steps               []struct {
			Signs               bool
			Seed, Before, After string
			AccountIndex        uint32
		}
	}
	Single []struct{ Name, Unsigned, Signed, TxID string }
}

func TestAnOriginOfSeveralKeysIsSignedAsTheReferenceLibrarySignsIt(t *testing.T) {
	var file multisigFile
	vectors.Read(t, "multisig.json", &file)
	signed := 0
	for _, c := range file.Cases {
		before := 0
		for i, step := range c.Steps {
			if !step.Signs {
				continue
			}
			before++
			if step.Seed != "abandon12" {
				continue
			}
			signed++
			env := testEnv()
			params := fmt.Sprintf(`{"transaction":"%s","account":%d}`, step.Before, step.AccountIndex)
			call, err := Parse("stx_signTransaction", json.RawMessage(params), env)
			if err != nil {
				t.Fatalf("%s, step %d: %v", c.Name, i, err)
			}
			d := call.Describe()
			if d.Signers == nil || d.Signers.Address != c.Address || d.Signers.Required != c.Required || d.Signers.Signed != before-1 || d.Sender() != c.Address {
				t.Errorf("%s, step %d: described as %+v", c.Name, i, d.Signers)
			}
			text, err := call.Sign(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var result struct{ TxID, Transaction string }
			if err := json.Unmarshal(text, &result); err != nil || result.Transaction != step.After {
				t.Errorf("%s, step %d: %s, %v, want %s", c.Name, i, result.Transaction, err, step.After)
			}
			if complete := before == c.Required && !d.Transaction.Sponsored; (result.TxID != "") != complete || d.Complete() != complete {
				t.Errorf("%s, step %d: txid %q, complete %v", c.Name, i, result.TxID, d.Complete())
			}
			// The key is there now: it cannot sign once more.
			again := fmt.Sprintf(`{"transaction":"%s","account":%d}`, step.After, step.AccountIndex)
			var e *jsonrpc.Error
			if _, err := Parse("stx_signTransaction", json.RawMessage(again), env); !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, "transaction: ") {
				t.Errorf("%s, step %d: signed once more: %v", c.Name, i, err)
			}
			if before > 1 {
				if _, err := call.Edit(Edit{Fee: new(uint64)}); err == nil {
					t.Errorf("%s, step %d: the fee that another key signed changes", c.Name, i)
				}
			}
		}
	}
	if signed != 16 {
		t.Errorf("%d signatures, want 16", signed)
	}
	for _, c := range file.Single {
		got := run(t, testEnv(), "stx_signTransaction", map[string]any{"transaction": c.Unsigned})
		if got["transaction"] != c.Signed || got["txid"] != c.TxID {
			t.Errorf("%s: %v, want %s", c.Name, got, c.Signed)
		}
	}
}

func TestEveryPostConditionOfTheReferenceLibraryIsTaken(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Hex string
			JSON      json.RawMessage
		}
	}
	vectors.Read(t, "pox-post-conditions.json", &file)
	for _, c := range file.Cases {
		var unsigned []string
		for _, form := range []string{`"` + c.Hex + `"`, string(c.JSON)} {
			call, err := Parse("stx_callContract", json.RawMessage(`{"contract":"`+contract+`","functionName":"stake","postConditions":[`+form+`]}`), testEnv())
			if err != nil {
				t.Fatalf("%s, %s: %v", c.Name, form, err)
			}
			unsigned = append(unsigned, call.Describe().Transaction.Unsigned)
		}
		if unsigned[0] != unsigned[1] || !strings.Contains(unsigned[0], c.Hex) {
			t.Errorf("%s: %s and %s, want %s in both", c.Name, unsigned[0], unsigned[1], c.Hex)
		}
	}
}

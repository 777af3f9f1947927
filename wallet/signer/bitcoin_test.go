package signer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

type psbtVectors struct {
	Cases []struct {
		Name, Network, Seed string
		AccountIndex        uint32
		Params              json.RawMessage
		Expect              struct {
			SignedIndexes []int
			Complete      bool
			Finalized     *struct{ TxHex, Txid string }
		}
	}
	Invalid []struct {
		Why    string
		Params json.RawMessage
	}
}

// ringOf makes the keys of a seed of the vectors.
func ringOf(t *testing.T, seed string) *keys.Ring {
	t.Helper()
	var file struct {
		Cases []struct{ Seed, Mnemonic, Passphrase string }
	}
	vectors.Read(t, "accounts.json", &file)
	for _, c := range file.Cases {
		if c.Seed == seed {
			ring, err := keys.NewRing(keys.NewSecret(c.Mnemonic), keys.NewSecret(c.Passphrase))
			if err != nil {
				t.Fatal(err)
			}
			return ring
		}
	}
	t.Fatalf("no seed %s", seed)
	return nil
}

func approveAll(context.Context, Description) (Decision, error) { return Decision{Approved: true}, nil }

func TestEveryPSBTVectorGoesFromParamsToResult(t *testing.T) {
	var file psbtVectors
	vectors.Read(t, "psbts.json", &file)
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			env := Env{Keys: ringOf(t, c.Seed), Account: c.AccountIndex, Network: c.Network}
			call, err := Parse("signPsbt", c.Params, env)
			if err != nil {
				t.Fatal(err)
			}
			var signs []int
			for _, in := range call.Describe().Bitcoin.Inputs {
				if in.Sign {
					signs = append(signs, in.Index)
				}
			}
			if !slices.Equal(signs, c.Expect.SignedIndexes) {
				t.Errorf("described as signing %v, want %v", signs, c.Expect.SignedIndexes)
			}
			raw, err := runRequest(t.Context(), "signPsbt", c.Params, env, Approver(approveAll))
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ PSBT, TxID, Transaction string }
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			p, err := bitcoin.ParsePSBT(got.PSBT)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range p.Describe(bitcoin.Mainnet, nil).Inputs {
				if want := slices.Contains(c.Expect.SignedIndexes, in.Index); in.Signed != want {
					t.Errorf("input %d signed: %t, want %t", in.Index, in.Signed, want)
				}
			}
			var params struct{ Broadcast bool }
			if err := json.Unmarshal(c.Params, &params); err != nil {
				t.Fatal(err)
			}
			if !params.Broadcast {
				if got.TxID != "" || got.Transaction != "" {
					t.Error("a txid without broadcast")
				}
				return
			}
			if got.TxID != c.Expect.Finalized.Txid || got.Transaction != c.Expect.Finalized.TxHex {
				t.Errorf("got %s %s", got.TxID, got.Transaction)
			}
		})
	}
	for _, c := range file.Invalid {
		t.Run(c.Why, func(t *testing.T) {
			_, err := Parse("signPsbt", c.Params, Env{Keys: keys.NewTestRing()})
			var e *jsonrpc.Error
			if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams {
				t.Errorf("got %v", err)
			}
		})
	}
	if t.Logf("%d cases and %d refused", len(file.Cases), len(file.Invalid)); len(file.Cases) != 12 || len(file.Invalid) != 6 {
		t.Error("want 12 cases and 6 refused")
	}
}

func TestATransferIsDescribedAndSignedAsDescribed(t *testing.T) {
	const params = `{"recipients":[{"address":"tb1qj5qhcl3snekxmmfggfawyetpfzhlkuz5wydl6q","amount":"70000"}],"network":"testnet"}`
	env := Env{Keys: keys.NewTestRing()}
	var shown Description
	raw, err := runRequest(t.Context(), "sendTransfer", json.RawMessage(params), env, Approver(func(_ context.Context, d Description) (Decision, error) {
		shown = d
		return Decision{Approved: true}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ TxID, Transaction string }
	if err := json.Unmarshal(raw, &got); err != nil || got.Transaction == "" {
		t.Fatalf("%s, %v", raw, err)
	}
	b := shown.Bitcoin
	if b.TxID != got.TxID || b.Outputs[0].Amount != 70_000 || b.Outputs[0].Change || !b.Outputs[1].Change || !b.Inputs[0].Ours || *b.Fee <= 0 {
		t.Errorf("described as %+v, signed %s", b, got.TxID)
	}
	if shown.Network.Name != "testnet" || shown.Account.Index != 0 {
		t.Errorf("for %+v on %+v", shown.Account, shown.Network)
	}
	_, err = runRequest(t.Context(), "sendTransfer", json.RawMessage(params), env, Approver(func(context.Context, Description) (Decision, error) {
		return Decision{}, nil
	}))
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != jsonrpc.UserRejection {
		t.Errorf("rejected: %v", err)
	}
}

func TestAnAddressInSignInputsSelectsItsAccount(t *testing.T) {
	const params = `{"psbt":"` + onePSBT + `","signInputs":[{"index":0,"address":"bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"}]}`
	call, err := Parse("signPsbt", json.RawMessage(params), Env{Keys: keys.NewTestRing(), Account: 3})
	if err != nil {
		t.Fatal(err)
	}
	d := call.Describe()
	if d.Account.Index != 0 || !d.Account.Selected || d.Warnings[0].Kind != WarnAccount {
		t.Errorf("got %+v, %+v", d.Account, d.Warnings)
	}
	_, err = Parse("signPsbt", json.RawMessage(`{"psbt":"`+onePSBT+`"}`), Env{Keys: keys.NewTestRing(), Account: 3})
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != jsonrpc.MethodAddressMismatch {
		t.Errorf("without an address: %v", err)
	}
	_, err = Parse("signPsbt", json.RawMessage(`{"psbt":"`+onePSBT+`","signInputs":[{"index":0,"publicKey":"03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115"}]}`), Env{Keys: keys.NewTestRing()})
	if !errors.As(err, &e) || e.Code != jsonrpc.MethodAddressMismatch {
		t.Errorf("another key: %v", err)
	}
}

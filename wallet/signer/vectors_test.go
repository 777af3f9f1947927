package signer

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/keys"
)

// rings returns the keys of the seeds that the vectors name.
func rings(t testing.TB) map[string]*keys.Ring {
	var file struct {
		Cases []struct{ Seed, Mnemonic, Passphrase string }
	}
	vectors.Read(t, "accounts.json", &file)
	out := map[string]*keys.Ring{}
	for _, c := range file.Cases {
		if out[c.Seed] == nil {
			ring, err := keys.NewRing(keys.NewSecret(c.Mnemonic), keys.NewSecret(c.Passphrase))
			if err != nil {
				t.Fatal(err)
			}
			out[c.Seed] = ring
		}
	}
	return out
}

type vector struct {
	Name, Method, Seed, Nonce, Fee, Note string
	AccountIndex                         uint32
	Params, ParamsJSON                   map[string]any
	MessageHash, SignedHash              string
	AcceptedByReferenceLibrary           bool
	Expect                               struct {
		UnsignedTx, SignedTx, Txid, Transaction, Signature, PublicKey, SenderAddress, Network string
		AuthType                                                                              byte
	}
}

func signingVectors(t testing.TB, name string) []vector {
	var file struct{ Cases []vector }
	vectors.Read(t, name, &file)
	return file.Cases
}

// always approves.
var always = Approver(func(context.Context, Description) (Decision, error) { return Decision{Approved: true}, nil })

func encode(t testing.TB, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// run answers a request without a source of nonce and fee.
func run(t testing.TB, env Env, method string, params any) map[string]any {
	t.Helper()
	text, err := runRequest(context.Background(), method, encode(t, params), env, always)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryTransactionVectorIsSignedByteForByte(t *testing.T) {
	ring := rings(t)
	count := 0
	for _, c := range signingVectors(t, "stx-transactions.json") {
		count++
		t.Run(c.Name, func(t *testing.T) {
			env := Env{Keys: ring[c.Seed], Account: c.AccountIndex}
			method, params := c.Method, c.Params
			params["nonce"], params["fee"] = c.Nonce, c.Fee
			if strings.Contains(c.Name, "unversioned") {
				// A wallet never makes the old payload, but signs it.
				method, params = "stx_signTransaction", map[string]any{"transaction": c.Expect.UnsignedTx}
			}
			call, err := Parse(method, encode(t, params), env)
			if err != nil {
				t.Fatal(err)
			}
			d := call.Describe()
			if d.Transaction.Unsigned != c.Expect.UnsignedTx {
				t.Errorf("unsigned %s, want %s", d.Transaction.Unsigned, c.Expect.UnsignedTx)
			}
			if d.Account.Address != c.Expect.SenderAddress || d.Network.Name != c.Expect.Network || d.Account.PublicKey != c.Expect.PublicKey {
				t.Errorf("account %+v on %s, want %+v", d.Account, d.Network.Name, c.Expect)
			}
			encode(t, d)
			got := run(t, env, method, params)
			if got["transaction"] != c.Expect.SignedTx {
				t.Errorf("signed %s, want %s", got["transaction"], c.Expect.SignedTx)
			}
			want := c.Expect.Txid
			if c.Expect.AuthType == 5 {
				want = "" // the id is known when the sponsor has signed
			}
			if got["txid"] != want {
				t.Errorf("txid %s, want %s", got["txid"], want)
			}
		})
	}
	t.Logf("%d transaction vectors", count)
	if count != 27 {
		t.Errorf("%d vectors, want 27", count)
	}
}

func TestEverySignTransactionVectorIsSignedByteForByte(t *testing.T) {
	ring := rings(t)
	count := 0
	for _, c := range signingVectors(t, "stx-sign-transaction.json") {
		count++
		got := run(t, Env{Keys: ring[c.Seed], Account: c.AccountIndex}, c.Method, c.Params)
		if got["transaction"] != c.Expect.Transaction || got["txid"] != c.Expect.Txid {
			t.Errorf("%s: %v, want %+v", c.Name, got, c.Expect)
		}
	}
	t.Logf("%d sign-transaction vectors", count)
	if count != 8 {
		t.Errorf("%d vectors, want 8", count)
	}
}

func TestEveryMessageVectorIsSignedByteForByte(t *testing.T) {
	ring := rings(t)
	count := 0
	for _, c := range signingVectors(t, "messages.json") {
		count++
		env := Env{Keys: ring[c.Seed], Account: c.AccountIndex}
		call, err := Parse("stx_signMessage", encode(t, c.Params), env)
		if err != nil {
			t.Fatal(err)
		}
		if got := call.Describe().Message.Hash; got != c.MessageHash {
			t.Errorf("%s: hash %s, want %s", c.Name, got, c.MessageHash)
		}
		got := run(t, env, "stx_signMessage", c.Params)
		if got["signature"] != c.Expect.Signature || got["publicKey"] != c.Expect.PublicKey {
			t.Errorf("%s: %v, want %+v", c.Name, got, c.Expect)
		}
	}
	t.Logf("%d message vectors", count)
	if count != 14 {
		t.Errorf("%d vectors, want 14", count)
	}
}

func TestEveryStructuredMessageVectorIsSignedByteForByte(t *testing.T) {
	ring := rings(t)
	count := 0
	for _, c := range signingVectors(t, "structured-messages.json") {
		count++
		env := Env{Keys: ring[c.Seed], Account: c.AccountIndex}
		for form, params := range map[string]map[string]any{"hex": c.Params, "JSON": c.ParamsJSON} {
			call, err := Parse("stx_signStructuredMessage", encode(t, params), env)
			if err != nil {
				t.Errorf("%s in %s: %v", c.Name, form, err)
				continue
			}
			d := call.Describe()
			if d.Structured.Hash != c.SignedHash {
				t.Errorf("%s in %s: hash %s, want %s", c.Name, form, d.Structured.Hash, c.SignedHash)
			}
			if warns(d, WarnDomain) == c.AcceptedByReferenceLibrary {
				t.Errorf("%s in %s: warnings %v", c.Name, form, d.Warnings)
			}
			got := run(t, env, "stx_signStructuredMessage", params)
			if got["signature"] != c.Expect.Signature || got["publicKey"] != c.Expect.PublicKey {
				t.Errorf("%s in %s: %v, want %+v", c.Name, form, got, c.Expect)
			}
		}
	}
	t.Logf("%d structured message vectors", count)
	if count != 7 {
		t.Errorf("%d vectors, want 7", count)
	}
}

func TestEveryAccountVectorAnswersItsAddresses(t *testing.T) {
	ring := rings(t)
	var file struct {
		Cases []struct {
			Seed         string
			AccountIndex uint32
			STX          map[string]string
			BTC          map[string]map[string]map[string]map[string]string
			Gaia         map[string]string
		}
	}
	vectors.Read(t, "accounts.json", &file)
	for _, c := range file.Cases {
		env := Env{Keys: ring[c.Seed], Account: c.AccountIndex}
		for _, network := range []string{"mainnet", "testnet"} {
			n, _ := NetworkNamed(network)
			if shown, err := env.StacksAddress(n); err != nil || shown != c.STX[network] {
				t.Errorf("%s %d %s: %s (%v) is shown, want %s", c.Seed, c.AccountIndex, network, shown, err, c.STX[network])
			}
			want := c.BTC[network]["account"]
			for _, method := range []string{"getAddresses", "stx_getAddresses"} {
				got := run(t, env, method, map[string]any{"network": network})["addresses"].([]any)
				if len(got) != 3 {
					t.Fatalf("%d addresses, want 3", len(got))
				}
				for i, wanted := range []map[string]string{
					{"symbol": "BTC", "type": "p2wpkh", "address": want["p2wpkh"]["address"], "publicKey": want["p2wpkh"]["publicKey"], "derivationPath": want["p2wpkh"]["path"]},
					{"symbol": "BTC", "type": "p2tr", "address": want["p2tr"]["address"], "publicKey": want["p2tr"]["publicKey"], "derivationPath": want["p2tr"]["path"], "tweakedPublicKey": want["p2tr"]["internalKeyXOnly"]},
					{"symbol": "STX", "address": c.STX[network], "publicKey": c.STX["publicKey"], "derivationPath": c.STX["path"]},
				} {
					for key, value := range wanted {
						if got[i].(map[string]any)[key] != value {
							t.Errorf("%s %d %s: %s of address %d is %v, want %s", c.Seed, c.AccountIndex, network, key, i, got[i], value)
						}
					}
				}
			}
			accounts := run(t, env, "stx_getAccounts", map[string]any{"network": network})
			for _, name := range []string{"addresses", "accounts"} {
				entry := accounts[name].([]any)[0].(map[string]any)
				if entry["address"] != c.STX[network] || entry["gaiaAppKey"] != c.Gaia["appsKeyHex82"] || entry["gaiaHubUrl"] != "https://hub.hiro.so" || entry["publicKey"] != c.STX["publicKey"] {
					t.Errorf("%s: %v", name, entry)
				}
			}
		}
	}
	t.Logf("%d account vectors", len(file.Cases))
	if len(file.Cases) != 10 {
		t.Errorf("%d vectors, want 10", len(file.Cases))
	}
}

func warns(d Description, kind WarningKind) bool {
	for _, w := range d.Warnings {
		if w.Kind == kind {
			return true
		}
	}
	return false
}

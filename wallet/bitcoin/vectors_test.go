package bitcoin

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
)

type addressVector struct{ Address, PublicKey, PrivateKey, ScriptPubKey, InternalKeyXOnly, OutputKeyXOnly string }

type accountsFile struct {
	Cases []struct {
		Seed         string
		AccountIndex int
		BTC          map[string]struct{ Account map[string]addressVector }
	}
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func accountOf(t testing.TB, seed string, index int, network string) *Account {
	t.Helper()
	for _, c := range vectors.Load[accountsFile](t, "accounts.json").Cases {
		if c.Seed != seed || c.AccountIndex != index {
			continue
		}
		n, err := NetworkNamed(network)
		if err != nil {
			t.Fatal(err)
		}
		keys := c.BTC[network].Account
		wpkh, _ := btcec.PrivKeyFromBytes(unhex(t, keys["p2wpkh"].PrivateKey))
		tr, _ := btcec.PrivKeyFromBytes(unhex(t, keys["p2tr"].PrivateKey))
		a, err := NewAccount(n, wpkh, tr)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	t.Fatalf("no account %s %d", seed, index)
	return nil
}

func TestEveryAccountHasTheAddressesOfTheReferenceLibrary(t *testing.T) {
	tested := 0
	for _, c := range vectors.Load[accountsFile](t, "accounts.json").Cases {
		tested++
		for network, want := range c.BTC {
			t.Run(fmt.Sprintf("%s/%d/%s", c.Seed, c.AccountIndex, network), func(t *testing.T) {
				a := accountOf(t, c.Seed, c.AccountIndex, network)
				for _, got := range []Address{a.P2WPKH, a.P2TR} {
					w := want.Account[string(got.Type)]
					if got.Address != w.Address || hex.EncodeToString(got.Script) != w.ScriptPubKey ||
						hex.EncodeToString(got.PublicKey) != w.PublicKey || hex.EncodeToString(got.XOnly) != w.InternalKeyXOnly {
						t.Errorf("got %+v\nwant %+v", got, w)
					}
					if got.Type == P2TR && hex.EncodeToString(got.Script[2:]) != w.OutputKeyXOnly {
						t.Error("another output key")
					}
					if script, err := a.Network.ScriptOf(got.Address); err != nil || !bytes.Equal(script, got.Script) {
						t.Errorf("the address pays to %x, %v", script, err)
					}
				}
				for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
					printed := fmt.Sprintf(verb, a) + fmt.Sprintf(verb, *a)
					for _, w := range want.Account {
						if bytes.Contains([]byte(printed), []byte(w.PrivateKey)) {
							t.Errorf("%s prints a private key", verb)
						}
					}
				}
				if raw, err := json.Marshal(a); err != nil || bytes.Contains(raw, []byte(want.Account["p2tr"].PrivateKey)) {
					t.Errorf("as JSON: %v", err)
				}
			})
		}
	}
	if t.Logf("%d cases", tested); tested != 10 {
		t.Errorf("%d cases were tested, want 10", tested)
	}
}

type psbtParams struct {
	PSBT           string
	SignInputs     []json.RawMessage
	Broadcast      bool
	AllowedSighash []string
}

// request reads the params as they are in the vectors.
func (p psbtParams) request(t testing.TB) SignRequest {
	t.Helper()
	r := SignRequest{Broadcast: p.Broadcast}
	for i, raw := range p.SignInputs {
		in := SignInput{Path: fmt.Sprintf("signInputs[%d]", i)}
		var object struct {
			Index   int
			Address string
		}
		if json.Unmarshal(raw, &in.Index) != nil {
			if err := json.Unmarshal(raw, &object); err != nil {
				t.Fatal(err)
			}
			in.Index, in.Address = object.Index, object.Address
		}
		r.Inputs = append(r.Inputs, in)
	}
	for _, name := range p.AllowedSighash {
		s, err := ParseSighash(name)
		if err != nil {
			t.Fatal(err)
		}
		r.Allowed = append(r.Allowed, s)
	}
	return r
}

type psbtsFile struct {
	Cases []struct {
		Name, Network, Seed   string
		AccountIndex          int
		Params                psbtParams
		PSBTHex, UnsignedTxid string
		Inputs                []struct {
			Amount, Address, Type string
			Seed                  string
			AccountIndex          int
		}
		Outputs []struct{ Address, Amount string }
		Expect  struct {
			SignedIndexes []int
			Complete      bool
			PSBT          string
			Finalized     *struct {
				FinalizedPSBT, TxHex, Txid, Fee string
				VSize                           int64
			}
		}
	}
	Invalid []struct {
		Why    string
		Params psbtParams
	}
}

// content returns what a PSBT holds without the order of its entries and without
// Schnorr signatures, which may differ and are verified.
func content(t testing.TB, text string) []string {
	t.Helper()
	p, err := ParsePSBT(text)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{p.TxID()}
	for _, in := range p.packet.Inputs {
		line := fmt.Sprintf("sighash %d internal %x merkle %x final %x schnorr %d", in.SighashType, in.TaprootInternalKey,
			in.TaprootMerkleRoot, in.FinalScriptSig, len(in.TaprootKeySpendSig))
		if in.WitnessUtxo != nil {
			line += fmt.Sprintf(" witness utxo %d %x", in.WitnessUtxo.Value, in.WitnessUtxo.PkScript)
		}
		if in.NonWitnessUtxo != nil {
			line += " previous " + in.NonWitnessUtxo.TxHash().String()
		}
		for _, partial := range in.PartialSigs {
			line += fmt.Sprintf(" partial %x %x", partial.PubKey, partial.Signature)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestEveryPSBTIsSignedAsTheReferenceLibrarySignsIt(t *testing.T) {
	file := vectors.Load[psbtsFile](t, "psbts.json")
	tested := 0
	for _, c := range file.Cases {
		tested++
		t.Run(c.Name, func(t *testing.T) {
			a := accountOf(t, c.Seed, c.AccountIndex, c.Network)
			p, err := ParsePSBT(c.Params.PSBT)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := ParsePSBTHex(c.PSBTHex); err != nil || again.TxID() != c.UnsignedTxid || p.TxID() != c.UnsignedTxid {
				t.Errorf("id %s, want %s (%v)", p.TxID(), c.UnsignedTxid, err)
			}
			request := c.Params.request(t)
			request.Broadcast = false
			plan, err := p.Plan(&a.Owner, request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.Expect.SignedIndexes, plan.indexes); diff != "" {
				t.Fatalf("signed indexes:\n%s", diff)
			}
			d := plan.Describe()
			for i, want := range c.Inputs {
				got := d.Inputs[i]
				ours := want.Seed == c.Seed && want.AccountIndex == c.AccountIndex
				if strconv.FormatInt(*got.Amount, 10) != want.Amount || got.Address != want.Address || string(got.Type) != want.Type || got.Ours != ours {
					t.Errorf("input %d is described as %+v, want %+v", i, got, want)
				}
			}
			for i, want := range c.Outputs {
				got := d.Outputs[i]
				address := got.Address
				if got.Type == OpReturn {
					address = "op_return"
				}
				if address != want.Address || strconv.FormatInt(got.Amount, 10) != want.Amount ||
					got.Change != (want.Address == a.P2WPKH.Address || want.Address == a.P2TR.Address) {
					t.Errorf("output %d is described as %+v, want %+v", i, got, want)
				}
			}
			signed, err := plan.Sign(a)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := p.Base64(); content(t, text)[1] == content(t, mustBase64(t, signed.PSBT))[1] && plan.indexes[0] == 0 {
				t.Error("signing changed the PSBT that was planned")
			}
			if diff := cmp.Diff(content(t, c.Expect.PSBT), content(t, mustBase64(t, signed.PSBT))); diff != "" {
				t.Errorf("signed PSBT (-want +got):\n%s", diff)
			}
			verify(t, signed.PSBT, plan.indexes)

			request.Broadcast = true
			plan, err = p.Plan(&a.Owner, request)
			if !c.Expect.Complete {
				var e *jsonrpc.Error
				if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams {
					t.Fatalf("an incomplete transaction was planned to be sent: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			final, err := plan.Sign(a)
			if err != nil {
				t.Fatal(err)
			}
			want := c.Expect.Finalized
			if final.TxID != want.Txid {
				t.Errorf("txid %s, want %s", final.TxID, want.Txid)
			}
			if final.Transaction != want.TxHex {
				t.Errorf("transaction %s\nwant %s", final.Transaction, want.TxHex)
			}
			if diff := cmp.Diff(content(t, want.FinalizedPSBT), content(t, mustBase64(t, final.PSBT))); diff != "" {
				t.Errorf("finalized PSBT (-want +got):\n%s", diff)
			}
			if strconv.FormatInt(*d.Fee, 10) != want.Fee {
				t.Errorf("described fee %d, want %s", *d.Fee, want.Fee)
			}
			if described := final.PSBT.Describe(a.Network, &a.Owner); described.VSize != want.VSize {
				t.Errorf("size %d, want %d", described.VSize, want.VSize)
			}
			if off := d.VSize - want.VSize; off < -1 || off > 1 {
				t.Errorf("described size %d before signing, %d after", d.VSize, want.VSize)
			}
		})
	}
	if t.Logf("%d cases", tested); tested != 12 {
		t.Errorf("%d cases were tested, want 12", tested)
	}
}

func mustBase64(t testing.TB, p *PSBT) string {
	t.Helper()
	text, err := p.Base64()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// verify runs each signed input through the script engine by itself.
func verify(t testing.TB, p *PSBT, indexes []int) {
	t.Helper()
	tx := p.packet.UnsignedTx.Copy()
	outs, _ := p.fetcher()
	for _, i := range indexes {
		if in := p.packet.Inputs[i]; len(in.TaprootKeySpendSig) > 0 {
			tx.TxIn[i].Witness = wire.TxWitness{in.TaprootKeySpendSig}
		} else {
			tx.TxIn[i].Witness = wire.TxWitness{in.PartialSigs[0].Signature, in.PartialSigs[0].PubKey}
		}
	}
	for _, i := range indexes {
		engine, err := txscript.NewEngine(p.spent[i].PkScript, tx, i, txscript.StandardVerifyFlags, nil, txscript.NewTxSigHashes(tx, outs), p.spent[i].Value, outs)
		if err == nil {
			err = engine.Execute()
		}
		if err != nil {
			t.Errorf("input %d does not verify: %v", i, err)
		}
	}
}

func TestEveryInvalidPSBTIsRefused(t *testing.T) {
	file := vectors.Load[psbtsFile](t, "psbts.json")
	a := accountOf(t, "abandon12", 0, "mainnet")
	for _, c := range file.Invalid {
		t.Run(c.Why, func(t *testing.T) {
			p, err := ParsePSBT(c.Params.PSBT)
			if err != nil {
				t.Log(err)
				return
			}
			_, err = p.Plan(&a.Owner, c.Params.request(t))
			var e *jsonrpc.Error
			if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams {
				t.Fatalf("got %v, want code %d", err, jsonrpc.InvalidParams)
			}
			t.Log(err)
		})
	}
	if t.Logf("%d cases", len(file.Invalid)); len(file.Invalid) != 6 {
		t.Errorf("%d cases were tested, want 6", len(file.Invalid))
	}
}

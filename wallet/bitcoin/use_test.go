package bitcoin

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
)

type scriptCase struct {
	Name, PSBT  string
	Keys, Needs int
	Leaf        bool
	Partial     [][2]string // key and signature
	KeySpend    string
	Leaves      [][3]string // key, leaf and signature
	Transaction string      // "" where others have to sign
}

// added returns the signatures of the first input, as the vectors have them.
func (c scriptCase) added(p *PSBT) scriptCase {
	input := p.packet.Inputs[0]
	got := scriptCase{KeySpend: hex.EncodeToString(input.TaprootKeySpendSig), Partial: [][2]string{}, Leaves: [][3]string{}}
	for _, s := range input.PartialSigs {
		got.Partial = append(got.Partial, [2]string{hex.EncodeToString(s.PubKey), hex.EncodeToString(s.Signature)})
	}
	slices.SortFunc(got.Partial, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	for _, s := range input.TaprootScriptSpendSig {
		got.Leaves = append(got.Leaves, [3]string{hex.EncodeToString(s.XOnlyPubKey), hex.EncodeToString(s.LeafHash), hex.EncodeToString(s.Signature)})
	}
	return got
}

func TestAnInputWhoseScriptHasOurKeyIsSignedAsTheReferenceLibrarySignsIt(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	stranger := accountOf(t, "abandon12", 1, "mainnet")
	for _, c := range vectors.Cases[scriptCase](t, "psbt-scripts.json") {
		t.Run(c.Name, func(t *testing.T) {
			p, err := ParsePSBT(c.PSBT)
			if err != nil {
				t.Fatal(err)
			}
			for name, request := range map[string]SignRequest{"all": {}, "by index": {Inputs: []SignInput{{Path: "signInputs[0]"}}}} {
				plan, err := p.Plan(&a.Owner, request)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				in := plan.Describe().Inputs[0]
				if !in.Ours || !in.Sign {
					t.Errorf("%s: described as %+v", name, in)
				}
				for _, u := range in.Uses {
					if u.Keys != c.Keys || u.Needs != c.Needs || (u.Leaf != "") != c.Leaf {
						t.Errorf("%s: our part is described as %+v", name, u)
					}
				}
				if (len(in.Uses) > 0) != (c.Keys > 0) {
					t.Errorf("%s: %d uses are described", name, len(in.Uses))
				}
				signed, err := plan.Sign(a)
				if err != nil {
					t.Fatal(err)
				}
				want := scriptCase{KeySpend: c.KeySpend, Partial: c.Partial, Leaves: c.Leaves}
				if diff := cmp.Diff(want, c.added(signed.PSBT)); diff != "" {
					t.Errorf("%s: signatures (-btc-signer +ours):\n%s", name, diff)
				}
				for _, check := range signed.PSBT.CheckSignatures(Mainnet) {
					if check.Err != nil {
						t.Errorf("%s: our own signature does not verify: %v", name, check.Err)
					}
				}
			}
			var e *jsonrpc.Error
			if _, err := p.Plan(&stranger.Owner, SignRequest{}); !errors.As(err, &e) || e.Code != jsonrpc.MethodAddressMismatch {
				t.Errorf("an account without a key in it may sign: %v", err)
			}
			c.broadcast(t, p, a)
		})
	}
}

// A PSBT may name the root of the tree beside our key without its leaves, or its leaves alone.
func TestAKeyBesideATreeIsOursByTheRootOrByALeaf(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	for _, c := range vectors.Cases[scriptCase](t, "psbt-scripts.json") {
		if c.KeySpend == "" {
			continue
		}
		for _, kept := range []string{"root", "leaf"} {
			p, err := ParsePSBT(c.PSBT)
			if err != nil {
				t.Fatal(err)
			}
			in := &p.packet.Inputs[0]
			control, err := txscript.ParseControlBlock(in.TaprootLeafScript[0].ControlBlock)
			if err != nil {
				t.Fatal(err)
			}
			in.TaprootMerkleRoot = nil
			if kept == "root" {
				in.TaprootMerkleRoot, in.TaprootLeafScript = control.RootHash(in.TaprootLeafScript[0].Script), nil
			}
			plan, err := p.Plan(&a.Owner, SignRequest{})
			if err != nil {
				t.Errorf("by the %s: %v", kept, err)
				continue
			}
			if signed, err := plan.Sign(a); err != nil || c.added(signed.PSBT).KeySpend != c.KeySpend {
				t.Errorf("by the %s: another signature (%v)", kept, err)
			}
		}
	}
}

// broadcast finalizes where no other signature is missing; the engine checks it.
func (c scriptCase) broadcast(t *testing.T, p *PSBT, a *Account) {
	t.Helper()
	plan, err := p.Plan(&a.Owner, SignRequest{Broadcast: true})
	var signed Signed
	if err == nil {
		signed, err = plan.Sign(a)
	}
	if c.Transaction == "" {
		var e *jsonrpc.Error
		if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams {
			t.Errorf("made final without the others: %v", err)
		}
		return
	}
	if err != nil || signed.Transaction != c.Transaction {
		t.Errorf("made final:\ngot  %s\nwant %s (%v)", signed.Transaction, c.Transaction, err)
	}
	d := plan.Describe()
	if final := signed.PSBT.Describe(Mainnet, nil).VSize; d.VSize < final-2 || d.VSize > final+2 {
		t.Errorf("%d virtual bytes are said, it has %d", d.VSize, final)
	}
}

func TestOneKeyOfAScriptSignsWhereTheRequestNamesIt(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	var both scriptCase
	for _, c := range vectors.Cases[scriptCase](t, "psbt-scripts.json") {
		if c.Name == "p2wsh, 2 of 2, both ours" {
			both = c
		}
	}
	p, err := ParsePSBT(both.PSBT)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   []SignInput
		want [][]byte
	}{
		"by the address of a key": {[]SignInput{{Address: a.P2TR.Address}}, [][]byte{a.P2TR.PublicKey}},
		"by the key":              {[]SignInput{{PublicKey: a.P2WPKH.PublicKey}}, [][]byte{a.P2WPKH.PublicKey}},
		"by the address of the script": {
			[]SignInput{{Address: Mainnet.AddressOf(p.spent[0].PkScript)}},
			[][]byte{a.P2WPKH.PublicKey, a.P2TR.PublicKey},
		},
		"twice, once for each key": {
			[]SignInput{{Address: a.P2WPKH.Address}, {Address: a.P2TR.Address}},
			[][]byte{a.P2WPKH.PublicKey, a.P2TR.PublicKey},
		},
	} {
		plan, err := p.Plan(&a.Owner, SignRequest{Inputs: c.in})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		signed, err := plan.Sign(a)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]byte
		for _, s := range signed.PSBT.packet.Inputs[0].PartialSigs {
			got = append(got, s.PubKey)
		}
		slices.SortFunc(got, bytes.Compare)
		slices.SortFunc(c.want, bytes.Compare)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: keys (-want +got):\n%s", name, diff)
		}
	}
}

// A script that is not the one of the output would let somebody show one and have another signed.
func TestAScriptThatIsNotThatOfTheOutputMakesNothingOurs(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	for _, c := range vectors.Cases[scriptCase](t, "psbt-scripts.json") {
		if c.Keys == 0 {
			continue
		}
		p, err := ParsePSBT(c.PSBT)
		if err != nil {
			t.Fatal(err)
		}
		input := &p.packet.Inputs[0]
		for _, script := range []*[]byte{&input.WitnessScript, &input.RedeemScript} {
			if *script != nil {
				*script = append(slices.Clone(*script), txscript.OP_NOP)
			}
		}
		for _, leaf := range input.TaprootLeafScript {
			leaf.Script = append(slices.Clone(leaf.Script), txscript.OP_NOP)
		}
		var e *jsonrpc.Error
		if _, err := p.Plan(&a.Owner, SignRequest{Inputs: []SignInput{{Path: "x"}}}); !errors.As(err, &e) || e.Code != jsonrpc.MethodAddressMismatch {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func TestAChangedSignatureInAScriptDoesNotVerify(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	for _, c := range vectors.Cases[scriptCase](t, "psbt-scripts.json") {
		p, _ := ParsePSBT(c.PSBT)
		plan, err := p.Plan(&a.Owner, SignRequest{})
		if err != nil {
			t.Fatal(err)
		}
		signed, err := plan.Sign(a)
		if err != nil {
			t.Fatal(err)
		}
		signed.PSBT.packet.UnsignedTx.TxOut[0].Value--
		if check := signed.PSBT.CheckSignatures(Mainnet)[0]; check.Err == nil {
			t.Errorf("%s: the signature is valid for another amount", c.Name)
		}
	}
}

func TestAnInputBeforeSegregatedWitnessesNeedsItsPreviousTransaction(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	script := slices.Concat([]byte{txscript.OP_DUP, txscript.OP_HASH160, 20}, hash160(a.P2WPKH.PublicKey), []byte{txscript.OP_EQUALVERIFY, txscript.OP_CHECKSIG})
	p := made(t, a, 1, func(p *psbt.Packet) { p.Inputs[0].WitnessUtxo.PkScript = script })
	if _, err := p.Plan(&a.Owner, SignRequest{}); err == nil || !strings.Contains(err.Error(), "nonWitnessUtxo") {
		t.Errorf("its amount is not signed, so it can be lied about: %v", err)
	}
}

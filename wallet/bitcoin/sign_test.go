package bitcoin

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
)

// made builds a PSBT with n inputs of the account, p2wpkh and p2tr in turn,
// and one output; change may alter it before it is parsed.
func made(t testing.TB, a *Account, n int, change func(*psbt.Packet)) *PSBT {
	t.Helper()
	p, err := ParsePSBTBytes(madeBytes(t, a, n, change))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func madeBytes(t testing.TB, a *Account, n int, change func(*psbt.Packet)) []byte {
	t.Helper()
	tx := wire.NewMsgTx(2)
	for i := range n {
		tx.AddTxIn(wire.NewTxIn(&wire.OutPoint{Hash: chainhash.HashH([]byte{byte(i), byte(i >> 8)}), Index: uint32(i)}, nil, nil))
	}
	tx.AddTxOut(wire.NewTxOut(int64(n)*9_000, a.P2WPKH.Script))
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range packet.Inputs {
		script := a.P2WPKH.Script
		if i%2 == 1 {
			script = a.P2TR.Script
		}
		packet.Inputs[i].WitnessUtxo = wire.NewTxOut(10_000, script)
	}
	if change != nil {
		change(packet)
	}
	var b bytes.Buffer
	if err := packet.Serialize(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestARequestToSignThatCannotBeMetSaysWhy(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	other := accountOf(t, "abandon12", 1, "mainnet")
	cases := map[string]struct {
		change  func(*psbt.Packet)
		request SignRequest
		code    int
		message string
	}{
		"an input of another account": {
			change:  func(p *psbt.Packet) { p.Inputs[0].WitnessUtxo.PkScript = other.P2WPKH.Script },
			request: SignRequest{Inputs: []SignInput{{Path: "signInputs[0]", Index: 0}}},
			code:    jsonrpc.MethodAddressMismatch, message: other.P2WPKH.Address,
		},
		"nothing of ours": {
			change: func(p *psbt.Packet) {
				p.Inputs[0].WitnessUtxo.PkScript = other.P2WPKH.Script
				p.Inputs[1].WitnessUtxo.PkScript = other.P2TR.Script
			},
			code: jsonrpc.MethodAddressMismatch, message: "none of the 2 inputs",
		},
		"an empty list of inputs": {request: SignRequest{Inputs: []SignInput{}}, code: jsonrpc.MethodAddressMismatch, message: "none"},
		"a negative index":        {request: SignRequest{Inputs: []SignInput{{Path: "signInputs[0]", Index: -1}}}, code: jsonrpc.InvalidParams, message: "must be 0 to 1"},
		"an unknown output": {
			change:  func(p *psbt.Packet) { p.Inputs[0].WitnessUtxo = nil },
			request: SignRequest{Inputs: []SignInput{{Path: "signInputs[0]", Index: 0}}},
			code:    jsonrpc.InvalidParams, message: "witnessUtxo",
		},
		"p2tr beside an unknown output": {
			change: func(p *psbt.Packet) { p.Inputs[0].WitnessUtxo = nil },
			code:   jsonrpc.InvalidParams, message: "input 0 must say",
		},
		"an odd sighash that is not allowed": {
			change: func(p *psbt.Packet) { p.Inputs[0].SighashType = 3 },
			code:   jsonrpc.InvalidParams, message: "SINGLE, which must be listed in allowedSighash",
		},
		"a sighash that does not exist": {
			change: func(p *psbt.Packet) { p.Inputs[0].SighashType = 7 },
			code:   jsonrpc.InvalidParams, message: "does not exist",
		},
		"single without its output": {
			change:  func(p *psbt.Packet) { p.Inputs[1].SighashType = 0x83 },
			request: SignRequest{Allowed: []Sighash{SighashSingleAnyoneCanPay}},
			code:    jsonrpc.InvalidParams, message: "no output 1",
		},
		"another internal key": {
			change: func(p *psbt.Packet) { p.Inputs[1].TaprootInternalKey = other.P2TR.XOnly },
			code:   jsonrpc.InvalidParams, message: "tapInternalKey",
		},
		"sent while the outputs exceed the inputs": {
			change:  func(p *psbt.Packet) { p.UnsignedTx.TxOut[0].Value = 20_001 },
			request: SignRequest{Broadcast: true},
			code:    jsonrpc.InvalidParams, message: "exceed",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := made(t, a, 2, c.change).Plan(&a.Owner, c.request)
			var e *jsonrpc.Error
			if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(e.Message, c.message) {
				t.Errorf("got %v, want code %d with %q", err, c.code, c.message)
			}
		})
	}
}

func TestAPSBTThatContradictsItselfIsRefused(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	good := madeBytes(t, a, 2, nil)
	cases := map[string]struct {
		raw     []byte
		message string
	}{
		"nothing":              {nil, "does not begin"},
		"too much":             {make([]byte, maxPSBTBytes+1), "at most"},
		"something after it":   {append(bytes.Clone(good), 0), "follow"},
		"an impossible amount": {madeBytes(t, a, 2, func(p *psbt.Packet) { p.Inputs[0].WitnessUtxo.Value = maxSatoshis + 1 }), "no possible amount"},
		"too much in all": {madeBytes(t, a, 2, func(p *psbt.Packet) {
			p.Inputs[0].WitnessUtxo.Value, p.Inputs[1].WitnessUtxo.Value = maxSatoshis, 1
		}), "more than all bitcoin"},
		"a negative output": {madeBytes(t, a, 2, func(p *psbt.Packet) { p.UnsignedTx.TxOut[0].Value = -1 }), "output 0"},
		"one output spent twice": {madeBytes(t, a, 2, func(p *psbt.Packet) {
			p.UnsignedTx.TxIn[1].PreviousOutPoint = p.UnsignedTx.TxIn[0].PreviousOutPoint
		}), "the same output"},
		"a previous transaction of another id": {madeBytes(t, a, 2, func(p *psbt.Packet) {
			p.Inputs[0].NonWitnessUtxo = wire.NewMsgTx(2)
			p.Inputs[0].NonWitnessUtxo.AddTxIn(wire.NewTxIn(&wire.OutPoint{}, nil, nil))
		}), "not the one that is spent"},
		"no outputs": {madeBytes(t, a, 2, func(p *psbt.Packet) { p.UnsignedTx.TxOut, p.Outputs = nil, nil }), "PSBT"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := ParsePSBTBytes(c.raw); err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %v, want %q", err, c.message)
			}
		})
	}
}

func TestADescriptionWarnsOfWhatIsUnusual(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	other := accountOf(t, "abandon12", 1, "mainnet")
	cases := map[string]struct {
		change  func(*psbt.Packet)
		allowed []Sighash
		want    string
	}{
		"nothing unusual":      {nil, nil, ""},
		"an odd sighash":       {func(p *psbt.Packet) { p.Inputs[0].SighashType = 2 }, []Sighash{SighashNone}, "odd_sighash"},
		"a high fee":           {func(p *psbt.Packet) { p.UnsignedTx.TxOut[0].Value = 1000 }, nil, "high_fee"},
		"outputs above inputs": {func(p *psbt.Packet) { p.UnsignedTx.TxOut[0].Value = 30_000 }, nil, "outputs_exceed_inputs"},
		"dust": {func(p *psbt.Packet) {
			p.UnsignedTx.AddTxOut(wire.NewTxOut(1, a.P2TR.Script))
			p.Outputs = append(p.Outputs, psbt.POutput{})
		}, nil, "dust"},
		"a foreign input":       {func(p *psbt.Packet) { p.Inputs[1].WitnessUtxo.PkScript = other.P2TR.Script }, nil, "foreign_inputs"},
		"a lock time":           {func(p *psbt.Packet) { p.UnsignedTx.LockTime = 900_000; p.UnsignedTx.TxIn[0].Sequence = 0 }, nil, "locktime"},
		"a lock time unheeded":  {func(p *psbt.Packet) { p.UnsignedTx.LockTime = 900_000 }, nil, ""},
		"an amount that is not": {func(p *psbt.Packet) { p.Inputs[1].WitnessUtxo = nil }, nil, "fee_unknown foreign_inputs"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			plan, err := made(t, a, 2, c.change).Plan(&a.Owner, SignRequest{Allowed: c.allowed})
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, w := range plan.Describe().Warnings {
				codes = append(codes, w.Code)
			}
			if got := strings.Join(codes, " "); got != c.want {
				t.Errorf("warnings %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatTheAccountLosesIsItsInputsLessItsChange(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	plan, err := made(t, a, 2, nil).Plan(&a.Owner, SignRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if d := plan.Describe(); d.Spends != 2_000 || *d.Fee != 2_000 || !d.Outputs[0].Change {
		t.Errorf("got %+v", d)
	}
}

func TestATransferIsAlwaysTheSameAndValid(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	to := accountOf(t, "abandon12", 1, "mainnet")
	cases := map[string]struct {
		amounts []uint64
		inputs  int
		outputs int
	}{
		"one recipient":                {[]uint64{1_000}, 1, 2},
		"two recipients":               {[]uint64{70_000, 20_000}, 1, 3},
		"more than the largest coin":   {[]uint64{10_500_000_000}, 2, 2},
		"nearly everything":            {[]uint64{11_166_103_600}, 10, 1},
		"change that would be dust":    {[]uint64{1_000_000 - 1_100 - 100}, 1, 1},
		"an amount no node would take": {[]uint64{1}, 1, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var recipients []Recipient
			for i, amount := range c.amounts {
				address := to.P2WPKH.Address
				if i%2 == 1 {
					address = to.P2TR.Address
				}
				recipients = append(recipients, Recipient{Address: address, Amount: amount})
			}
			var ids []string
			for range 2 {
				transfer, err := PlanTransfer(&a.Owner, recipients)
				if err != nil {
					t.Fatal(err)
				}
				d := transfer.Describe()
				if len(d.Inputs) != c.inputs || len(d.Outputs) != c.outputs || uint64(*d.Fee) != transfer.Fee {
					t.Errorf("%d inputs, %d outputs, fee %d (%d)", len(d.Inputs), len(d.Outputs), *d.Fee, transfer.Fee)
				}
				if *d.FeeRate < feeRate || *d.FeeRate > 2*feeRate {
					t.Errorf("fee rate %f", *d.FeeRate)
				}
				signed, err := transfer.Sign(a) // runs the script engine
				if err != nil {
					t.Fatal(err)
				}
				if signed.TxID != d.TxID || signed.Transaction == "" {
					t.Errorf("txid %s, described %s", signed.TxID, d.TxID)
				}
				ids = append(ids, signed.Transaction)
			}
			if ids[0] != ids[1] {
				t.Error("the same transfer twice is not the same transaction")
			}
		})
	}
}

func TestATransferThatCannotBeMadeSaysWhy(t *testing.T) {
	a := accountOf(t, "abandon12", 0, "mainnet")
	testnet := accountOf(t, "abandon12", 0, "testnet")
	to := a.P2TR.Address
	cases := map[string]struct {
		recipients []Recipient
		message    string
	}{
		"nobody":                   {nil, "recipients: must have at least one"},
		"too many":                 {make([]Recipient, MaxRecipients+1), "at most"},
		"no address":               {[]Recipient{{Amount: 1}}, "recipients[0].address: must be a Bitcoin address, is empty"},
		"a bad checksum":           {[]Recipient{{Address: to[:len(to)-1] + "q", Amount: 1}}, "recipients[0].address"},
		"a Stacks address":         {[]Recipient{{Address: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", Amount: 1}}, "recipients[0].address: must be a Bitcoin address of mainnet"},
		"another network":          {[]Recipient{{Address: to, Amount: 1}, {Address: testnet.P2WPKH.Address, Amount: 1}}, "recipients[1].address: is an address of testnet, must be one of mainnet"},
		"a very long address":      {[]Recipient{{Address: strings.Repeat("a", 1000), Amount: 1}}, "at most 90"},
		"nothing":                  {[]Recipient{{Address: to}}, "recipients[0].amount: must be greater than 0"},
		"more than all bitcoin":    {[]Recipient{{Address: to, Amount: maxSatoshis}, {Address: to, Amount: 1}}, "recipients[1].amount"},
		"an overflow":              {[]Recipient{{Address: to, Amount: 1 << 50}, {Address: to, Amount: 1<<64 - 1}}, "recipients[1].amount"},
		"more than the mock coins": {[]Recipient{{Address: to, Amount: 12_000_000_000}}, "exceed the mock coins"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := PlanTransfer(&a.Owner, c.recipients)
			var e *jsonrpc.Error
			if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.Contains(e.Message, c.message) {
				t.Errorf("got %v, want %q", err, c.message)
			}
		})
	}
}

func TestMockCoinsDifferBetweenAccountsAndNetworks(t *testing.T) {
	seen := map[string]string{}
	for _, who := range []struct {
		index   int
		network string
	}{{0, "mainnet"}, {1, "mainnet"}, {0, "testnet"}} {
		a := accountOf(t, "abandon12", who.index, who.network)
		for _, coin := range MockCoins(&a.Owner) {
			name := fmt.Sprint(who)
			if other, taken := seen[coin.TxID]; taken {
				t.Errorf("%s and %s have the same coin", name, other)
			}
			seen[coin.TxID] = name
		}
	}
}

func TestSighashNamesAreReadInEverySpelling(t *testing.T) {
	for s, name := range sighashNames {
		for _, spelling := range []string{name, strings.ToLower(name), "SIGHASH_" + name, strings.ReplaceAll(name, "_", "|")} {
			if got, err := ParseSighash(spelling); err != nil || got != s {
				t.Errorf("%s is %v, %v", spelling, got, err)
			}
		}
	}
	if _, err := ParseSighash("SOME"); err == nil {
		t.Error("SOME is no kind of signature hash")
	}
}

func FuzzPSBT(f *testing.F) {
	a := accountOf(f, "abandon12", 0, "mainnet")
	for _, c := range vectors.Load[psbtsFile](f, "psbts.json").Cases {
		f.Add(unhex(f, c.PSBTHex))
	}
	f.Add([]byte("psbt\xff"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := ParsePSBTBytes(raw)
		if err != nil {
			return
		}
		p.Describe(Mainnet, nil)
		plan, err := p.Plan(&a.Owner, SignRequest{Allowed: []Sighash{1, 2, 3, 0x81, 0x82, 0x83}})
		if err != nil {
			var e *jsonrpc.Error
			if !errors.As(err, &e) {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		plan.Describe()
		signed, err := plan.Sign(a)
		if err != nil {
			return
		}
		verify(t, signed.PSBT, plan.indexes)
		if signed.PSBT.TxID() != p.TxID() {
			t.Fatal("signing changed the transaction")
		}
	})
}

func BenchmarkSignAPSBTOfAHundredInputs(b *testing.B) {
	a := accountOf(b, "abandon12", 0, "mainnet")
	text := mustBase64(b, made(b, a, 100, nil))
	b.ReportAllocs()
	for b.Loop() {
		p, err := ParsePSBT(text)
		if err != nil {
			b.Fatal(err)
		}
		plan, err := p.Plan(&a.Owner, SignRequest{})
		if err != nil {
			b.Fatal(err)
		}
		plan.Describe()
		signed, err := plan.Sign(a)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := signed.PSBT.Base64(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAPSBTIsReadFromBase64AndFromHex(t *testing.T) {
	for _, c := range vectors.Load[psbtsFile](t, "psbts.json").Cases {
		for text, parse := range map[string]func(string) (*PSBT, error){
			c.Params.PSBT: ParsePSBT, c.PSBTHex: ParsePSBTHex, strings.ToUpper(c.PSBTHex): ParsePSBTHex,
		} {
			p, err := parse(text)
			if err != nil || p.TxID() != c.UnsignedTxid {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if d := p.Describe(Mainnet, nil); len(d.Inputs) != len(c.Inputs) || d.Inputs[0].Ours || d.Inputs[0].Sign {
				t.Errorf("%s: described to nobody as %+v", c.Name, d)
			}
		}
	}
	for _, parse := range []func(string) (*PSBT, error){ParsePSBT, ParsePSBTHex} {
		if _, err := parse("hello"); err == nil {
			t.Error("hello is no PSBT")
		}
	}
}

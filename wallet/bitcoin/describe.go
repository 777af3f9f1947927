package bitcoin

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// Description is a transaction as the user is shown it. Amounts are satoshis.
type Description struct {
	Network  string   `json:"network"`
	TxID     string   `json:"txid"`
	Version  int32    `json:"version"`
	LockTime uint32   `json:"lockTime"`
	Inputs   []Input  `json:"inputs"`
	Outputs  []Output `json:"outputs"`
	// Fee is absent while an input's amount is unknown. It is negative when the
	// outputs exceed the inputs, as in an offer that others will fund.
	Fee *int64 `json:"fee,omitempty"`
	// VSize is the size in virtual bytes once every input is signed; inputs of
	// unknown kind are estimated.
	VSize int64 `json:"vsize"`
	// FeeRate is satoshis per virtual byte; absent when Fee is or is negative.
	FeeRate *float64 `json:"feeRate,omitempty"`
	// Spends holds what the account loses: its inputs that are to be signed less
	// what comes back to it. Negative when it gains.
	Spends   int64     `json:"spends"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// Input is one input of a [Description].
type Input struct {
	Index    int        `json:"index"`
	TxID     string     `json:"txid"` // of the output that is spent
	Vout     uint32     `json:"vout"`
	Sequence uint32     `json:"sequence"`
	Amount   *int64     `json:"amount,omitempty"` // absent when the PSBT does not tell
	Address  string     `json:"address,omitempty"`
	Type     ScriptType `json:"type,omitempty"`
	Ours     bool       `json:"ours"`
	Sign     bool       `json:"sign"`   // this request signs it
	Signed   bool       `json:"signed"` // it has a signature already
	Sighash  string     `json:"sighash"`
	// Uses are the scripts in which a key of the account has a part; absent for a plain address.
	Uses []Use `json:"uses,omitempty"`
}

// Output is one output of a [Description].
type Output struct {
	Index   int        `json:"index"`
	Amount  int64      `json:"amount"`
	Address string     `json:"address,omitempty"`
	Type    ScriptType `json:"type"`
	Change  bool       `json:"change"`         // it pays to the account itself
	Data    string     `json:"data,omitempty"` // hex of what an op_return carries
}

// Warning is something the user should look at before approving.
type Warning struct {
	Code    string `json:"code"` // odd_sighash, high_fee, fee_unknown, outputs_exceed_inputs, dust, foreign_inputs, locktime
	Message string `json:"message"`
}

// highFeeRate is a fee rate in satoshis per virtual byte that is rarely meant.
const highFeeRate = 500

// Describe explains a PSBT to an owner; owner may be nil, then nothing is
// theirs.
func (p *PSBT) Describe(n Network, owner *Owner) Description {
	return p.describe(n, owner, &Plan{})
}

func (p *PSBT) describe(n Network, owner *Owner, plan *Plan) Description {
	tx := p.packet.UnsignedTx
	d := Description{Network: n.Name, TxID: p.TxID(), Version: tx.Version, LockTime: tx.LockTime}
	uses := make([][]use, len(tx.TxIn))
	for i := range uses {
		if uses[i] = plan.uses[i]; uses[i] == nil {
			uses[i] = p.uses(i, owner)
		}
	}
	in, known := p.describeInputs(&d, n, owner, plan, uses)
	out := p.describeOutputs(&d, n, owner)
	d.VSize = p.signedVSize(uses)
	d.describeFee(in, out, known)
	foreign := 0
	for _, input := range d.Inputs {
		if !input.Ours {
			foreign++
		}
	}
	if owner != nil && foreign > 0 && foreign < len(d.Inputs) {
		d.warn("foreign_inputs", "%d of %d inputs are not this account's and stay unsigned", foreign, len(d.Inputs))
	}
	if tx.LockTime > 0 && !final(tx) {
		d.warn("locktime", "it cannot be mined before %s", lockTime(tx.LockTime))
	}
	return d
}

// describeInputs adds the inputs. It returns the sum of their amounts and
// whether all of them are known.
func (p *PSBT) describeInputs(d *Description, n Network, owner *Owner, plan *Plan, uses [][]use) (sum int64, known bool) {
	known = true
	for i, txIn := range p.packet.UnsignedTx.TxIn {
		input := Input{
			Index: i, TxID: txIn.PreviousOutPoint.Hash.String(), Vout: txIn.PreviousOutPoint.Index, Sequence: txIn.Sequence,
			Signed: hasSignature(&p.packet.Inputs[i]),
		}
		sighash := Sighash(p.packet.Inputs[i].SighashType)
		if spent := p.spent[i]; spent != nil {
			input.Amount, input.Address, input.Type = new(spent.Value), n.AddressOf(spent.PkScript), TypeOf(spent.PkScript)
			input.Ours = len(uses[i]) > 0 || owner.owns(spent) != nil
			for _, u := range uses[i] {
				if shown, ok := u.shown(); ok {
					input.Uses = append(input.Uses, shown)
				}
			}
			sighash = effectiveSighash(&p.packet.Inputs[i], input.Type)
			sum += spent.Value
		} else {
			known = false
		}
		input.Sighash = sighash.String()
		if _, input.Sign = plan.sighash[i]; input.Sign {
			d.Spends += *input.Amount
			if !sighash.everything() {
				d.warn("odd_sighash", "input %d is signed with %s: %s", i, sighash, oddSighash(sighash))
			}
		}
		d.Inputs = append(d.Inputs, input)
	}
	return sum, known
}

// describeOutputs adds the outputs and returns the sum of their amounts.
func (p *PSBT) describeOutputs(d *Description, n Network, owner *Owner) (sum int64) {
	for i, txOut := range p.packet.UnsignedTx.TxOut {
		output := Output{
			Index: i, Amount: txOut.Value, Address: n.AddressOf(txOut.PkScript), Type: TypeOf(txOut.PkScript),
			Change: owner.owns(txOut) != nil,
		}
		if output.Type == OpReturn {
			output.Data = hex.EncodeToString(opReturnData(txOut.PkScript))
		}
		if output.Change {
			d.Spends -= txOut.Value
		}
		if uint64(txOut.Value) < dustLimit(output.Type) {
			d.warn("dust", "output %d has %d satoshis, nodes relay no less than %d for %s", i, txOut.Value, dustLimit(output.Type), output.Type)
		}
		sum += txOut.Value
		d.Outputs = append(d.Outputs, output)
	}
	return sum
}

// describeFee sets fee and fee rate from the sums of inputs and outputs.
func (d *Description) describeFee(in, out int64, known bool) {
	switch {
	case !known:
		d.warn("fee_unknown", "the fee is unknown: the amount of an input is missing")
	case out > in:
		d.Fee = new(in - out)
		d.warn("outputs_exceed_inputs", "the outputs exceed the inputs by %d satoshis: it cannot be sent until others add inputs", out-in)
	default:
		d.Fee = new(in - out)
		rate := float64(in-out) / float64(d.VSize)
		d.FeeRate = &rate
		if rate > highFeeRate || in-out > out && in-out > 10_000 {
			d.warn("high_fee", "the fee of %d satoshis is high: %.1f satoshis per virtual byte", in-out, rate)
		}
	}
}

func (d *Description) warn(code, format string, args ...any) {
	d.Warnings = append(d.Warnings, Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

func oddSighash(s Sighash) string {
	text := "others can change inputs and outputs after you signed"
	switch s {
	case SighashNone, SighashNoneAnyoneCanPay:
		text = "others can send the money of this input anywhere"
	case SighashSingle, SighashSingleAnyoneCanPay:
		text = "only the output of the same index is fixed, others can change the rest"
	case SighashAllAnyoneCanPay:
		text = "others can add and remove inputs"
	}
	return text
}

// effectiveSighash returns what an input is signed with: what it says, else
// everything.
func effectiveSighash(input *psbt.PInput, t ScriptType) Sighash {
	s := Sighash(input.SighashType)
	if s == SighashDefault && t != P2TR {
		return SighashAll
	}
	return s
}

func hasSignature(input *psbt.PInput) bool {
	return len(input.PartialSigs) > 0 || len(input.TaprootKeySpendSig) > 0 || len(input.TaprootScriptSpendSig) > 0 || isFinal(input)
}

func isFinal(input *psbt.PInput) bool {
	return len(input.FinalScriptSig) > 0 || len(input.FinalScriptWitness) > 0
}

// final reports whether the lock time has no effect: every input opts out.
func final(tx *wire.MsgTx) bool {
	for _, in := range tx.TxIn {
		if in.Sequence != wire.MaxTxInSequenceNum {
			return false
		}
	}
	return true
}

func lockTime(t uint32) string {
	if t < txscript.LockTimeThreshold {
		return fmt.Sprintf("burn block %d", t)
	}
	return fmt.Sprintf("Unix time %d", t)
}

func opReturnData(script []byte) []byte {
	var data []byte
	tokens := txscript.MakeScriptTokenizer(0, script[1:])
	for tokens.Next() {
		data = append(data, tokens.Data()...)
	}
	if tokens.Err() != nil {
		return script[1:]
	}
	return data
}

// witnessSize estimates the witness of a p2wsh input: signatures and script.
func witnessSize(input *psbt.PInput) int64 {
	script := input.WitnessScript
	return 2 + 73*needed(script) + int64(wire.VarIntSerializeSize(uint64(len(script)))+len(script))
}

// taprootSize returns the size of the witness of a p2tr input: one signature for the key, or for
// one that the account can spend by a leaf only its signatures, script and control block.
func taprootSize(input *psbt.PInput, uses []use) int64 {
	signature := int64(1 + 64)
	if Sighash(input.SighashType) != SighashDefault {
		signature++
	}
	if len(uses) == 0 || uses[0].kind == useKeyPath {
		return 1 + signature
	}
	script := uses[0].script
	size := 1 + int64(uses[0].keys)*signature + int64(wire.VarIntSerializeSize(uint64(len(script)))+len(script)) + 1
	for _, leaf := range input.TaprootLeafScript {
		if bytes.Equal(leaf.Script, script) {
			return size + int64(len(leaf.ControlBlock))
		}
	}
	return size
}

// needed returns how many signatures a script needs, 1 where it does not say it plainly.
func needed(script []byte) int64 {
	needs, _ := multisig(script)
	return int64(max(1, needs))
}

// signedVSize returns the size in virtual bytes of the signed transaction.
func (p *PSBT) signedVSize(uses [][]use) int64 {
	tx := p.packet.UnsignedTx
	weight := int64(tx.SerializeSizeStripped()) * 4
	witness := int64(0)
	for i := range tx.TxIn {
		input := &p.packet.Inputs[i]
		if isFinal(input) {
			weight += int64(len(input.FinalScriptSig)) * 4
			witness += int64(max(1, len(input.FinalScriptWitness)))
			continue
		}
		script := []byte(nil)
		if p.spent[i] != nil {
			script = p.spent[i].PkScript
		}
		switch TypeOf(script) {
		case P2TR:
			witness += taprootSize(input, uses[i])
		case P2PKH:
			weight += 107 * 4
			witness++
		case P2SH:
			switch redeem := input.RedeemScript; {
			case TypeOf(redeem) == P2WSH:
				weight += 35 * 4
				witness += witnessSize(input)
			case redeem == nil, TypeOf(redeem) == P2WPKH: // without a script taken for p2sh-p2wpkh
				weight += 23 * 4
				witness += 1 + 1 + 72 + 1 + 33
			default:
				weight += (1 + 73*needed(redeem) + 2 + int64(len(redeem))) * 4
				witness++
			}
		case P2WSH:
			witness += witnessSize(input)
		default:
			signature := int64(71) // low s; a third byte more when r is high
			for _, partial := range input.PartialSigs {
				if bytes.HasSuffix(script, hash160(partial.PubKey)) {
					signature = int64(len(partial.Signature))
				}
			}
			witness += 1 + 1 + signature + 1 + 33
		}
	}
	if witness > 0 {
		weight += 2 + witness // marker and flag
	}
	return (weight + 3) / 4
}

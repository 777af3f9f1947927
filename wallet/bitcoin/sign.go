package bitcoin

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"

	"chainscope/wallet/jsonrpc"
)

// SignInput asks for one input to be signed.
type SignInput struct {
	Path    string // of the param, for errors: signInputs[0].index
	Index   int
	Address string // "" when only the index was given
	// Allowed are signature hashes that may be used for this input, beside those
	// of the request.
	Allowed []Sighash
}

// SignRequest says what of a PSBT to sign.
type SignRequest struct {
	Path string // of the PSBT's param, for errors
	// Inputs are those to sign; nil is every input of the account.
	Inputs []SignInput
	// Allowed are signature hashes that may be used beside ALL and DEFAULT.
	Allowed []Sighash
	// Broadcast finalizes; every input must be signed in the end.
	Broadcast bool
}

// Plan is a PSBT with the inputs that will be signed: what is described is what
// is signed.
type Plan struct {
	psbt      *PSBT
	owner     *Owner
	indexes   []int
	sighash   map[int]Sighash
	broadcast bool
}

// Plan checks a request against a PSBT and an account. Errors are
// [*jsonrpc.Error]: [jsonrpc.InvalidParams] for what is wrong with the request,
// [jsonrpc.MethodAddressMismatch] when there is nothing of the account to sign.
func (p *PSBT) Plan(owner *Owner, r SignRequest) (*Plan, error) {
	if r.Path == "" {
		r.Path = "psbt"
	}
	plan := &Plan{psbt: p, owner: owner, sighash: map[int]Sighash{}, broadcast: r.Broadcast}
	if r.Inputs == nil {
		for i, out := range p.spent {
			if out == nil || owner.owns(out.PkScript) == nil || isFinal(&p.packet.Inputs[i]) {
				continue
			}
			if err := plan.add(i, fmt.Sprintf("%s: input %d", r.Path, i), r.Allowed); err != nil {
				return nil, err
			}
		}
	}
	for _, in := range r.Inputs {
		if in.Index < 0 || in.Index >= len(p.spent) {
			return nil, jsonrpc.InvalidParam(in.Path, "must be 0 to %d, the PSBT has %d inputs, is %d", len(p.spent)-1, len(p.spent), in.Index)
		}
		out := p.spent[in.Index]
		if out == nil {
			return nil, jsonrpc.InvalidParam(in.Path, "input %d does not say which output it spends, must have a witnessUtxo or nonWitnessUtxo", in.Index)
		}
		if in.Address != "" && !samePayee(in.Address, out.PkScript) {
			return nil, jsonrpc.InvalidParam(in.Path, "input %d does not belong to address %s, it belongs to %s", in.Index, in.Address, orScript(owner.Network, out.PkScript))
		}
		if owner.owns(out.PkScript) == nil {
			return nil, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: input %d belongs to %s, which is not this account's", in.Path, in.Index, orScript(owner.Network, out.PkScript))
		}
		if isFinal(&p.packet.Inputs[in.Index]) {
			return nil, jsonrpc.InvalidParam(in.Path, "input %d is final already", in.Index)
		}
		if err := plan.add(in.Index, in.Path, append(slices.Clone(r.Allowed), in.Allowed...)); err != nil {
			return nil, err
		}
	}
	if len(plan.indexes) == 0 {
		return nil, jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: none of the %d inputs is this account's to sign", r.Path, len(p.spent))
	}
	slices.Sort(plan.indexes)
	if r.Broadcast {
		if err := plan.checkComplete(); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

func orScript(n Network, script []byte) string {
	if address := n.AddressOf(script); address != "" {
		return address
	}
	return "script " + hex.EncodeToString(script[:min(len(script), 40)])
}

// add puts an input of the account into the plan.
func (plan *Plan) add(i int, path string, allowed []Sighash) error {
	p := plan.psbt
	input := &p.packet.Inputs[i]
	if _, twice := plan.sighash[i]; twice {
		return nil
	}
	t := TypeOf(p.spent[i].PkScript)
	s := effectiveSighash(input, t)
	if !s.Known() {
		return jsonrpc.InvalidParam(path, "input %d asks for signature hash %s, which does not exist", i, s)
	}
	if !s.everything() && !slices.Contains(allowed, s) {
		return jsonrpc.InvalidParam(path, "input %d asks for signature hash %s, which must be listed in allowedSighash", i, s)
	}
	if s.single() && i >= len(p.packet.UnsignedTx.TxOut) {
		return jsonrpc.InvalidParam(path, "input %d asks for signature hash %s but there is no output %d to sign", i, s, i)
	}
	if t == P2TR {
		if key := input.TaprootInternalKey; key != nil && !bytes.Equal(key, plan.owner.P2TR.XOnly) {
			return jsonrpc.InvalidParam(path, "input %d has a tapInternalKey that is not the account's", i)
		}
		if s&0x80 == 0 {
			for other, out := range p.spent {
				if out == nil {
					return jsonrpc.InvalidParam(path, "input %d spends p2tr, so input %d must say which output it spends", i, other)
				}
			}
		}
	}
	plan.sighash[i] = s
	plan.indexes = append(plan.indexes, i)
	return nil
}

// checkComplete reports whether the transaction can be sent once the plan is
// carried out.
func (plan *Plan) checkComplete() error {
	var missing []string
	for i := range plan.psbt.packet.Inputs {
		if _, signs := plan.sighash[i]; !signs && !hasSignature(&plan.psbt.packet.Inputs[i]) {
			missing = append(missing, fmt.Sprint(i))
		}
	}
	if len(missing) > 0 {
		return jsonrpc.InvalidParam("broadcast", "inputs %s would still be unsigned, must be false", strings.Join(missing, ", "))
	}
	if fee := plan.Describe().Fee; fee != nil && *fee < 0 {
		return jsonrpc.InvalidParam("broadcast", "the outputs exceed the inputs by %d satoshis, must be false", -*fee)
	}
	return nil
}

// Describe explains what will be signed.
func (plan *Plan) Describe() Description {
	return plan.psbt.describe(plan.owner.Network, plan.owner, plan.sighash)
}

// Signed is a signed PSBT.
type Signed struct {
	PSBT *PSBT // finalized when the request was to broadcast
	// Transaction is the raw transaction in hex and TxID its id, only when the
	// request was to broadcast.
	Transaction string
	TxID        string
}

// Sign signs the inputs of the plan: ECDSA after RFC 6979 with low s, Schnorr
// after BIP340 with 32 zero bytes of auxiliary randomness, so that the same
// plan always gives the same signatures. The PSBT that was planned is not
// changed.
func (plan *Plan) Sign(a *Account) (Signed, error) {
	if a.P2WPKH.Address != plan.owner.P2WPKH.Address || a.P2TR.Address != plan.owner.P2TR.Address {
		return Signed{}, fmt.Errorf("bitcoin: planned for another account")
	}
	raw, err := plan.psbt.Bytes()
	if err != nil {
		return Signed{}, err
	}
	p, err := ParsePSBTBytes(raw)
	if err != nil {
		return Signed{}, err
	}
	outs, _ := p.fetcher()
	hashes := txscript.NewTxSigHashes(p.packet.UnsignedTx, outs)
	var tweaked *btcec.PrivateKey
	for _, i := range plan.indexes {
		if TypeOf(p.spent[i].PkScript) == P2TR {
			if tweaked == nil {
				tweaked = txscript.TweakTaprootPrivKey(*a.tr, nil)
			}
			err = p.signTaproot(i, plan.sighash[i], hashes, outs, tweaked, a.P2TR.XOnly)
		} else {
			err = p.signWitness(i, plan.sighash[i], hashes, a.wpkh, a.P2WPKH.PublicKey)
		}
		if err != nil {
			return Signed{}, fmt.Errorf("sign input %d: %w", i, err)
		}
	}
	if !plan.broadcast {
		return Signed{PSBT: p}, nil
	}
	return p.finalize()
}

func (p *PSBT) signWitness(i int, s Sighash, hashes *txscript.TxSigHashes, key *btcec.PrivateKey, public []byte) error {
	out := p.spent[i]
	signature, err := txscript.RawTxInWitnessSignature(p.packet.UnsignedTx, hashes, i, out.Value, out.PkScript, s.hashType(), key)
	if err != nil {
		return err
	}
	input := &p.packet.Inputs[i]
	for _, partial := range input.PartialSigs {
		if bytes.Equal(partial.PubKey, public) {
			partial.Signature = signature
			return nil
		}
	}
	input.PartialSigs = append(input.PartialSigs, &psbt.PartialSig{PubKey: public, Signature: signature})
	return nil
}

func (p *PSBT) signTaproot(i int, s Sighash, hashes *txscript.TxSigHashes, outs txscript.PrevOutputFetcher, tweaked *btcec.PrivateKey, internal []byte) error {
	hash, err := txscript.CalcTaprootSignatureHash(hashes, s.hashType(), p.packet.UnsignedTx, i, outs)
	if err != nil {
		return err
	}
	signature, err := schnorr.Sign(tweaked, hash, schnorr.CustomNonce([32]byte{}))
	if err != nil {
		return err
	}
	input := &p.packet.Inputs[i]
	input.TaprootKeySpendSig = signature.Serialize()
	if s != SighashDefault {
		input.TaprootKeySpendSig = append(input.TaprootKeySpendSig, byte(s))
	}
	input.TaprootInternalKey = internal
	return nil
}

// finalize turns signatures into witnesses and extracts the transaction. Every
// input is run through the script engine: what is not valid is refused.
func (p *PSBT) finalize() (Signed, error) {
	for i := range p.packet.Inputs {
		if err := p.finalizeInput(i); err != nil {
			return Signed{}, jsonrpc.InvalidParam("broadcast", "input %d cannot be finalized: %v", i, err)
		}
	}
	tx, err := psbt.Extract(p.packet)
	if err != nil {
		return Signed{}, jsonrpc.InvalidParam("broadcast", "the transaction is not complete: %v", err)
	}
	outs, complete := p.fetcher()
	if complete {
		hashes := txscript.NewTxSigHashes(tx, outs)
		for i, out := range p.spent {
			if err := runScript(tx, i, out, hashes, outs); err != nil {
				return Signed{}, jsonrpc.InvalidParam("broadcast", "input %d is not validly signed: %v", i, err)
			}
		}
	}
	var b bytes.Buffer
	if err := tx.Serialize(&b); err != nil {
		return Signed{}, fmt.Errorf("write the transaction: %w", err)
	}
	return Signed{PSBT: p, Transaction: hex.EncodeToString(b.Bytes()), TxID: tx.TxHash().String()}, nil
}

func (p *PSBT) finalizeInput(i int) error {
	input := &p.packet.Inputs[i]
	if isFinal(input) {
		return nil
	}
	witness, _, err := p.witnessOf(i)
	if err != nil {
		return psbt.Finalize(p.packet, i)
	}
	var b bytes.Buffer
	if err := psbt.WriteTxWitness(&b, witness); err != nil {
		return err
	}
	*input = psbt.PInput{
		NonWitnessUtxo: input.NonWitnessUtxo, WitnessUtxo: input.WitnessUtxo,
		FinalScriptWitness: b.Bytes(), Unknowns: input.Unknowns,
	}
	return nil
}

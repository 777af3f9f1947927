package bitcoin

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"

	"chainscope/wallet/jsonrpc"
)

// SignInput requests one input to be signed.
type SignInput struct {
	Path    string // of the param, for errors: signInputs[0].index
	Index   int
	Address string // "" when only the index was given
	// PublicKey is the one that is to sign, compressed or x-only, nil for any of the account's.
	PublicKey []byte
	// Allowed are signature hashes that may be used for this input, beside those
	// of the request.
	Allowed []Sighash
}

// SignRequest describes what of a PSBT to sign.
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
	uses      map[int][]use // of those inputs
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
	plan := &Plan{psbt: p, owner: owner, uses: map[int][]use{}, sighash: map[int]Sighash{}, broadcast: r.Broadcast}
	if r.Inputs == nil {
		for i, out := range p.spent {
			uses := p.uses(i, owner)
			if len(uses) == 0 && owner.owns(out) == nil || isFinal(&p.packet.Inputs[i]) {
				continue
			}
			if err := plan.add(i, uses, fmt.Sprintf("%s: input %d", r.Path, i), r.Allowed); err != nil {
				return nil, err
			}
		}
	}
	for _, in := range r.Inputs {
		if err := plan.addRequested(in, r.Allowed); err != nil {
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

// addRequested puts an input that the request names into the plan.
func (plan *Plan) addRequested(in SignInput, allowed []Sighash) error {
	p, owner := plan.psbt, plan.owner
	if in.Index < 0 || in.Index >= len(p.spent) {
		return jsonrpc.InvalidParam(in.Path, "must be 0 to %d, the PSBT has %d inputs, is %d", len(p.spent)-1, len(p.spent), in.Index)
	}
	out := p.spent[in.Index]
	if out == nil {
		return jsonrpc.InvalidParam(in.Path, "input %d does not say which output it spends, must have a witnessUtxo or nonWitnessUtxo", in.Index)
	}
	uses := p.uses(in.Index, owner)
	if in.Address != "" && !samePayee(in.Address, out.PkScript) {
		// an address of the account names the key that is to sign
		uses = slices.DeleteFunc(uses, func(u use) bool { return !samePayee(in.Address, u.owner.Script) })
		if len(uses) == 0 && !p.shared(in.Index) {
			return jsonrpc.InvalidParam(in.Path, "input %d does not belong to address %s, it belongs to %s", in.Index, in.Address, orScript(owner.Network, out.PkScript))
		}
	}
	if in.PublicKey != nil && len(uses) > 0 {
		uses = slices.DeleteFunc(uses, func(u use) bool {
			return !bytes.Equal(in.PublicKey, u.owner.PublicKey) && !bytes.Equal(in.PublicKey, u.owner.xOnly())
		})
		if len(uses) == 0 {
			entry := in.Path[:max(0, strings.LastIndexByte(in.Path, '.'))]
			return jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s.publicKey: is not the account's key of input %d", entry, in.Index)
		}
	}
	if len(uses) == 0 && owner.owns(out) == nil {
		return jsonrpc.NewError(jsonrpc.MethodAddressMismatch, "%s: input %d belongs to %s, %s", in.Path, in.Index, orScript(owner.Network, out.PkScript), p.notOurs(in.Index))
	}
	if isFinal(&p.packet.Inputs[in.Index]) {
		return jsonrpc.InvalidParam(in.Path, "input %d is final already", in.Index)
	}
	return plan.add(in.Index, uses, in.Path, append(slices.Clone(allowed), in.Allowed...))
}

// shared reports whether an input spends a script in which several keys may have a part.
func (p *PSBT) shared(i int) bool {
	input := &p.packet.Inputs[i]
	return len(input.RedeemScript) > 0 || len(input.WitnessScript) > 0 || len(input.TaprootLeafScript) > 0
}

// notOurs returns why an input is not the account's, as far as that can be seen.
func (p *PSBT) notOurs(i int) string {
	input := &p.packet.Inputs[i]
	switch t := p.InputType(i); {
	case t == P2WSH && input.WitnessScript == nil:
		return "whose script is not known: it must have a witnessScript"
	case t == P2SH && input.RedeemScript == nil:
		return "whose script is not known: it must have a redeemScript"
	case p.shared(i):
		return "whose script has no key of this account"
	}
	return "which is not this account's"
}

// add puts an input of the account into the plan.
func (plan *Plan) add(i int, uses []use, path string, allowed []Sighash) error {
	p := plan.psbt
	input := &p.packet.Inputs[i]
	if _, twice := plan.sighash[i]; twice {
		for _, u := range uses {
			if !slices.ContainsFunc(plan.uses[i], u.same) {
				plan.uses[i] = append(plan.uses[i], u)
			}
		}
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
		if len(uses) == 0 { // the address is the account's
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
	if slices.ContainsFunc(uses, func(u use) bool { return u.kind == useLegacy }) && input.NonWitnessUtxo == nil {
		return jsonrpc.InvalidParam(path, "input %d spends %s, so it must have a nonWitnessUtxo", i, t)
	}
	plan.sighash[i], plan.uses[i] = s, uses
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
	for i, uses := range plan.uses {
		if lacks := plan.psbt.lacks(i, uses); lacks > 0 {
			return jsonrpc.InvalidParam("broadcast", "input %d would still need %d more of its signatures, must be false", i, lacks)
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
	return plan.psbt.describe(plan.owner.Network, plan.owner, plan)
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
	signing := map[string]*btcec.PrivateKey{} // tweaking takes time
	for _, i := range plan.indexes {
		for _, u := range plan.uses[i] {
			id := fmt.Sprint(u.owner.Type, u.kind == useKeyPath, u.root)
			if signing[id] == nil {
				signing[id] = a.keyOf(u)
			}
			if err := p.sign(i, u, plan.sighash[i], hashes, outs, signing[id]); err != nil {
				return Signed{}, fmt.Errorf("sign input %d: %w", i, err)
			}
		}
	}
	if !plan.broadcast {
		return Signed{PSBT: p}, nil
	}
	return p.finalize()
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

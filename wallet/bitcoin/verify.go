package bitcoin

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// InputCheck holds what the signature of one input is worth.
type InputCheck struct {
	Index   int
	Address string // of the output that is spent, "" when it has none
	Signed  bool
	Err     error // nil when the signature is valid
}

// CheckSignatures runs the script engine over every input of a PSBT that has a
// signature. Of a script that others may complete each signature is checked by itself.
func (p *PSBT) CheckSignatures(n Network) []InputCheck {
	outs, _ := p.fetcher()
	checks := make([]InputCheck, len(p.packet.Inputs))
	for i := range p.packet.Inputs {
		input := &p.packet.Inputs[i]
		check := InputCheck{Index: i, Signed: hasSignature(input)}
		if out := p.spent[i]; out != nil {
			check.Address = n.AddressOf(out.PkScript)
			if check.Signed {
				check.Err = p.checkInput(i, outs)
			}
		} else if check.Signed {
			check.Err = errors.New("the output that is spent is not known")
		}
		checks[i] = check
	}
	return checks
}

func (p *PSBT) checkInput(i int, outs txscript.PrevOutputFetcher) error {
	if input := &p.packet.Inputs[i]; !isFinal(input) && p.InputType(i) != P2WPKH && len(input.TaprootKeySpendSig) == 0 {
		return p.checkParts(i, outs)
	}
	tx := p.packet.UnsignedTx.Copy()
	witness, script, err := p.witnessOf(i)
	if err != nil {
		return err
	}
	tx.TxIn[i].Witness, tx.TxIn[i].SignatureScript = witness, script
	return invalid(runScript(tx, i, p.spent[i], txscript.NewTxSigHashes(tx, outs), outs))
}

// witnessOf makes the witness of an input from its signature.
func (p *PSBT) witnessOf(i int) (wire.TxWitness, []byte, error) {
	input, out := &p.packet.Inputs[i], p.spent[i]
	if isFinal(input) {
		if len(input.FinalScriptWitness) == 0 {
			return nil, input.FinalScriptSig, nil
		}
		witness, err := readWitness(input.FinalScriptWitness)
		return witness, input.FinalScriptSig, err
	}
	switch t := p.InputType(i); {
	case out == nil:
	case t == P2TR && len(input.TaprootKeySpendSig) > 0:
		return wire.TxWitness{input.TaprootKeySpendSig}, nil, nil
	case t == P2WPKH:
		for _, partial := range input.PartialSigs {
			if bytes.Equal(hash160(partial.PubKey), out.PkScript[2:]) {
				return wire.TxWitness{partial.Signature, partial.PubKey}, nil, nil
			}
		}
		return nil, nil, errors.New("the signature is by another key than the address has")
	}
	return nil, nil, fmt.Errorf("an input of kind %s is checked only once it is final", p.InputType(i))
}

// invalid says of an error of the script engine that the signature is not valid.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the signature is not valid: %w", err)
}

// runScript runs the script engine over an input.
func runScript(tx *wire.MsgTx, i int, spent *wire.TxOut, hashes *txscript.TxSigHashes, outs txscript.PrevOutputFetcher) error {
	engine, err := txscript.NewEngine(spent.PkScript, tx, i, txscript.StandardVerifyFlags, nil, hashes, spent.Value, outs)
	if err != nil {
		return err
	}
	return engine.Execute()
}

// SameTransaction reports whether two PSBTs are about the same transaction;
// signatures do not count.
func (p *PSBT) SameTransaction(other *PSBT) bool { return p.TxID() == other.TxID() }

// Payment is one output of a transaction.
type Payment struct {
	Address string // "" for a script without one
	Amount  uint64 // satoshis
}

// SpentTransaction is a raw transaction that is signed.
type SpentTransaction struct {
	TxID     string
	Payments []Payment
	tx       *wire.MsgTx
}

// ParseTransaction reads a raw transaction in hexadecimal digits, and nothing
// after it.
func ParseTransaction(n Network, text string) (SpentTransaction, error) {
	if len(text) > 2*maxPSBTBytes {
		return SpentTransaction{}, fmt.Errorf("must be a transaction of at most %d bytes, is longer", maxPSBTBytes)
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return SpentTransaction{}, errors.New("must be a transaction in hexadecimal digits")
	}
	reader := bytes.NewReader(raw)
	tx := &wire.MsgTx{}
	if err := tx.Deserialize(reader); err != nil || reader.Len() > 0 {
		return SpentTransaction{}, errors.New("must be a Bitcoin transaction, cannot be read")
	}
	out := SpentTransaction{TxID: tx.TxHash().String(), tx: tx}
	for _, o := range tx.TxOut {
		out.Payments = append(out.Payments, Payment{n.AddressOf(o.PkScript), uint64(o.Value)})
	}
	return out, nil
}

// CheckCoins runs the script engine over every input, each of which has to
// spend one of the mock coins of an owner.
func (s SpentTransaction) CheckCoins(o *Owner) error {
	known := map[wire.OutPoint]*wire.TxOut{}
	for _, coin := range MockCoins(o) {
		known[coin.point] = wire.NewTxOut(int64(coin.Amount), o.P2WPKH.Script)
	}
	if len(s.tx.TxIn) == 0 {
		return errors.New("it has no input")
	}
	for i, in := range s.tx.TxIn {
		if known[in.PreviousOutPoint] == nil {
			return fmt.Errorf("input %d spends %s, which is not a mock coin of the account", i, in.PreviousOutPoint)
		}
	}
	outs := txscript.NewMultiPrevOutFetcher(known)
	hashes := txscript.NewTxSigHashes(s.tx, outs) // of known outputs alone
	for i, in := range s.tx.TxIn {
		if err := invalid(runScript(s.tx, i, known[in.PreviousOutPoint], hashes, outs)); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	return nil
}

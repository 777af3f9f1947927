package bitcoin

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

func hash160(b []byte) []byte { return address.Hash160(b) }

// maxPSBTBytes bounds a decoded PSBT. A transaction of the largest size that
// nodes relay, with its previous transactions beside it, fits.
const maxPSBTBytes = 3 << 20

// maxInputs and maxOutputs bound a PSBT: more do not fit a relayed transaction.
const (
	maxInputs  = 10_000
	maxOutputs = 10_000
)

// maxSatoshis is all bitcoin there will ever be.
const maxSatoshis = 21_000_000 * 100_000_000

var magic = []byte("psbt\xff")

// PSBT is a parsed and checked partially signed transaction.
type PSBT struct {
	packet *psbt.Packet
	// spent has the output that each input spends, nil where the PSBT does not
	// tell.
	spent []*wire.TxOut
}

// ParsePSBT reads a PSBT from base64 text.
func ParsePSBT(text string) (*PSBT, error) {
	if len(text) > base64.StdEncoding.EncodedLen(maxPSBTBytes) {
		return nil, fmt.Errorf("must be a PSBT of at most %d bytes, is longer", maxPSBTBytes)
	}
	if strings.HasPrefix(strings.ToLower(text), "70736274ff") {
		return nil, fmt.Errorf("must be a PSBT in base64, is one in hex")
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return nil, fmt.Errorf("must be a PSBT in base64, is not base64")
	}
	return ParsePSBTBytes(raw)
}

// ParsePSBTHex reads a PSBT from hex text, as Leather takes it.
func ParsePSBTHex(text string) (*PSBT, error) {
	if len(text) > 2*maxPSBTBytes {
		return nil, fmt.Errorf("must be a PSBT of at most %d bytes, is longer", maxPSBTBytes)
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("must be a PSBT in hex, is not hex")
	}
	return ParsePSBTBytes(raw)
}

// ParsePSBTBytes reads a PSBT and checks that it agrees with itself: a previous
// transaction has the id that the input names, amounts are possible, nothing
// follows the last map.
func ParsePSBTBytes(raw []byte) (*PSBT, error) {
	if len(raw) > maxPSBTBytes {
		return nil, fmt.Errorf("must be a PSBT of at most %d bytes, has %d", maxPSBTBytes, len(raw))
	}
	if !bytes.HasPrefix(raw, magic) {
		return nil, fmt.Errorf("must be a PSBT, does not begin with the bytes of one")
	}
	reader := bytes.NewReader(raw)
	packet, err := psbt.NewFromRawBytes(reader, false)
	if err != nil {
		return nil, fmt.Errorf("must be a PSBT, cannot be read: %w", err)
	}
	if reader.Len() > 0 {
		return nil, fmt.Errorf("must be a PSBT, %d bytes follow its end", reader.Len())
	}
	tx := packet.UnsignedTx
	if len(tx.TxIn) == 0 || len(tx.TxOut) == 0 {
		return nil, fmt.Errorf("must be a PSBT with inputs and outputs, has %d and %d", len(tx.TxIn), len(tx.TxOut))
	}
	if len(tx.TxIn) > maxInputs || len(tx.TxOut) > maxOutputs {
		return nil, fmt.Errorf("must be a PSBT with at most %d inputs and %d outputs", maxInputs, maxOutputs)
	}
	p := &PSBT{packet: packet, spent: make([]*wire.TxOut, len(tx.TxIn))}
	seen := make(map[wire.OutPoint]int, len(tx.TxIn))
	var total int64
	for i, in := range tx.TxIn {
		if first, twice := seen[in.PreviousOutPoint]; twice {
			return nil, fmt.Errorf("inputs %d and %d spend the same output", first, i)
		}
		seen[in.PreviousOutPoint] = i
		if p.spent[i], err = spentBy(in, &packet.Inputs[i]); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		if p.spent[i] != nil {
			total += p.spent[i].Value
		}
		if total > maxSatoshis {
			return nil, fmt.Errorf("input %d: the inputs together hold more than all bitcoin", i)
		}
	}
	total = 0
	for i, out := range tx.TxOut {
		if out.Value < 0 || out.Value > maxSatoshis {
			return nil, fmt.Errorf("output %d: %d satoshis is no possible amount", i, out.Value)
		}
		if total += out.Value; total > maxSatoshis {
			return nil, fmt.Errorf("output %d: the outputs together hold more than all bitcoin", i)
		}
	}
	return p, nil
}

// spentBy finds the output that an input spends.
func spentBy(in *wire.TxIn, input *psbt.PInput) (*wire.TxOut, error) {
	var out *wire.TxOut
	if previous := input.NonWitnessUtxo; previous != nil {
		if previous.TxHash() != in.PreviousOutPoint.Hash {
			return nil, fmt.Errorf("the previous transaction is not the one that is spent")
		}
		if int(in.PreviousOutPoint.Index) >= len(previous.TxOut) {
			return nil, fmt.Errorf("the previous transaction has no output %d", in.PreviousOutPoint.Index)
		}
		out = previous.TxOut[in.PreviousOutPoint.Index]
	}
	if witness := input.WitnessUtxo; witness != nil {
		if out != nil && (out.Value != witness.Value || !bytes.Equal(out.PkScript, witness.PkScript)) {
			return nil, fmt.Errorf("the witness output differs from the output of the previous transaction")
		}
		out = witness
	}
	if out != nil && (out.Value < 0 || out.Value > maxSatoshis) {
		return nil, fmt.Errorf("%d satoshis is no possible amount", out.Value)
	}
	return out, nil
}

// TxID returns the id of the transaction, 64 hex digits. Signatures in witnesses do
// not change it.
func (p *PSBT) TxID() string { return p.packet.UnsignedTx.TxHash().String() }

// Inputs counts the inputs.
func (p *PSBT) Inputs() int { return len(p.packet.Inputs) }

// InputType returns the kind of output that an input spends, [Other] when the PSBT
// does not say.
func (p *PSBT) InputType(i int) ScriptType {
	if p.spent[i] == nil {
		return Other
	}
	return TypeOf(p.spent[i].PkScript)
}

// Bytes returns the serialized PSBT.
func (p *PSBT) Bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := p.packet.Serialize(&b); err != nil {
		return nil, fmt.Errorf("write the PSBT: %w", err)
	}
	return b.Bytes(), nil
}

// Base64 returns the serialized PSBT in base64.
func (p *PSBT) Base64() (string, error) {
	raw, err := p.Bytes()
	return base64.StdEncoding.EncodeToString(raw), err
}

// Hex returns the serialized PSBT in hex.
func (p *PSBT) Hex() (string, error) {
	raw, err := p.Bytes()
	return hex.EncodeToString(raw), err
}

// fetcher returns the spent outputs for signature hashes; complete
// reports whether all are known.
func (p *PSBT) fetcher() (outs *txscript.MultiPrevOutFetcher, complete bool) {
	known := make(map[wire.OutPoint]*wire.TxOut, len(p.spent))
	complete = true
	for i, in := range p.packet.UnsignedTx.TxIn {
		out := p.spent[i]
		if out == nil {
			complete = false
			out = &wire.TxOut{}
		}
		known[in.PreviousOutPoint] = out
	}
	return txscript.NewMultiPrevOutFetcher(known), complete
}

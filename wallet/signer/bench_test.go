package signer

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/keys"
)

// benchmark runs a request from its params to its result: read, checked,
// described, approved, signed, written.
func benchmark(b *testing.B, method, params string) {
	env := testEnv()
	if _, err := runRequest(b.Context(), method, json.RawMessage(params), env, always); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runRequest(b.Context(), method, json.RawMessage(params), env, always); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSignMessage(b *testing.B) {
	benchmark(b, "stx_signMessage", `{"message":"Hello World"}`)
}

func BenchmarkTransferStx(b *testing.B) {
	benchmark(b, "stx_transferStx", `{"recipient":"`+somebody+`","amount":"2500000","memo":"hello","fee":"1200","nonce":"7"}`)
}

func BenchmarkSignPSBT(b *testing.B) {
	for _, inputs := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("inputs=%d", inputs), func(b *testing.B) {
			text := base64.StdEncoding.EncodeToString(psbtOf(b, inputs))
			benchmark(b, "signPsbt", `{"psbt":"`+text+`"}`)
		})
	}
}

// psbtOf makes a PSBT that spends p2wpkh outputs of the active account.
func psbtOf(t testing.TB, inputs int) []byte {
	t.Helper()
	key, err := keys.NewTestRing().Bitcoin(keys.P2WPKH, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	hash := key.Hash160()
	script := append([]byte{txscript.OP_0, 20}, hash[:]...)
	tx := wire.NewMsgTx(2)
	for i := range inputs {
		id := chainhash.Hash(sha256.Sum256([]byte{byte(i)}))
		tx.AddTxIn(wire.NewTxIn(wire.NewOutPoint(&id, 0), nil, nil))
	}
	tx.AddTxOut(wire.NewTxOut(int64(90_000*inputs), script))
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range packet.Inputs {
		packet.Inputs[i].WitnessUtxo = wire.NewTxOut(100_000, script)
	}
	var raw bytes.Buffer
	if err := packet.Serialize(&raw); err != nil {
		t.Fatal(err)
	}
	return raw.Bytes()
}

// The benchmarks below are the floors of those above: what the libraries alone
// need for the same work, without params, description and result.

func BenchmarkFloorSignCompact(b *testing.B) {
	key, err := keys.NewTestRing().Stacks(0)
	if err != nil {
		b.Fatal(err)
	}
	hash := MessageHash("Hello World")
	b.ReportAllocs()
	for b.Loop() {
		ecdsa.SignCompact(key.Secp256k1(), hash[:], true)
	}
}

// A transfer hashes its 180 bytes, then hash, fee and nonce, and in the end the
// signed bytes for the id.
func BenchmarkFloorTransfer(b *testing.B) {
	key, err := keys.NewTestRing().Stacks(0)
	if err != nil {
		b.Fatal(err)
	}
	var transaction [180]byte
	var presign [32 + 1 + 8 + 8]byte
	b.ReportAllocs()
	for b.Loop() {
		hash := sha512.Sum512_256(transaction[:])
		copy(presign[:], hash[:])
		hash = sha512.Sum512_256(presign[:])
		copy(transaction[44:], ecdsa.SignCompact(key.Secp256k1(), hash[:], true))
		hash = sha512.Sum512_256(transaction[:])
		copy(transaction[:], hash[:])
	}
}

func BenchmarkFloorPSBT(b *testing.B) {
	key, err := keys.NewTestRing().Bitcoin(keys.P2WPKH, 0, 0)
	if err != nil {
		b.Fatal(err)
	}
	public := key.PublicKey()
	for _, inputs := range []int{1, 10} {
		b.Run(fmt.Sprintf("inputs=%d", inputs), func(b *testing.B) {
			raw := psbtOf(b, inputs)
			b.ReportAllocs()
			for b.Loop() {
				packet, err := psbt.NewFromRawBytes(bytes.NewReader(raw), false)
				if err != nil {
					b.Fatal(err)
				}
				spent := txscript.NewMultiPrevOutFetcher(nil)
				for i, in := range packet.UnsignedTx.TxIn {
					spent.AddPrevOut(in.PreviousOutPoint, packet.Inputs[i].WitnessUtxo)
				}
				hashes := txscript.NewTxSigHashes(packet.UnsignedTx, spent)
				for i := range packet.Inputs {
					input := &packet.Inputs[i]
					signature, err := txscript.RawTxInWitnessSignature(packet.UnsignedTx, hashes, i, input.WitnessUtxo.Value, input.WitnessUtxo.PkScript, txscript.SigHashAll, key.Secp256k1())
					if err != nil {
						b.Fatal(err)
					}
					input.PartialSigs = append(input.PartialSigs, &psbt.PartialSig{PubKey: public[:], Signature: signature})
				}
				var out bytes.Buffer
				if err := packet.Serialize(&out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package bitcoin

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// Protocol is a way to sign a message with the key of a Bitcoin address.
type Protocol string

// The protocols, as wallets name them in their params.
const (
	// BIP322 is the simple form of BIP-322: base64 of the witness of a virtual
	// transaction.
	BIP322 Protocol = "BIP322"
	// ECDSA is the older form: base64 of a recoverable signature whose header
	// says which kind of address it is for (BIP-137).
	ECDSA Protocol = "ECDSA"
)

// SignedMessage is the signature of a message by one address.
type SignedMessage struct {
	Signature string // base64
	Address   string
	Protocol  Protocol
	// Hash holds what wallets answer as messageHash: for BIP-322 the tagged hash of
	// the message in hexadecimal digits, for ECDSA the digest that is signed in
	// base64.
	Hash string
}

// MessageHash returns what wallets answer as messageHash; see [SignedMessage].
func MessageHash(p Protocol, message string) string {
	if p == ECDSA {
		digest := legacyDigest(message)
		return base64.StdEncoding.EncodeToString(digest[:])
	}
	hash := bip322Hash(message)
	return hex.EncodeToString(hash[:])
}

// SignMessage signs a message with the key of one of the account's two
// addresses. ECDSA is for p2wpkh only. The same arguments always give the same
// signature: nonces are those of RFC 6979, Schnorr signatures use 32 zero bytes
// of auxiliary randomness.
func (a *Account) SignMessage(t ScriptType, p Protocol, message string) (SignedMessage, error) {
	own := &a.P2WPKH
	if t == P2TR {
		own = &a.P2TR
	}
	signed := SignedMessage{Address: own.Address, Protocol: p, Hash: MessageHash(p, message)}
	switch {
	case p == ECDSA && t == P2WPKH:
		digest := legacyDigest(message)
		compact := ecdsa.SignCompact(a.wpkh, digest[:], true)
		compact[0] += headerP2WPKH - headerCompressed
		signed.Signature = base64.StdEncoding.EncodeToString(compact)
		return signed, nil
	case p != BIP322 || t != P2WPKH && t != P2TR:
		return SignedMessage{}, fmt.Errorf("bitcoin: a message cannot be signed by %s with %s", p, t)
	}
	witness, err := a.signBIP322(own, message)
	if err != nil {
		return SignedMessage{}, err
	}
	var b bytes.Buffer
	if err := psbt.WriteTxWitness(&b, witness); err != nil {
		return SignedMessage{}, fmt.Errorf("write the witness: %w", err)
	}
	signed.Signature = base64.StdEncoding.EncodeToString(b.Bytes())
	return signed, nil
}

// Headers of recoverable signatures (BIP-137), before the recovery id is added.
const (
	headerUncompressed = 27
	headerCompressed   = 31
	headerP2SHP2WPKH   = 35
	headerP2WPKH       = 39
)

// legacyDigest returns what the ECDSA form signs: the double SHA-256 of a prefix and
// the message, each after its length as a varint.
func legacyDigest(message string) [32]byte {
	var b bytes.Buffer
	// Writing to a buffer cannot fail.
	_ = wire.WriteVarString(&b, 0, "Bitcoin Signed Message:\n")
	_ = wire.WriteVarString(&b, 0, message)
	first := sha256.Sum256(b.Bytes())
	return sha256.Sum256(first[:])
}

// bip322Hash returns the tagged hash (BIP-340) of the message.
func bip322Hash(message string) [32]byte {
	return *chainhash.TaggedHash([]byte("BIP0322-signed-message"), []byte(message))
}

// virtual makes the two transactions of BIP-322: to_spend pays nothing to the
// script under a promise of the message, to_sign spends that output.
func virtual(script []byte, message string) (toSpend, toSign *wire.MsgTx) {
	hash := bip322Hash(message)
	toSpend = wire.NewMsgTx(0)
	toSpend.AddTxIn(&wire.TxIn{
		PreviousOutPoint: wire.OutPoint{Index: 0xffffffff},
		SignatureScript:  append([]byte{txscript.OP_0, txscript.OP_DATA_32}, hash[:]...),
	})
	toSpend.AddTxOut(wire.NewTxOut(0, script))
	toSign = wire.NewMsgTx(0)
	toSign.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: toSpend.TxHash()}})
	toSign.AddTxOut(wire.NewTxOut(0, []byte{txscript.OP_RETURN}))
	return toSpend, toSign
}

// signBIP322 returns the witness of to_sign.
func (a *Account) signBIP322(own *Address, message string) (wire.TxWitness, error) {
	toSpend, toSign := virtual(own.Script, message)
	packet, err := psbt.NewFromUnsignedTx(toSign)
	if err != nil {
		return nil, fmt.Errorf("make the virtual transaction: %w", err)
	}
	packet.Inputs[0].WitnessUtxo = toSpend.TxOut[0]
	p := &PSBT{packet: packet, spent: toSpend.TxOut}
	outs, _ := p.fetcher()
	hashes := txscript.NewTxSigHashes(toSign, outs)
	sighash := SighashAll
	if own.Type == P2TR {
		sighash = SighashDefault
	}
	for _, u := range p.uses(0, &a.Owner) {
		if err := p.sign(0, u, sighash, hashes, outs, a.keyOf(u)); err != nil {
			return nil, fmt.Errorf("sign the message: %w", err)
		}
	}
	witness, _, err := p.witnessOf(0)
	return witness, err
}

// VerifyMessage checks a signature in base64 of a message by an address. Both
// protocols are read: a signature of 65 bytes with a header is ECDSA, anything
// else the simple form of BIP-322, with or without the prefix smp. The error
// says what does not fit.
func (n Network) VerifyMessage(address, message, signature string) (Protocol, error) {
	script, err := n.ScriptOf(address)
	if err != nil {
		return "", fmt.Errorf("the address %w", err)
	}
	text, simple := strings.CutPrefix(signature, "smp")
	for _, form := range []string{"ful", "pof"} {
		if strings.HasPrefix(signature, form) {
			return BIP322, fmt.Errorf("the form %s of BIP-322 is not verified here, only the simple one", form)
		}
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) == 0 {
		return "", errors.New("the signature must be base64")
	}
	if !simple && len(raw) == 65 && raw[0] >= headerUncompressed && raw[0] < headerP2WPKH+4 {
		return ECDSA, verifyECDSA(script, message, raw)
	}
	return BIP322, verifyBIP322(script, message, raw)
}

// verifyECDSA recovers the key and compares the address that it has. As other
// verifiers do, a header of compressed p2pkh is taken for witness addresses
// too.
func verifyECDSA(script []byte, message string, signature []byte) error {
	compact := bytes.Clone(signature)
	recovery := (compact[0] - headerUncompressed) & 3
	compressed := compact[0] >= headerCompressed
	compact[0] = headerUncompressed + recovery
	if compressed {
		compact[0] = headerCompressed + recovery
	}
	digest := legacyDigest(message)
	key, _, err := ecdsa.RecoverCompact(compact, digest[:])
	if err != nil {
		return fmt.Errorf("the signature fits no key: %w", err)
	}
	for _, own := range scriptsOf(key, compressed) {
		if bytes.Equal(own, script) {
			return nil
		}
	}
	return errors.New("the signature is not one of this message by this address")
}

// scriptsOf returns the output scripts of one key: p2pkh, and for a compressed key
// p2wpkh, alone and inside p2sh.
func scriptsOf(key *btcec.PublicKey, compressed bool) [][]byte {
	serialized := key.SerializeUncompressed()
	if compressed {
		serialized = key.SerializeCompressed()
	}
	hash := hash160(serialized)
	pkh := append([]byte{txscript.OP_DUP, txscript.OP_HASH160, txscript.OP_DATA_20}, hash...)
	scripts := [][]byte{append(pkh, txscript.OP_EQUALVERIFY, txscript.OP_CHECKSIG)}
	if !compressed {
		return scripts
	}
	wpkh := append([]byte{txscript.OP_0, txscript.OP_DATA_20}, hash...)
	nested := append([]byte{txscript.OP_HASH160, txscript.OP_DATA_20}, hash160(wpkh)...)
	return append(scripts, wpkh, append(nested, txscript.OP_EQUAL))
}

// maxWitness bounds the items of a witness that is verified.
const maxWitness = 100

// verifyBIP322 runs the witness through the script engine.
func verifyBIP322(script []byte, message string, raw []byte) error {
	switch TypeOf(script) {
	case P2WPKH, P2TR, P2WSH:
	default:
		return fmt.Errorf("the simple form of BIP-322 is for witness addresses, this is %s", TypeOf(script))
	}
	witness, err := readWitness(raw)
	if err != nil {
		return err
	}
	toSpend, toSign := virtual(script, message)
	toSign.TxIn[0].Witness = witness
	outs := txscript.NewCannedPrevOutputFetcher(script, 0)
	if err := runScript(toSign, 0, toSpend.TxOut[0], txscript.NewTxSigHashes(toSign, outs), outs); err != nil {
		return fmt.Errorf("the signature is not one of this message by this address: %w", err)
	}
	return nil
}

// readWitness reads a witness stack, and nothing after it.
func readWitness(raw []byte) (wire.TxWitness, error) {
	reader := bytes.NewReader(raw)
	count, err := wire.ReadVarInt(reader, 0)
	if err != nil || count == 0 || count > maxWitness {
		return nil, fmt.Errorf("the signature must be a witness of 1 to %d items", maxWitness)
	}
	var witness wire.TxWitness
	for range count {
		item, err := wire.ReadVarBytes(reader, 0, uint32(len(raw)), "witness item")
		if err != nil {
			return nil, errors.New("the signature ends inside its witness")
		}
		witness = append(witness, item)
	}
	if reader.Len() > 0 {
		return nil, errors.New("bytes follow the witness in the signature")
	}
	return witness, nil
}

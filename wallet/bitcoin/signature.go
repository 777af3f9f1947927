package bitcoin

import (
	"bytes"
	"errors"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
)

// hash returns what a signature of an input in this use is made over.
func (p *PSBT) hash(i int, u use, s Sighash, hashes *txscript.TxSigHashes, outs txscript.PrevOutputFetcher) ([]byte, error) {
	tx := p.packet.UnsignedTx
	switch u.kind {
	case useKeyPath:
		return txscript.CalcTaprootSignatureHash(hashes, s.hashType(), tx, i, outs)
	case useLeaf:
		return txscript.CalcTapscriptSignaturehash(hashes, s.hashType(), tx, i, outs, u.leaf)
	case useWitness:
		return txscript.CalcWitnessSigHash(u.script, hashes, s.hashType(), tx, i, p.spent[i].Value)
	}
	return txscript.CalcSignatureHash(u.script, s.hashType(), tx, i)
}

// sign adds the signature of one use; the key of a key path is tweaked already.
func (p *PSBT) sign(i int, u use, s Sighash, hashes *txscript.TxSigHashes, outs txscript.PrevOutputFetcher, key *btcec.PrivateKey) error {
	hash, err := p.hash(i, u, s, hashes, outs)
	if err != nil {
		return err
	}
	input := &p.packet.Inputs[i]
	if u.redeem != nil {
		input.RedeemScript = u.redeem
	}
	if u.kind == useLegacy || u.kind == useWitness {
		signature := append(ecdsa.Sign(key, hash).Serialize(), byte(s))
		for _, partial := range input.PartialSigs {
			if bytes.Equal(partial.PubKey, u.owner.PublicKey) {
				partial.Signature = signature
				return nil
			}
		}
		input.PartialSigs = append(input.PartialSigs, &psbt.PartialSig{PubKey: u.owner.PublicKey, Signature: signature})
		return nil
	}
	made, err := schnorr.Sign(key, hash, schnorr.CustomNonce([32]byte{}))
	if err != nil {
		return err
	}
	if u.kind == useLeaf {
		id := u.leaf.TapHash()
		one := &psbt.TaprootScriptSpendSig{XOnlyPubKey: u.owner.xOnly(), LeafHash: id[:], Signature: made.Serialize(), SigHash: s.hashType()}
		for _, old := range input.TaprootScriptSpendSig {
			if old.EqualKey(one) {
				*old = *one
				return nil
			}
		}
		input.TaprootScriptSpendSig = append(input.TaprootScriptSpendSig, one)
		return nil
	}
	input.TaprootKeySpendSig = made.Serialize()
	if s != SighashDefault {
		input.TaprootKeySpendSig = append(input.TaprootKeySpendSig, byte(s))
	}
	input.TaprootInternalKey = u.owner.xOnly()
	return nil
}

// checkParts checks each signature of an input that has a script, which others may complete.
func (p *PSBT) checkParts(i int, outs txscript.PrevOutputFetcher) error {
	input := &p.packet.Inputs[i]
	hashes := txscript.NewTxSigHashes(p.packet.UnsignedTx, outs)
	for _, partial := range input.PartialSigs {
		signer := &Owner{P2WPKH: Address{PublicKey: partial.PubKey}, P2TR: Address{PublicKey: partial.PubKey}}
		uses := p.uses(i, signer)
		if len(uses) == 0 || len(partial.Signature) == 0 {
			return errors.New("a signature is by another key than the script has")
		}
		last := len(partial.Signature) - 1
		hash, err := p.hash(i, uses[0], Sighash(partial.Signature[last]), hashes, outs)
		if err != nil {
			return err
		}
		key, err := btcec.ParsePubKey(partial.PubKey)
		if err != nil {
			return err
		}
		if signature, err := ecdsa.ParseDERSignature(partial.Signature[:last]); err != nil || !signature.Verify(hash, key) {
			return errors.New("a signature is not valid for its key")
		}
	}
	for _, one := range input.TaprootScriptSpendSig {
		if err := p.checkLeaf(i, one, hashes, outs); err != nil {
			return err
		}
	}
	return nil
}

func (p *PSBT) checkLeaf(i int, one *psbt.TaprootScriptSpendSig, hashes *txscript.TxSigHashes, outs txscript.PrevOutputFetcher) error {
	script, err := psbt.FindLeafScript(&p.packet.Inputs[i], one.LeafHash)
	if err != nil {
		return errors.New("a signature is for a leaf that the PSBT does not have")
	}
	leaf, ok := leafOf(script, p.spent[i].PkScript)
	if !ok {
		return errors.New("a signature is for a leaf that is not in the tree of the output")
	}
	hash, err := p.hash(i, use{kind: useLeaf, leaf: leaf}, Sighash(one.SigHash), hashes, outs)
	if err != nil {
		return err
	}
	key, err := schnorr.ParsePubKey(one.XOnlyPubKey)
	if err != nil {
		return err
	}
	if signature, err := schnorr.ParseSignature(one.Signature); err != nil || !signature.Verify(hash, key) {
		return errors.New("a signature is not valid for its key")
	}
	return nil
}

package bitcoin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
)

// useKind describes how a key signs for an input.
type useKind int

const (
	useLegacy  useKind = iota // before segregated witnesses: p2pkh, p2sh
	useWitness                // p2wpkh and p2wsh, nested in p2sh too
	useKeyPath                // the key of a p2tr output
	useLeaf                   // a script in the tree of a p2tr output
)

// use is one way to sign an input with a key of the account. Which inputs are the account's
// is a matter of its keys, not of its addresses: a key may be one of several in a script.
type use struct {
	owner  *Address // whose key it is
	kind   useKind
	script []byte           // that the signature is for, except of a key path
	root   []byte           // of the tree beside a key path, nil for none
	leaf   txscript.TapLeaf // of a leaf
	keys   int              // how many keys the script names
	redeem []byte           // that a p2sh output needs and the PSBT left out, nil for none
}

// Use is one way to sign an input with a key of the account, as the user is shown it.
type Use struct {
	Key  string `json:"key"`            // hex, as the script has it
	Leaf string `json:"leaf,omitempty"` // the hash of the leaf, hex
	Keys int    `json:"keys"`           // how many keys the script names
	// Needs is the number of them that have to sign, absent where the script does not say it plainly.
	Needs int `json:"needs,omitempty"`
}

// Words say what part the key has.
func (u Use) Words() string {
	words := "your key is in its script"
	if u.Keys > 1 {
		words = fmt.Sprintf("your key is one of %d", u.Keys)
		if u.Needs > 0 {
			words += fmt.Sprintf(", %d must sign", u.Needs)
		}
	}
	if u.Leaf != "" {
		words += " (leaf " + u.Leaf[:8] + ")"
	}
	return words
}

// shown returns what the user is shown of a use; false for one of a plain address, which says it all.
func (u use) shown() (Use, bool) {
	switch {
	case u.kind == useKeyPath, TypeOf(u.script) == P2WPKH, TypeOf(u.script) == P2PKH:
		return Use{}, false
	}
	out := Use{Key: hex.EncodeToString(u.owner.PublicKey), Keys: u.keys}
	if u.kind == useLeaf {
		hash := u.leaf.TapHash()
		out.Key, out.Leaf = hex.EncodeToString(u.owner.xOnly()), hex.EncodeToString(hash[:])
	}
	out.Needs, _ = multisig(u.script)
	return out, true
}

// multisig returns how many signatures a plain multisignature script needs, of which keys;
// 0 for another script.
func multisig(script []byte) (needs int, keys [][]byte) {
	if is, err := txscript.IsMultisigScript(script); err != nil || !is {
		return 0, nil
	}
	_, needs, err := txscript.CalcMultiSigStats(script)
	if err != nil {
		return 0, nil
	}
	return needs, keysIn(script, false)
}

// lacks returns how many signatures a plain multisignature script of an input is short of
// once these uses are signed.
func (p *PSBT) lacks(i int, uses []use) int {
	if len(uses) == 0 {
		return 0
	}
	needs, keys := multisig(uses[0].script)
	for _, key := range keys {
		byUs := slices.ContainsFunc(uses, func(u use) bool { return bytes.Equal(u.owner.PublicKey, key) })
		if byUs || slices.ContainsFunc(p.packet.Inputs[i].PartialSigs, func(s *psbt.PartialSig) bool { return bytes.Equal(s.PubKey, key) }) {
			needs--
		}
	}
	return needs
}

// same reports whether two uses are one.
func (u use) same(other use) bool {
	return u.owner == other.owner && u.kind == other.kind && bytes.Equal(u.script, other.script)
}

// xOnly returns the key without its sign, as taproot has it.
func (a *Address) xOnly() []byte { return a.PublicKey[1:] }

// uses returns the ways in which keys of an owner may sign an input, none where the PSBT does
// not say which output it spends or which script that has.
func (p *PSBT) uses(i int, o *Owner) []use {
	if o == nil || p.spent[i] == nil {
		return nil
	}
	input, script := &p.packet.Inputs[i], p.spent[i].PkScript
	switch TypeOf(script) {
	case P2TR:
		return append(o.keyPaths(input, script), o.leaves(input, script)...)
	case P2SH:
		return o.nested(input, script)
	case P2WPKH:
		return o.inScript(useWitness, script)
	case P2WSH:
		return o.witnessScript(input, script)
	}
	return o.inScript(useLegacy, script)
}

func (o *Owner) addresses() []*Address { return []*Address{&o.P2WPKH, &o.P2TR} }

// nested returns the uses of a p2sh output. The script of a single key is made up where the
// PSBT leaves it out.
func (o *Owner) nested(input *psbt.PInput, script []byte) []use {
	hash := script[2:22]
	if input.RedeemScript == nil {
		for _, a := range o.addresses() {
			redeem := slices.Concat([]byte{txscript.OP_0, 20}, hash160(a.PublicKey))
			if bytes.Equal(hash160(redeem), hash) {
				return []use{{owner: a, kind: useWitness, script: redeem, keys: 1, redeem: redeem}}
			}
		}
		return nil
	}
	if !bytes.Equal(hash160(input.RedeemScript), hash) {
		return nil
	}
	switch TypeOf(input.RedeemScript) {
	case P2WPKH:
		return o.inScript(useWitness, input.RedeemScript)
	case P2WSH:
		return o.witnessScript(input, input.RedeemScript)
	}
	return o.inScript(useLegacy, input.RedeemScript)
}

func (o *Owner) witnessScript(input *psbt.PInput, program []byte) []use {
	if hash := sha256.Sum256(input.WitnessScript); !bytes.Equal(hash[:], program[2:]) {
		return nil
	}
	return o.inScript(useWitness, input.WitnessScript)
}

// inScript returns the uses of keys that a script names, by themselves or by their hashes.
func (o *Owner) inScript(kind useKind, script []byte) (all []use) {
	keys := keysIn(script, kind == useLeaf)
	for _, a := range o.addresses() {
		key := a.PublicKey
		if kind == useLeaf {
			key = a.xOnly()
		}
		if slices.ContainsFunc(keys, func(k []byte) bool { return bytes.Equal(k, key) || bytes.Equal(k, hash160(key)) }) {
			all = append(all, use{owner: a, kind: kind, script: script, keys: len(keys)})
		}
	}
	return all
}

// keysIn returns the keys, and the hashes of keys, that a script checks signatures by, each
// once.
func keysIn(script []byte, tapscript bool) (keys [][]byte) {
	type token struct {
		op   byte
		data []byte
	}
	var tokens []token
	t := txscript.MakeScriptTokenizer(0, script)
	for t.Next() {
		tokens = append(tokens, token{t.Opcode(), t.Data()})
	}
	op := func(i int) byte {
		if i < 0 || i >= len(tokens) {
			return txscript.OP_INVALIDOPCODE
		}
		return tokens[i].op
	}
	for i, t := range tokens {
		isKey := false
		switch len(t.data) {
		case 20: // OP_HASH160 alone may be of a secret, as in a contract with a hash lock
			isKey = op(i-1) == txscript.OP_HASH160 && op(i-2) == txscript.OP_DUP || TypeOf(script) == P2WPKH
		case 32:
			switch op(i + 1) {
			case txscript.OP_CHECKSIG, txscript.OP_CHECKSIGVERIFY, txscript.OP_CHECKSIGADD:
				isKey = tapscript
			}
		case 33, 65:
			_, err := btcec.ParsePubKey(t.data)
			isKey = !tapscript && err == nil
		}
		if isKey && !slices.ContainsFunc(keys, func(k []byte) bool { return bytes.Equal(k, t.data) }) {
			keys = append(keys, t.data)
		}
	}
	return keys
}

// keyPaths returns the uses of a p2tr output whose own key is one of the owner's, with or
// without a tree of scripts beside it.
func (o *Owner) keyPaths(input *psbt.PInput, script []byte) []use {
	switch {
	case bytes.Equal(script, o.P2TR.Script) && (input.TaprootInternalKey == nil || bytes.Equal(input.TaprootInternalKey, o.P2TR.xOnly())):
		return []use{{owner: &o.P2TR, kind: useKeyPath, keys: 1}}
	case input.TaprootInternalKey == nil && input.TaprootMerkleRoot == nil && len(input.TaprootLeafScript) == 0:
		return nil // computing keys of each foreign input would take long
	}
	roots := [][]byte{nil}
	if input.TaprootMerkleRoot != nil {
		roots = append(roots, input.TaprootMerkleRoot)
	}
	for _, leaf := range input.TaprootLeafScript {
		if control, err := txscript.ParseControlBlock(leaf.ControlBlock); err == nil {
			roots = append(roots, control.RootHash(leaf.Script))
		}
	}
	for _, a := range o.addresses() {
		if input.TaprootInternalKey != nil && !bytes.Equal(input.TaprootInternalKey, a.xOnly()) {
			continue
		}
		key, err := schnorr.ParsePubKey(a.xOnly())
		for _, root := range roots {
			if err == nil && bytes.Equal(schnorr.SerializePubKey(txscript.ComputeTaprootOutputKey(key, root)), script[2:]) {
				return []use{{owner: a, kind: useKeyPath, root: root, keys: 1}}
			}
		}
	}
	return nil
}

// leaves returns the uses of keys in the tree of a p2tr output. A leaf counts only where its
// control block leads to the output.
func (o *Owner) leaves(input *psbt.PInput, script []byte) (all []use) {
	for _, l := range input.TaprootLeafScript {
		if leaf, ok := leafOf(l, script); ok {
			for _, u := range o.inScript(useLeaf, l.Script) {
				u.leaf = leaf
				all = append(all, u)
			}
		}
	}
	return all
}

// leafOf returns a leaf that is in the tree of a p2tr output.
func leafOf(l *psbt.TaprootTapLeafScript, script []byte) (txscript.TapLeaf, bool) {
	control, err := txscript.ParseControlBlock(l.ControlBlock)
	if err != nil || l.LeafVersion != txscript.BaseLeafVersion || control.LeafVersion != l.LeafVersion ||
		txscript.VerifyTaprootLeafCommitment(control, script[2:], l.Script) != nil {
		return txscript.TapLeaf{}, false
	}
	return txscript.NewBaseTapLeaf(l.Script), true
}

package bitcoin

import (
	"bytes"
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// Address is one address of an account.
type Address struct {
	Type      ScriptType
	Address   string
	Script    []byte // the output script
	PublicKey []byte // 33 bytes, compressed; for p2tr the internal key before it is tweaked
	XOnly     []byte // p2tr only: the internal key, 32 bytes
}

// Owner holds what can be known of an account without its keys: enough to
// describe, not to sign.
type Owner struct {
	Network Network
	P2WPKH  Address
	P2TR    Address
}

// Account is the Bitcoin side of a wallet's account with its two keys. In every
// printed form the keys are left out.
type Account struct {
	Owner
	wpkh, tr *btcec.PrivateKey
}

// NewAccount makes an account from the key of its p2wpkh address
// (m/84'/coin'/account'/0/0) and that of its p2tr address
// (m/86'/coin'/account'/0/0).
func NewAccount(n Network, p2wpkh, p2tr *btcec.PrivateKey) (*Account, error) {
	if n.params == nil || p2wpkh == nil || p2tr == nil {
		return nil, fmt.Errorf("bitcoin: an account needs a network and two keys")
	}
	a := &Account{Owner: Owner{Network: n}, wpkh: p2wpkh, tr: p2tr}
	compressed := p2wpkh.PubKey().SerializeCompressed()
	script := append([]byte{txscript.OP_0, 20}, hash160(compressed)...)
	a.P2WPKH = Address{Type: P2WPKH, Address: n.AddressOf(script), Script: script, PublicKey: compressed}

	output := txscript.ComputeTaprootKeyNoScript(p2tr.PubKey())
	script = append([]byte{txscript.OP_1, 32}, schnorr.SerializePubKey(output)...)
	a.P2TR = Address{
		Type: P2TR, Address: n.AddressOf(script), Script: script,
		PublicKey: p2tr.PubKey().SerializeCompressed(), XOnly: schnorr.SerializePubKey(p2tr.PubKey()),
	}
	return a, nil
}

// Format prints the addresses, whatever the verb.
func (a *Account) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "bitcoin account %s %s [secret]", a.P2WPKH.Address, a.P2TR.Address)
}

// keyOf returns the private key for a use.
func (a *Account) keyOf(u use) *btcec.PrivateKey {
	key := a.wpkh
	if u.owner.Type == P2TR {
		key = a.tr
	}
	if u.kind == useKeyPath {
		key = txscript.TweakTaprootPrivKey(*key, u.root)
	}
	return key
}

// owns returns the address that an output pays to, nil when it is not the account's.
func (o *Owner) owns(out *wire.TxOut) *Address {
	switch {
	case o == nil || out == nil:
	case bytes.Equal(out.PkScript, o.P2WPKH.Script):
		return &o.P2WPKH
	case bytes.Equal(out.PkScript, o.P2TR.Script):
		return &o.P2TR
	}
	return nil
}

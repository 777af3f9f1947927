package bitcoin

import (
	"bytes"
	"fmt"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/txscript/v2"
)

// ScriptType names what kind of output a script is.
type ScriptType string

// Kinds of output scripts.
const (
	P2PKH    ScriptType = "p2pkh"
	P2SH     ScriptType = "p2sh"
	P2WPKH   ScriptType = "p2wpkh"
	P2WSH    ScriptType = "p2wsh"
	P2TR     ScriptType = "p2tr"
	OpReturn ScriptType = "op_return"
	Other    ScriptType = "other"
)

// TypeOf returns the kind of an output script.
func TypeOf(script []byte) ScriptType {
	switch {
	case txscript.IsPayToWitnessPubKeyHash(script):
		return P2WPKH
	case txscript.IsPayToTaproot(script):
		return P2TR
	case txscript.IsPayToWitnessScriptHash(script):
		return P2WSH
	case txscript.IsPayToPubKeyHash(script):
		return P2PKH
	case txscript.IsPayToScriptHash(script):
		return P2SH
	case len(script) > 0 && script[0] == txscript.OP_RETURN:
		return OpReturn
	}
	return Other
}

// AddressOf returns the address of an output script, "" for a script without.
func (n Network) AddressOf(script []byte) string {
	switch TypeOf(script) {
	case OpReturn, Other:
		return ""
	}
	_, addresses, _, err := txscript.ExtractPkScriptAddrs(script, n.params)
	if err != nil || len(addresses) != 1 {
		return ""
	}
	return addresses[0].EncodeAddress()
}

// maxAddress is more characters than any address has (BIP173 allows 90).
const maxAddress = 90

// ScriptOf returns the output script that pays to an address. The error says
// when the address belongs to another network.
func (n Network) ScriptOf(address string) ([]byte, error) {
	if address == "" {
		return nil, fmt.Errorf("must be a Bitcoin address, is empty")
	}
	if len(address) > maxAddress {
		return nil, fmt.Errorf("must be a Bitcoin address of at most %d characters, has %d", maxAddress, len(address))
	}
	script, err := n.scriptOf(address)
	if err == nil {
		return script, nil
	}
	for _, other := range []Network{Mainnet, Testnet, Regtest} {
		if other.Name == n.Name {
			continue
		}
		if _, otherErr := other.scriptOf(address); otherErr == nil {
			return nil, fmt.Errorf("is an address of %s, must be one of %s", other.Name, n.Name)
		}
	}
	return nil, fmt.Errorf("must be a Bitcoin address of %s: %w", n.Name, err)
}

func (n Network) scriptOf(text string) ([]byte, error) {
	decoded, err := address.DecodeAddress(text, n.params)
	if err != nil {
		return nil, err
	}
	if _, bareKey := decoded.(*address.AddressPubKey); bareKey {
		return nil, fmt.Errorf("a public key is no address")
	}
	if !decoded.IsForNet(n.params) {
		return nil, fmt.Errorf("address of another network")
	}
	script, err := txscript.PayToAddrScript(decoded)
	if err != nil {
		return nil, err
	}
	return script, nil
}

// samePayee reports whether an address pays to a script on any network: the same
// key has addresses on all of them.
func samePayee(address string, script []byte) bool {
	for _, n := range []Network{Mainnet, Testnet, Regtest} {
		if s, err := n.scriptOf(address); err == nil && bytes.Equal(s, script) {
			return true
		}
	}
	return false
}

// dustLimit returns the least amount in satoshis that nodes relay for an output of
// this kind.
func dustLimit(t ScriptType) uint64 {
	switch t {
	case P2WPKH:
		return 294
	case P2TR, P2WSH:
		return 330
	case P2SH:
		return 540
	case OpReturn:
		return 0
	}
	return 546
}

// Package verify checks signatures that a wallet made, this one or another: of
// messages (SIP-018, plain, BIP-322, ECDSA), of Stacks transactions, of PSBTs and
// of transfers of the mock coins. It takes nothing of what the wallet says for
// granted: keys are recovered, scripts are run.
//
// The package holds no keys and does no I/O. It imports the packages of the
// encodings and wallet/signer for its hashes.
package verify

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// Kind describes what was checked.
type Kind string

// The kinds.
const (
	KindMessage            Kind = "message"            // stx_signMessage
	KindStructured         Kind = "structured-message" // SIP-018
	KindBitcoinMessage     Kind = "bitcoin-message"    // BIP-322 or ECDSA
	KindTransaction        Kind = "transaction"        // of Stacks
	KindPSBT               Kind = "psbt"
	KindBitcoinTransaction Kind = "bitcoin-transaction" // a transfer of mock coins
)

// Result holds what was found.
type Result struct {
	Valid bool `json:"valid"`
	Kind  Kind `json:"kind"`
	// By is the address or public key whose signature it is.
	By string `json:"by,omitempty"`
	// Text describes what was found, for people. It may quote what was checked.
	Text string `json:"text"`
	// Unreadable reports that what was given cannot be checked at all: no address, no
	// hexadecimal digits.
	Unreadable bool `json:"-"`
}

func valid(kind Kind, by, format string, args ...any) Result {
	return Result{Valid: true, Kind: kind, By: by, Text: fmt.Sprintf(format, args...)}
}

func invalid(kind Kind, format string, args ...any) Result {
	return Result{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

func unreadable(kind Kind, format string, args ...any) Result {
	return Result{Kind: kind, Text: fmt.Sprintf(format, args...), Unreadable: true}
}

// Message checks the signature of a plain text: RSV in hexadecimal digits, by a
// compressed public key in hexadecimal digits or by a Stacks address.
func Message(message, signature, by string) Result {
	return checkHash(KindMessage, signer.MessageHash(message), signature, by)
}

// Structured checks the signature of a Clarity value under a domain (SIP-018).
func Structured(domain, message clarity.Value, signature, by string) Result {
	hash, err := signer.StructuredHash(domain, message)
	if err != nil {
		return unreadable(KindStructured, "the message has no hash: %v", err)
	}
	return checkHash(KindStructured, hash, signature, by)
}

// checkHash recovers the key that signed a hash and compares it.
func checkHash(kind Kind, hash [32]byte, signature, by string) Result {
	raw, err := hex.DecodeString(strings.TrimPrefix(signature, "0x"))
	if err != nil || len(raw) != 65 {
		return unreadable(kind, "the signature must be 65 bytes in hexadecimal digits")
	}
	if _, err := isKey([33]byte{}, by); err != nil {
		return unreadable(kind, "%v", err)
	}
	vrs := stxtx.Signature(append([]byte{raw[64]}, raw[:64]...))
	key, err := stxtx.Recover(hash, vrs)
	if err != nil {
		return invalid(kind, "INVALID: %v", err)
	}
	public := [33]byte(key.SerializeCompressed())
	found := hex.EncodeToString(public[:])
	if fits, _ := isKey(public, by); !fits {
		return invalid(kind, "INVALID: it is not the signature of this message by %s", by)
	}
	return valid(kind, found, "by the key %s", found)
}

// isKey reports whether a public key is the one that is named: in hexadecimal
// digits, or by its Stacks address on any network.
func isKey(public [33]byte, by string) (bool, error) {
	if raw, err := hex.DecodeString(strings.TrimPrefix(by, "0x")); err == nil && len(raw) == 33 {
		return public == [33]byte(raw), nil
	}
	a, err := c32.ParseAddress(by)
	if err != nil {
		return false, fmt.Errorf("the signer %.100q must be a public key of 33 bytes in hexadecimal digits, or a Stacks address: %w", by, err)
	}
	return a.Hash160 == stxtx.Hash160(public[:]) && (a.Version == c32.MainnetP2PKH || a.Version == c32.TestnetP2PKH), nil
}

// BitcoinMessage checks the signature of a text by a Bitcoin address, by BIP-322
// or ECDSA, whichever it is.
func BitcoinMessage(address, message, signature string) Result {
	for _, n := range []bitcoin.Network{bitcoin.Mainnet, bitcoin.Testnet, bitcoin.Regtest} {
		if _, err := n.ScriptOf(address); err != nil {
			continue
		}
		if _, err := base64.StdEncoding.DecodeString(signature); err != nil {
			return unreadable(KindBitcoinMessage, "the signature must be base64")
		}
		p, err := n.VerifyMessage(address, message, signature)
		if err != nil {
			return invalid(KindBitcoinMessage, "INVALID: %v", err)
		}
		return valid(KindBitcoinMessage, address, "by %s, %s", address, p)
	}
	return unreadable(KindBitcoinMessage, "the signer %.100q is not an address of a known network; it must be a Bitcoin address, a Stacks address, or a public key of 33 bytes in hexadecimal digits", address)
}

// Transaction checks the signatures of a Stacks transaction in hexadecimal
// digits: of its origin, and of its sponsor unless that one has not signed yet.
// A txid that is not "" has to be its id.
func Transaction(raw, txid string) Result {
	tx, err := stxtx.DecodeHex(raw)
	if err != nil {
		return unreadable(KindTransaction, "the transaction cannot be read: %v", err)
	}
	note := ""
	check := tx.Verify
	if s := tx.Auth.Sponsor; s != nil && s.Signatures() == 0 {
		check, note = tx.VerifyOrigin, "; the sponsor has not signed yet"
	}
	if err := check(); err != nil {
		if o := &tx.Auth.Origin; o.HashMode.Multisig() && o.Signatures() < int(o.Required) {
			return partial(tx)
		}
		return invalid(KindTransaction, "INVALID: %v", err)
	}
	id, err := tx.TxID()
	if err != nil {
		return invalid(KindTransaction, "the transaction cannot be written: %v", err)
	}
	if text := hex.EncodeToString(id[:]); txid != "" && !strings.EqualFold(text, strings.TrimPrefix(txid, "0x")) {
		return invalid(KindTransaction, "INVALID: the transaction has the id %s", text)
	}
	by := tx.Auth.Origin.Address(tx.Mainnet()).String()
	return valid(KindTransaction, by, "by %s%s", by, note)
}

// partial describes an origin of several keys that lacks signatures. Whether
// those that are there are by its keys shows only when all keys are known.
func partial(tx *stxtx.Transaction) Result {
	o := &tx.Auth.Origin
	if _, err := tx.OriginKeys(); err != nil {
		return invalid(KindTransaction, "INVALID: %v", err)
	}
	return invalid(KindTransaction, "incomplete: %d of the %d signatures that %s requires", o.Signatures(), o.Required, o.Address(tx.Mainnet()))
}

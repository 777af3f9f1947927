package walletpane

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"chainscope/tui/widget/detail"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/keys"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// check is what the verification of a signature found.
type check struct {
	ok   bool
	text string
}

func (c check) row() detail.Row {
	if c.ok {
		return detail.Row{Label: "signature", Value: "valid: " + c.text, Role: detail.OK}
	}
	return detail.Row{Label: "signature", Value: c.text, Role: detail.Bad}
}

func (c check) notice() string {
	if c.ok {
		return "the signature is valid"
	}
	return c.text
}

func invalid(format string, args ...any) check { return check{text: fmt.Sprintf(format, args...)} }

// verify checks the signature in a result against what was asked for: nothing
// of the wallet's own word counts.
func verify(c service.Call, result json.RawMessage) check {
	method, params := c.Method, c.Params
	if c.Received != nil {
		method, params = c.Received.Method, c.Received.Params
	}
	if failed(c) || len(result) == 0 {
		return invalid("%v", errNotSigned)
	}
	switch method {
	case "stx_signMessage":
		var p struct{ Message string }
		if err := json.Unmarshal(params, &p); err != nil {
			return invalid("the message cannot be read: %v", err)
		}
		return verifyMessage(signer.MessageHash(p.Message), result)
	case "stx_signStructuredMessage":
		var p struct{ Message, Domain json.RawMessage }
		if err := json.Unmarshal(params, &p); err != nil {
			return invalid("the message cannot be read: %v", err)
		}
		message, err := valueOf(p.Message)
		if err != nil {
			return invalid("the message cannot be read: %v", err)
		}
		domain, err := valueOf(p.Domain)
		if err != nil {
			return invalid("the domain cannot be read: %v", err)
		}
		hash, err := signer.StructuredHash(domain, message)
		if err != nil {
			return invalid("%v", err)
		}
		return verifyMessage(hash, result)
	}
	var r struct{ Transaction string }
	if strings.HasPrefix(method, "stx_") && json.Unmarshal(result, &r) == nil && r.Transaction != "" {
		return verifyTransaction(r.Transaction, c.TxID)
	}
	return invalid("this result has no signature that can be verified here")
}

// valueOf reads a Clarity value in hexadecimal digits or in JSON.
func valueOf(raw json.RawMessage) (clarity.Value, error) {
	var digits string
	if json.Unmarshal(raw, &digits) == nil {
		return clarity.DecodeHex(digits)
	}
	return clarity.ParseJSON(raw)
}

func verifyMessage(hash [32]byte, result json.RawMessage) check {
	var r struct{ Signature, PublicKey string }
	if err := json.Unmarshal(result, &r); err != nil {
		return invalid("the result cannot be read: %v", err)
	}
	sig, err := hex.DecodeString(strings.TrimPrefix(r.Signature, "0x"))
	if err != nil || len(sig) != 65 {
		return invalid("the signature is no 65 bytes in hexadecimal digits")
	}
	public, err := hex.DecodeString(strings.TrimPrefix(r.PublicKey, "0x"))
	if err != nil || len(public) != 33 {
		return invalid("the public key is no 33 bytes in hexadecimal digits")
	}
	if !stxtx.VerifyMessage(hash, [65]byte(sig), public) {
		return invalid("INVALID: this is not the signature of this message by this key")
	}
	return check{true, "by the key " + r.PublicKey}
}

func verifyTransaction(raw, txid string) check {
	tx, err := stxtx.DecodeHex(raw)
	if err != nil {
		return invalid("the transaction cannot be read: %v", err)
	}
	check := tx.Verify
	note := ""
	if tx.Auth.Sponsor != nil {
		check, note = tx.VerifyOrigin, "; the sponsor has not signed yet"
	}
	if err := check(); err != nil {
		return invalid("INVALID: %v", err)
	}
	return checkID(tx, raw, txid, note)
}

func checkID(tx *stxtx.Transaction, raw, txid, note string) check {
	bytes, err := hex.DecodeString(strings.TrimPrefix(raw, "0x"))
	if err != nil {
		return invalid("the transaction cannot be read: %v", err)
	}
	if id := stxtx.ID(bytes); txid != "" && !strings.EqualFold(strings.TrimPrefix(id, "0x"), strings.TrimPrefix(txid, "0x")) {
		return invalid("INVALID: the transaction has the id %s", id)
	}
	return check{true, "by " + tx.Auth.Origin.Address(tx.Mainnet()).String() + note}
}

// stacksAddress is the address of a key on a network.
func stacksAddress(k *keys.PrivateKey, n signer.Network) string {
	version := c32.TestnetP2PKH
	if n.Mainnet() {
		version = c32.MainnetP2PKH
	}
	return c32.Address{Version: version, Hash160: k.Hash160()}.String()
}

package provider

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chainscope/wallet/jsonrpc"
)

// leatherBitcoinNetwork gives Leather's devnet the Bitcoin network that it has
// there: regtest.
func leatherBitcoinNetwork(_ *Mock, c *call) error {
	if name, err := c.text("network"); err == nil && name == "devnet" {
		return c.set("network", "sbtcDevenv")
	}
	return nil
}

// withDescriptors asks for addresses with their descriptors.
func withDescriptors(m *Mock, c *call) error {
	c.describe = true
	return leatherBitcoinNetwork(m, c)
}

// leatherAddresses answers the fields that Leather has. A page that has them is
// connected.
func leatherAddresses(m *Mock, _ *call, result json.RawMessage) (json.RawMessage, error) {
	var list struct{ Addresses []map[string]json.RawMessage }
	if json.Unmarshal(result, &list) != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the addresses cannot be read")
	}
	for _, entry := range list.Addresses {
		for _, name := range []string{"purpose", "addressType", "walletType"} {
			delete(entry, name)
		}
		if string(entry["symbol"]) == `"STX"` {
			delete(entry, "derivationPath")
		}
	}
	m.Grant()
	return marshal(map[string]any{"addresses": list.Addresses})
}

// leatherTransfer takes amounts as strings only, in both forms of the method.
func leatherTransfer(m *Mock, c *call) error {
	if amount := c.values["amount"]; amount != nil && first(amount) != '"' {
		return jsonrpc.InvalidParam("amount", "must be a string of digits")
	}
	if err := c.recipients(func(path string, amount json.RawMessage) error {
		if first(amount) != '"' {
			return jsonrpc.InvalidParam(path, "must be a string of digits")
		}
		return nil
	}); err != nil {
		return err
	}
	return leatherBitcoinNetwork(m, c)
}

// recipients checks the amount of each recipient and drops what else stands in
// an entry.
func (c *call) recipients(check func(path string, amount json.RawMessage) error) error {
	raw := c.values["recipients"]
	if raw == nil {
		return nil
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return jsonrpc.InvalidParam("recipients", "must be an array of objects with address and amount")
	}
	for i, entry := range list {
		path := fmt.Sprintf("recipients[%d].", i)
		if absent(entry["amount"]) {
			return jsonrpc.InvalidParam(path+"amount", "is missing")
		}
		if err := check(path+"amount", entry["amount"]); err != nil {
			return err
		}
		for name := range entry {
			if name != "address" && name != "amount" {
				delete(entry, name)
				c.ignore(path + name)
			}
		}
	}
	return c.set("recipients", list)
}

// leatherPSBT takes a PSBT in hexadecimal digits and the inputs by their index.
func leatherPSBT(m *Mock, c *call) error {
	if c.values["hex"] == nil {
		return jsonrpc.InvalidParam("hex", "must be a PSBT in hex, is missing")
	}
	text, err := c.text("hex")
	if err != nil {
		return err
	}
	if _, err := hex.DecodeString(text); err != nil {
		return jsonrpc.InvalidParam("hex", "must be a PSBT in hex, is not hex")
	}
	return leatherBitcoinNetwork(m, c)
}

// leatherBitcoinMessage signs with the key of a payment type: by BIP-322, or by ECDSA
// where the type is legacy, which the schema of its library has.
func leatherBitcoinMessage(m *Mock, c *call) error {
	if c.values["paymentType"] == nil {
		if err := c.set("paymentType", "p2wpkh"); err != nil {
			return err
		}
	}
	return leatherBitcoinNetwork(m, c)
}

// refuseArguments refuses the name that Xverse has for functionArgs: Leather
// drops it and would sign a call without arguments.
func refuseArguments(_ *Mock, c *call) error {
	if c.values["arguments"] != nil {
		return jsonrpc.InvalidParam("arguments", "is not read by Leather, must be functionArgs")
	}
	return nil
}

// leatherMessage refuses the empty message, which Leather takes for a missing
// one.
func leatherMessage(_ *Mock, c *call) error {
	if raw := c.values["message"]; raw == nil || string(raw) == `""` {
		return jsonrpc.NewError(jsonrpc.InvalidRequest, "message: is missing")
	}
	return nil
}

// fillZero lets a fee or nonce of 0 in a given transaction be filled in.
func fillZero(_ *Mock, c *call) error {
	c.fillZero = true
	return nil
}

// leatherTransaction answers the signed transaction under both of its names.
func leatherTransaction(_ *Mock, _ *call, result json.RawMessage) (json.RawMessage, error) {
	o, err := resultOf(result)
	if err != nil {
		return nil, err
	}
	return marshal(map[string]json.RawMessage{"transaction": o["transaction"], "txHex": o["transaction"]})
}

// leatherError gives an error Leather's code.
func leatherError(e *jsonrpc.Error, cause error) *jsonrpc.Error {
	c := *e
	switch {
	case errors.Is(cause, errLocked):
		c.Code = jsonrpc.LeatherUnauthenticated
	case e.Code == jsonrpc.UserRejection:
		c.Code, c.Message = jsonrpc.LeatherUserRejection, "User rejected request"
	case e.Code == jsonrpc.MethodAccessDenied:
		c.Code = jsonrpc.LeatherAccessDenied
	case e.Code == jsonrpc.InternalError && e.Data != nil: // the node refused what was signed
		c.Code = jsonrpc.LeatherUnsupported
	}
	return &c
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

package provider

import (
	"encoding/hex"
	"encoding/json"
	"errors"

	"chainscope/wallet/jsonrpc"
)

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

// leatherPSBT refuses a PSBT that is not in hexadecimal digits.
func leatherPSBT(c *call) error {
	text, err := c.text("hex")
	if err != nil {
		return err
	}
	if _, err := hex.DecodeString(text); err != nil {
		return jsonrpc.InvalidParam("hex", "must be a PSBT in hex, is not hex")
	}
	return nil
}

// leatherMessage refuses the empty message, which Leather takes for a missing
// one.
func leatherMessage(c *call) error {
	if raw := c.values["message"]; raw == nil || string(raw) == `""` {
		return jsonrpc.NewError(jsonrpc.InvalidRequest, "message: is missing")
	}
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

package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"chainscope/wallet/jsonrpc"
)

// info answers getInfo, by which pages of sats-connect find out what there is.
func info(m *Mock, _ *call) (json.RawMessage, error) {
	model := m.model
	return marshal(struct {
		Version  string   `json:"version"`
		Platform string   `json:"platform"`
		Methods  []string `json:"methods"`
		Supports []string `json:"supports"`
	}{model.Version, "web", model.Methods(), []string{}})
}

// documented are the methods that Leather's own answer names, first.
var documented = []string{"open", "getAddresses", "signMessage", "sendTransfer", "signPsbt", "openSwap"}

const documentation = "https://leather.gitbook.io/developers/home/welcome"

// supported answers supportedMethods.
func supported(m *Mock, _ *call) (json.RawMessage, error) {
	type entry struct {
		Name string `json:"name"`
		Docs string `json:"docsUrl"`
	}
	out := struct {
		Documentation string  `json:"documentation"`
		Methods       []entry `json:"methods"`
	}{Documentation: documentation}
	model, listed := m.model, map[string]bool{}
	for _, name := range append(append([]string{}, documented...), model.Methods()...) {
		if model.Has(name) && !listed[name] {
			listed[name] = true
			out.Methods = append(out.Methods, entry{name, documentation})
		}
	}
	return marshal(out)
}

// open answers open: there is no window of its own to open.
func open(m *Mock, c *call) (json.RawMessage, error) {
	mode, err := c.text("mode")
	if err != nil {
		return nil, err
	}
	if c.values["mode"] != nil && mode != "fullpage" && mode != "popup" {
		return nil, jsonrpc.InvalidParam("mode", "must be fullpage or popup")
	}
	if m.personality == PlayLeather && !m.Permission().granted {
		return nil, jsonrpc.NewError(jsonrpc.LeatherUnauthenticated, "Permission denied, user must first connect to the wallet")
	}
	return json.RawMessage(`{"success":true}`), nil
}

// openSwap answers openSwap.
func openSwap(_ *Mock, c *call) (json.RawMessage, error) {
	for _, name := range []string{"base", "quote"} {
		if _, err := c.text(name); err != nil {
			return nil, err
		}
	}
	return json.RawMessage(`{"message":"Success"}`), nil
}

func walletType(*Mock, *call) (json.RawMessage, error) { return json.RawMessage(`"software"`), nil }

// renounce revokes what the page was granted.
func renounce(m *Mock, _ *call) (json.RawMessage, error) {
	m.Disconnect()
	m.emit("disconnect", map[string]string{"type": "disconnect"})
	return json.RawMessage("null"), nil
}

// currentPermissions lists what the page was granted.
func currentPermissions(m *Mock, _ *call) (json.RawMessage, error) {
	resource := sha256.Sum256([]byte("account-resource-" + m.Permission().account))
	type permission struct {
		Type       string          `json:"type"`
		ResourceID string          `json:"resourceId"`
		ClientID   string          `json:"clientId"`
		Actions    map[string]bool `json:"actions"`
	}
	return marshal([]permission{
		{"account", hex.EncodeToString(resource[:]), m.Origin, map[string]bool{"read": true}},
		{"wallet", "wallet", m.Origin, map[string]bool{"readNetwork": true}},
	})
}

package provider

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"chainscope/wallet/jsonrpc"
)

// titles are the Bitcoin networks as sats-connect names them.
var titles = map[string]string{
	"Mainnet": "mainnet", "Testnet": "testnet", "Testnet4": "testnet4", "Signet": "signet", "Regtest": "regtest",
}

// titled finds the signer's name of a network that the page named as
// sats-connect does, in any case.
func titled(path, title string) (string, error) {
	for name, network := range titles {
		if strings.EqualFold(name, title) {
			return network, nil
		}
	}
	return "", jsonrpc.InvalidParam(path, "%.40q is unknown, must be Mainnet, Testnet, Testnet4, Signet or Regtest", title)
}

// networkByTitle reads the network that wallet_connect switches to. Which
// permissions a page wants is not read: it gets those of the account.
func networkByTitle(_ *Mock, c *call) error {
	if c.values["permissions"] != nil {
		delete(c.values, "permissions")
		c.ignore("permissions")
	}
	if c.values["network"] == nil {
		return nil
	}
	title, err := c.text("network")
	if err != nil {
		return err
	}
	if c.network, err = titled("network", title); err != nil {
		return err
	}
	return c.set("network", c.network)
}

// rememberTitle reads the network that wallet_changeNetwork switches to.
func rememberTitle(_ *Mock, c *call) error {
	if c.values["name"] == nil {
		return jsonrpc.InvalidParam("name", "is missing, must be Mainnet, Testnet, Testnet4, Signet or Regtest")
	}
	title, err := c.text("name")
	if err != nil {
		return err
	}
	c.network, err = titled("name", title)
	return err
}

// connected remembers that the page may read the account, and the network that
// it switched to.
func connected(m *Mock, c *call, result json.RawMessage) (json.RawMessage, error) {
	var account struct{ ID string }
	if json.Unmarshal(result, &account) != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the account cannot be read")
	}
	m.grant(account.ID)
	if c.network == "" {
		return result, nil
	}
	return result, m.switchTo(c.network)
}

// permitted answers wallet_requestPermissions, which asks as wallet_connect
// does.
func permitted(m *Mock, c *call, result json.RawMessage) (json.RawMessage, error) {
	if _, err := connected(m, c, result); err != nil {
		return nil, err
	}
	return json.RawMessage("true"), nil
}

// networkChanged carries out wallet_changeNetwork and emits its event. The right
// to read the account goes with it: it is for one network.
func networkChanged(m *Mock, c *call, _ json.RawMessage) (json.RawMessage, error) {
	if err := m.switchTo(c.network); err != nil {
		return nil, err
	}
	m.mu.Lock()
	m.account = ""
	m.mu.Unlock()
	m.emit("networkChange", NetworkChange(c.network))
	return json.RawMessage("null"), nil
}

// NetworkChange is the payload of the event networkChange (@sats-connect/core
// 0.16) for a network as the wallet names it.
func NetworkChange(network string) any {
	type name struct {
		Name string `json:"name"`
	}
	event := struct {
		Type    string `json:"type"`
		Bitcoin name   `json:"bitcoin"`
		Stacks  name   `json:"stacks"`
	}{"networkChange", name{"Testnet"}, name{"testnet"}}
	for title, own := range titles {
		if own == network {
			event.Bitcoin.Name = title
		}
	}
	if network == "mainnet" {
		event.Stacks.Name = "mainnet"
	}
	return event
}

// rememberPurposes reads the purposes of addresses, all when none are named.
func rememberPurposes(_ *Mock, c *call) error {
	if err := c.dropMessage(); err != nil {
		return err
	}
	raw := c.values["purposes"]
	delete(c.values, "purposes")
	if raw == nil {
		return nil
	}
	if json.Unmarshal(raw, &c.purposes) != nil {
		return jsonrpc.InvalidParam("purposes", "must be an array of payment, ordinals and stacks")
	}
	for i, purpose := range c.purposes {
		switch purpose {
		case "payment", "ordinals", "stacks", "spark", "starknet":
		default:
			return jsonrpc.InvalidParam(fmt.Sprintf("purposes[%d]", i), "%.40q is unknown, must be payment, ordinals or stacks", purpose)
		}
	}
	return nil
}

// dropMessage takes away what the page says about its wish: there is no prompt
// that could show it.
func (c *call) dropMessage() error {
	_, err := c.text("message")
	if c.values["message"] != nil {
		delete(c.values, "message")
		c.ignore("message")
	}
	return err
}

// stacksPurpose asks for the Stacks address.
func stacksPurpose(_ *Mock, c *call) error {
	c.purposes = []string{"stacks"}
	return c.dropMessage()
}

// xverseAddresses picks the addresses of an account by purpose.
func xverseAddresses(_ *Mock, c *call, result json.RawMessage) (json.RawMessage, error) {
	var account struct {
		Addresses []map[string]json.RawMessage
		Network   json.RawMessage
	}
	if json.Unmarshal(result, &account) != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the account cannot be read")
	}
	list := account.Addresses
	if c.purposes != nil {
		list = []map[string]json.RawMessage{}
		for _, purpose := range c.purposes {
			for _, entry := range account.Addresses {
				if string(entry["purpose"]) == strconv.Quote(purpose) {
					list = append(list, entry)
				}
			}
		}
	}
	return marshal(struct {
		Addresses []map[string]json.RawMessage `json:"addresses"`
		Network   json.RawMessage              `json:"network"`
	}{list, account.Network})
}

func xverseStacksAddresses(m *Mock, c *call, result json.RawMessage) (json.RawMessage, error) {
	return xverseAddresses(m, c, result)
}

// xverseTransfer takes amounts as numbers.
func xverseTransfer(_ *Mock, c *call) error {
	if c.values["recipients"] == nil {
		return jsonrpc.InvalidParam("recipients", "must be an array of objects with address and amount")
	}
	return c.recipients(func(path string, amount json.RawMessage) error {
		if b := first(amount); b != '-' && (b < '0' || b > '9') {
			return jsonrpc.InvalidParam(path, "must be a number")
		}
		return nil
	})
}

// xversePSBT takes signInputs as indexes by address.
func xversePSBT(_ *Mock, c *call) error {
	raw := c.values["signInputs"]
	if raw == nil {
		return nil
	}
	var byAddress map[string][]json.Number
	if json.Unmarshal(raw, &byAddress) != nil {
		return jsonrpc.InvalidParam("signInputs", "must be an object of arrays of indexes by address")
	}
	for _, address := range sorted(byAddress) {
		for i, n := range byAddress[address] {
			if _, err := strconv.Atoi(n.String()); err != nil {
				return jsonrpc.InvalidParam(fmt.Sprintf("signInputs[%q][%d]", brief(address), i), "must be a whole number")
			}
		}
	}
	return nil
}

// needsAddress refuses a message without the address that signs it.
func needsAddress(_ *Mock, c *call) error {
	if c.values["address"] == nil {
		return jsonrpc.InvalidParam("address", "is missing, must be a Bitcoin address of the wallet")
	}
	return nil
}

// versionAsNumber refuses a Clarity version that is a string.
func versionAsNumber(_ *Mock, c *call) error {
	if first(c.values["clarityVersion"]) == '"' {
		return jsonrpc.InvalidParam("clarityVersion", "must be a number")
	}
	return nil
}

// broadcastByDefault sends what was signed unless the page wants it otherwise.
func broadcastByDefault(_ *Mock, c *call) error {
	if c.values["broadcast"] == nil {
		return c.set("broadcast", true)
	}
	return nil
}

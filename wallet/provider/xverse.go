package provider

import (
	"encoding/json"
	"slices"
	"strconv"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/signer"
)

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
	m.page.account = ""
	m.mu.Unlock()
	m.emit("networkChange", NetworkChange(c.network))
	return json.RawMessage("null"), nil
}

// NetworkChange returns the payload of the event networkChange (@sats-connect/core
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
	if title := signer.BitcoinTitle(network); title != "" {
		event.Bitcoin.Name = title
	}
	if network == "mainnet" {
		event.Stacks.Name = "mainnet"
	}
	return event
}

// readPurposes reads the purposes of addresses, all when none are named; stx_getAddresses
// has one. What the page says about its wish is dropped: there is no prompt that could
// show it.
func readPurposes(c *call) error {
	if _, err := c.text("message"); err != nil {
		return err
	}
	if c.values["message"] != nil {
		delete(c.values, "message")
		c.ignore("message")
	}
	raw := c.values["purposes"]
	delete(c.values, "purposes")
	switch {
	case c.method == "stx_getAddresses":
		c.purposes = []string{"stacks"}
	case raw == nil:
	case json.Unmarshal(raw, &c.purposes) != nil:
		return jsonrpc.InvalidParam("purposes", "must be an array of payment, ordinals and stacks")
	}
	for i, purpose := range c.purposes {
		if !slices.Contains([]string{"payment", "ordinals", "stacks", "spark", "starknet"}, purpose) {
			return jsonrpc.InvalidParam(signer.Indexed("purposes", i), "%.40q is unknown, must be payment, ordinals or stacks", purpose)
		}
	}
	return nil
}

// xverseAddresses picks the addresses of an account by purpose.
func xverseAddresses(_ *Mock, c *call, result json.RawMessage) (json.RawMessage, error) {
	type entry = map[string]json.RawMessage
	var account struct {
		Addresses []entry         `json:"addresses"`
		Network   json.RawMessage `json:"network"`
	}
	if json.Unmarshal(result, &account) != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the account cannot be read")
	}
	if c.purposes != nil {
		all := account.Addresses
		account.Addresses = []entry{}
		for _, purpose := range c.purposes {
			for _, e := range all {
				if string(e["purpose"]) == strconv.Quote(purpose) {
					account.Addresses = append(account.Addresses, e)
				}
			}
		}
	}
	return marshal(account)
}

package signer

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chainscope/wallet/c32"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// Network is a Stacks network as a request names it.
type Network struct {
	Name               string `json:"name"` // one of NetworkNames
	ChainID            uint32 `json:"chainId"`
	TransactionVersion byte   `json:"transactionVersion"`
}

// bitcoinNetworks are the names of networks, each with the Bitcoin network
// beneath it. Those after regtest are names that Leather has.
var bitcoinNetworks = []struct{ name, bitcoin string }{
	{"mainnet", "mainnet"},
	{"testnet", "testnet"},
	{"devnet", "testnet"},
	{"mocknet", "testnet"},
	{"regtest", "regtest"},
	{"testnet4", "testnet4"},
	{"signet", "signet"},
	{"sbtcTestnet", "regtest"},
	{"sbtcDevenv", "regtest"},
}

// Mainnet reports whether it is the main network.
func (n Network) Mainnet() bool { return n.ChainID == stxtx.ChainIDMainnet }

// Bitcoin returns the name of the Bitcoin network beneath: mainnet, testnet,
// testnet4, signet or regtest.
func (n Network) Bitcoin() string {
	for _, known := range bitcoinNetworks {
		if known.name == n.Name {
			return known.bitcoin
		}
	}
	return "testnet"
}

// CoinType returns that of Bitcoin paths: 0 on the main network, else 1.
func (n Network) CoinType() uint32 {
	if n.Mainnet() {
		return 0
	}
	return 1
}

// addressVersion returns that of addresses of one key.
func (n Network) addressVersion() byte {
	if n.Mainnet() {
		return c32.MainnetP2PKH
	}
	return c32.TestnetP2PKH
}

// networkNames returns the names that requests can use.
func networkNames() []string {
	names := make([]string, len(bitcoinNetworks))
	for i, known := range bitcoinNetworks {
		names[i] = known.name
	}
	return names
}

// NetworkNamed finds a network. All but mainnet share the version byte and the
// chain id of testnet.
func NetworkNamed(name string) (Network, bool) {
	switch {
	case name == "mainnet":
		return Network{name, stxtx.ChainIDMainnet, stxtx.VersionMainnet}, true
	case slices.Contains(networkNames(), name):
		return Network{name, stxtx.ChainIDTestnet, stxtx.VersionTestnet}, true
	}
	return Network{}, false
}

// chainNames are other names of networks: identifiers of chains (CAIP-2), as
// WalletConnect uses them, and the names that libraries print.
var chainNames = map[string]string{
	"stacks:1": "mainnet", "stacks:2147483648": "testnet",
	"stacks-mainnet": "mainnet", "stacks-testnet": "testnet",
	"bip122:000000000019d6689c085ae165831e93": "mainnet", "bip122:000000000933ea01ad0ee984209779ba": "testnet",
	"bip122:00000000da84f2bafbbc53dee25a72ae": "testnet4", "bip122:00000008819873e925422c1ff0f99f7c": "signet",
	"0x1": "mainnet", "0x00000001": "mainnet", "0x80000000": "testnet",
}

// hostNetworks are the hosts of public nodes and APIs. A local one counts as
// devnet only on the port of the reference libraries.
var hostNetworks = map[string]string{
	"api.hiro.so": "mainnet", "api.mainnet.hiro.so": "mainnet", "stacks-node-api.mainnet.stacks.co": "mainnet", "stacks-node-api.stacks.co": "mainnet",
	"api.testnet.hiro.so": "testnet", "stacks-node-api.testnet.stacks.co": "testnet",
	"localhost:3999": "devnet", "127.0.0.1:3999": "devnet",
}

const networkRule = "must be one of mainnet, testnet, devnet, mocknet, regtest, testnet4 or signet, a chain such as stacks:1, the URL of a node, or a network object of stacks.js"

// chosen is a network with the warnings about how it was named.
type chosen struct {
	network  Network
	warnings Warnings
}

// network returns that of the param, or else what the wallet is set to. The warnings are
// for the description.
func (r *request) network() (Network, Warnings, error) {
	if c, named := r.values["network"].(chosen); named {
		return c.network, slices.Clone(c.warnings), nil
	}
	n, err := r.env.network()
	return n, Warnings{}, err
}

// chainOf reads a network, by whichever of its names.
func (r *request) chainOf(path string, raw json.RawMessage) (any, error) {
	if raw[0] == '{' {
		n, err := networkOfObject(raw)
		return chosen{n, Warnings{}}, err
	}
	text := string(raw) // a chain id as a number
	if raw[0] == '"' {
		var err error
		if text, err = textOf(path, raw); err != nil {
			return nil, err
		}
	} else if _, err := strconv.ParseUint(text, 10, 32); err != nil {
		return nil, jsonrpc.InvalidParam(path, "%s, here %s", networkRule, jsonrpc.KindOf(raw))
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		n, w, err := r.networkOfURL(u)
		return chosen{n, w}, err
	}
	if n, known := networkCalled(text); known {
		return chosen{n, Warnings{}}, nil
	}
	return nil, jsonrpc.InvalidParam(path, "%.40q is unknown, %s", text, networkRule)
}

// network returns what the wallet is set to.
func (env Env) network() (Network, error) {
	name := env.Network
	if name == "" {
		name = "mainnet"
	}
	n, known := NetworkNamed(name)
	if !known {
		return n, jsonrpc.InvalidParam("network", "%.40q is unknown, %s", name, networkRule)
	}
	return n, nil
}

// networkCalled finds a network by its name, in any case, by its chain, or by
// its chain id.
func networkCalled(text string) (Network, bool) {
	if name, known := chainNames[strings.ToLower(text)]; known {
		return NetworkNamed(name)
	}
	switch text {
	case "1":
		return NetworkNamed("mainnet")
	case "2147483648":
		return NetworkNamed("testnet")
	}
	for _, name := range networkNames() {
		if strings.EqualFold(name, text) {
			return NetworkNamed(name)
		}
	}
	return Network{}, false
}

// networkOfURL reads the URL of a node. Of one that is not known, the network is
// that of the addresses in the call, else what the wallet is set to.
func (r *request) networkOfURL(u *url.URL) (Network, Warnings, error) {
	if own, err := url.Parse(r.env.APIURL); err == nil && r.env.APIURL != "" && own.Host == u.Host {
		n, err := r.env.network()
		return n, Warnings{}, err
	}
	if name, known := hostNetworks[u.Host]; known {
		n, _ := NetworkNamed(name)
		return n, Warnings{}, nil
	}
	w := Warnings{}
	if name := r.given.networkOfAddresses(); name != "" {
		w.add(WarnNetwork, "network", "the node is not known; the network is taken from the addresses in the request: %s", name)
		n, _ := NetworkNamed(name)
		return n, w, nil
	}
	n, err := r.env.network()
	w.add(WarnNetwork, "network", "the node is not known, and there is no address in the request; the network is the wallet's: %s", n.Name)
	return n, w, err
}

// addressPattern finds what looks like an address of Stacks or Bitcoin.
var addressPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(S[PMTN][0-9A-HJ-NP-Z]{28,40}|bc1[a-z0-9]{20,87}|tb1[a-z0-9]{20,87}|bcrt1[a-z0-9]{20,87})\b`)
})

// networkOfAddresses returns the network of the first address among the params, ""
// when there is none.
func (o object) networkOfAddresses() string {
	names := make([]string, 0, len(o))
	for name := range o {
		if name != "network" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, text := range addressPattern().FindAllString(string(o[name]), -1) {
			switch text[:2] {
			case "bc":
				if strings.HasPrefix(text, "bcrt") {
					return "regtest"
				}
				return "mainnet"
			case "tb":
				return "testnet"
			}
			if a, err := c32.ParseAddress(text); err == nil {
				if a.Mainnet() {
					return "mainnet"
				}
				return "testnet"
			}
		}
	}
	return ""
}

// networkOfObject reads a network object: that of stacks.js 7 has chainId,
// transactionVersion and client.baseUrl, that of version 6 chainId, version and
// coreApiUrl.
func networkOfObject(raw json.RawMessage) (Network, error) {
	var in struct {
		ChainID            *uint32 `json:"chainId"`
		TransactionVersion *byte   `json:"transactionVersion"`
		Version            *byte   `json:"version"`
		CoreAPIURL         string  `json:"coreApiUrl"`
		Client             struct {
			BaseURL string `json:"baseUrl"`
		} `json:"client"`
	}
	if err := json.Unmarshal(raw, &in); err != nil || in.ChainID == nil {
		return Network{}, jsonrpc.InvalidParam("network.chainId", "%s, which has chainId and transactionVersion", networkRule)
	}
	name := "testnet"
	switch *in.ChainID {
	case stxtx.ChainIDMainnet:
		name = "mainnet"
	case stxtx.ChainIDTestnet:
	default:
		return Network{}, jsonrpc.InvalidParam("network.chainId", "must be 1 or 2147483648")
	}
	n, _ := NetworkNamed(name)
	for path, version := range map[string]*byte{"network.transactionVersion": in.TransactionVersion, "network.version": in.Version} {
		if version != nil && *version != n.TransactionVersion {
			return Network{}, jsonrpc.InvalidParam(path, "is not that of chain id %d, must be %d", *in.ChainID, n.TransactionVersion)
		}
	}
	for _, base := range []string{in.CoreAPIURL, in.Client.BaseURL} {
		if u, err := url.Parse(base); err == nil && hostNetworks[u.Host] == "devnet" && !n.Mainnet() {
			n.Name = "devnet"
		}
	}
	return n, nil
}

package signer

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/wallet/jsonrpc"
)

// What the network objects of stacks.js 7 and 6 are as JSON.
const (
	stacksjs7Devnet  = `{"chainId":2147483648,"transactionVersion":128,"peerNetworkId":4278190080,"magicBytes":"id","bootAddress":"ST000000000000000000002AMW42H","addressVersion":{"singleSig":26,"multiSig":21},"client":{"baseUrl":"http://localhost:3999"}}`
	stacksjs7Mainnet = `{"chainId":1,"transactionVersion":0,"peerNetworkId":385875968,"magicBytes":"X2","bootAddress":"SP000000000000000000002Q6VF78","addressVersion":{"singleSig":22,"multiSig":20},"client":{"baseUrl":"https://api.mainnet.hiro.so"}}`
	stacksjs6Testnet = `{"version":128,"chainId":2147483648,"bnsLookupUrl":"https://api.mainnet.hiro.so","broadcastEndpoint":"/v2/transactions","coreApiUrl":"https://api.testnet.hiro.so"}`
	stacksjs6Mainnet = `{"version":0,"chainId":1,"bnsLookupUrl":"https://api.mainnet.hiro.so","broadcastEndpoint":"/v2/transactions","coreApiUrl":"https://api.mainnet.hiro.so"}`
	stacksjs6Devnet  = `{"version":128,"chainId":2147483648,"bnsLookupUrl":"https://api.mainnet.hiro.so","broadcastEndpoint":"/v2/transactions","coreApiUrl":"http://localhost:3999"}`
)

func TestANetworkIsANameAChainAURLOrAnObject(t *testing.T) {
	for _, c := range []struct {
		network, want string
		warned        bool
	}{
		{`"mainnet"`, "mainnet", false},
		{`"Testnet"`, "testnet", false},
		{`"devnet"`, "devnet", false},
		{`"regtest"`, "regtest", false},
		{`"sbtcDevenv"`, "sbtcDevenv", false},
		{`"signet"`, "signet", false},
		{`"stacks:1"`, "mainnet", false},
		{`"stacks:2147483648"`, "testnet", false},
		{`"bip122:000000000019d6689c085ae165831e93"`, "mainnet", false},
		{`1`, "mainnet", false},
		{`"2147483648"`, "testnet", false},
		{`"0x80000000"`, "testnet", false},
		{`"https://api.hiro.so"`, "mainnet", false},
		{`"https://api.mainnet.hiro.so/"`, "mainnet", false},
		{`"https://stacks-node-api.mainnet.stacks.co"`, "mainnet", false},
		{`"https://api.testnet.hiro.so/extended"`, "testnet", false},
		{`"http://localhost:3999"`, "devnet", false},
		{`"http://127.0.0.1:3999"`, "devnet", false},
		{`"http://127.0.0.1:4999"`, "mocknet", false}, // the wallet's own API
		{`"https://node.example"`, "mainnet", true},   // of the recipient
		{stacksjs7Devnet, "devnet", false},
		{stacksjs7Mainnet, "mainnet", false},
		{stacksjs6Testnet, "testnet", false},
		{stacksjs6Mainnet, "mainnet", false},
		{stacksjs6Devnet, "devnet", false},
	} {
		env := testEnv()
		env.Network, env.APIURL = "mocknet", "http://127.0.0.1:4999"
		call, err := Parse("stx_transferStx", json.RawMessage(`{"recipient":"`+somebody+`","amount":1,"network":`+c.network+`}`), env)
		if err != nil {
			t.Errorf("%s: %v", c.network, err)
			continue
		}
		d := call.Describe()
		warned := false
		for _, w := range d.Warnings {
			warned = warned || w.Kind == WarnNetwork && w.Path == "network"
		}
		if d.Network.Name != c.want || warned != c.warned {
			t.Errorf("%s: %s, warned %v, want %s, %v", c.network, d.Network.Name, warned, c.want, c.warned)
		}
	}
}

func TestAURLWithoutAnyAddressIsTheWalletsNetwork(t *testing.T) {
	env := testEnv()
	env.Network = "devnet"
	call, err := Parse("stx_signMessage", json.RawMessage(`{"message":"x","network":"https://node.example"}`), env)
	if err != nil {
		t.Fatal(err)
	}
	if d := call.Describe(); d.Network.Name != "devnet" || len(d.Warnings) == 0 || !strings.Contains(d.Warnings[0].Text, "the wallet's: devnet") {
		t.Errorf("%+v", d)
	}
}

func TestANetworkThatContradictsItselfIsRefused(t *testing.T) {
	for network, path := range map[string]string{
		`{"chainId":1,"transactionVersion":128}`: "network.transactionVersion",
		`{"chainId":2147483648,"version":0}`:     "network.version",
		`{"chainId":7}`:                          "network.chainId",
		`{}`:                                     "network.chainId",
		`[]`:                                     "network",
		`1.5`:                                    "network",
		`"ftp://x"`:                              "network",
		`"moonnet"`:                              "network",
	} {
		_, err := Parse("stx_signMessage", json.RawMessage(`{"message":"x","network":`+network+`}`), testEnv())
		e, ok := err.(*jsonrpc.Error)
		if !ok || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, path+": ") {
			t.Errorf("%s: %v, want the path %s", network, err, path)
		}
	}
}

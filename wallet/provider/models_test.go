package provider_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

func TestEveryModelNamesItsVersionAndSource(t *testing.T) {
	for _, who := range provider.Personalities() {
		m := who.Model()
		if m.ID == "" || m.Name == "" || strings.Count(m.Version, ".") != 2 || m.Source == "" || len(m.Methods()) < 10 {
			t.Errorf("%s: %+v", who, m)
		}
	}
}

func TestMethodsWithoutAPromptOpenNone(t *testing.T) {
	for _, who := range provider.Personalities() {
		for _, method := range who.Model().Methods() {
			silent := slices.Contains([]string{
				"getInfo", "supportedMethods", "open", "openSwap", "getBalance", "wallet_getAccount", "wallet_getNetwork", "wallet_getWalletType",
				"wallet_getCurrentPermissions", "wallet_renouncePermissions", "wallet_disconnect",
			}, method)
			if !silent && (who != provider.PlayXverse || method != "getAddresses" && method != "stx_getAddresses") {
				continue
			}
			w := newWatcher(who)
			if _, failure := w.outcome(t, method, nil); failure != nil || w.signed > 0 {
				t.Errorf("%s %s: %v after %d prompts", who, method, failure, w.signed)
			}
		}
	}
}

func TestWhatAWalletDoesNotHaveItRefusesAtOnce(t *testing.T) {
	for who, methods := range map[provider.Personality][]string{
		provider.PlayChainscope: {"ord_getInscriptions", "runes_getBalance", "spark_transfer", "wallet_openBuy", "stx_updateProfile", "nope"},
		provider.PlayLeather:    {"getInfo", "wallet_connect", "getAccounts", "getBalance", "stx_getAccounts", "stx_getNetworks", "stx_signTransactions", "signMultipleMessages"},
		provider.PlayXverse:     {"supportedMethods", "open", "openSwap", "stx_getNetworks", "stx_transferSip10Ft", "ord_sendInscriptions", "wallet_addNetwork"},
	} {
		for _, method := range methods {
			w := newWatcher(who)
			if _, failure := w.outcome(t, method, json.RawMessage(`{}`)); failure == nil || failure.Code != jsonrpc.MethodNotFound || !strings.Contains(failure.Message, method) || w.signed > 0 {
				t.Errorf("%s %s: %v", who, method, failure)
			}
		}
	}
}

func TestOlderLibrariesGetTheReasonInWords(t *testing.T) {
	for _, who := range provider.Personalities() {
		for function, want := range map[string]string{
			"authenticationRequest":    "chainscope speaks the API of @stacks/connect 8; this page uses version 7 (authenticationRequest)",
			"transactionRequest":       "(transactionRequest)",
			"createInscription":        "chainscope speaks the API of sats-connect 4",
			"sendBtcTransaction":       "(sendBtcTransaction)",
			"signMultipleTransactions": "callbacks of version 1",
			"signMessage":              "callbacks of version 1 (signMessage)",
		} {
			_, failure := newWatcher(who).outcome(t, function+"()", json.RawMessage(`"eyJ0"`))
			if failure == nil || failure.Code != jsonrpc.MethodNotFound || !strings.Contains(failure.Message, want) {
				t.Errorf("%s %s: %v, want %s", who, function, failure, want)
			}
		}
	}
	if len(provider.Legacies) != 13 {
		t.Errorf("%d functions, want 13", len(provider.Legacies))
	}
}

// The signature is that of the vectors, see bitcoin-messages.json.
func TestEveryWalletSignsAMessageByECDSA(t *testing.T) {
	const signature = "Jw662OPAokgnLvuNSV411BpOkZ7KcwqDuvw/rJZ3z87jFLtKXgFUJMhy05G8xIiT69/tzvq7bVQV49jWixD3XSg="
	const address = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
	for who, params := range map[provider.Personality]string{
		provider.PlayChainscope: `{"message":"Hello World","address":"` + address + `","protocol":"ECDSA"}`,
		provider.PlayXverse:     `{"message":"Hello World","address":"` + address + `","protocol":"ECDSA"}`,
		provider.PlayLeather:    `{"message":"Hello World","type":"legacy","network":"mainnet"}`,
	} {
		result, failure := newWatcher(who).outcome(t, "signMessage", json.RawMessage(params))
		if failure != nil || !strings.Contains(result, signature) || !strings.Contains(result, address) {
			t.Errorf("%s: %s %v", who, result, failure)
		}
	}
	for params, path := range map[string]string{
		`{"message":"x","type":"legacy","paymentType":"p2tr"}`: "type: must be bip322 for a p2tr address",
		`{"message":"x","type":"bip137"}`:                      "type: ",
	} {
		if failure := failureOf(t, newWatcher(provider.PlayLeather).Mock, "signMessage", params); failure == nil || failure.Code != jsonrpc.InvalidParams || !strings.Contains(failure.Message, path) {
			t.Errorf("%s: %v", params, failure)
		}
	}
}

// switching returns a wallet whose account a test switches.
func switching(who provider.Personality) (*provider.Mock, *uint32) {
	account := new(uint32)
	ring := keys.NewTestRing()
	return provider.NewMock(who, provider.NewSigning(provider.SigningOptions{
		Env: func(context.Context) signer.Env { return signer.Env{Keys: ring, Account: *account} },
		Approver: func(context.Context, signer.Description) (signer.Decision, error) {
			return signer.Decision{Approved: true}, nil
		},
	})), account
}

func failureOf(t *testing.T, m *provider.Mock, method, params string) *jsonrpc.Error {
	t.Helper()
	w := &watcher{Mock: m}
	_, failure := w.outcome(t, method, json.RawMessage(params))
	return failure
}

func TestXversesRightIsForOneAccountUntilThePageConnectsAgain(t *testing.T) {
	m, account := switching(provider.PlayXverse)
	for _, method := range []string{"getBalance", "getAddresses", "stx_getAddresses", "stx_getAccounts", "wallet_getAccount", "wallet_getNetwork", "wallet_getCurrentPermissions", "wallet_getWalletType"} {
		if failure := failureOf(t, m, method, `null`); failure == nil || failure.Code != jsonrpc.MethodAccessDenied {
			t.Errorf("%s before a connection: %v", method, failure)
		}
	}
	if failure := failureOf(t, m, "wallet_connect", `null`); failure != nil {
		t.Fatal(failure)
	}
	for _, method := range []string{"getBalance", "getAddresses", "wallet_getCurrentPermissions"} {
		if failure := failureOf(t, m, method, `null`); failure != nil {
			t.Errorf("%s: %v", method, failure)
		}
	}
	*account = 2
	if failure := failureOf(t, m, "getBalance", `null`); failure == nil || failure.Code != jsonrpc.MethodAccessDenied {
		t.Errorf("after a switch of account: %v", failure)
	}
	if failure := failureOf(t, m, "wallet_requestPermissions", `null`); failure != nil {
		t.Error(failure)
	}
	if failure := failureOf(t, m, "getBalance", `null`); failure != nil {
		t.Errorf("connected again: %v", failure)
	}
	if failure := failureOf(t, m, "wallet_renouncePermissions", `null`); failure != nil {
		t.Error(failure)
	}
	if failure := failureOf(t, m, "getBalance", `null`); failure == nil {
		t.Error("what was given up is there")
	}
}

func TestANetworkThatAPageSwitchesToStays(t *testing.T) {
	m, _ := switching(provider.PlayXverse)
	var events []string
	m.OnEvent = func(e provider.Event) { events = append(events, e.Name+" "+string(e.Payload)) }
	w := &watcher{Mock: m}
	result, failure := w.outcome(t, "wallet_connect", json.RawMessage(`{"network":"Signet"}`))
	if failure != nil || !strings.Contains(result, `"bitcoin":{"name":"Signet"},"stacks":{"name":"testnet"},"spark":{"name":"regtest"}`) || !strings.Contains(result, `"ST`) {
		t.Errorf("%s, %v", result, failure)
	}
	if result, failure = w.outcome(t, "wallet_getNetwork", nil); failure != nil || !strings.Contains(result, `"Signet"`) {
		t.Errorf("afterwards: %s, %v", result, failure)
	}
	if failure := failureOf(t, m, "wallet_changeNetwork", `{"name":"Mainnet"}`); failure != nil {
		t.Fatal(failure)
	}
	if result, failure = w.outcome(t, "stx_getAddresses", nil); failure != nil || !strings.Contains(result, `"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"`) {
		t.Errorf("on mainnet: %s, %v", result, failure)
	}
	if failure := failureOf(t, m, "wallet_disconnect", `null`); failure != nil {
		t.Error(failure)
	}
	want := []string{`networkChange {"type":"networkChange","bitcoin":{"name":"Mainnet"},"stacks":{"name":"mainnet"}}`, `disconnect {"type":"disconnect"}`}
	if !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
	if failure := failureOf(t, m, "wallet_connect", `{"network":"Moonnet"}`); failure == nil || failure.Code != jsonrpc.InvalidParams || !strings.HasPrefix(failure.Message, "network: ") {
		t.Errorf("an unknown network: %v", failure)
	}
}

func TestLeatherOpensForAPageThatHasItsAddresses(t *testing.T) {
	m, _ := switching(provider.PlayLeather)
	w := &watcher{Mock: m}
	if _, failure := w.outcome(t, "open", json.RawMessage(`{}`)); failure == nil || failure.Code != jsonrpc.LeatherUnauthenticated {
		t.Errorf("before it is connected: %v", failure)
	}
	for _, method := range []string{"getAddresses", "open"} {
		if _, failure := w.outcome(t, method, json.RawMessage(`{}`)); failure != nil {
			t.Errorf("%s: %v", method, failure)
		}
	}
}

func TestLeatherSignsOnlyWhatWasRequested(t *testing.T) {
	w := newWatcher(provider.PlayLeather)
	_, failure := w.outcome(t, "stx_callContract", json.RawMessage(`{"contract":"`+contract+`","functionName":"f","arguments":["03"]}`))
	if failure == nil || failure.Code != jsonrpc.InvalidParams || !strings.Contains(failure.Message, "functionArgs") || w.signed > 0 {
		t.Errorf("arguments: %v", failure)
	}
	result, failure := w.outcome(t, "getAddresses", json.RawMessage(`{"network":"devnet"}`))
	if failure != nil || !strings.Contains(result, `"bcrt1`) || !strings.Contains(result, `"descriptor":"wpkh([73c5da0a/84'/1'/0'/0/0]`) || strings.Contains(result, `"purpose"`) {
		t.Errorf("addresses of devnet: %s, %v", result, failure)
	}
	unsigned, err := unsignedTransfer("5")
	if err != nil {
		t.Fatal(err)
	}
	result, failure = w.outcome(t, "stx_signTransaction", json.RawMessage(`{"txHex":"`+unsigned+`"}`))
	var signed struct{ Transaction, TxHex string }
	if failure != nil || json.Unmarshal([]byte(result), &signed) != nil || signed.Transaction == "" || signed.Transaction != signed.TxHex {
		t.Errorf("txHex: %s, %v", result, failure)
	}
}

func TestTransactionsOfABatchAreSentInTheirOrder(t *testing.T) {
	c := newChain(t)
	var reports []provider.Sent
	m := provider.NewMock(provider.PlayXverse, signing(t, c, provider.Approves, &reports))
	first, err := unsignedTransfer("5")
	if err != nil {
		t.Fatal(err)
	}
	second, err := unsignedTransfer("6")
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{Mock: m}
	if result, failure := w.outcome(t, "stx_signTransactions", json.RawMessage(`{"transactions":["`+first+`","`+second+`"],"broadcast":false}`)); failure != nil || len(c.posts) != 0 || len(reports) != 2 {
		t.Errorf("without broadcast: %s, %v, %d posts", result, failure, len(c.posts))
	}
	if result, failure := w.outcome(t, "stx_signTransactions", json.RawMessage(`{"transactions":["`+first+`","`+second+`"]}`)); failure != nil || len(c.posts) != 2 {
		t.Errorf("with broadcast: %s, %v, %d posts", result, failure, len(c.posts))
	}
}

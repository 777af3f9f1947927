package snippet_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/tui/screen/walletpane/snippet"
	"chainscope/wallet/bridge"

	"github.com/google/go-cmp/cmp"
)

func options(pairs ...string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	return out
}

func TestACallBecomesJavaScript(t *testing.T) {
	for name, c := range map[string]struct {
		call snippet.Call
		want string
	}{
		"a request without params": {snippet.Call{Method: "getAddresses"}, `
import { request } from '@stacks/connect';

const result = await request('getAddresses');
`},
		"a transfer": {snippet.Call{Method: "stx_transferStx", Params: json.RawMessage(`{"recipient":"SP1","amount":"1500000","memo":"it's"}`)}, `
import { request } from '@stacks/connect';

const result = await request('stx_transferStx', {
  recipient: 'SP1',
  amount: '1500000',
  memo: 'it\'s'
});
`},
		"options, and Clarity values with the functions of the library": {snippet.Call{
			Method:  "stx_callContract",
			Options: options("enableOverrides", "false", "provider", `"XverseProviders.BitcoinProvider"`, "approvedProviderIds", `["a","b"]`),
			Params:  json.RawMessage(`{"contract":"SP1.a","functionName":"f","functionArgs":[{"type":"uint","value":"5"},{"type":"tuple","value":{"to":{"type":"none"},"big-id":{"type":"ascii","value":"x"}}}]}`),
		}, `
import { request } from '@stacks/connect';
import { Cl } from '@stacks/transactions';

const result = await request({
  provider: window.XverseProviders.BitcoinProvider,
  enableOverrides: false,
  approvedProviderIds: ['a', 'b']
}, 'stx_callContract', {
  contract: 'SP1.a',
  functionName: 'f',
  functionArgs: [Cl.uint(5n), Cl.tuple({ to: Cl.none(), 'big-id': Cl.stringAscii('x') })]
});
`},
		"a post-condition stays an object": {snippet.Call{Method: "stx_callContract", Params: json.RawMessage(
			`{"contract":"SP1.a","functionName":"f","postConditions":[{"type":"stx-postcondition","address":"origin","condition":"eq","amount":"5"}]}`)}, `
import { request } from '@stacks/connect';

const result = await request('stx_callContract', {
  contract: 'SP1.a',
  functionName: 'f',
  postConditions: [{ type: 'stx-postcondition', address: 'origin', condition: 'eq', amount: '5' }]
});
`},
		"what cannot be seen is written as escapes": {snippet.Call{Method: "stx_signMessage", Params: json.RawMessage(`{"message":"a\u202eb\u001b[31m\u200b\\"}`)}, `
import { request } from '@stacks/connect';

const result = await request('stx_signMessage', {
  message: 'a\u{202e}b\u{1b}[31m\u{200b}\\'
});
`},
		"a number that JavaScript cannot count": {snippet.Call{Method: "stx_transferStx", Params: json.RawMessage(`{"recipient":"SP1","amount":1,"fee":18446744073709551615,"nonce":7}`)}, `
import { request } from '@stacks/connect';

const result = await request('stx_transferStx', {
  recipient: 'SP1',
  amount: 1,
  fee: 18446744073709551615n,
  nonce: 7
});
`},
		"a wallet that sats-connect does not reach": {snippet.Call{Method: "signMessage", Options: options("provider", `"LeatherProvider"`), Params: json.RawMessage(`{"message":"a"}`)}, `
// sats-connect asks for getInfo first, which this wallet lacks
const result = await window.LeatherProvider.request('signMessage', {
  message: 'a'
});
`},
		"a method that only sats-connect has": {snippet.Call{
			Method: "signMultipleMessages", Options: options("provider", `"ChainscopeProvider"`, "enableOverrides", "false"),
			Params: json.RawMessage(`[{"message":"a","address":"bc1q","protocol":"BIP322"}]`),
		}, `
import { MessageSigningProtocols, request } from '@sats-connect/core';

// not carried over, an option of @stacks/connect: enableOverrides
const result = await request('signMultipleMessages', [
  { message: 'a', address: 'bc1q', protocol: MessageSigningProtocols.BIP322 }
], 'ChainscopeProvider');
`},
		"one of them without params": {snippet.Call{Method: "getBalance"}, `
import { request } from 'sats-connect';

const result = await request('getBalance', null);
`},
		"a method that no library has": {snippet.Call{Method: "stx_getNetworks"}, `
// no published library has this method
const result = await window.StacksProvider.request('stx_getNetworks');
`},
		"raw params are what the wallet gets": {snippet.Call{Kind: snippet.Raw, Method: "stx_callContract", Raw: "LeatherProvider", Params: json.RawMessage(`{"contract":"SP1.a","functionName":"f","functionArgs":[{"type":"uint","value":"5"}]}`)}, `
import { requestRaw } from '@stacks/connect';

const params = {
  contract: 'SP1.a',
  functionName: 'f',
  functionArgs: [{ type: 'uint', value: '5' }]
};
// @ts-ignore: the types of the library refuse 'functionArgs'
const result = await requestRaw(window.LeatherProvider, 'stx_callContract', params);
`},
		"a raw request": {snippet.Call{Kind: snippet.Raw, Method: "getAddresses", Raw: "my-wallet.a b"}, `
import { requestRaw } from '@stacks/connect';

const result = await requestRaw(window['my-wallet']['a b'], 'getAddresses');
`},
		"a raw request of a method that only sats-connect has": {snippet.Call{Kind: snippet.Raw, Method: "getInfo", Raw: "my-wallet.a b"}, `
import { request } from 'sats-connect';

const result = await request('getInfo', null, 'my-wallet.a b');
`},
		"the constants of sats-connect, where there is one": {snippet.Call{Method: "wallet_connect", Params: json.RawMessage(`{"addresses":["payment","stacks"],"network":"Testnet","message":"payment"}`)}, `
import { AddressPurpose, BitcoinNetworkType, request } from 'sats-connect';

const result = await request('wallet_connect', {
  addresses: [AddressPurpose.Payment, AddressPurpose.Stacks],
  network: BitcoinNetworkType.Testnet,
  message: 'payment'
});
`},
		"options and params that the types refuse": {snippet.Call{Method: "signPsbt", Options: options("enableOverrides", "false"), Params: json.RawMessage(`{"psbt":"cHNi","signInputs":[{"index":0}]}`)}, `
import { request } from '@stacks/connect';

const params = {
  psbt: 'cHNi',
  signInputs: [{ index: 0 }]
};
const options = {
  enableOverrides: false
};
// @ts-ignore: the types of the library refuse 'signInputs'
const result = await request(options, 'signPsbt', params);
`},
		"connect with a network": {snippet.Call{Kind: snippet.Connect, Method: "getAddresses", Params: json.RawMessage(`{"network":"testnet"}`), Options: options("approvedProviderIds", "[]")}, `
import { connect } from '@stacks/connect';

const result = await connect({
  approvedProviderIds: [],
  network: 'testnet'
});
`},
		"disconnect": {snippet.Call{Kind: snippet.Disconnect}, `
import { disconnect } from '@stacks/connect';

disconnect();
`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), snippet.JavaScript(c.call, snippet.Wallet{}, "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestACallBecomesACommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		call     snippet.Call
		wallet   snippet.Wallet
		provider string
		want     string
	}{
		"a request": {
			snippet.Call{Method: "stx_signMessage", Params: json.RawMessage(`{ "message": "it's" }`)},
			snippet.Wallet{Network: "mainnet"},
			"",
			`chainscope wallet request stx_signMessage '{"message":"it'\''s"}'`,
		},
		"account, network and wallet": {
			snippet.Call{Method: "getAddresses"},
			snippet.Wallet{Account: 2, Network: "testnet", Keystore: "my keys.age"},
			"LeatherProvider",
			`chainscope wallet request getAddresses --provider LeatherProvider --account 2 --network testnet --keystore 'my keys.age'`,
		},
		"options": {
			snippet.Call{Method: "getAddresses", Options: options("provider", `"LeatherProvider"`, "enableOverrides", "false")},
			snippet.Wallet{},
			"ChainscopeProvider",
			`chainscope wallet request getAddresses --option 'provider="LeatherProvider"' --option enableOverrides=false`,
		},
		"a raw request": {
			snippet.Call{Kind: snippet.Raw, Method: "x", Raw: "LeatherProvider"},
			snippet.Wallet{},
			"",
			`chainscope wallet request x --raw --option 'provider="LeatherProvider"'`,
		},
		"disconnect": {snippet.Call{Kind: snippet.Disconnect}, snippet.Wallet{}, "", `chainscope wallet disconnect`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := snippet.Command(c.call, c.wallet, c.provider); got != c.want {
				t.Errorf("\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// What a request cannot carry is a comment.
func TestWhatCannotBeCarriedIsSaid(t *testing.T) {
	c, w := snippet.Call{Method: "getAddresses"}, snippet.Wallet{Account: 2, Network: "testnet", Lost: "the fee was 3"}
	if got := snippet.JavaScript(c, w, "LeatherProvider"); !strings.HasPrefix(got, "// to be signed by account 2 on testnet of LeatherProvider\n// the fee was 3\nimport ") {
		t.Error(got)
	}
	if got, want := snippet.Command(c, w, ""), "# the fee was 3\nchainscope wallet request getAddresses --account 2 --network testnet"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A rule made from a call is one that the bridge reads, and that the same call fits.
func TestACallBecomesARuleOfAScript(t *testing.T) {
	c := snippet.Call{Kind: snippet.Raw, Method: "stx_signMessage", Params: json.RawMessage(`{ "message": "it's: #1 \"x\"\n" }`)}
	rule := snippet.Rule(c, snippet.Wallet{Account: 2, Network: "testnet"}, "LeatherProvider", "http://localhost:3000", "approve")
	for _, want := range []string{"# chainscope bridge --script FILE --as leather --account 2 --network testnet\n"} {
		if !strings.Contains(rule, want) {
			t.Errorf("%q is not in\n%s", want, rule)
		}
	}
	script, err := bridge.ParseScript([]byte(rule))
	if err != nil {
		t.Fatalf("%v in\n%s", err, rule)
	}
	call := bridge.Call{Origin: "http://localhost:3000", Method: c.Method, Params: c.Params}
	if answer, fits := script.Match(call); !fits || answer.Kind != bridge.ScriptApprove {
		t.Errorf("the call does not fit\n%s", rule)
	}
	list := snippet.Call{Method: "signMultipleMessages", Params: json.RawMessage(`[{"message":"a"}]`)}
	rule = snippet.Rule(list, snippet.Wallet{}, "my-wallet", "", "approve")
	if script, err = bridge.ParseScript([]byte(rule)); err != nil || !strings.Contains(rule, "# a rule cannot compare params that are a list") {
		t.Fatalf("%v in\n%s", err, rule)
	}
	if _, fits := script.Match(bridge.Call{Method: list.Method, Params: list.Params}); !fits || !strings.Contains(rule, "my-wallet, which no bridge plays") {
		t.Errorf("the call does not fit\n%s", rule)
	}
	if got := snippet.Rule(snippet.Call{Kind: snippet.Connect}, snippet.Wallet{}, "", "", "approve"); got != "" {
		t.Errorf("of what is no request: %s", got)
	}
}

func FuzzJavaScript(f *testing.F) {
	f.Add("m", []byte(`{"a":[{"type":"uint","value":"1"}],"b":{"c":"\u2028"}}`))
	f.Add("signPsbt", []byte(`{"psbt":"","a\u2028b\n":1}`))
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		if !json.Valid(params) {
			return
		}
		out := snippet.JavaScript(snippet.Call{Method: method, Params: params}, snippet.Wallet{}, "")
		if i := strings.IndexFunc(out, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' || r == '\u2028' }); i >= 0 {
			t.Errorf("a character that cannot be seen at %d: %q", i, out)
		}
	})
}

package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// engine is a wallet's inside that signs nothing: it writes down its calls and
// answers in the shapes of the real one.
type engine struct {
	calls []string
	err   error
}

const addresses = `{"addresses":[` +
	`{"symbol":"BTC","type":"p2wpkh","address":"bc1qa","publicKey":"02aa","derivationPath":"m/84'/0'/0'/0/0"},` +
	`{"symbol":"BTC","type":"p2tr","address":"bc1pb","publicKey":"03bb","tweakedPublicKey":"bb","derivationPath":"m/86'/0'/0'/0/0"},` +
	`{"symbol":"STX","address":"SPC","publicKey":"03cc"}]}`

func (e *engine) Call(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	e.calls = append(e.calls, strings.TrimSpace(method+" "+string(params)))
	if e.err != nil {
		return nil, e.err
	}
	switch method {
	case "getAddresses":
		return json.RawMessage(addresses), nil
	case "signPsbt":
		if strings.Contains(string(params), `"hex"`) {
			return json.RawMessage(`{"hex":"70736274ff","txid":"ab"}`), nil
		}
		return json.RawMessage(`{"psbt":"cHNidP8=","txid":"ab"}`), nil
	case "stx_signMessage":
		return json.RawMessage(`{"signature":"00","publicKey":"03cc"}`), nil
	}
	return json.RawMessage(`{"txid":"ab","transaction":"00"}`), nil
}

// send sends one request through the library.
func send(t *testing.T, p provider.Personality, overrides bool, method, params string) (*engine, json.RawMessage, error) {
	t.Helper()
	e := &engine{}
	var raw any
	if params != "" {
		raw = json.RawMessage(params)
	}
	result, err := wallet.New(wallet.Config{}).Request(t.Context(),
		wallet.Options{Provider: provider.NewMock(p, e), EnableOverrides: &overrides}, method, raw)
	return e, result, err
}

func TestWithOverridesEveryPersonalityTakesTheSameRequests(t *testing.T) {
	const transfer = `{"recipients":[{"address":"bc1q","amount":"1000"}]}`
	const psbt = `{"psbt":"cHNidP8=","signInputs":[{"index":1,"address":"bc1qa"},{"index":0,"address":"bc1pb"}],"broadcast":true}`
	cases := map[string]struct {
		who            provider.Personality
		method, params string
		call           string // what reaches the engine
		result         string
	}{
		"chainscope gives its addresses":  {provider.PlayChainscope, "getAddresses", "", "getAddresses", addresses},
		"leather gives its addresses":     {provider.PlayLeather, "stx_getAddresses", "", "getAddresses", addresses},
		"leather transfers":               {provider.PlayLeather, "sendTransfer", strings.Replace(transfer, `"1000"`, `1000`, 1), "sendTransfer " + transfer, `{"txid":"ab","transaction":"00"}`},
		"xverse transfers":                {provider.PlayXverse, "sendTransfer", transfer, "sendTransfer " + strings.Replace(transfer, `"1000"`, `1000`, 1), `{"txid":"ab","transaction":"00"}`},
		"chainscope signs a PSBT":         {provider.PlayChainscope, "signPsbt", psbt, "signPsbt " + psbt, `{"psbt":"cHNidP8=","txid":"ab"}`},
		"leather signs a PSBT by index":   {provider.PlayLeather, "signPsbt", psbt, `signPsbt {"broadcast":true,"hex":"70736274ff","signAtIndex":[1,0]}`, `{"hex":"70736274ff","psbt":"cHNidP8=","txid":"ab"}`},
		"xverse signs a PSBT by address":  {provider.PlayXverse, "signPsbt", psbt, `signPsbt {"broadcast":true,"psbt":"cHNidP8=","signInputs":{"bc1qa":[1],"bc1pb":[0]}}`, `{"psbt":"cHNidP8=","txid":"ab"}`},
		"leather repeats the transaction": {provider.PlayLeather, "stx_signTransaction", `{"transaction":"00"}`, `stx_signTransaction {"transaction":"00"}`, `{"transaction":"00","txHex":"00"}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e, result, err := send(t, c.who, true, c.method, c.params)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{c.call}, e.calls); diff != "" {
				t.Errorf("the engine was called:\n%s", diff)
			}
			var got, want any
			if json.Unmarshal(result, &got) != nil || json.Unmarshal([]byte(c.result), &want) != nil || !cmp.Equal(got, want) {
				t.Errorf("result %s, want %s", result, c.result)
			}
		})
	}
}

func TestWithoutOverridesTheModelsVisiblyBreak(t *testing.T) {
	const psbt = `{"psbt":"cHNidP8=","signInputs":[{"index":0,"address":"bc1qa"}]}`
	cases := map[string]struct {
		who            provider.Personality
		method, params string
		code           int
		message        string
	}{
		"leather wants hex":                       {provider.PlayLeather, "signPsbt", psbt, jsonrpc.InvalidParams, "hex"},
		"xverse wants a connection":               {provider.PlayXverse, "getAddresses", "", jsonrpc.MethodAccessDenied, "wallet_connect"},
		"xverse wants a request for access first": {provider.PlayXverse, "stx_getAddresses", "", jsonrpc.MethodAccessDenied, "wallet_connect"},
		"xverse wants numbers":                    {provider.PlayXverse, "sendTransfer", `{"recipients":[{"address":"a","amount":"1"}]}`, jsonrpc.InvalidParams, "must be a number"},
		"xverse wants inputs by address":          {provider.PlayXverse, "signPsbt", psbt, jsonrpc.InvalidParams, "signInputs"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e, _, err := send(t, c.who, false, c.method, c.params)
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != c.code || !strings.Contains(rpc.Message, c.message) {
				t.Errorf("got %v, want code %d with %q", err, c.code, c.message)
			}
			if len(e.calls) != 0 {
				t.Errorf("the engine was called all the same: %q", e.calls)
			}
		})
	}
}

// Its schema reads an amount from a string of digits as from a number.
func TestLeatherTakesAnAmountInEitherForm(t *testing.T) {
	for _, params := range []string{
		`{"recipients":[{"address":"a","amount":1}]}`, `{"recipients":[{"address":"a","amount":"1"}]}`,
		`{"address":"a","amount":1}`, `{"address":"a","amount":"1"}`,
	} {
		e, _, err := send(t, provider.PlayLeather, false, "sendTransfer", params)
		if want := []string{"sendTransfer " + params}; err != nil || !cmp.Equal(e.calls, want) {
			t.Errorf("%s: %v, and the engine was called with %q", params, err, e.calls)
		}
	}
}

func TestARejectionSaysWithWhat(t *testing.T) {
	for want, r := range map[string]*provider.Rejection{
		"the provider rejected with undefined": {},
		`the provider rejected with "no"`:      {Value: json.RawMessage(`"no"`)},
		"the provider rejected with null":      {Value: json.RawMessage("null")},
	} {
		if got := r.Error(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

func TestTheModelsHaveTheirOwnQuirks(t *testing.T) {
	cases := map[string]struct {
		who            provider.Personality
		method, params string
		code           int
	}{
		"leather has no accounts":               {provider.PlayLeather, "stx_getAccounts", "", jsonrpc.MethodNotFound},
		"leather signs no empty message":        {provider.PlayLeather, "stx_signMessage", `{"message":""}`, jsonrpc.InvalidRequest},
		"leather wants params":                  {provider.PlayLeather, "stx_transferStx", "", jsonrpc.InvalidRequest},
		"leather refuses hex that is none":      {provider.PlayLeather, "signPsbt", "", jsonrpc.InvalidRequest},
		"xverse has no token transfers":         {provider.PlayXverse, "stx_transferSip10Ft", `{}`, jsonrpc.MethodNotFound},
		"xverse takes no version as text":       {provider.PlayXverse, "stx_deployContract", `{"clarityVersion":"3"}`, jsonrpc.InvalidParams},
		"xverse refuses params that are a list": {provider.PlayXverse, "sendTransfer", `[1]`, jsonrpc.InvalidParams},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := send(t, c.who, false, c.method, c.params)
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != c.code {
				t.Errorf("got %v, want code %d", err, c.code)
			}
		})
	}
	t.Run("chainscope signs an empty message", func(t *testing.T) {
		if _, _, err := send(t, provider.PlayChainscope, true, "stx_signMessage", `{"message":""}`); err != nil {
			t.Error(err)
		}
	})
}

func TestXverseGivesAddressesByPurposeAndRemembersItsGrant(t *testing.T) {
	mock := provider.NewMock(provider.PlayXverse, signing(t, newChain(t), provider.Approves, new([]provider.Sent)))
	registry := &wallet.Registry{}
	registry.SetObject(provider.PlayXverse.ID(), mock)
	l := wallet.New(wallet.Config{Registry: registry})
	if err := l.SetSelectedProviderID(provider.XverseID); err != nil {
		t.Fatal(err)
	}
	result, err := l.Request(t.Context(), wallet.Options{}, "stx_getAddresses", nil)
	if err != nil {
		t.Fatal(err)
	}
	var connected struct {
		ID, WalletType string
		Addresses      []struct{ Address, PublicKey, Purpose, AddressType, WalletType string }
		Network        map[string]struct{ Name string }
	}
	if err := json.Unmarshal(result, &connected); err != nil || len(connected.Addresses) != 3 {
		t.Fatalf("%s: %v", result, err)
	}
	for i, want := range []string{"ordinals", "payment", "stacks"} {
		if got := connected.Addresses[i]; got.Purpose != want || got.WalletType != "software" {
			t.Errorf("address %d: %+v, want %s", i, got, want)
		}
	}
	if got := connected.Addresses[0]; len(got.PublicKey) != 64 || got.AddressType != "p2tr" {
		t.Errorf("the key of p2tr is %+v, want 32 bytes", got)
	}
	if n := connected.Network; n["bitcoin"].Name != "Testnet" || n["stacks"].Name != "testnet" || n["spark"].Name != "regtest" || len(connected.ID) != 64 {
		t.Errorf("network %v, id %s", n, connected.ID)
	}
	if record := l.LocalStorage(); record == nil || record.Addresses.BTC[0].Purpose != "payment" {
		t.Errorf("the payment address is not the first: %+v", record)
	}
	accounts := func() error {
		_, err := l.RequestRaw(t.Context(), mock, "stx_getAccounts", nil)
		return err
	}
	if err := accounts(); err != nil {
		t.Errorf("after wallet_connect: %v", err)
	}
	if err := l.Disconnect(); err != nil {
		t.Fatal(err)
	}
	var rpc *jsonrpc.Error
	if err := accounts(); !errors.As(err, &rpc) || rpc.Code != jsonrpc.MethodAccessDenied {
		t.Errorf("after a disconnect: %v", err)
	}
}

func TestErrorsComeInTheWayOfTheModel(t *testing.T) {
	rejection := jsonrpc.NewError(jsonrpc.UserRejection, "User rejected the request")
	refused := jsonrpc.NewError(jsonrpc.InternalError, "transaction rejected").WithData(map[string]string{"reason": "BadNonce"})
	cases := map[string]struct {
		who  provider.Personality
		err  error
		code int
	}{
		"chainscope, rejected":       {provider.PlayChainscope, rejection, jsonrpc.UserRejection},
		"xverse, rejected":           {provider.PlayXverse, rejection, jsonrpc.UserRejection},
		"leather, rejected":          {provider.PlayLeather, rejection, jsonrpc.LeatherUserRejection},
		"chainscope, refused":        {provider.PlayChainscope, refused, jsonrpc.InternalError},
		"leather, refused":           {provider.PlayLeather, refused, jsonrpc.LeatherUnsupported},
		"leather, access denied":     {provider.PlayLeather, jsonrpc.NewError(jsonrpc.MethodAccessDenied, "blocked"), jsonrpc.LeatherAccessDenied},
		"an error without a code":    {provider.PlayChainscope, errors.New("boom"), jsonrpc.InternalError},
		"leather, without a code":    {provider.PlayLeather, errors.New("boom"), jsonrpc.InternalError},
		"leather, an invalid param":  {provider.PlayLeather, jsonrpc.InvalidParam("memo", "too long"), jsonrpc.InvalidParams},
		"a wrapped error keeps code": {provider.PlayChainscope, errors.Join(rejection), jsonrpc.UserRejection},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			mock := provider.NewMock(c.who, &engine{err: c.err})
			reply, err := mock.Request(t.Context(), "stx_signMessage", json.RawMessage(`{"message":"x"}`))
			var rejection *provider.Rejection
			if rejects := errors.As(err, &rejection); rejects != (c.who == provider.PlayLeather) || (reply == nil) != rejects {
				t.Errorf("resolved %s, rejected %v", reply, err)
			}
			_, err = wallet.New(wallet.Config{}).RequestRaw(t.Context(), mock, "stx_signMessage", json.RawMessage(`{"message":"x"}`))
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != c.code {
				t.Errorf("got %v, want code %d", err, c.code)
			}
		})
	}
}

func TestABehaviourLiesOverAnyWallet(t *testing.T) {
	for _, who := range provider.Personalities() {
		t.Run(string(who), func(t *testing.T) {
			call := func(b provider.Behaviour, sleep func(context.Context, time.Duration) error) (*engine, error) {
				e := &engine{}
				_, err := wallet.New(wallet.Config{}).Request(t.Context(),
					wallet.Options{Provider: provider.NewMock(who, provider.Behave(e, b, sleep))}, "stx_signMessage", map[string]any{"message": "x"})
				return e, err
			}
			var slept time.Duration
			e, err := call(provider.Slow, func(_ context.Context, d time.Duration) error { slept = d; return nil })
			if err != nil || slept != 3*time.Second || len(e.calls) != 1 {
				t.Errorf("slow: %v after %v", err, slept)
			}
			var rpc *jsonrpc.Error
			_, err = call(provider.Slow, func(context.Context, time.Duration) error { return context.Canceled })
			if !errors.As(err, &rpc) || rpc.Code != jsonrpc.InternalError {
				t.Errorf("withdrawn while slow: %v", err)
			}
			want := jsonrpc.MethodAccessDenied
			if who == provider.PlayLeather {
				want = jsonrpc.LeatherUnauthenticated
			}
			e, err = call(provider.Locked, nil)
			if !errors.As(err, &rpc) || rpc.Code != want || len(e.calls) != 0 {
				t.Errorf("locked: %v", err)
			}
			e, err = call(provider.Failing, nil)
			if !errors.As(err, &rpc) || rpc.Code != jsonrpc.InternalError || len(e.calls) != 0 {
				t.Errorf("failing: %v", err)
			}
			if e, err = call(provider.Approves, nil); err != nil || len(e.calls) != 1 {
				t.Errorf("approves: %v", err)
			}
		})
	}
}

func TestNamesOfPersonalitiesReadBack(t *testing.T) {
	for _, p := range provider.Personalities() {
		if got, err := provider.ParsePersonality(string(p)); err != nil || got != p {
			t.Errorf("%s reads as %s, %v", p, got, err)
		}
	}
	if _, err := provider.ParsePersonality("metamask"); err == nil || !strings.Contains(err.Error(), "chainscope, leather, xverse") {
		t.Errorf("got %v", err)
	}
}

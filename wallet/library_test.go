package wallet

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/jsnumber"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

func TestConnectingAndDisconnectingChangesTheState(t *testing.T) {
	wallet := &stub{reply: envelope([]byte(`{"addresses":[{"address":"SP1","publicKey":"03"},{"address":"bc1","publicKey":"02"}]}`))}
	registry := &Registry{}
	registry.SetObject("W", wallet)
	registry.RegisterWBIP(provider.Descriptor{ID: "W", Name: "W"})
	l := New(Config{Registry: registry, Selector: &picker{t: t, pick: "W"}, Now: func() time.Time { return time.UnixMilli(5) }})
	if l.IsConnected() || l.LocalStorage() != nil || l.SelectedProvider() != nil {
		t.Fatal("a new library is disconnected, its record is null")
	}
	result, err := l.Connect(t.Context(), Options{}, "testnet")
	if err != nil || !strings.Contains(string(result), `"publicKey":"03"`) {
		t.Fatalf("connect gives the whole result: %s, %v", result, err)
	}
	if got := string(wallet.calls[0].params); got != `{"network":"testnet"}` {
		t.Errorf("params %s", got)
	}
	record := l.LocalStorage()
	if !l.IsConnected() || record.Addresses.STX[0].Address != "SP1" || record.Addresses.BTC[0].Address != "bc1" ||
		record.Version != recordVersion || record.UpdatedAt.UnixMilli() != 5 || strings.Contains(string(record.Raw), "publicKey") {
		t.Errorf("the record is %+v", record)
	}
	if l.SelectedProvider() != provider.Provider(wallet) {
		t.Error("the wallet is not remembered")
	}
	empty := hex.EncodeToString([]byte(`{"addresses":{"stx":[],"btc":[]},"version":"0.0.1","updatedAt":5}`))
	if err := l.config.Storage.Set(keyAddresses, empty); err != nil {
		t.Fatal(err)
	}
	if l.IsConnected() || l.LocalStorage() == nil {
		t.Error("a record without an address is a record, and no connection")
	}
	l.ClearLocalStorage()
	if l.LocalStorage() != nil {
		t.Error("there is a record after it was cleared")
	}
	if l.IsConnected() || !l.IsProviderSelected() {
		t.Error("clearing the record forgets the addresses and not the wallet")
	}
	if err := l.Disconnect(); err != nil || l.IsProviderSelected() {
		t.Errorf("disconnecting forgets the wallet: %v", err)
	}
	if _, err := l.Connect(t.Context(), Options{}, ""); err != nil || !l.IsConnected() {
		t.Fatalf("connecting again: %v", err)
	}
	if err := l.Disconnect(); err != nil || l.IsConnected() || l.LocalStorage() != nil {
		t.Errorf("disconnecting forgets the addresses: %+v, %v", l.LocalStorage(), err)
	}
}

func TestRequestRawHandsTheParamsOverUnchanged(t *testing.T) {
	wallet := &stub{traits: provider.Traits{IsLeather: true}, reply: envelope([]byte(`{}`))}
	const params = `{"psbt":"not base64","signInputs":[{"index":1}]}`
	if _, err := New(Config{}).RequestRaw(t.Context(), wallet, "signPsbt", json.RawMessage(params)); err != nil {
		t.Fatal(err)
	}
	if got := wallet.calls[0]; got.method != "signPsbt" || string(got.params) != params {
		t.Errorf("the wallet got %s %s", got.method, got.params)
	}
}

func TestOverridesAreOnUnlessTheyAreTurnedOff(t *testing.T) {
	wallet := &stub{traits: provider.Traits{XverseFunctions: true}, reply: envelope([]byte(`{"addresses":[]}`))}
	l := New(Config{})
	for _, o := range []Options{{Provider: wallet}, {Provider: wallet, EnableOverrides: new(true)}, {Provider: wallet, EnableOverrides: new(false)}} {
		if _, err := l.Request(t.Context(), o, "getAddresses", nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"wallet_connect", "wallet_connect", "getAddresses"} {
		if got := wallet.calls[i].method; got != want {
			t.Errorf("call %d is %s, want %s", i, got, want)
		}
	}
}

func TestWithoutASelectorARequestThatNeedsOneResolvesToNothing(t *testing.T) {
	result, err := New(Config{}).Request(t.Context(), Options{}, "getAddresses", nil)
	if result != nil || err != nil {
		t.Errorf("got %s, %v", result, err)
	}
}

// failing is a storage that is broken.
type failing struct{}

func (failing) Get(string) (string, bool, error) { return "", false, errors.New("disk on fire") }
func (failing) Set(string, string) error         { return errors.New("disk on fire") }
func (failing) Remove(string) error              { return errors.New("disk on fire") }

func TestAStorageThatFailsIsAWarningAndLosesNoResult(t *testing.T) {
	var warnings []string
	l := New(Config{Storage: failing{}, Warn: func(m string, err error) { warnings = append(warnings, m+" "+err.Error()) }})
	wallet := &stub{reply: envelope([]byte(`{"addresses":[{"address":"SP1"}]}`))}
	result, err := l.Request(t.Context(), Options{Provider: wallet}, "getAddresses", nil)
	if err != nil || string(result) != `{"addresses":[{"address":"SP1"}]}` {
		t.Errorf("got %s, %v", result, err)
	}
	if len(warnings) == 0 || !strings.Contains(strings.Join(warnings, "\n"), "disk on fire") {
		t.Errorf("warnings: %q", warnings)
	}
	if err := l.Disconnect(); err == nil {
		t.Error("disconnecting from a broken storage succeeded")
	}
}

func TestWhatAWalletSaysAboutAddressesMayBeWrong(t *testing.T) {
	cases := map[string]struct {
		result string
		err    string
	}{
		"no addresses at all":   {`{}`, ""},
		"no list":               {`{"addresses":{}}`, "TypeError: addresses.slice is not a function"},
		"null":                  {`{"addresses":null}`, "TypeError: Cannot read properties of null (reading 'slice')"},
		"an entry without one":  {`{"addresses":[{"publicKey":"02"}]}`, "TypeError: Cannot read properties of undefined (reading 'startsWith')"},
		"an entry that is null": {`{"addresses":[null]}`, "TypeError: Cannot read properties of null (reading 'address')"},
		"a number":              {`{"addresses":[{"address":1}]}`, "TypeError: addr.address.startsWith is not a function"},
		"a null result":         {`null`, "TypeError: Cannot use 'in' operator to search for 'addresses' in null"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := New(Config{})
			_, err := l.Request(t.Context(), Options{Provider: &stub{reply: envelope([]byte(c.result))}}, "getAddresses", nil)
			if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
				t.Errorf("got %v, want %q", err, c.err)
			}
			if l.IsConnected() {
				t.Error("something was stored")
			}
		})
	}
}

func TestADamagedRecordIsReadAsNone(t *testing.T) {
	if record := New(Config{}).LocalStorage(); record != nil {
		t.Errorf("without a record there is %+v", record)
	}
	for name, stored := range map[string]string{
		"not hex":        "zz",
		"odd hex":        "7b7",
		"not UTF-8":      hex.EncodeToString([]byte("{\"a\":\"\xff\"}")),
		"not JSON":       hex.EncodeToString([]byte("{")),
		"two values":     hex.EncodeToString([]byte("{}{}")),
		"an array":       hex.EncodeToString([]byte("[]")),
		"deep as a well": hex.EncodeToString([]byte(strings.Repeat("[", 100000))),
		"far too long":   strings.Repeat("00", maxRecordHex),
	} {
		t.Run(name, func(t *testing.T) {
			l := New(Config{})
			if err := l.config.Storage.Set(keyAddresses, stored); err != nil {
				t.Fatal(err)
			}
			if l.LocalStorage() != nil || l.IsConnected() {
				t.Error("garbage was taken for a record")
			}
		})
	}
}

func TestAnOptionIsSetByItsNameAndJSON(t *testing.T) {
	l := New(Config{})
	l.Registry().SetObject("W", &stub{})
	cases := map[string]struct {
		name, raw, err string
	}{
		"provider":                 {"provider", `"W"`, ""},
		"an unknown provider":      {"provider", `"X"`, `no wallet "X"`},
		"a provider that is a map": {"provider", `{}`, "the id of a wallet"},
		"a switch":                 {"enableOverrides", `false`, ""},
		"a switch that is text":    {"enableOverrides", `"no"`, "true or false"},
		"null is not given":        {"enableOverrides", `null`, ""},
		"a list":                   {"approvedProviderIds", `["W"]`, ""},
		"a list of numbers":        {"approvedProviderIds", `[1]`, "array of strings"},
		"defaults":                 {"defaultProviders", `[{"id":"a","name":"b"}]`, ""},
		"a default without name":   {"defaultProviders", `[{"id":"a"}]`, "entry 0"},
		"wallet connect":           {"walletConnect", `{"projectId":"p"}`, ""},
		"a project id":             {"walletConnectProjectId", `"p"`, ""},
		"no project":               {"walletConnect", `{}`, "projectId"},
		"an unknown option":        {"nope", `1`, "no such option"},
		"no JSON":                  {"provider", `W`, "not JSON"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var o Options
			err := l.SetOption(&o, c.name, json.RawMessage(c.raw))
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %v, want %q", err, c.err)
			}
		})
	}
	if len(OptionNames()) != 9 {
		t.Errorf("options: %v", OptionNames())
	}
	rows := l.Rows(Options{WalletConnect: &WalletConnect{ProjectID: "p"}})
	if last := rows[len(rows)-1]; last.ID != walletConnectID || last.Action() != "Install" {
		t.Errorf("the last row is %+v", last)
	}
}

func TestNumbersAreConvertedAsJavaScriptConvertsThem(t *testing.T) {
	cases := []struct {
		in   any
		want string
	}{
		{"9007199254740993", "9007199254740992"},
		{"", "0"},
		{" 12 ", "12"},
		{"0x10", "16"},
		{"1e3", "1000"},
		{"1_0", "NaN"},
		{"abc", "NaN"},
		{"0x", "NaN"},
		{"Infinity", "Infinity"},
		{"1e400", "Infinity"},
		{nil, "0"},
		{true, "1"},
		{Undefined{}, "NaN"},
		{big.NewInt(7), "7"},
		{json.Number("1e21"), "1e+21"},
		{json.Number("0.0000001"), "1e-7"},
		{json.Number("1.50"), "1.5"},
		{json.Number("-0"), "0"},
		{[]any{"5"}, "5"},
		{newObject(), "NaN"},
	}
	for _, c := range cases {
		if got := jsnumber.Format(toNumber(c.in)); got != c.want {
			t.Errorf("Number(%v) is %s, want %s", c.in, got, c.want)
		}
	}
	if numberValue(math.NaN()) != nil {
		t.Error("NaN has a JSON form other than null")
	}
}

func TestParamsOfTheWrongShapeThrowWhatTheLibraryThrows(t *testing.T) {
	cases := map[string]struct {
		traits  string
		method  string
		params  any
		message string
	}{
		"no params":             {"xverse", "sendTransfer", nil, "Cannot read properties of undefined (reading 'recipients')"},
		"no recipients":         {"leather", "sendTransfer", map[string]any{}, "Cannot read properties of undefined (reading 'map')"},
		"recipients of text":    {"leather", "sendTransfer", map[string]any{"recipients": "x"}, "params.recipients.map is not a function"},
		"no amount":             {"leather", "sendTransfer", map[string]any{"recipients": []any{map[string]any{}}}, "Cannot read properties of undefined (reading 'toString')"},
		"nobody to sign for":    {"leather", "signPsbt", nil, "Cannot read properties of undefined (reading 'signInputs')"},
		"a nested bigint":       {"generic", "sendTransfer", map[string]any{"recipients": []any{map[string]any{"amount": big.NewInt(1)}}}, "Do not know how to serialize a BigInt"},
		"inputs that are a map": {"xverse", "signPsbt", map[string]any{"signInputs": map[string]any{"a": 1}}, "signInputs is not iterable"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			wallet := &stub{traits: traitsOf[c.traits], reply: envelope([]byte(`{}`))}
			_, err := New(Config{}).Request(t.Context(), Options{Provider: wallet}, c.method, c.params)
			var e *Exception
			if !errors.As(err, &e) || e.Message != c.message || len(wallet.calls) != 0 {
				t.Errorf("got %v after %d calls, want %q", err, len(wallet.calls), c.message)
			}
		})
	}
}

func TestAWalletThatIsNotThereIsAnUnknownError(t *testing.T) {
	_, err := New(Config{}).RequestRaw(t.Context(), nil, "getAddresses", nil)
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != jsonrpc.UnknownError || e.Message != "Cannot read properties of undefined (reading 'request')" {
		t.Errorf("got %v", err)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("")
	f.Add("zz")
	f.Add(hex.EncodeToString([]byte(`{"addresses":{"stx":[{"address":"S"}],"btc":[null,1]},"version":"0.0.1","updatedAt":1}`)))
	f.Fuzz(func(t *testing.T, stored string) {
		record, err := parseRecord(stored)
		if err != nil {
			return
		}
		o, err := decodeRecord(stored)
		if err != nil {
			t.Fatal(err)
		}
		again, err := write(o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseRecord(hex.EncodeToString(again))
		if err != nil || string(back.Raw) != string(record.Raw) || back.Connected() != record.Connected() {
			t.Fatalf("%s came back as %s, %v", record.Raw, back.Raw, err)
		}
	})
}

func TestAValueThatHasNoHexIsRefusedWithItsPath(t *testing.T) {
	wallet := &stub{reply: envelope([]byte(`{}`))}
	l := New(Config{})
	for params, want := range map[string]string{
		`{"functionArgs":[{"type":"uint","value":"1"},{"type":"uint","value":"-1"}]}`:                        "functionArgs[1].value: a uint must be from 0 to 2^128-1",
		`{"functionArgs":[{"type":"list","value":[{"type":"true"},{"type":"nope"}]}]}`:                       `functionArgs[0].value[1].type: "nope" is unknown, it must be one of int, uint`,
		`{"postConditions":[{"type":"stx-postcondition","address":"origin","condition":"eq","amount":"x"}]}`: "postConditions[0].amount: it must be an integer",
		`{"postConditions":[{"type":"pox-postcondition","address":"origin","condition":"eq"}]}`:              `postConditions[0].condition: "eq" is unknown`,
		`{"postConditions":[{"type":"staking-postcondition","address":"x","condition":"eq","amount":1}]}`:    "postConditions[0].address: ",
		`{"message":{"type":"ascii","value":"é"},"domain":{"type":"none"}}`:                                  "message.value: ",
		`{"message":{"type":"none"},"domain":{"type":"tuple","value":{"name":{"type":"uint","value":"x"}}}}`: "domain.value.name.value: ",
	} {
		_, err := l.Request(t.Context(), Options{Provider: wallet}, "stx_callContract", json.RawMessage(params))
		var e *jsonrpc.Error
		if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, want) {
			t.Errorf("%s: %v, want %s", params, err, want)
		}
	}
	if len(wallet.calls) != 0 {
		t.Errorf("the wallet received %d requests", len(wallet.calls))
	}
}

func TestParamsThatAreNoObjectReachTheWalletAsTheyAre(t *testing.T) {
	for _, params := range []string{`[1]`, `5`, `"x"`, `true`, `null`} {
		for _, traits := range []string{"generic", "leather", "xverse"} {
			wallet := &stub{traits: traitsOf[traits], reply: envelope([]byte(`{}`))}
			if _, err := New(Config{}).Request(t.Context(), Options{Provider: wallet}, "stx_signMessage", json.RawMessage(params)); err != nil {
				t.Errorf("%s: %v", params, err)
			}
			if len(wallet.calls) != 1 || string(wallet.calls[0].params) != params {
				t.Errorf("%s: the wallet got %+v", params, wallet.calls)
			}
		}
	}
}

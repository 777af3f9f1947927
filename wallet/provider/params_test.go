package provider_test

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

const (
	own0     = "STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ"
	own1     = "ST3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMHVKG3SZ"
	payment0 = "tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl"
	stranger = "ST000000000000000000002AMW42H"
	contract = stranger + ".pool"
)

// sample is a valid request: the params that must be given, and those that may
// be, each with a value that changes what is signed or given out.
type sample struct{ must, may map[string]string }

// public1 is the public key of account 1.
var public1 = func() string {
	key, err := keys.NewTestRing().Stacks(1)
	if err != nil {
		panic(err)
	}
	public := key.PublicKey()
	return hex.EncodeToString(public[:])
}()

// common are the optional params of every Stacks transaction.
var common = map[string]string{
	"network": `"mainnet"`, "address": quote(own1), "fee": `777`, "nonce": `9`, "sponsored": `true`, "broadcast": `false`,
	"stxAddress": quote(own1), "pubkey": quote(public1), "publicKey": quote(public1), "account": `1`, "accountIndex": `"1"`,
	"postConditions":    `[{"type":"stx-postcondition","address":"origin","condition":"lte","amount":"5"}]`,
	"postConditionMode": `"allow"`, "version": `"1"`,
}

func quote(text string) string { return `"` + text + `"` }

func with(more map[string]string, names ...string) map[string]string {
	out := maps.Clone(more)
	for name, value := range common {
		if len(names) == 0 || slices.Contains(names, name) {
			if out[name] == "" {
				out[name] = value
			}
		}
	}
	return out
}

// samples returns valid requests on testnet by method.
func samples(t testing.TB) map[string]sample {
	t.Helper()
	unsigned := func(amount string) string {
		text, err := unsignedTransfer(amount)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	psbt, psbtHex := testPSBT(t)
	domain := `{"type":"tuple","value":{"name":{"type":"ascii","value":"a"},"version":{"type":"ascii","value":"1"},"chain-id":{"type":"uint","value":"2147483648"}}}`
	type m = map[string]string
	return map[string]sample{
		"getAddresses":         {nil, m{"network": `"mainnet"`, "purposes": `["stacks"]`, "message": `"hello"`}},
		"stx_getAddresses":     {nil, m{"network": `"mainnet"`, "message": `"hello"`}},
		"stx_getAccounts":      {nil, m{"network": `"mainnet"`}},
		"stx_getNetworks":      {},
		"stx_transferStx":      {m{"recipient": quote(stranger), "amount": `"5"`}, with(m{"memo": `"rent"`})},
		"stx_callContract":     {m{"contract": quote(contract), "functionName": `"f"`}, with(m{"functionArgs": `["03"]`, "arguments": `["03"]`})},
		"stx_deployContract":   {m{"name": `"c"`, "clarityCode": `"(ok 1)"`}, with(m{"clarityVersion": `3`})},
		"stx_transferSip10Ft":  {m{"recipient": quote(stranger), "asset": quote(contract + "::t"), "amount": `"5"`}, with(m{})},
		"stx_transferSip9Nft":  {m{"recipient": quote(stranger), "asset": quote(contract + "::t"), "assetId": `"03"`}, with(m{})},
		"stx_signTransaction":  {m{"transaction": quote(unsigned("5"))}, m{"network": `"devnet"`, "broadcast": `true`, "attachment": `"00"`, "txHex": quote(unsigned("6"))}},
		"stx_signTransactions": {m{"transactions": `["` + unsigned("5") + `"]`}, m{"network": `"devnet"`, "broadcast": `true`}},
		"stx_signMessage": {m{"message": `"03"`}, with(m{"messageType": `"structured"`, "domain": domain},
			"network", "address", "publicKey", "pubkey", "stxAddress", "account", "accountIndex", "version")},
		"stx_signStructuredMessage": {
			m{"message": `"03"`, "domain": domain},
			with(m{}, "network", "address", "publicKey", "pubkey", "stxAddress", "account", "accountIndex", "version"),
		},
		"sendTransfer":         {m{"recipients": `[{"address":"` + payment0 + `","amount":"5000"}]`}, m{"network": `"regtest"`, "account": `1`, "address": quote(payment0), "amount": `"7"`}},
		"signPsbt":             {m{"psbt": psbt}, m{"hex": psbtHex, "signInputs": `[1]`, "signAtIndex": `1`, "allowedSighash": `["NONE"]`, "broadcast": `true`, "network": `"mainnet"`, "account": `1`}},
		"signMessage":          {m{"message": `"x"`}, m{"address": quote(payment0), "protocol": `"ECDSA"`, "paymentType": `"p2tr"`, "type": `"legacy"`, "network": `"mainnet"`, "account": `1`}},
		"wallet_connect":       {nil, m{"addresses": `["stacks"]`, "message": `"hello"`, "network": `"Mainnet"`, "permissions": `[]`}},
		"getAccounts":          {m{"purposes": `["payment"]`}, m{"message": `"hello"`}},
		"wallet_getAccount":    {nil, m{"network": `"mainnet"`}},
		"wallet_getNetwork":    {nil, m{"network": `"mainnet"`}},
		"getBalance":           {nil, m{"network": `"mainnet"`}},
		"wallet_changeNetwork": {m{"name": `"Signet"`}, nil},
		"open":                 {nil, m{"mode": `"popup"`}},
		"openSwap":             {nil, m{"base": `"STX"`, "quote": `"BTC"`}},
	}
}

// shaped returns the params that a wallet wants in another form than the plain one.
func shaped(who provider.Personality, method string, must map[string]string, psbtHex string) map[string]string {
	must = maps.Clone(must)
	switch {
	case who == provider.PlayLeather && method == "signPsbt":
		delete(must, "psbt")
		must["hex"] = psbtHex
	case who == provider.PlayXverse && method == "sendTransfer":
		must["recipients"] = strings.Replace(must["recipients"], `"5000"`, `5000`, 1)
	case who == provider.PlayXverse && method == "signMessage":
		must["address"] = quote(payment0)
	}
	return must
}

// testRing is shared: to derive its keys takes longer than a request.
var testRing = sync.OnceValue(keys.NewTestRing)

// watcher is a mock wallet with test keys that writes down what is described
// and what is dropped.
type watcher struct {
	*provider.Mock
	described []string
	signed    int
	ignored   []string
}

func newWatcher(who provider.Personality) *watcher {
	w := &watcher{}
	ring := testRing()
	w.Mock = provider.NewMock(who, provider.NewSigning(provider.SigningOptions{
		Env: func(context.Context) signer.Env { return signer.Env{Keys: ring, Network: "testnet"} },
		Approver: signer.Approver(func(_ context.Context, d signer.Description) (signer.Decision, error) {
			w.signed++
			text, err := json.Marshal(d)
			w.described = append(w.described, string(text))
			return signer.Decision{Approved: true}, err
		}),
	}))
	w.OnIgnored = func(_ context.Context, _ string, names []string) { w.ignored = append(w.ignored, names...) }
	w.Grant()
	return w
}

func object(params map[string]string) json.RawMessage {
	var members []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		members = append(members, quote(name)+":"+params[name])
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// outcome sends a request and returns the error of the envelope, if there is one, and the
// result.
func (w *watcher) outcome(t testing.TB, method string, params json.RawMessage) (string, *jsonrpc.Error) {
	t.Helper()
	envelope, err := w.Request(t.Context(), method, params)
	var rejection *provider.Rejection
	if errors.As(err, &rejection) {
		envelope, err = rejection.Value, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	reply, err := jsonrpc.ParseReply(envelope)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Error != nil {
		var e jsonrpc.Error
		if err := json.Unmarshal(reply.Error, &e); err != nil {
			t.Fatal(err)
		}
		return "", &e
	}
	return string(reply.Result), nil
}

// without are params that change nothing here: there is no window to open, all
// networks have the same coins, and no input of the PSBT requests a sighash.
var without = map[string]bool{"open mode": true, "openSwap base": true, "openSwap quote": true, "getBalance network": true, "signPsbt allowedSighash": true}

func TestNoParamIsDroppedInSilence(t *testing.T) {
	all := samples(t)
	_, psbtHex := testPSBT(t)
	for _, who := range provider.Personalities() {
		for _, method := range who.Model().Methods() {
			s, known := all[method]
			if !known {
				continue
			}
			must := shaped(who, method, s.must, psbtHex)
			base := newWatcher(who)
			plain, failure := base.outcome(t, method, object(must))
			if failure != nil {
				t.Errorf("%s %s %s: %v", who, method, object(must), failure)
				continue
			}
			more := maps.Clone(s.may)
			if more == nil {
				more = map[string]string{}
			}
			more["madeUp"] = `"x"`
			for name, value := range more {
				if name == "version" || must[name] != "" || without[method+" "+name] {
					continue
				}
				if who == provider.PlayXverse && method != "signPsbt" {
					value = cmp.Or(map[string]string{"broadcast": `false`, "protocol": `"BIP322"`}[name], value)
				}
				params := mergedParams(must, map[string]string{name: value})
				w := newWatcher(who)
				result, failure := w.outcome(t, method, object(params))
				switch {
				case failure != nil:
				case slices.Contains(w.ignored, name):
					if len(w.described) > 0 && !strings.Contains(w.described[0], `"ignored":[`+quote(name)) && !strings.Contains(w.described[0], `"ignored":["`) {
						t.Errorf("%s %s: %s is ignored and not described so: %s", who, method, name, w.described[0])
					}
				case result == plain && slices.Equal(w.described, base.described):
					t.Errorf("%s %s: %s is dropped in silence", who, method, name)
				}
			}
		}
	}
}

func TestEveryDeclaredParamHasASample(t *testing.T) {
	all := samples(t)
	for _, m := range signer.Methods() {
		if m.Entry != "" {
			continue // TestAnEntryThatIsWrongMissingOrUnknownSignsNothing
		}
		for _, p := range m.Params {
			if s := all[m.Name]; s.must[p.Name] == "" && s.may[p.Name] == "" {
				t.Errorf("%s: %s is tried nowhere", m.Name, p.Name)
			}
			if all[m.Name].must[p.Name] == "" && !p.Optional {
				t.Errorf("%s: %s must be given", m.Name, p.Name)
			}
		}
	}
}

func TestAnEntryThatIsWrongMissingOrUnknownSignsNothing(t *testing.T) {
	right := `{"address":` + quote(payment0) + `,"message":"x"}`
	for params, path := range map[string]string{
		`null`: "params: ", `{}`: "params: ", `"x"`: "params: ", `[5]`: "[0]: ", `[` + right + `,[]]`: "[1]: ",
		`[` + right + `,{"message":"x"}]`:                                                              "[1].address: is missing",
		`[` + right + `,{"address":` + quote(payment0) + `}]`:                                          "[1].message: is missing",
		`[{"address":5,"message":"x"},` + right + `]`:                                                  "[0].address: ",
		`[{"address":"tb1","message":"x"}]`:                                                            "[0].address: ",
		`[{"address":` + quote(payment0) + `,"message":[]}]`:                                           "[0].message: ",
		`[{"address":` + quote(payment0) + `,"message":"x","protocol":5}]`:                             "[0].protocol: ",
		`[{"address":` + quote(payment0) + `,"message":"x","protocol":"moon"}]`:                        "[0].protocol: ",
		`[` + right + `,{"address":` + quote(payment0) + `,"message":"x","madeUp":1}]`:                 "[1].madeUp: is not a param",
		`[{"address":"tb1pdvsyq63vvg6rpxddu6w0p2xk5smkmqevhlrqfvqm50mmwg76t5eqwl3kfa","message":"x"}]`: "[0].address: ",
	} {
		for _, who := range []provider.Personality{provider.PlayChainscope, provider.PlayXverse} {
			w := newWatcher(who)
			_, failure := w.outcome(t, "signMultipleMessages", json.RawMessage(params))
			if failure == nil || failure.Code != jsonrpc.InvalidParams && failure.Code != jsonrpc.MethodAddressMismatch || !strings.HasPrefix(failure.Message, path) || w.signed > 0 {
				t.Errorf("%s %s: %v after %d approvals, want %s", who, params, failure, w.signed, path)
			}
		}
	}
}

// refusalCode returns what a wallet answers to bad params.
func refusalCode(who provider.Personality, method, what string) int {
	if who == provider.PlayLeather && method == "stx_signMessage" && what == "is missing" {
		return jsonrpc.InvalidRequest // Leather takes it for a request without params
	}
	return jsonrpc.InvalidParams
}

func TestAParamThatIsWrongMissingOrUnknownSignsNothing(t *testing.T) {
	all := samples(t)
	_, psbtHex := testPSBT(t)
	for _, who := range provider.Personalities() {
		for _, method := range who.Model().Methods() {
			s, known := all[method]
			if !known {
				continue
			}
			must := shaped(who, method, s.must, psbtHex)
			refused := func(what, path string, params map[string]string) {
				t.Helper()
				w := newWatcher(who)
				_, failure := w.outcome(t, method, object(params))
				if failure == nil || failure.Code != refusalCode(who, method, what) || !strings.HasPrefix(failure.Message, path) || w.signed > 0 {
					t.Errorf("%s %s: %s %s: %v after %d approvals", who, method, path, what, failure, w.signed)
				}
			}
			for name := range must {
				missing := maps.Clone(must)
				delete(missing, name)
				refused("is missing", name, missing)
			}
			for name := range mergedParams(must, s.may) {
				if name == "version" || method == "sendTransfer" && name != "recipients" && name != "network" && name != "account" || ignoredBy(who, method, name, must) {
					continue
				}
				wrong := maps.Clone(must)
				if wrong == nil {
					wrong = map[string]string{}
				}
				wrong[name] = `[[]]`
				if name == "network" {
					wrong[name] = `[]`
				}
				refused("has a wrong type", name, wrong)
			}
			if who == provider.PlayChainscope {
				extra := maps.Clone(must)
				if extra == nil {
					extra = map[string]string{}
				}
				extra["madeUp"] = `1`
				refused("is unknown", "madeUp: is not a param of "+method, extra)
			}
			for _, params := range []string{`[1]`, `"x"`, `5`, `true`} {
				w := newWatcher(who)
				if _, failure := w.outcome(t, method, json.RawMessage(params)); failure == nil || failure.Code != jsonrpc.InvalidParams || !strings.HasPrefix(failure.Message, "params: must be an object") || w.signed > 0 {
					t.Errorf("%s %s %s: %v", who, method, params, failure)
				}
			}
		}
	}
}

func mergedParams(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, b)
	return out
}

// ignoredBy reports whether the wallet drops a param of a valid request.
func ignoredBy(who provider.Personality, method, name string, must map[string]string) bool {
	if who == provider.PlayChainscope {
		return name == "permissions"
	}
	w := newWatcher(who)
	params := mergedParams(must, map[string]string{name: `"x"`})
	envelope, err := w.Request(context.Background(), method, object(params))
	_, _ = envelope, err
	return slices.Contains(w.ignored, name)
}

func TestEveryBadClarityValueIsRefusedBothWays(t *testing.T) {
	type value struct {
		Name  string
		Valid *bool
		Input json.RawMessage
	}
	bad := 0
	for _, c := range vectors.Cases[value](t, "clarity-values.json") {
		if c.Valid == nil || *c.Valid {
			continue
		}
		bad++
		for _, method := range []string{"stx_callContract", "stx_signStructuredMessage"} {
			params := `{"contract":"` + contract + `","functionName":"f","functionArgs":[` + string(c.Input) + `]}`
			path := "functionArgs[0]"
			if method == "stx_signStructuredMessage" {
				params, path = `{"message":`+string(c.Input)+`,"domain":"03"}`, "message"
			}
			for _, raw := range []bool{true, false} {
				w := newWatcher(provider.PlayChainscope)
				err := request(t, w, raw, method, params)
				var e *jsonrpc.Error
				if !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams || !strings.HasPrefix(e.Message, path) || w.signed > 0 {
					t.Errorf("%s, %s, raw %v: %v", c.Name, method, raw, err)
				}
			}
		}
	}
	if bad == 0 {
		t.Error("there are no invalid vectors")
	}
}

package signer

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

const (
	somebody = "SP1BHFJ5GAA7ZX6ZJQ8BSAPFNMAACB89DDGSTNAND"
	account0 = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	account1 = "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"
	contract = somebody + ".market-v2"
)

func testEnv() Env { return Env{Keys: keys.NewTestRing()} }

func TestBadParamsAreRefusedWithPathAndRule(t *testing.T) {
	domain := `{"type":"tuple","value":{"name":{"type":"ascii","value":"a"},"version":{"type":"ascii","value":"1"},"chain-id":{"type":"uint","value":"1"}}}`
	for _, c := range []struct {
		method, params string
		code           int
		path, rule     string
	}{
		{"stx_nothing", `{}`, -32601, "", "stx_nothing"},
		{"stx_updateProfile", `{}`, -32601, "", "stx_updateProfile"},
		{"stx_signMessage", `[]`, -32602, "params", "must be an object"},
		{"stx_signMessage", `{"message":"\ud800"}`, -32602, "message", "surrogate"},
		{"stx_signMessage", ``, -32602, "message", "is missing"},
		{"stx_signMessage", `{"message":null}`, -32602, "message", "is missing"},
		{"stx_signMessage", `{"message":1}`, -32602, "message", "must be a string, here a number"},
		{"stx_signMessage", `{"message":"x","network":"moonnet"}`, -32602, "network", "must be one of"},
		{"stx_signMessage", `{"message":"x","network":true}`, -32602, "network", "must be one of"},
		{"stx_signMessage", `{"message":"x","publicKey":"02aa"}`, -32602, "publicKey", "66 hexadecimal digits"},
		{"stx_signMessage", `{"message":"x","publicKey":"02` + strings.Repeat("11", 32) + `"}`, -32001, "publicKey", "not one of the wallet's"},
		{"stx_signMessage", `{"message":"x","address":"` + somebody + `"}`, -32001, "address", "not one of the wallet's"},
		{"stx_signMessage", `{"message":"x","network":"testnet","address":"` + account0 + `"}`, -32001, "address", "on testnet"},
		{"stx_signMessage", `{"message":"x","address":"bob"}`, -32602, "address", "must be a Stacks address"},
		{"stx_transferStx", `{"amount":"1"}`, -32602, "recipient", "is missing"},
		{"stx_transferStx", `{"amount":"1","recipient":"` + somebody[:len(somebody)-1] + `"}`, -32602, "recipient", "must be a Stacks address"},
		{"stx_transferStx", `{"recipient":"` + somebody + `"}`, -32602, "amount", "is missing"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"0"}`, -32602, "amount", "from 1 to 18446744073709551615"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"18446744073709551616"}`, -32602, "amount", "from 1"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":1.5}`, -32602, "amount", "decimal string"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":-1}`, -32602, "amount", "from 1"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"1e3"}`, -32602, "amount", "from 1"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":{}}`, -32602, "amount", "from 1"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":1,"memo":"` + strings.Repeat("é", 18) + `"}`, -32602, "memo", "has 36 bytes"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":1,"fee":"x"}`, -32602, "fee", "from 0"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":1,"nonce":true}`, -32602, "nonce", "from 0"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":1,"sponsored":"yes"}`, -32602, "sponsored", "true or false"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":1,"broadcast":0}`, -32602, "broadcast", "true or false"},
		{"stx_callContract", `{"contract":"` + somebody + `","functionName":"f"}`, -32602, "contract", "must be ADDRESS.NAME"},
		{"stx_callContract", `{"contract":"` + contract + `"}`, -32602, "functionName", "is missing"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"1f"}`, -32602, "functionName", "must be a letter"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","functionArgs":{}}`, -32602, "functionArgs", "must be an array"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","functionArgs":["03","0100"]}`, -32602, "functionArgs[1]", "must be a Clarity value"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","functionArgs":[{"type":"list","value":[{"type":"uint","value":"x"}]}]}`, -32602, "functionArgs[0].value[0].value", "must be an integer"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","functionArgs":[7]}`, -32602, "functionArgs[0]", "here a number"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","postConditions":["00"]}`, -32602, "postConditions[0]", "must be a post-condition"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","postConditions":[{"type":"stx-postcondition","address":"origin","condition":"eq"}]}`, -32602, "postConditions[0].amount", "must be an integer"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","postConditions":[1]}`, -32602, "postConditions[0]", "a number"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","postConditionMode":"maybe"}`, -32602, "postConditionMode", `"deny"`},
		{"stx_deployContract", `{"name":"1","clarityCode":""}`, -32602, "name", "must be a letter"},
		{"stx_deployContract", `{"name":"` + strings.Repeat("a", 41) + `","clarityCode":""}`, -32602, "name", "1 to 40"},
		{"stx_deployContract", `{"name":"a"}`, -32602, "clarityCode", "is missing"},
		{"stx_deployContract", `{"name":"a","clarityCode":"","clarityVersion":"7"}`, -32602, "clarityVersion", "1 to 6"},
		{"stx_deployContract", `{"name":"a","clarityCode":"","clarityVersion":0}`, -32602, "clarityVersion", "1 to 6"},
		{"stx_deployContract", `{"name":"a","clarityCode":"","clarityVersion":"Clarity2"}`, -32602, "clarityVersion", "1 to 6"},
		{"stx_signStructuredMessage", `{"domain":` + domain + `}`, -32602, "message", "is missing"},
		{"stx_signStructuredMessage", `{"message":"03"}`, -32602, "domain", "is missing"},
		{"stx_signStructuredMessage", `{"message":"03","domain":"03"}`, -32602, "domain", "must be a tuple"},
		{"stx_signStructuredMessage", `{"message":"03","domain":{"type":"tuple","value":{}}}`, -32602, "domain.name", "is missing"},
		{"stx_signStructuredMessage", `{"message":"03","domain":` + strings.Replace(domain, `"uint"`, `"int"`, 1) + `}`, -32602, "domain.chain-id", "is of type int, must be a uint"},
		{"stx_signStructuredMessage", `{"message":"03","domain":` + strings.Replace(domain, "ascii", "utf8", 1) + `}`, -32602, "domain.name", "must be a string-ascii"},
		{"stx_signStructuredMessage", `{"message":"03","domain":` + strings.Replace(domain, "version", "revision", 1) + `}`, -32602, "domain.version", "is missing"},
		{"stx_signTransaction", `{}`, -32602, "transaction", "is missing"},
		{"stx_signTransaction", `{"transaction":"00"}`, -32602, "transaction", "must be a Stacks transaction"},
		{"stx_transferSip10Ft", `{"recipient":"` + somebody + `","amount":"1","asset":"x"}`, -32602, "asset", "CONTRACT::TOKEN"},
		{"stx_transferSip10Ft", `{"recipient":"` + somebody + `","asset":"` + contract + `::a"}`, -32602, "amount", "is missing"},
		{"stx_transferSip9Nft", `{"recipient":"` + somebody + `","asset":"` + contract + `::a"}`, -32602, "assetId", "is missing"},
		{"getAddresses", `{"network":"x"}`, -32602, "network", "must be one of"},
	} {
		_, err := Parse(c.method, json.RawMessage(c.params), testEnv())
		var wrong *jsonrpc.Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s %s: %v, want a JSON-RPC error", c.method, c.params, err)
			continue
		}
		if wrong.Code != c.code || !strings.HasPrefix(wrong.Message, c.path) || !strings.Contains(wrong.Message, c.rule) {
			t.Errorf("%s %s: %v, want %d, the path %q and %q", c.method, c.params, wrong, c.code, c.path, c.rule)
		}
	}
}

func TestADescriptionWarnsOfWhatIsOdd(t *testing.T) {
	for _, c := range []struct {
		method, params string
		want           WarningKind
		path           string
	}{
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5"}`, WarnMainnet, "network"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5"}`, WarnPublicKeys, ""},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5"}`, WarnLocalNonce, "nonce"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5"}`, WarnDefaultFee, "fee"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5","fee":"6"}`, WarnHighFee, "fee"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"50000000","fee":"1000001"}`, WarnHighFee, "fee"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5","memo":"a\u202eb"}`, WarnHidden, "memo"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5","network":"testnet"}`, WarnNetwork, "recipient"},
		{"stx_transferStx", `{"recipient":"` + account0 + `","amount":"5"}`, WarnSelf, "recipient"},
		{"stx_transferStx", `{"recipient":"` + somebody + `","amount":"5","address":"` + account1 + `"}`, WarnAccount, "address"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","postConditionMode":"allow"}`, WarnAllowMode, "postConditionMode"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f"}`, WarnNoPostConditions, "postConditions"},
		{"stx_callContract", `{"contract":"` + contract + `","functionName":"f","functionArgs":[{"type":"some","value":{"type":"tuple","value":{"k":{"type":"utf8","value":"\u200b"}}}}]}`, WarnHidden, "functionArgs[0].k"},
		{"stx_deployContract", `{"name":"a","clarityCode":"(ok \u0007)"}`, WarnHidden, "clarityCode"},
		{"stx_signMessage", `{"message":"\u001b[2J"}`, WarnHidden, "message"},
		{"stx_signStructuredMessage", `{"message":"03","domain":{"type":"tuple","value":{"domain":{"type":"ascii","value":"a"},"version":{"type":"ascii","value":"1"},"chain-id":{"type":"uint","value":"7"}}}}`, WarnChainID, "domain.chain-id"},
		{"stx_getAccounts", `{}`, WarnAppKey, ""},
	} {
		call, err := Parse(c.method, json.RawMessage(c.params), testEnv())
		if err == nil {
			call, err = call.Prepare(t.Context())
		}
		if err != nil {
			t.Errorf("%s %s: %v", c.method, c.params, err)
			continue
		}
		found := false
		for _, w := range call.Describe().Warnings {
			found = found || w.Kind == c.want && w.Path == c.path && w.Text != ""
		}
		if !found {
			t.Errorf("%s %s: warnings %v, want %s of %q", c.method, c.params, call.Describe().Warnings, c.want, c.path)
		}
	}
}

// chain is a source that has one nonce and one fee.
type chain struct {
	nonce, fee uint64
	err        error
	epoch      string // "" where nobody can say it
	requested  []string
}

func (c *chain) Epoch(context.Context, bool) (string, error) { return c.epoch, c.err }

func (c *chain) Impersonates(context.Context, string) (bool, error) { return false, c.err }

func (c *chain) NextNonce(_ context.Context, address string) (uint64, error) {
	c.requested = append(c.requested, address)
	return c.nonce, c.err
}

func (c *chain) Fee(_ context.Context, tx *stxtx.Transaction) (uint64, error) {
	tx.Auth.Origin.Nonce = 99 // the call must not mind
	return c.fee, c.err
}

func TestNonceAndFeeComeFromParamsThenChainThenHere(t *testing.T) {
	local := &LocalNonces{}
	local.Used(account0, 4)
	for _, c := range []struct {
		name, params string
		source       Source
		nonce, fee   uint64
		from         Origin
	}{
		{"params", `,"nonce":7,"fee":"8"`, &chain{nonce: 1, fee: 2}, 7, 8, FromParams},
		{"chain", ``, &chain{nonce: 1, fee: 2}, 1, 2, FromChain},
		{"chain that cannot be read", ``, &chain{err: errors.New("offline")}, 5, DefaultFee, FromLocal},
		{"no chain", ``, nil, 5, DefaultFee, FromLocal},
	} {
		env := testEnv()
		env.Source, env.Local = c.source, local
		call, err := Parse("stx_transferStx", json.RawMessage(`{"recipient":"`+somebody+`","amount":1`+c.params+`}`), env)
		if err != nil {
			t.Fatal(err)
		}
		if c.from != FromParams {
			if _, err := call.Sign(t.Context()); err == nil {
				t.Errorf("%s: signed without nonce and fee", c.name)
			}
		}
		prepared, err := call.Prepare(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := prepared.Describe().Transaction; d.Nonce != c.nonce || d.Fee != c.fee || d.NonceFrom != c.from || d.FeeFrom != c.from {
			t.Errorf("%s: %+v, want nonce %d, fee %d from %s", c.name, d, c.nonce, c.fee, c.from)
		}
	}
	env := testEnv()
	env.Local = local
	run(t, env, "stx_transferStx", map[string]any{"recipient": somebody, "amount": 1})
	if got := local.Next(account0); got != 6 {
		t.Errorf("the next local nonce is %d, want 6", got)
	}
}

func TestAnEditedFeeMakesANewCallThatIsDecidedAgain(t *testing.T) {
	fee, nonce := uint64(77), uint64(12)
	var seen []Description
	text, err := runRequest(t.Context(), "stx_transferStx", json.RawMessage(`{"recipient":"`+somebody+`","amount":"1000","fee":5,"nonce":1}`), testEnv(),
		Approver(func(_ context.Context, d Description) (Decision, error) {
			if seen = append(seen, d); len(seen) == 1 {
				return Decision{Approved: true, Edit: Edit{Fee: &fee, Nonce: &nonce}}, nil
			}
			return Decision{Approved: true}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[0].Transaction.Fee != 5 || seen[1].Transaction.Fee != 77 || seen[1].Transaction.Nonce != 12 || seen[1].Transaction.FeeFrom != FromUser {
		t.Fatalf("described %+v", seen)
	}
	var out struct{ Transaction string }
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	signed, err := stxtx.DecodeHex(out.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	if err := signed.Verify(); err != nil {
		t.Error(err)
	}
	described, err := stxtx.DecodeHex(seen[1].Transaction.Unsigned)
	if err != nil {
		t.Fatal(err)
	}
	described.Auth.Origin.Signature = signed.Auth.Origin.Signature
	if a, _ := signed.Hex(); a != out.Transaction {
		t.Error("read back differently")
	}
	if a, _ := described.Hex(); a != out.Transaction {
		t.Error("what was signed is not what was described last")
	}
	call, err := Parse("stx_signMessage", json.RawMessage(`{"message":"x"}`), testEnv())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call.Edit(Edit{Fee: &fee}); err == nil {
		t.Error("a message takes a fee")
	}
}

func TestARefusedRequestSignsNothing(t *testing.T) {
	local := &LocalNonces{}
	env := testEnv()
	env.Local = local
	never := Approver(func(context.Context, Description) (Decision, error) { return Decision{}, nil })
	_, err := runRequest(t.Context(), "stx_transferStx", json.RawMessage(`{"recipient":"`+somebody+`","amount":1}`), env, never)
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || refused.Code != jsonrpc.UserRejection || refused.Message != "User rejected the request" {
		t.Errorf("%v, want -32000", err)
	}
	if local.Next(account0) != 0 {
		t.Error("a nonce was used")
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runRequest(canceled, "stx_signMessage", json.RawMessage(`{"message":"x"}`), env, always); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

func TestAnAddressOfAnotherAccountSelectsThatAccount(t *testing.T) {
	got := run(t, testEnv(), "stx_signMessage", map[string]any{"message": "x", "address": account1})
	if want := "03121507b88c654be90c0973965b73f5b25597c393eb95b0a206d4217ee725582a"; got["publicKey"] != want {
		t.Errorf("signed by %s, want %s", got["publicKey"], want)
	}
	env := testEnv()
	env.Account = 3
	transfer, err := Parse("stx_transferStx", json.RawMessage(`{"recipient":"`+somebody+`","amount":1,"nonce":0,"fee":0,"address":"`+account1+`"}`), env)
	if err != nil {
		t.Fatal(err)
	}
	unsigned := transfer.Describe().Transaction.Unsigned
	call, err := Parse("stx_signTransaction", encode(t, map[string]string{"transaction": "0x" + unsigned}), env)
	if err != nil {
		t.Fatal(err)
	}
	if d := call.Describe(); d.Account.Index != 1 || !d.Account.Selected || d.Transfer.Amount != 1 {
		t.Errorf("%+v", d)
	}
	if _, err := Parse("stx_signTransaction", encode(t, map[string]string{"transaction": unsigned, "network": "testnet"}), env); err == nil {
		t.Error("a mainnet transaction is signed on testnet")
	}
	env.Network = "testnet"
	if call, err = Parse("stx_signTransaction", encode(t, map[string]string{"transaction": unsigned}), env); err != nil || call.Describe().Network.Name != "mainnet" {
		t.Errorf("the network of the transaction does not decide: %v", err)
	}
}

func TestTokenTransfersCallTransferUnderAnExactPostCondition(t *testing.T) {
	call, err := Parse("stx_transferSip10Ft", json.RawMessage(`{"recipient":"`+somebody+`","asset":"`+contract+`::coin","amount":"42"}`), testEnv())
	if err != nil {
		t.Fatal(err)
	}
	d := call.Describe()
	var args []string
	for _, arg := range d.Call.Args {
		args = append(args, clarity.Repr(arg.Value))
	}
	if got, want := strings.Join(args, " "), "u42 '"+account0+" '"+somebody+" none"; got != want || d.Call.Function != "transfer" || d.Call.Contract != contract {
		t.Errorf("%s %s, want %s", d.Call.Function, got, want)
	}
	if got, want := d.Transaction.PostConditions[0].Words(), account0+" must send exactly 42 units of "+contract+"::coin"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	call, err = Parse("stx_transferSip9Nft", json.RawMessage(`{"recipient":"`+somebody+`","asset":"`+contract+`::ape","assetId":{"type":"uint","value":"7"}}`), testEnv())
	if err != nil {
		t.Fatal(err)
	}
	d = call.Describe()
	if got, want := d.Transaction.PostConditions[0].Words(), account0+" must send u7 of "+contract+"::ape"; got != want || len(d.Call.Args) != 3 {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestADeployIsDescribedWithLinesAndHash(t *testing.T) {
	call, err := Parse("stx_deployContract", json.RawMessage(`{"name":"ping","clarityCode":"(define-public (ping)\n (ok true))\n","clarityVersion":null}`), testEnv())
	if err != nil {
		t.Fatal(err)
	}
	d := call.Describe().Deploy
	if d.Lines != 2 || d.ClarityVersion != 6 || d.Contract != account0+".ping" || len(d.SHA256) != 64 {
		t.Errorf("%+v", d)
	}
}

// What is logged and kept of an answer is masked by the name of the member: the bridge's
// WithoutSecrets.
func TestAnAppKeyIsStoredUnderItsNameAlone(t *testing.T) {
	env := testEnv()
	answer := string(encode(t, run(t, env, "stx_getAccounts", nil)))
	key, err := env.Keys.GaiaAppsKey(0)
	if err != nil {
		t.Fatal(err)
	}
	member := `"gaiaAppKey":"` + key.Reveal() + `"`
	if strings.Count(answer, member) != 2 || strings.Count(answer, key.Reveal()) != 2 {
		t.Errorf("%s", answer)
	}
}

func TestTheNetworksAreListed(t *testing.T) {
	env := testEnv()
	env.Network = "devnet"
	got := encode(t, run(t, env, "stx_getNetworks", nil))
	for _, want := range []string{`"active":"devnet"`, `{"chainId":"1","id":"mainnet","transactionVersion":"0"}`, `{"chainId":"2147483648","id":"testnet","transactionVersion":"128"}`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s, want %s in it", got, want)
		}
	}
}

func TestEveryMethodIsListedWithItsParams(t *testing.T) {
	known := map[string]bool{}
	for _, m := range Methods() {
		known[m.Name] = true
		for _, p := range m.Params {
			if p.Name == "" || p.About == "" || m.Title == "" {
				t.Errorf("%s: %+v", m.Name, p)
			}
		}
	}
	for _, name := range []string{
		"getAddresses", "stx_getAddresses", "stx_getAccounts", "stx_getNetworks", "stx_transferStx", "stx_callContract", "stx_deployContract",
		"stx_signMessage", "stx_signStructuredMessage", "stx_signTransaction", "stx_transferSip10Ft", "stx_transferSip9Nft",
	} {
		if !known[name] {
			t.Errorf("%s is not listed", name)
		}
	}
}

func TestEveryMessageSignatureVerifies(t *testing.T) {
	ring := keys.NewTestRing()
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.String().Draw(t, "message")
		account := rapid.Uint32Range(0, 5).Draw(t, "account")
		text, err := json.Marshal(map[string]string{"message": message})
		if err != nil {
			t.Fatal(err)
		}
		key, err := ring.Stacks(account)
		if err != nil {
			t.Fatal(err)
		}
		out, err := runRequest(context.Background(), "stx_signMessage", text, Env{Keys: ring, Account: account}, always)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Signature, PublicKey string }
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		var rsv [65]byte
		if b, err := hex.DecodeString(got.Signature); err != nil || copy(rsv[:], b) != 65 {
			t.Fatalf("signature %s, %v", got.Signature, err)
		}
		public := key.PublicKey()
		verifies := func() bool {
			signed, err := stxtx.Recover(MessageHash(message), stxtx.Signature(append([]byte{rsv[64]}, rsv[:64]...)))
			return err == nil && bytes.Equal(signed.SerializeCompressed(), public[:])
		}
		if !verifies() {
			t.Fatal("it does not verify")
		}
		rsv[rapid.IntRange(0, 63).Draw(t, "byte")] ^= 1
		if verifies() {
			t.Fatal("it verifies with a flipped bit")
		}
	})
}

func FuzzParams(f *testing.F) {
	env := testEnv()
	for _, file := range []string{"stx-transactions.json", "stx-sign-transaction.json", "messages.json", "structured-messages.json"} {
		for _, c := range signingVectors(f, file) {
			method := c.Method
			if method == "" {
				method = map[string]string{"messages.json": "stx_signMessage", "structured-messages.json": "stx_signStructuredMessage"}[file]
			}
			f.Add(method, []byte(encode(f, c.Params)))
		}
	}
	f.Add("stx_transferSip10Ft", []byte(`{"recipient":"`+somebody+`","asset":"`+contract+`::a","amount":1}`))
	f.Add("stx_transferSip9Nft", []byte(`{"recipient":"`+somebody+`","asset":"`+contract+`::a","assetId":"03"}`))
	f.Add("getAddresses", []byte(`{"network":"testnet"}`))
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		call, err := Parse(method, params, env)
		if err != nil {
			var wrong *jsonrpc.Error
			if !errors.As(err, &wrong) || wrong.Code == jsonrpc.InternalError {
				t.Fatalf("%s %s: %v", method, params, err)
			}
			return
		}
		if call, err = call.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(call.Describe()); err != nil {
			t.Fatal(err)
		}
		if _, err := call.Sign(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

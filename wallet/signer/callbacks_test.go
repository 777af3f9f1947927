package signer_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

func TestWhatFunctionsWithCallbacksHandOnIsTaken(t *testing.T) {
	const options = `,"appDetails":{"name":"a dapp"},"userSession":{"appConfig":{}},"authOrigin":"https://x","anchorMode":3,"onFinish":null`
	const sp = "SP000000000000000000002Q6VF78"
	env := signer.Env{Keys: keys.NewTestRing()}
	parse := func(method, params string) (signer.Call, error) {
		return signer.Parse(method, json.RawMessage(params), env)
	}
	for method, params := range map[string][2]string{ // as it is needed, and as it is said once more
		"stx_transferStx":    {`"recipient":"` + sp + `","amount":"5"`, `"stxAddress":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"`},
		"stx_callContract":   {`"contract":"` + sp + `.pool","functionName":"f","functionArgs":["03"]`, `"contractAddress":"` + sp + `","contractName":"pool"`},
		"stx_deployContract": {`"name":"c","clarityCode":"(ok 1)"`, `"contractName":"c","codeBody":"(ok 1)"`},
		"stx_signMessage":    {`"message":"hello"`, `"version":"1"`},
	} {
		plain, err := parse(method, "{"+params[0]+"}")
		if err != nil {
			t.Fatal(err)
		}
		full, err := parse(method, "{"+params[0]+","+params[1]+options+"}")
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		d := full.Describe()
		if want := []string{"anchorMode", "appDetails", "authOrigin", "userSession"}; !slices.Equal(d.Ignored, want) {
			t.Errorf("%s ignores %v, want %v", method, d.Ignored, want)
		}
		d.Ignored = nil
		if got, want := jsonOf(t, d), jsonOf(t, plain.Describe()); got != want {
			t.Errorf("%s is described as\n%s\nwant\n%s", method, got, want)
		}
	}
	for what, c := range map[string]struct{ method, params, path string }{
		"another contract":      {"stx_callContract", `"contract":"` + sp + `.pool","functionName":"f","contractAddress":"` + sp + `","contractName":"other"`, "contract: "},
		"half of a contract":    {"stx_callContract", `"contract":"` + sp + `.pool","functionName":"f","contractName":"pool"`, "contractAddress: "},
		"no contract":           {"stx_callContract", `"functionName":"f","contractAddress":"` + sp + `","contractName":"pool"`, "contract: is missing"},
		"another source":        {"stx_deployContract", `"name":"c","clarityCode":"(ok 1)","codeBody":"(ok 2)"`, "codeBody: "},
		"another name":          {"stx_deployContract", `"name":"c","clarityCode":"(ok 1)","contractName":"d"`, "contractName: "},
		"an option of nobody":   {"stx_signMessage", `"message":"hello","appIcon":"x"`, "appIcon: "},
		"an option elsewhere":   {"sendTransfer", `"recipients":[],"appDetails":{}`, "appDetails: "},
		"only the old contract": {"stx_deployContract", `"contractName":"c","codeBody":"(ok 1)"`, "name: "},
	} {
		if _, err := parse(c.method, "{"+c.params+"}"); err == nil || !strings.HasPrefix(err.Error(), "JsonRpcError (-32602): "+c.path) {
			t.Errorf("%s: %v, want %s", what, err, c.path)
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

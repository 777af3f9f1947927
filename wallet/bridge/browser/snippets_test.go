//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/screen/walletpane/params"
	"chainscope/tui/screen/walletpane/snippet"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
)

// declared holds the declarations of the wallets in a page: their objects on window have no published types.
const declared = "declare global { interface Window { [wallet: string]: any } }\nexport {};\n"

// copied is a request that a page makes by its copied JavaScript, and what the wallet answers to the request itself.
type copied struct {
	File string          `json:"file"`
	Want json.RawMessage `json:"want"`
}

// copier copies requests to a wallet as JavaScript, and makes them itself.
type copier struct {
	*workshop
	of     provider.Personality
	name   string // of its files
	wallet *service.Service
	count  int
	all    []copied
}

func (w *workshop) write(path, code string) {
	w.t.Helper()
	path = filepath.Join(w.js(), path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(code), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// copy writes a request as JavaScript, once to be compiled and once to be run, and makes it. One that the
// wallet refuses is compiled only.
func (c *copier) copy(method string, raw json.RawMessage, without bool) error {
	id := json.RawMessage(fmt.Sprintf("%q", c.of.ID()))
	call := snippet.Call{Method: method, Params: raw, Options: map[string]json.RawMessage{"provider": id}}
	if without {
		call = snippet.Call{Kind: snippet.Raw, Method: method, Params: raw, Raw: c.of.ID()}
	}
	code := snippet.JavaScript(call, snippet.Wallet{}, c.of.ID())
	request, library := service.Request{Method: method, Params: raw, Options: call.Options, Raw: call.Raw}, "connect"
	if !strings.Contains(code, "@stacks/connect") {
		request.Options, request.Raw = nil, c.of.ID()
	}
	if strings.Contains(code, "sats-connect'") || strings.Contains(code, "@sats-connect/core'") {
		library = "sats"
	}
	c.count++
	name := fmt.Sprintf("%s-%d-%s", c.name, c.count, method)
	c.write("typed/"+library+"/"+name+".ts", code)
	c.write("dapp/snippets/"+name+".mjs", code+"export { result };\n")
	o := c.wallet.Request(c.t.Context(), request)
	if o.Err == nil {
		c.all = append(c.all, copied{"snippets/" + name + ".mjs", o.Result})
	}
	return o.Err
}

// round is a wallet, an account and a network.
type round struct {
	of      provider.Personality
	account uint32
	network string
}

// rounds returns each wallet once, and under CHAINSCOPE_LONG each with three accounts on two networks.
func rounds() (all []round) {
	accounts, networks := []uint32{0, 3, 6}, []string{"mainnet", "testnet"}
	for i, p := range provider.Personalities() {
		if os.Getenv("CHAINSCOPE_LONG") == "" {
			all = append(all, round{p, accounts[i], networks[i%2]})
			continue
		}
		for _, account := range accounts {
			for _, network := range networks {
				all = append(all, round{p, account, network})
			}
		}
	}
	return all
}

// The copied JavaScript of each method passes the types of the library that it imports, and run in a
// page it gets what the request itself gets.
func copiedJavaScript(w *workshop) {
	args := []string{"drive-snippets.mjs", chromium(w.t), w.dapp}
	for i, r := range rounds() {
		p := r.of
		o := service.Options{Account: r.account, Network: r.network, Behaviour: provider.Approves}
		context, err := params.NewContext(keys.NewTestRing(), o.Account, o.Network)
		if err != nil {
			w.t.Fatal(err)
		}
		name := fmt.Sprintf("%d-%s", i, p)
		c, ofPages := &copier{workshop: w, of: p, name: name, wallet: w.wallet(o)}, w.wallet(o)
		if err := ofPages.StartBridge(service.BridgeOptions{Addr: "127.0.0.1:0", As: p, AllowOrigin: []string{strings.TrimSuffix(w.dapp, "/")}}); err != nil {
			w.t.Fatal(err)
		}
		for _, f := range inOrder(p) {
			draft, err := context.Example(f.Method)
			if err != nil {
				w.t.Fatal(err)
			}
			raw, err := f.Params(draft)
			if err != nil {
				w.t.Fatal(err)
			}
			if err := c.copy(f.Method, raw, false); err != nil {
				w.t.Fatalf("%s of %s: %v", f.Method, p, err)
			}
			_ = c.copy(f.Method, raw, true) // a wallet may want the params as its own library writes them
			for _, other := range otherwise(w.t, f.Method, raw, context.Mine, r.network) {
				_ = c.copy(f.Method, other, false)
				_ = c.copy(f.Method, other, true)
			}
		}
		for _, method := range p.Model().Methods() {
			if _, formed := params.Of(method); !formed {
				_ = c.copy(method, nil, false) // one that leaves has others refused
			}
		}
		list, err := json.Marshal(c.all)
		if err != nil {
			w.t.Fatal(err)
		}
		w.write(name+".json", string(list))
		args = append(args, name+"="+ofPages.State().Bridge.URL)
	}
	for _, library := range []string{"connect", "sats"} { // each declares window in its own way
		w.write("typed/"+library+"/window.d.ts", declared)
		w.write("typed/"+library+"/tsconfig.json", `{"compilerOptions":{"noEmit":true,"strict":true,"skipLibCheck":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","moduleDetection":"force"}}`)
		w.run(w.js(), "node", "node_modules/typescript/bin/tsc", "--project", "typed/"+library)
	}
	w.follow(w.start(nil, w.js(), "node", args...), nil)
}

// otherwise returns other params of a method, which the wallets take and the types of the libraries may not.
func otherwise(t *testing.T, method string, raw json.RawMessage, mine params.Addresses, network string) (all []json.RawMessage) {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given) // a list stays as it is
	with := func(members string) {
		more := map[string]json.RawMessage{}
		maps.Copy(more, given)
		if err := json.Unmarshal([]byte(members), &more); err != nil {
			t.Fatal(err)
		}
		maps.DeleteFunc(more, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
		out, err := json.Marshal(more)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out)
	}
	switch method {
	case "signMessage":
		with(`{"protocol":"ECDSA"}`)
		with(`{"address":null}`)
	case "signPsbt":
		with(`{"signInputs":[0]}`)
		with(`{"signInputs":[{"index":0}],"allowedSighash":["ALL","DEFAULT"]}`)
		with(`{"signInputs":{"` + mine.P2WPKH + `":[0]}}`)
	case "stx_callContract":
		with(`{"functionArgs":["0x03","04"],"postConditionMode":"allow"}`)
		with(`{"functionArgs":["0x03",{"type":"false"}]}`)
	case "stx_signStructuredMessage":
		with(`{"message":"0100000000000000000000000000000001"}`)
	case "stx_transferStx":
		with(`{"fee":"500","nonce":7,"sponsored":true}`)
	case "wallet_connect":
		with(`{"addresses":["ordinals"],"network":"` + strings.ToUpper(network[:1]) + network[1:] + `"}`) // it switches the wallet
	case "wallet_getAccount", "getBalance":
		with(`{"network":"mainnet"}`)
	case "stx_signMessage":
		with(`{"messageType":"utf8"}`)
	}
	return all
}

// wallet returns one that nobody has used yet; it sends nothing.
func (w *workshop) wallet(o service.Options) *service.Service {
	w.t.Helper()
	s, err := service.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { s.Close() })
	return s
}

// inOrder returns the forms of what a wallet has: a page connects first, and switches the network last.
func inOrder(p provider.Personality) []params.Form {
	place := map[string]int{"wallet_connect": -1, "wallet_changeNetwork": 1}
	forms := slices.DeleteFunc(params.All(), func(f params.Form) bool { return !p.Model().Has(f.Method) })
	slices.SortStableFunc(forms, func(a, b params.Form) int { return place[a.Method] - place[b.Method] })
	return forms
}

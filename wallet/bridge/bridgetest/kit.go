// Package bridgetest gives a Go test a Stacks wallet that answers as configured, and
// the chain behind it: the same that the npm package chainscope gives to Playwright.
//
// A handler is tested without a browser by Kit.Request, which calls the wallet as a
// page does. For a browser driven by chromedp or rod, Kit.Provider is the script to
// run in every new document:
//
//	page.AddScriptToEvaluateOnNewDocument(provider).Do(ctx) // chromedp
//	page.MustEvalOnNewDocument(provider)                    // rod
//
// The package is for tests alone. It must not import mockserver: the chain is given
// to it as an http.Handler.
package bridgetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"

	"chainscope/wallet/bridge"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
)

// DefaultOrigin is that of the page that [Kit.Request] plays.
const DefaultOrigin = "http://localhost:3000"

// Options of a [Kit]. All may be zero.
type Options struct {
	// Mock serves the chain, such as a mockserver.Server; it is served on loopback
	// while the kit lives. API is the URL of one that runs elsewhere, with /w/NAME
	// for a world of it. With neither there is no chain: what is signed is not sent.
	Mock http.Handler
	API  string

	Wallet  string   // that pages see: chainscope (also ""), leather or xverse
	Network string   // of calls that name none; "" is mainnet
	Account uint32   // from 0
	Origins []string // beyond loopback, whose pages may call

	// AllowHosts are further hosts that pages may reach; with OpenPages they may reach any, and
	// the public APIs themselves. Otherwise the script of [Kit.Provider] lets the chain
	// answer for the public APIs, and what else would leave this machine is stopped and
	// fails the test.
	AllowHosts []string
	OpenPages  bool
}

// Kit is a wallet and its chain. It is safe for concurrent use.
type Kit struct {
	// Chain is the chain behind the wallet, nil for none.
	Chain *Chain

	wallet          *service.Service
	url             string
	client          *http.Client
	mock            *httptest.Server // nil when the kit serves none
	nextUndescribed int64            // what was requested and is not described before, see Undescribed

	mu     sync.Mutex
	seen   []bridge.NumberedCall // that came and Next has not returned
	after  uint64
	failed []error // of expectations, and requests of pages beyond this machine
	stubs  []stub  // newest first
}

// TB holds what [Start] needs of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// Start returns a kit that ends with the test. What was expected and did not come,
// and what came unexpected, fails the test then. Where the test fails, it is reported why
// transactions did not succeed.
func Start(t TB, o Options) *Kit {
	t.Helper()
	k, err := New(o)
	if err != nil {
		t.Fatalf("bridgetest: %v", err)
		return nil
	}
	t.Cleanup(func() {
		if err := k.Verdict(); err != nil {
			t.Errorf("the wallet was not used as this test says\n%v", err)
		}
		if failing, ok := t.(interface{ Failed() bool }); ok && failing.Failed() {
			if why := k.Failures(); why != "" {
				t.Errorf("a transaction of this test did not succeed\n%s", why)
			}
			if file, err := k.Undescribed(); err == nil && file != "" {
				t.Errorf("this test calls contracts that are not described; describe them with Chain.Contract, or write what they answer into this file:\n%s", file)
			}
		}
		k.Close()
	})
	return k
}

// New returns a kit. Call Close in the end.
func New(o Options) (*Kit, error) {
	k := &Kit{client: &http.Client{Transport: &http.Transport{}}}
	api := o.API
	if o.Mock != nil {
		k.mock = httptest.NewServer(o.Mock)
		api = k.mock.URL
	}
	if err := k.start(o, api); err != nil {
		k.Close()
		return nil, err
	}
	k.skipUndescribed()
	return k, nil
}

// skipUndescribed lets [Kit.Undescribed] begin now.
func (k *Kit) skipUndescribed() {
	if answer, err := k.undescribed(math.MaxInt64); err == nil { // else the API is no mock
		k.mu.Lock()
		defer k.mu.Unlock()
		k.nextUndescribed = answer.Next
	}
}

func (k *Kit) start(o Options, api string) error {
	wallet := provider.PlayChainscope
	if o.Wallet != "" {
		var err error
		if wallet, err = provider.ParsePersonality(o.Wallet); err != nil {
			return err
		}
	}
	options := service.Options{Account: o.Account, Network: o.Network, Behaviour: provider.Rejects}
	var mock, local *url.URL
	if api != "" {
		client, err := node.New(node.Options{BaseURL: api, Transport: k.client.Transport})
		if err != nil {
			return err
		}
		if mock, err = url.Parse(api); err != nil {
			return err
		}
		local = client.Local()
		options.Node, options.Nonces = client, node.NewNonces(client)
		options.Source = provider.ChainSource{Client: client, Nonces: options.Nonces}
		k.Chain = &Chain{k}
	}
	var err error
	if k.wallet, err = service.New(options); err != nil {
		return err
	}
	go func() { // nobody reads what the wallet would tell the user
		for {
			if _, open := k.wallet.Next(context.Background()); !open {
				return
			}
		}
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	k.url = "http://" + listener.Addr().String()
	pages := service.BridgeOptions{Listener: listener, As: wallet, AllowOrigin: o.Origins, Script: &bridge.Script{}, Unattended: true, Mock: mock}
	if local != nil && !o.OpenPages {
		k.isolate(&pages, o)
	}
	return k.wallet.StartBridge(pages)
}

// Close ends the wallet, and the mock that the kit serves.
func (k *Kit) Close() {
	if k.wallet != nil {
		k.wallet.Close()
	}
	if k.mock != nil {
		k.mock.Close()
	}
	k.client.CloseIdleConnections()
}

// URL returns where the bridge listens, such as http://127.0.0.1:41234.
func (k *Kit) URL() string { return k.url }

// Provider returns the script that gives a page the wallet.
func (k *Kit) Provider() (string, error) {
	body, err := k.send(context.Background(), http.MethodGet, "/.chainscope/provider.js", "", nil)
	return string(body), err
}

// Request calls the wallet as a page of [DefaultOrigin] does. Params is what
// encoding/json takes, nil for none. The error of the wallet is a *jsonrpc.Error.
func (k *Kit) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	return k.RequestFrom(ctx, DefaultOrigin, method, params)
}

// RequestFrom is [Kit.Request] of a page of another origin.
func (k *Kit) RequestFrom(ctx context.Context, origin, method string, params any) (json.RawMessage, error) {
	envelope := map[string]any{"jsonrpc": "2.0", "id": "1", "method": method}
	if params != nil {
		envelope["params"] = params
	}
	body, err := k.send(ctx, http.MethodPost, "/.chainscope/rpc", origin, envelope)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Result json.RawMessage `json:"result"`
		Error  *jsonrpc.Error  `json:"error"`
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return nil, fmt.Errorf("the bridge's answer: %w", err)
	}
	if reply.Error != nil {
		return nil, reply.Error
	}
	return reply.Result, nil
}

// SwitchAccount makes another account the active one.
func (k *Kit) SwitchAccount(account uint32) error { return k.wallet.SetAccount(account) }

// SwitchNetwork changes the network of calls that name none.
func (k *Kit) SwitchNetwork(name string) error { return k.wallet.SetNetwork(name) }

// NextCall waits for the next call of a method, "*" for any, that it has not
// returned yet.
func (k *Kit) NextCall(ctx context.Context, method string) (bridge.NumberedCall, error) {
	for {
		if call, found := k.receive(method); found {
			return call, nil
		}
		k.mu.Lock()
		after := k.after
		k.mu.Unlock()
		var answer struct {
			Calls []bridge.NumberedCall `json:"calls"`
			Next  uint64                `json:"next"`
		}
		if err := k.control(ctx, http.MethodGet, fmt.Sprintf("calls?after=%d&wait=30s", after), nil, &answer); err != nil {
			return bridge.NumberedCall{}, fmt.Errorf("no call of %s came: %w", method, err)
		}
		k.mu.Lock()
		if k.after == after { // nobody else has read them
			k.after, k.seen = answer.Next, append(k.seen, answer.Calls...)
		}
		k.mu.Unlock()
	}
}

// receive returns the oldest call of a method that came.
func (k *Kit) receive(method string) (bridge.NumberedCall, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, c := range k.seen {
		if method == "*" || method == c.Method {
			k.seen = append(k.seen[:i:i], k.seen[i+1:]...)
			return c, true
		}
	}
	return bridge.NumberedCall{}, false
}

// Reset forgets expectations, calls and what pages were granted, for the next case of
// a test that has several. Ask [Kit.Verdict] first: what did not come is forgotten too.
func (k *Kit) Reset() error {
	if err := k.control(context.Background(), http.MethodPost, "reset", nil, nil); err != nil {
		return err
	}
	k.skipUndescribed()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen, k.after, k.failed, k.stubs = nil, 0, nil, nil
	return nil
}

// control calls a control route of the bridge.
func (k *Kit) control(ctx context.Context, method, route string, body, into any) error {
	text, err := k.send(ctx, method, bridge.ControlPrefix+route, "", body)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 20

// send sends a request to the bridge. An answer other than 200 is an error with
// what the bridge says is wrong.
func (k *Kit) send(ctx context.Context, method, path, origin string, body any) ([]byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, k.url+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if origin != "" {
		request.Header.Set("Origin", origin)
	}
	response, err := k.client.Do(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK {
		return text, nil
	}
	var refused struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(text, &refused) != nil || refused.Message == "" {
		refused.Message = string(bytes.TrimSpace(text))
	}
	return nil, fmt.Errorf("%s %s answers %d: %s", method, path, response.StatusCode, refused.Message)
}

// Chain is the chain behind the wallet.
type Chain struct{ kit *Kit }

// Mine mines blocks at once.
func (c *Chain) Mine(blocks int) error { return c.do("mine", map[string]int{"blocks": blocks}) }

// Snapshot saves the state of everything under a name.
func (c *Chain) Snapshot(name string) error { return c.do("snapshot", map[string]string{"name": name}) }

// Revert goes back to a snapshot: the chain, and the wallet's connections.
func (c *Chain) Revert(to string) error { return c.do("revert", map[string]string{"to": to}) }

// Advance moves the clock on.
func (c *Chain) Advance(d time.Duration) error {
	return c.do("clock", map[string]string{"advance": d.String()})
}

// Reorg replaces the newest blocks; their transactions wait for the next one.
func (c *Chain) Reorg(depth int) error { return c.do("reorg", map[string]int{"depth": depth}) }

// Drop drops a transaction that waits, for "stale_garbage_collect" if reason is "", or for
// "too_expensive" or "problematic". What comes after its nonce waits.
func (c *Chain) Drop(txid, reason string) error {
	body := map[string]string{"drop": txid}
	if reason != "" {
		body["reason"] = reason
	}
	return c.do("mempool", body)
}

// Hold keeps transactions waiting: blocks come and carry none, until Release.
func (c *Chain) Hold() error { return c.do("mempool", map[string]bool{"hold": true}) }

// Release ends Hold: the next block carries what waits.
func (c *Chain) Release() error { return c.do("mempool", map[string]bool{"hold": false}) }

// Fund gives an account a balance in micro-STX.
func (c *Chain) Fund(address string, balance uint64) error {
	return c.do("accounts", map[string]any{"address": address, "balance": balance})
}

// Read lets a read-only function answer a Clarity value, such as (ok u5). With
// args, only a call with these.
func (c *Chain) Read(contract, function, result string, args ...string) error {
	return c.Contract(contract, Answers{Reads: map[string][]Read{function: {{Args: args, Result: result}}}})
}

func (c *Chain) do(route string, body any) error {
	_, err := c.kit.send(context.Background(), http.MethodPost, bridge.MockPrefix+"v1/"+route, "", body)
	return err
}

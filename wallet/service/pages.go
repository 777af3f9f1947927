package service

import (
	"context"
	"encoding/json"
	"sync"

	"chainscope/wallet/bridge"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// maxPageWallets bounds how many origins have a wallet of their own at a time.
const maxPageWallets = 1024

// pageWallets are the mock wallets that pages talk to, one for each origin:
// what one page was granted is not granted to another.
type pageWallets struct {
	make func(origin string) *provider.Mock

	mu       sync.Mutex
	byOrigin map[string]*pageWallet
	uses     uint64
}

type pageWallet struct {
	mock *provider.Mock
	used uint64 // the use that was its last
}

func newPageWallets(make func(origin string) *provider.Mock) *pageWallets {
	return &pageWallets{make: make, byOrigin: map[string]*pageWallet{}}
}

// of returns the wallet of an origin. Beyond the bound the one that was not used
// for longest is forgotten.
func (w *pageWallets) of(origin string) *provider.Mock {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.uses++
	page, there := w.byOrigin[origin]
	if !there {
		if len(w.byOrigin) >= maxPageWallets {
			w.forgetOldest()
		}
		page = &pageWallet{mock: w.make(origin)}
		w.byOrigin[origin] = page
	}
	page.used = w.uses
	return page.mock
}

// forgetAll forgets what every page was granted.
func (w *pageWallets) forgetAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.byOrigin)
}

// each does something with the wallet of each origin.
func (w *pageWallets) each(do func(origin string, m *provider.Mock)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for origin, page := range w.byOrigin {
		do(origin, page.mock)
	}
}

// networkOf returns the network that the pages of an origin have switched to, ""
// when they follow the wallet.
func (w *pageWallets) networkOf(origin string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if page, there := w.byOrigin[origin]; there {
		return page.mock.OwnNetwork()
	}
	return ""
}

// forgetOldest forgets the least recently used wallet. The caller must hold
// w.mu.
func (w *pageWallets) forgetOldest() {
	oldest, used := "", w.uses
	for origin, page := range w.byOrigin {
		if page.used < used {
			oldest, used = origin, page.used
		}
	}
	delete(w.byOrigin, oldest)
}

// newPageWallet returns the wallet of an origin. Its events go to the pages of
// the origin.
func (b *runningBridge) newPageWallet(origin string) *provider.Mock {
	m := b.service.newMock(b.options.As)
	m.Origin = origin
	m.OnEvent = func(e provider.Event) { b.server.PublishTo(origin, e.Name, e.Payload) }
	return m
}

// pageOf describes the wallet that pages see.
func pageOf(p provider.Personality) bridge.Page {
	m := p.Model()
	page := bridge.Page{
		ID: m.ID, Name: m.Name, Version: m.Version, Methods: m.Methods(), Globals: m.Globals, Listen: m.Listen,
		Rejects: m.Rejects, IsLeather: m.Traits.IsLeather,
	}
	for _, f := range provider.Legacies {
		// The connection library recognizes Xverse by functions of sats-connect 1.
		if f.Library == provider.TokenLibrary || m.Traits.XverseFunctions {
			page.Legacy = append(page.Legacy, f.Function)
		}
	}
	return page
}

// answer runs the call of a page: by the script, or by the wallet of its origin.
func (b *runningBridge) answer(ctx context.Context, call bridge.Call) bridge.Answer {
	s := b.service
	ctx, c := s.begin(ctx, Call{
		Time: call.Arrived, Requester: Requester{FromPage, call.Origin}, Kind: KindPage, Method: call.Method, Params: call.Params,
	}, call.ID)
	var answer bridge.Answer
	if b.options.Script != nil || b.script.Len() > 0 {
		answer = b.byScript(ctx, c, call)
	} else {
		answer = b.byWallet(ctx, call)
	}
	if c.shown != nil {
		answer.Shown, _ = json.Marshal(c.shown) // a description always encodes
	}
	var err error
	if answer.Error != nil {
		err = answer.Error
	}
	ended := s.end(ctx, c, answer.Result, err)
	answer.Account = s.AccountOf(ended)
	return answer
}

// byWallet hands a call to the wallet of its origin.
func (b *runningBridge) byWallet(ctx context.Context, call bridge.Call) bridge.Answer {
	result, err := unwrapReply(b.wallets.of(call.Origin).Request(ctx, call.Method, call.Params))
	return bridge.Answer{Result: result, Error: err}
}

// byScript answers a call by the script. Approvals and rejections are left to
// the wallet, which checks the params first.
func (b *runningBridge) byScript(ctx context.Context, c *runningCall, call bridge.Call) bridge.Answer {
	rule, fits := b.script.Match(call)
	if !fits {
		return b.unexpected(ctx, c, call)
	}
	answer := b.byRule(ctx, c, call, rule)
	answer.Rule = rule.Rule
	return answer
}

// byRule answers a call as a rule says.
func (b *runningBridge) byRule(ctx context.Context, c *runningCall, call bridge.Call, rule bridge.ScriptAnswer) bridge.Answer {
	s := b.service
	if rule.Delay > 0 {
		if err := s.options.Sleep(ctx, rule.Delay); err != nil {
			return bridge.Answer{Error: jsonrpc.NewError(jsonrpc.InternalError, "the request was withdrawn")}
		}
	}
	switch rule.Kind {
	case bridge.ScriptResult:
		s.decide(c, ByScript)
		return bridge.Answer{Result: rule.Result}
	case bridge.ScriptError:
		s.decide(c, ByScript)
		return bridge.Answer{Error: &jsonrpc.Error{Code: rule.Code, Message: rule.Message}}
	}
	approved := rule.Kind == bridge.ScriptApprove
	c.scripted = &approved
	return b.byWallet(ctx, call)
}

// unexpected rejects a call that no rule fits, and remembers it unless the
// wallet has no such method: pages try methods of other wallets.
func (b *runningBridge) unexpected(ctx context.Context, c *runningCall, call bridge.Call) bridge.Answer {
	rejected := false
	c.scripted = &rejected
	answer := b.byWallet(ctx, call) // so that what would have been shown is known
	if !b.options.As.Model().Has(call.Method) {
		return answer
	}
	unexpected := b.script.Unexpected(call)
	b.service.decide(c, ByScript)
	e := signer.Rejected()
	if b.options.As == provider.PlayLeather {
		e.Code = jsonrpc.LeatherUserRejection
	}
	return bridge.Answer{Error: e, Unexpected: &unexpected}
}

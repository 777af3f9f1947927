package command

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"chainscope/wallet/bridge"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// bridgeDesk is where calls of web pages are decided: by the person at the
// terminal, by a script, or all alike.
type bridgeDesk struct {
	app      *app
	script   *bridge.Script  // nil without one
	approver signer.Approver // nil with a script
	prompter *prompter       // the approver, when it asks a person
	wallets  *pageWallets
}

// pageCall is a call on its way through the wallet. It travels in the context,
// as one engine serves all pages.
type pageCall struct {
	origin   string
	approved *bool // decided already by the script
	shown    json.RawMessage
}

type pageCallKey struct{}

func pageCallOf(ctx context.Context) *pageCall {
	call, _ := ctx.Value(pageCallKey{}).(*pageCall)
	return call
}

// answer is the bridge's Handler.
func (d *bridgeDesk) answer(ctx context.Context, call bridge.Call) bridge.Answer {
	page := &pageCall{origin: call.Origin}
	if d.script != nil {
		if answer, done := d.byScript(ctx, call, page); done {
			return answer
		}
	}
	answer := d.wallets.of(call.Origin).call(context.WithValue(ctx, pageCallKey{}, page), call)
	answer.Shown = page.shown
	if ctx.Err() != nil {
		d.tell("the page of %s has gone; its %s is withdrawn", call.Origin, call.Method)
	}
	return answer
}

// byScript finds the script's answer. Approvals and rejections are left to the
// wallet, which checks the params first.
func (d *bridgeDesk) byScript(ctx context.Context, call bridge.Call, page *pageCall) (bridge.Answer, bool) {
	answer, fits := d.script.Answer(call)
	if !fits {
		return bridge.Answer{Error: d.wallets.rejection()}, true
	}
	if answer.Delay > 0 {
		if err := d.app.streams.sleep(ctx, answer.Delay); err != nil {
			return bridge.Answer{Error: jsonrpc.NewError(jsonrpc.InternalError, "the request was withdrawn")}, true
		}
	}
	switch answer.Kind {
	case bridge.ScriptResult:
		return bridge.Answer{Result: answer.Result}, true
	case bridge.ScriptError:
		return bridge.Answer{Error: &jsonrpc.Error{Code: answer.Code, Message: answer.Message}}, true
	}
	approved := answer.Kind == bridge.ScriptApprove
	page.approved = &approved
	return bridge.Answer{}, false
}

// Approve decides about a description, and keeps what was shown.
func (d *bridgeDesk) Approve(ctx context.Context, description signer.Description) (signer.Decision, error) {
	page := pageCallOf(ctx)
	if page == nil {
		return signer.Decision{}, errors.New("a request of no page")
	}
	shown, err := json.Marshal(description)
	if err != nil {
		return signer.Decision{}, err
	}
	page.shown = shown
	if page.approved != nil {
		return signer.Decision{Approved: *page.approved}, nil
	}
	d.tell("")
	d.tell("%s asks", page.origin)
	return d.approver.Approve(ctx, description)
}

// report tells the person what became of a signed transaction.
func (d *bridgeDesk) report(sent provider.Sent) {
	var notSent *node.NotSentError
	switch {
	case sent.Err == nil:
		d.tell("sent to the mock chain: %s", sent.TxID)
	case errors.As(sent.Err, &notSent):
		d.tell("not sent: %s", notSent.Reason)
	default:
		d.tell("refused by the mock chain: %v", sent.Err)
	}
}

// askOrigin asks the person whether pages of an origin may talk to the wallet.
func (d *bridgeDesk) askOrigin(ctx context.Context, origin string) (bridge.OriginDecision, error) {
	d.prompter.turn.Lock()
	defer d.prompter.turn.Unlock()
	d.tell("")
	d.tell("%s wants to talk to the wallet for the first time", origin)
	answer, err := d.prompter.ask(ctx, "allow it? a allows, b blocks it for good [a/b/N] ")
	switch {
	case err != nil:
		return bridge.RefuseOrigin, err
	case strings.EqualFold(answer, "a"):
		return bridge.AllowOrigin, nil
	case strings.EqualFold(answer, "b"):
		return bridge.BlockOrigin, nil
	}
	return bridge.RefuseOrigin, nil
}

// pageWallets are the wallets that pages see, one for each origin: what one was
// granted is not another's.
type pageWallets struct {
	personality provider.Personality
	engine      provider.Engine

	mu       sync.Mutex
	byOrigin map[string]*pageWallet
}

// maxPageWallets bounds how many origins are kept apart at a time.
const maxPageWallets = 1024

func newPageWallets(p provider.Personality, e provider.Engine) *pageWallets {
	return &pageWallets{personality: p, engine: e, byOrigin: map[string]*pageWallet{}}
}

func (w *pageWallets) of(origin string) *pageWallet {
	w.mu.Lock()
	defer w.mu.Unlock()
	wallet, there := w.byOrigin[origin]
	if !there {
		if len(w.byOrigin) >= maxPageWallets {
			clear(w.byOrigin)
		}
		wallet = &pageWallet{provider.NewMock(w.personality, w.engine)}
		w.byOrigin[origin] = wallet
	}
	return wallet
}

// rejection is how the wallet says that the user refused.
func (w *pageWallets) rejection() *jsonrpc.Error {
	e := signer.Rejected()
	if w.personality == provider.PlayLeather {
		e.Code = jsonrpc.LeatherUserRejection
	}
	return e
}

// pageWallet is a mock wallet whose envelopes are opened again.
type pageWallet struct{ mock *provider.Mock }

func (w *pageWallet) call(ctx context.Context, call bridge.Call) bridge.Answer {
	text, err := w.mock.Request(ctx, call.Method, call.Params)
	var rejection *provider.Rejection
	if errors.As(err, &rejection) {
		text, err = rejection.Value, nil
	}
	var envelope struct {
		Result json.RawMessage
		Error  *jsonrpc.Error
	}
	if err == nil {
		err = json.Unmarshal(text, &envelope)
	}
	if err != nil {
		return bridge.Answer{Error: jsonrpc.NewError(jsonrpc.InternalError, "the wallet gave no answer that can be read")}
	}
	return bridge.Answer{Result: envelope.Result, Error: envelope.Error}
}

// origins keeps decisions about origins on disk. They are read again for each
// call.
type origins struct{ kept *service.Strings }

// Access is what was decided.
func (o origins) Access(origin string) (bridge.Access, error) {
	value, _, err := o.kept.Get(origin)
	switch access := bridge.Access(value); access {
	case bridge.Allowed, bridge.Blocked:
		return access, err
	}
	return bridge.Unknown, err
}

// SetAccess keeps a decision.
func (o origins) SetAccess(origin string, access bridge.Access) error {
	if access == bridge.Unknown {
		return o.kept.Remove(origin)
	}
	return o.kept.Set(origin, string(access))
}

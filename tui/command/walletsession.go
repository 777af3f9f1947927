package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// walletSession is the connection library with the mock wallets behind it, for
// one command.
type walletSession struct {
	app     *app
	flags   *walletFlags
	library *wallet.Library
	// options are the library's options of the command's request.
	options wallet.Options

	ring *keys.Ring
	node *walletNode
	// notes are what a person should know beside the result.
	notes []string
}

// openSession makes the library on what was remembered. Keys and chain come
// with [walletSession.open], for commands that sign.
func (a *app) openSession(flags *walletFlags) (*walletSession, error) {
	store, err := a.openStore(a.notice)
	if err != nil {
		return nil, err
	}
	s := &walletSession{app: a, flags: flags}
	registry := &wallet.Registry{}
	registry.RegisterWBIP(provider.Descriptor{ID: provider.ChainscopeID, Name: "chainscope (terminal)"})
	s.library = wallet.New(wallet.Config{
		Storage: service.NewStrings(store, service.StorageDocument), Registry: registry,
		Selector: wallet.SelectorFunc(s.selectRow),
		Warn:     func(message string, err error) { s.note("%s %v", message, err) },
	})
	for _, p := range provider.Personalities() {
		registry.SetObject(p.ID(), provider.NewMock(p, provider.EngineFunc(errNoKeys)))
	}
	return s, nil
}

// errNoKeys answers for a session that was not opened.
func errNoKeys(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return nil, jsonrpc.NewError(jsonrpc.InternalError, "the wallet has no keys")
}

// open puts keys, chain and approval behind the mock wallets. The result is to
// be closed.
func (s *walletSession) open(approver signer.Approver) (err error) {
	if s.ring, err = s.app.ring(s.flags); err != nil {
		return err
	}
	if s.node, err = s.app.openNode(); err != nil {
		return err
	}
	env := s.flags.env()
	env.Keys = s.ring
	options := provider.SigningOptions{
		Env:      func() signer.Env { return env },
		Approver: s.warning(approver),
		Report:   s.report,
	}
	if s.node != nil {
		env.Source, options.Node, options.Nonces = s.node.source, s.node.client, s.node.nonces
	}
	engine := provider.NewSigning(options)
	for _, p := range provider.Personalities() {
		mock := provider.NewMock(p, engine)
		if s.library.SelectedProviderID() == p.ID() && s.library.IsConnected() {
			mock.Grant()
		}
		s.library.Registry().SetObject(p.ID(), mock)
	}
	return nil
}

func (s *walletSession) close() { s.node.close() }

// selectRow answers the library's selector: with the wallet that the flags
// name, else the remembered one, else ours. A row that is not there cannot be
// picked; then the selector is dismissed.
func (s *walletSession) selectRow(_ context.Context, rows []wallet.Row) (string, error) {
	wanted := s.flags.provider
	if wanted == "" {
		wanted = s.library.SelectedProviderID()
	}
	if wanted == "" || s.library.Registry().Lookup(wanted) == nil {
		wanted = provider.ChainscopeID
	}
	var there []string
	for _, r := range rows {
		if r.Installed {
			there = append(there, r.ID)
		}
	}
	if slices.Contains(there, wanted) {
		return wanted, nil
	}
	if len(there) == 0 {
		there = []string{"none that can be picked"}
	}
	s.note("the selector was dismissed: it has no row %s, it has %s", wanted, strings.Join(there, ", "))
	return "", wallet.ErrCanceled
}

// raw is the wallet that RequestRaw talks to.
func (s *walletSession) raw() provider.Provider {
	switch {
	case s.options.Provider != nil:
		return s.options.Provider
	case s.flags.provider != "":
		return s.library.Registry().Lookup(s.flags.provider)
	}
	if p := s.library.SelectedProvider(); p != nil {
		return p
	}
	return s.library.Registry().Lookup(provider.ChainscopeID)
}

// warning lets an approver decide, and notes that nonce or fee could not be
// asked for.
func (s *walletSession) warning(approver signer.Approver) signer.Approver {
	return signer.ApproverFunc(func(ctx context.Context, d signer.Description) (signer.Decision, error) {
		decision, err := approver.Approve(ctx, d)
		if err == nil && decision.Approved && decision.Edit == (signer.Edit{}) {
			for _, w := range d.Warnings {
				if w.Kind == signer.WarnLocalNonce || w.Kind == signer.WarnDefaultFee {
					s.note("warning: %s", w.Text)
				}
			}
		}
		return decision, err
	})
}

// report notes what became of a signed transaction.
func (s *walletSession) report(sent provider.Sent) {
	var notSent *node.NotSentError
	switch {
	case sent.Err == nil:
		s.note("sent to the mock chain: %s", sent.TxID)
	case errors.As(sent.Err, &notSent) && s.node == nil && !wantsNothing(notSent):
		s.note("not sent: %s; give --api the URL of a running mock to send it there", notSent.Reason)
	case errors.As(sent.Err, &notSent):
		s.note("not sent: %s", notSent.Reason)
	}
}

// wantsNothing tells whether nothing would be sent wherever the API is.
func wantsNothing(e *node.NotSentError) bool { return !strings.Contains(e.Reason, "no mock chain") }

func (s *walletSession) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// finish prints a result, or turns a failure into the command's. Notes go to
// stderr, but for a failure as JSON, which stands there alone.
func (s *walletSession) finish(ctx context.Context, result json.RawMessage, err error) error {
	if err == nil || !s.app.json() {
		for _, n := range s.notes {
			fmt.Fprintln(s.app.streams.Err, "chainscope: "+text.Line(n))
		}
	}
	if err != nil {
		return walletError(ctx, err)
	}
	if len(result) == 0 {
		result = json.RawMessage("null")
	}
	return s.app.printRaw(result)
}

// walletError sees a failure of a wallet or of the library as the command's.
func walletError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	var ours *Error
	var e *jsonrpc.Error
	var exception *wallet.Exception
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &e):
		return &Error{Kind: KindWallet, Message: e.Message, Code: e.Code, Data: e.Data, err: err}
	case errors.As(err, &exception):
		return &Error{Kind: KindWallet, Message: exception.Error(), err: err}
	}
	return err
}

// notice tells a person about a file of ours.
func (a *app) notice(message string) {
	if !a.json() {
		fmt.Fprintln(a.streams.Err, "chainscope: "+text.Line(message))
	}
}

// walletWords says a wallet's error for people: its message, code and data.
func walletWords(e *Error) string {
	words := strings.ReplaceAll(e.Message, "\n", " ")
	if code, ok := e.Code.(int); ok {
		name := jsonrpc.CodeName(code)
		if name != "" {
			name = ", " + name
		}
		words += fmt.Sprintf(" (wallet error %d%s)", code, name)
	}
	if len(e.Data) > 0 {
		words += "\n" + strings.ReplaceAll(string(e.Data), "\n", " ")
	}
	return words
}

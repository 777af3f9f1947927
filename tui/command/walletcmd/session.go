package walletcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/tui/text"
	"chainscope/wallet"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// walletSession is the wallet of one command.
type walletSession struct {
	*walletDesk
	// options are the library's options of the command's request.
	options map[string]json.RawMessage

	node *walletNode
	// notes hold what the user should know beside the result.
	notes []string
}

// inSession opens the wallet with what was remembered, but without keys and chain, for
// a command that signs nothing.
func inSession(app *cli.App, flags *Flags, run func(*cobra.Command, *walletSession) error) func(*cobra.Command, []string) error {
	return flags.checked(func(cmd *cobra.Command, _ []string) error {
		s, err := openSession(cmd.Context(), app, flags, service.Options{}, nil)
		if err != nil {
			return err
		}
		defer s.close()
		return run(cmd, s)
	})
}

// openSigning opens the wallet with keys and chain. How is the value of
// --approve.
func openSigning(ctx context.Context, a *cli.App, flags *Flags, how string) (*walletSession, error) {
	behaviour, prompter, err := behaviourOf(a, how)
	if err != nil {
		return nil, err
	}
	from, err := flags.keys(ctx, a)
	if err != nil {
		return nil, err
	}
	node, err := openNode(ctx, a)
	if err != nil {
		return nil, err
	}
	o := service.Options{Behaviour: behaviour, Keys: from}
	if node != nil {
		o.Node, o.Nonces, o.Source = node.client, node.nonces, node.source
	}
	s, err := openSession(ctx, a, flags, o, prompter)
	if err != nil {
		node.close()
		return nil, err
	}
	s.node = node
	if err := s.wallet.Fund(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func openSession(ctx context.Context, a *cli.App, flags *Flags, o service.Options, p *prompter) (s *walletSession, err error) {
	store, err := a.OpenStore(a.Notice)
	if err != nil {
		return nil, err
	}
	o.Store = store
	s = &walletSession{options: map[string]json.RawMessage{}}
	if s.walletDesk, err = openDesk(ctx, a, flags, o, p, s.add); err != nil {
		return nil, err
	}
	if o.Keys.Ring != nil || o.Keys.Watched != "" {
		s.wallet.ReadConnection()
	}
	return s, nil
}

func (s *walletSession) close() {
	s.walletDesk.close()
	s.node.close()
}

// raw returns the id of the wallet that RequestRaw talks to.
func (s *walletSession) raw() string {
	var id string
	if json.Unmarshal(s.options["provider"], &id) == nil && id != "" {
		return id
	}
	if s.flags.provider != "" {
		return s.flags.provider
	}
	if library := s.wallet.Library(); library.SelectedProvider() != nil {
		return library.SelectedProviderID()
	}
	return provider.ChainscopeID
}

// alarms returns the warnings without that of real coins, where anyone has the keys.
func alarms(all []signer.Warning) []signer.Warning {
	of := func(kind signer.WarningKind) func(signer.Warning) bool {
		return func(w signer.Warning) bool { return w.Kind == kind }
	}
	if !slices.ContainsFunc(all, of(signer.WarnPublicKeys)) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), of(signer.WarnMainnet))
}

// noteOutcome notes what the user should know of a request: who answered, for which
// network, the warnings that nobody was shown, and what became of the transaction.
func (s *walletSession) noteOutcome(o service.Outcome) {
	decision := o.Call.Decision
	if o.Shown != nil && (decision == service.Approved || decision == service.ApprovedAtOnce) {
		s.add("answered by %s", o.Call.By())
		for _, w := range alarms(o.Shown.Warnings) {
			// One who approved has read them; nonce and fee may have changed since.
			if decision == service.ApprovedAtOnce || w.Kind == signer.WarnLocalNonce || w.Kind == signer.WarnDefaultFee {
				s.add("warning: %s", w.Text)
			}
		}
		if len(o.Shown.Ignored) > 0 && decision == service.ApprovedAtOnce {
			s.add("warning: %s ignored %s", o.Call.Wallet, strings.Join(o.Shown.Ignored, ", "))
		}
	}
	if o.Err != nil {
		return
	}
	s.noteSent(o.Call, s.add)
}

func (s *walletSession) add(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// finish closes the session and prints the result of its request, or returns
// the failure as the command's. Notes go to stderr, except beside a failure as
// JSON, which is there alone.
func (s *walletSession) finish(ctx context.Context, o service.Outcome) error {
	s.close()
	s.noteOutcome(o)
	if o.Err == nil || !s.app.JSON() {
		for _, n := range s.notes {
			fmt.Fprintln(s.app.Streams.Err, "chainscope: "+text.Line(n))
		}
	}
	if o.Err != nil {
		return walletError(ctx, o.Err)
	}
	if len(o.Result) == 0 {
		o.Result = json.RawMessage("null")
	}
	return s.app.PrintRaw(ctx, o.Result)
}

// walletError returns a failure of a wallet or of the library as the command's.
func walletError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	var ours *cli.Error
	var e *jsonrpc.Error
	var exception *wallet.Exception
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &e):
		return &cli.Error{Kind: cli.KindWallet, Message: e.Message, Code: e.Code, Data: e.Data, Err: err}
	case errors.As(err, &exception):
		return &cli.Error{Kind: cli.KindWallet, Message: exception.Error(), Err: err}
	}
	return err
}

package walletcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/wallet"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

func newWalletRequest(app *cli.App, flags *Flags) *cobra.Command {
	var options []string
	var raw bool
	cmd := &cobra.Command{
		Use:         "request METHOD [PARAMS|@FILE|-]",
		Annotations: map[string]string{cli.AlwaysJSON: "true"},
		Short:       "Call a method of the wallet and print its result as JSON",
		Long: `Call a method of the wallet through the connection library and print its result
as JSON. PARAMS is a JSON object; @FILE reads it from a file, - from standard
input. No prior connection is needed.

With --approve ask, the request is described on standard error and signed once you
approve it. However it is approved, standard error says which wallet answered for
which account and network, and every warning. The wallet is the one that you
connected, unless --provider names another for this request. A signed Stacks transaction is sent only to a mock API on this
machine that --api names, never to a live network. A wallet's error ends the
command with exit code 7.`,
		Example: `  chainscope wallet request stx_signMessage '{"message":"hello"}'
  chainscope wallet request stx_transferStx @transfer.json --approve always --network testnet
  chainscope wallet request getAddresses --option provider='"LeatherProvider"' --approve always`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usagef("%s takes a method and at most its params, got %d arguments\nusage: chainscope wallet %s", cmd.CommandPath(), len(args), cmd.Use)
			}
			return nil
		},
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			var params json.RawMessage
			if len(args) == 2 {
				var err error
				if params, err = readParams(cmd.Context(), app, args[0], args[1]); err != nil {
					return err
				}
			}
			s, err := openSigning(cmd.Context(), app, flags, flags.approve)
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.setOptions(options, raw, false); err != nil {
				return err
			}
			request := service.Request{Method: args[0], Params: params, Options: s.options}
			if raw {
				request.Raw = s.raw()
			}
			o := s.wallet.Request(cmd.Context(), request)
			return wrongRequest(args, o.Call.Wallet, s.finish(cmd.Context(), o))
		}),
	}
	cmd.ValidArgsFunction = methodNames
	cmd.Flags().StringArrayVar(&options, "option", nil, "request option of the library as `name=JSON` (repeatable)")
	cmd.Flags().BoolVar(&raw, "raw", false, "hand method and params to the wallet as they are (requestRaw)")
	return cmd
}

// suggestMethod returns the method that a name means which none has, "" where none is near.
func suggestMethod(name string) string {
	var names []string
	for _, m := range signer.Methods() {
		if _, short, prefixed := strings.Cut(m.Name, "_"); strings.EqualFold(m.Name, name) || prefixed && strings.EqualFold(short, name) {
			return m.Name
		}
		names = append(names, m.Name)
	}
	return cli.Nearest(name, names)
}

// wrongRequest adds to the error of a wallet the unit of an amount, and a line that would be
// right: with the method that is meant, or one that describes its params.
func wrongRequest(args []string, of provider.Personality, err error) error {
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) {
		return err
	}
	e := cli.AsError(err)
	switch refused.Code {
	case jsonrpc.MethodNotFound:
		if m, exists := signer.Lookup(args[0]); exists {
			for _, p := range provider.Personalities() {
				if of != "" && !of.Model().Has(m.Name) && p.Model().Has(m.Name) {
					e.Message = strings.TrimSuffix(e.Message, ".") + "; --provider " + p.ID() + " has it"
				}
			}
			return e.Try("wallet", "methods", m.Name)
		}
		if suggestion := suggestMethod(args[0]); suggestion != "" {
			e.Message += "; did you mean " + suggestion + "?"
			return e.TryWord(args[0], suggestion)
		}
		return e.Try("wallet", "methods")
	case jsonrpc.InvalidParams:
		m, _ := signer.Lookup(args[0])
		for _, p := range m.Params {
			if p.Unit == "micro-STX" && strings.HasPrefix(refused.Message, p.Name+":") {
				e.Message += "; amounts are in micro-STX, 1000000 of which are 1 STX"
			}
		}
		return e.Try("wallet", "methods", args[0])
	}
	return err
}

// setOptions reads the options of the request. With --provider the library has
// to open its selector, and to remember what was selected only where that is wanted,
// unless the options say otherwise.
func (s *walletSession) setOptions(given []string, raw, remember bool) error {
	var checked wallet.Options
	for _, o := range given {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return cli.Usagef("--option: %q is not of the form name=JSON, such as enableOverrides=false", o)
		}
		if raw && name != "provider" {
			return cli.Usagef("--option %s: --raw takes no option but provider", name)
		}
		if err := s.wallet.Library().SetOption(&checked, name, json.RawMessage(value)); err != nil {
			return cli.Usagef("--option: %v", err)
		}
		s.options[name] = json.RawMessage(value)
	}
	if s.flags.provider != "" && checked.Provider == nil && checked.ForceWalletSelect == nil {
		s.options["forceWalletSelect"] = json.RawMessage("true")
	}
	if s.flags.provider != "" && checked.PersistWalletSelect == nil && !remember && !raw {
		s.options["persistWalletSelect"] = json.RawMessage("false")
	}
	return nil
}

// readParams reads the params of a method from an argument, a file or standard input.
func readParams(ctx context.Context, a *cli.App, method, arg string) (json.RawMessage, error) {
	raw, where, err := a.ReadArgument(ctx, "PARAMS", arg, jsonrpc.MaxRequestBytes)
	if err != nil {
		if e := cli.AsError(err); e.Kind == cli.KindUsage && e.Suggest == nil {
			return nil, e.Try("wallet", "methods", cmp.Or(suggestMethod(method), method))
		}
		return nil, err
	}
	raw = bytes.TrimSpace(raw)
	if problem := jsonProblem(raw); problem != "" {
		e := cli.Usagef("PARAMS%s is not JSON: %s\nuse an object such as '{\"message\":\"hello\"}'; chainscope wallet methods METHOD prints one to paste", where, problem).
			Try("wallet", "methods", cmp.Or(suggestMethod(method), method))
		if _, err := os.Stat(arg); err == nil {
			e.Message = fmt.Sprintf("PARAMS: %s is a file, and a file is written with @", arg)
			return nil, e.TryWord(arg, "@"+arg)
		}
		return nil, e
	}
	m, _ := signer.Lookup(method)
	if raw, err = m.WithLiterals(raw); err != nil {
		return nil, cli.Usagef("PARAMS: %v\nwrite a Clarity literal such as u1, its hexadecimal digits, or {\"type\":\"uint\",\"value\":\"1\"}", err)
	}
	return raw, nil
}

// jsonProblem returns why a text is no JSON, "" if it is. The text itself is not
// quoted.
func jsonProblem(raw []byte) string {
	if json.Valid(raw) {
		return ""
	}
	var v any
	err := json.Unmarshal(raw, &v)
	var syntax *json.SyntaxError
	switch {
	case len(raw) == 0:
		return "it is empty"
	case errors.As(err, &syntax):
		return fmt.Sprintf("%s, at byte %d", jsonrpc.SyntaxWords(syntax), syntax.Offset)
	}
	return "it cannot be read"
}

package walletcmd

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/tui/screen/walletpane/snippet"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

// methodNames completes the name of a method.
func methodNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, m := range signer.Methods() {
		names = append(names, cobra.CompletionWithDesc(m.Name, m.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func newWalletMethods(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "methods [METHOD]",
		Short: "List the wallet's methods, or explain one of them",
		Long: `List the wallet's methods and their params. With METHOD, explain its params and
print a request of it that can be pasted into a shell. The addresses in it are those
of the account; of a keystore, which stays closed, those of the public test mnemonic.`,
		Example: `  chainscope wallet methods
  chainscope wallet methods stx_transferStx --network testnet
  chainscope wallet methods signPsbt -o json --jq .example`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("%s takes at most one method, got %d arguments", cmd.CommandPath(), len(args))
			}
			return nil
		},
		ValidArgsFunction: methodNames,
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return explainMethod(app, cmd, flags, args[0])
			}
			methods := signer.Methods()
			slices.SortFunc(methods, func(a, b signer.Method) int { return strings.Compare(a.Name, b.Name) })
			if app.JSON() {
				return app.PrintJSON(cmd.Context(), methods)
			}
			t := cli.Table{Columns: cli.Columns("method", "params (? is optional)"), Bold: app.Color()}
			for _, m := range methods {
				var params []string
				for _, p := range m.Params {
					params = append(params, marked(p))
				}
				t.Add(m.Name, strings.Join(params, " "))
			}
			return t.Write(app.Streams.Out)
		}),
	}
}

// marked returns the name of a param, with ? when it may be left out.
func marked(p signer.Param) string {
	if p.Optional {
		return p.Name + "?"
	}
	return p.Name
}

// explainMethod prints one method with its params and an example.
func explainMethod(a *cli.App, cmd *cobra.Command, flags *Flags, name string) error {
	m, known := signer.Lookup(name)
	if !known {
		e := cli.Usagef("the wallet has no method %s", name)
		if suggestion := suggestMethod(name); suggestion != "" {
			e.Message += "; did you mean " + suggestion + "?"
			return e.TryWord(name, suggestion)
		}
		return e.Try("wallet", "methods")
	}
	typed, params, err := exampleOf(a, cmd, flags, m)
	if err != nil {
		return err
	}
	line := snippet.Command(snippet.Call{Method: m.Name, Params: typed}, snippet.Wallet{
		Account: flags.account, Network: flags.network, Keystore: flags.keystore, Mnemonic: flags.mnemonicFile,
	}, "")
	if a.JSON() {
		return a.PrintJSON(cmd.Context(), struct {
			signer.Method
			Example json.RawMessage `json:"example"` // null where the method needs no params
			Command string          `json:"command"`
		}{m, params, line})
	}
	if err := a.Print(m.Name + ": " + m.Title + "\n"); err != nil {
		return err
	}
	for _, list := range []struct {
		head   string
		params []signer.Param
	}{{"param (? is optional)", m.Params}, {"read too", m.Also}} {
		t := cli.Table{Columns: cli.Columns(list.head, "type", "what it is"), Bold: a.Color()}
		addParams(&t, "", list.params)
		if len(list.params) == 0 {
			continue
		}
		if err := t.Write(a.Streams.Out); err != nil {
			return err
		}
		if err := a.Print(""); err != nil {
			return err
		}
	}
	return a.Print(line)
}

// exampleOf returns params of a method as one types them, and as the wallet takes them.
func exampleOf(a *cli.App, cmd *cobra.Command, flags *Flags, m signer.Method) (typed, params json.RawMessage, err error) {
	source, err := flags.source(a)
	if err != nil {
		return nil, nil, err
	}
	ring := keys.NewTestRing()
	if source == keysOfMnemonic || source == keysOfProject {
		if ring, err = flags.ring(cmd.Context(), a); err != nil {
			return nil, nil, err
		}
	}
	n, _ := signer.NetworkNamed(flags.network)
	if typed, err = m.ExampleFor(ring, flags.account, n); err != nil {
		return nil, nil, err
	}
	params, err = m.WithLiterals(typed)
	return typed, params, err
}

// addParams explains params, and below a list the members of its items.
func addParams(t *cli.Table, list string, params []signer.Param) {
	for _, p := range params {
		kind, _ := p.Kind.MarshalText()
		about := []string{p.About}
		if p.Unit != "" && !strings.Contains(p.About, p.Unit) {
			about = append(about, "in "+p.Unit)
		}
		for _, more := range []struct {
			words string
			list  []string
		}{{"one of ", p.Choices}, {"also called ", p.Aliases}, {"of ", p.When}} {
			if len(more.list) > 0 {
				about = append(about, more.words+strings.Join(more.list, ", "))
			}
		}
		if about[0] == "" {
			about = about[1:]
		}
		name := marked(p)
		if p.Name == "" {
			name = strings.TrimSuffix(list, ".")
		} else {
			name = list + name
		}
		t.Add(name, string(kind), strings.Join(about, "; "))
		addParams(t, p.Name+"[].", p.Items)
	}
}

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

func newContract(app *cli.App) *cobra.Command {
	var flags listFlags
	source, face, printed := false, false, false
	cmd := &cobra.Command{
		Use:               "contract PRINCIPAL [--source | --abi | --prints]" + listUsage,
		Annotations:       map[string]string{cli.WithRows: strings.Join(columnsOf(resource.Prints(), nil, nil).known, ",")},
		Short:             "Show a contract: its functions, variables, maps and tokens",
		Args:              cli.ExactArgs(1),
		ValidArgsFunction: completeContract(app),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case source && face:
				return cli.Usagef("--source and --abi: give one of them; without either both are in -o json")
			case printed && (source || face):
				return cli.Usagef("--prints lists what the contract printed: give it without --source and --abi")
			case printed:
				if err := flags.check(cmd, 0, 0); err != nil {
					return err
				}
				return contractPrints(cmd.Context(), app, args[0], &flags)
			case flags.given(app) != "":
				return cli.Usagef("contract: --%s is for the list of what it printed: give it with --prints", flags.given(app))
			}
			return requestAndShow(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[resource.Contract], error) {
					answer, err := readContract(ctx, c, args[0])
					switch {
					case err != nil:
					case source:
						answer.Raw, err = json.Marshal(answer.Value.Source)
					case face:
						if answer.Raw = answer.Value.Interface(); answer.Raw == nil {
							err = &cli.Error{Kind: cli.KindNotFound, Message: args[0] + ": the API does not report its interface"}
						}
					}
					return answer, err
				},
				func(c resource.Contract) error {
					switch {
					case source:
						return printLines(app, c.Source)
					case face:
						return app.PrintText(string(c.Interface()))
					}
					return fieldsOf(app, resource.Contracts().Fields(c)).Write(app.Streams.Out)
				})
		},
	}
	cmd.Flags().BoolVar(&source, "source", false, "print its source alone")
	cmd.Flags().BoolVar(&face, "abi", false, "print its interface alone, as JSON")
	cmd.Flags().BoolVar(&printed, "prints", false, "list what its functions printed, the newest first")
	flags.register(cmd, 0, "prints", resource.Prints().Sortable())
	return cmd
}

// contractPrints prints what a contract printed.
func contractPrints(ctx context.Context, a *cli.App, principal string, flags *listFlags) error {
	return printList(ctx, a, flags, func(_ context.Context, c *apiclient.Client) (list[resource.Print], error) {
		l := placeList(tui.Prints(c, keymap.Default()), nav.Prints(principal))
		read := l.page
		l.page = func(ctx context.Context, c *apiclient.Client, at position) (page[resource.Print], error) {
			p, err := read(ctx, c, at)
			return p, wrongContract("contract", principal, err)
		}
		l.pageSize = tui.PrintsRead
		return l, nil
	})
}

// printLines prints a text of many lines; on a terminal without anything that it would
// obey.
func printLines(a *cli.App, of string) error {
	lines := strings.Split(strings.TrimSuffix(of, "\n"), "\n")
	if cli.IsTerminal(a.Streams.Out) {
		for i := range lines {
			lines[i] = text.Line(lines[i])
		}
	}
	return a.Print(lines...)
}

// readContract reads a contract with its interface.
func readContract(ctx context.Context, c *apiclient.Client, principal string) (apiclient.Answer[resource.Contract], error) {
	a, err := c.Contract(ctx, principal)
	if err != nil {
		return apiclient.Answer[resource.Contract]{}, wrongContract("contract", principal, notFound("contract "+principal, err))
	}
	return apiclient.Answer[resource.Contract]{Value: resource.ContractOf(&a.Value), Raw: a.Raw}, nil
}

func newCall(app *cli.App) *cobra.Command {
	sender := ""
	cmd := &cobra.Command{
		Use:         "call PRINCIPAL FUNCTION [ARG…] [--sender P]",
		Annotations: map[string]string{cli.WithRows: "true"},
		Short:       "Call a read-only function of a contract",
		Long: `Call a read-only function of a contract, and print what it returns. Nothing is signed.

An argument is a Clarity literal, such as u5, 'SP…, "text", (list u1 u2) or { a: u1 }.
Where the interface of the contract says what it is, it can be plain: 5 for a uint, SP…
for a principal, text for a string. Arguments that begin with - go after --.`,
		Example: `  chainscope call SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token get-balance SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J
  chainscope call SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token get-decimals -o json --jq .value.ok`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				e := cli.Usagef("call takes a contract, a function and its arguments\nusage: chainscope %s", cmd.Use)
				if len(args) == 1 && apiclient.CheckPrincipal(args[0]) == nil {
					return e.Try("contract", args[0])
				}
				return e
			}
			return nil
		},
		ValidArgsFunction: completeContract(app),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printValue(cmd.Context(), app, func(ctx context.Context, c *apiclient.Client) (clarity.Value, error) {
				return callReadOnly(ctx, c, args[0], args[1], sender, args[2:])
			})
		},
	}
	cmd.Flags().StringVar(&sender, "sender", "", "call it as this `PRINCIPAL`; without it as the address of the contract")
	return cmd
}

// callReadOnly calls a function with arguments as they are typed.
func callReadOnly(ctx context.Context, c *apiclient.Client, contract, function, sender string, typed []string) (clarity.Value, error) {
	if err := apiclient.CheckAccount(sender); sender != "" && err != nil {
		return nil, &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("--sender: %v", err)}
	}
	of, err := readContract(ctx, c, contract)
	if err != nil {
		return nil, err
	}
	f, err := functionOf(of.Value, function)
	if err != nil {
		return nil, err
	}
	values, err := f.Arguments(typed)
	if err != nil {
		return nil, &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error()}
	}
	args := make([]string, len(values))
	for i, v := range values {
		digits, err := clarity.EncodeHex(v)
		if err != nil {
			return nil, &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("argument %d: %v", i+1, err)}
		}
		args[i] = "0x" + digits
	}
	answer, err := c.CallReadOnly(ctx, contract, function, sender, args)
	if err != nil {
		return nil, notAnswered(err, "what "+function+" returns")
	}
	if !answer.Value.Okay {
		return nil, refusedCall(function, answer.Value.Cause)
	}
	return decodeValue(answer.Value.Result)
}

// notAnswered says of a 404 with which a node answered for what the API has: what it leaves open.
func notAnswered(err error, what string) error {
	var from *apiclient.Error
	if apiclient.KindOf(err) != apiclient.NotFound || !errors.As(err, &from) {
		return err
	}
	return &cli.Error{
		Kind: cli.KindServer, Status: from.Status, Err: err,
		Message: fmt.Sprintf("the node behind this API does not say %s: %s", what, strings.TrimPrefix(from.Error(), from.Op+": ")),
	}
}

// functionOf finds a function that can be called from outside. The error names those that
// there are.
func functionOf(c resource.Contract, name string) (*abi.Function, error) {
	if c.Wrong != nil {
		return nil, &cli.Error{Kind: cli.KindDecode, Message: c.Wrong.Error()}
	}
	f, there := c.Face.Function(name)
	switch {
	case !there:
		return nil, missing(c.ID, "function", name, c.Face.Callable(abi.ReadOnly, abi.Public), func(f abi.Function) string { return f.Name })
	case f.Access == abi.Private:
		return nil, &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("%s is private: only the contract itself can call it", name)}
	}
	return f, nil
}

// maxNamed limits how many names an error lists.
const maxNamed = 40

// missing returns what a contract has in place of what it does not have.
func missing[T any](contract, what, name string, there []T, called func(T) string) error {
	message := fmt.Sprintf("%s has no %s %q", contract, what, name)
	if len(there) == 0 {
		return &cli.Error{Kind: cli.KindNotFound, Message: fmt.Sprintf("%s; it has no %ss", message, what)}
	}
	names := make([]string, len(there))
	for i, one := range there {
		names[i] = called(one)
	}
	suggestion := cli.Nearest(name, names)
	if suggestion != "" {
		message += "; did you mean " + suggestion + "?"
	}
	more := ""
	if len(names) > maxNamed {
		names, more = names[:maxNamed], fmt.Sprintf(" and %d more", len(names)-maxNamed)
	}
	e := &cli.Error{Kind: cli.KindNotFound, Message: message + "\nits " + what + "s: " + strings.Join(names, ", ") + more}
	if suggestion == "" {
		return e.Try("contract", contract)
	}
	return e.TryWord(name, suggestion)
}

// refusedCall returns the error of a call that a node did not run to its end.
func refusedCall(function, cause string) error {
	e := &cli.Error{Kind: cli.KindServer, Message: resource.RefusedCall(function, cause)}
	switch {
	case strings.Contains(cause, "NotReadOnly"):
		e.Kind = cli.KindInvalidInput
		e.Message += ". To sign one: chainscope wallet request stx_callContract"
	case strings.Contains(cause, "NoSuchContract"):
		e.Kind = cli.KindNotFound
	case strings.Contains(cause, "Unchecked("):
		e.Kind = cli.KindInvalidInput
	}
	return e
}

// decodeValue reads a value as a server wrote it.
func decodeValue(digits string) (clarity.Value, error) {
	v, err := clarity.DecodeHex(digits)
	if err != nil {
		return nil, &cli.Error{Kind: cli.KindDecode, Message: "the value cannot be read: " + err.Error()}
	}
	return v, nil
}

// valueBody holds what -o json prints of a value.
type valueBody struct {
	Repr  string          `json:"repr"`
	Hex   string          `json:"hex"`
	Value json.RawMessage `json:"value"`
}

// printValue reads a value of a contract and prints it.
func printValue(ctx context.Context, a *cli.App, read func(context.Context, *apiclient.Client) (clarity.Value, error)) error {
	return requestAndShow(ctx, a,
		func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[string], error) {
			v, err := read(ctx, c)
			if err != nil {
				return apiclient.Answer[string]{}, err
			}
			digits, err := clarity.EncodeHex(v)
			if err != nil {
				return apiclient.Answer[string]{}, err
			}
			repr := clarity.Repr(v)
			raw, err := json.Marshal(valueBody{repr, "0x" + digits, clarity.PlainJSON(v)})
			return apiclient.Answer[string]{Value: repr, Raw: raw}, err
		},
		a.PrintText)
}

func newVar(app *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:               "var PRINCIPAL NAME",
		Annotations:       map[string]string{cli.WithRows: "true"},
		Short:             "Read a data variable or a constant of a contract",
		Args:              cli.ExactArgs(2),
		ValidArgsFunction: completeContract(app),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printValue(cmd.Context(), app, func(ctx context.Context, c *apiclient.Client) (clarity.Value, error) {
				return readVariable(ctx, c, args[0], args[1])
			})
		},
	}
}

// readVariable reads a data variable. Only where there is none is more requested: a
// constant, and what the contract has.
func readVariable(ctx context.Context, c *apiclient.Client, contract, name string) (clarity.Value, error) {
	answer, err := c.DataVar(ctx, contract, name)
	if apiclient.KindOf(err) != apiclient.NotFound {
		if err != nil {
			return nil, err
		}
		return decodeValue(answer.Value.Data)
	}
	of, failed := readContract(ctx, c, contract)
	if failed != nil {
		return nil, failed
	}
	if v, there := of.Value.Face.Variable(name); there {
		if v.Access == abi.Constant {
			answer, err = c.Constant(ctx, contract, name)
		}
		if err != nil {
			return nil, notAnswered(err, "the value of "+name)
		}
		return decodeValue(answer.Value.Data)
	}
	if m, there := of.Value.Face.Map(name); there {
		return nil, &cli.Error{Kind: cli.KindNotFound, Message: fmt.Sprintf("%s is a map, with keys %s: chainscope map %s %s KEY", name, m.Key, contract, name)}
	}
	return nil, missing(contract, "variable", name, of.Value.Face.Variables, func(v abi.Variable) string { return v.Name })
}

func newMap(app *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:         "map PRINCIPAL NAME KEY",
		Annotations: map[string]string{cli.WithRows: "true"},
		Short:       "Read an entry of a map of a contract",
		Long: `Read an entry of a map of a contract: (some …), or none where there is no such key.

KEY is written as an argument of call.`,
		Args:              cli.ExactArgs(3),
		ValidArgsFunction: completeContract(app),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printValue(cmd.Context(), app, func(ctx context.Context, c *apiclient.Client) (clarity.Value, error) {
				return readEntry(ctx, c, args[0], args[1], args[2])
			})
		},
	}
}

// readEntry reads an entry of a map by its key as it is typed.
func readEntry(ctx context.Context, c *apiclient.Client, contract, name, typed string) (clarity.Value, error) {
	of, err := readContract(ctx, c, contract)
	if err != nil {
		return nil, err
	}
	m, there := of.Value.Face.Map(name)
	if !there {
		return nil, missing(contract, "map", name, of.Value.Face.Maps, func(m abi.Map) string { return m.Name })
	}
	key, err := m.Key.Read(typed)
	if err != nil {
		return nil, &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("key (%s): %v", m.Key, err)}
	}
	digits, err := clarity.EncodeHex(key)
	if err != nil {
		return nil, &cli.Error{Kind: cli.KindInvalidInput, Message: "key: " + err.Error()}
	}
	answer, err := c.MapEntry(ctx, contract, name, "0x"+digits)
	if err != nil {
		return nil, notAnswered(err, "what "+name+" has under this key")
	}
	return decodeValue(answer.Value.Data)
}

// completeContract completes a contract with those that the mock has, and then what the
// command takes of it.
func completeContract(a *cli.App) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return completer(a, completeToken)(cmd, args, typed)
		}
		if len(args) > 1 || cmd.Name() == "contract" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
		defer cancel()
		of, err := contractToComplete(ctx, a, cmd, args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var list []cobra.Completion
		switch face := of.Face; cmd.Name() {
		case "call":
			for _, f := range face.Callable(abi.ReadOnly) {
				list = append(list, suggestion(f.Name, f.Signature()))
			}
		case "var":
			for _, v := range face.Variables {
				list = append(list, suggestion(v.Name, v.Type.String()))
			}
		case "map":
			for _, m := range face.Maps {
				list = append(list, suggestion(m.Name, "by "+m.Key.String()))
			}
		}
		return unique(list), cobra.ShellCompDirectiveNoFileComp
	}
}

// contractToComplete reads a contract while a command line is typed, with one request of
// any API.
func contractToComplete(ctx context.Context, a *cli.App, cmd *cobra.Command, principal string) (resource.Contract, error) {
	if err := errors.Join(a.Layer(cmd), apiclient.CheckPrincipal(principal)); err != nil {
		return resource.Contract{}, err
	}
	a.FullScreen = true // nothing may be printed
	c, err := a.Connect(ctx)
	if err != nil {
		return resource.Contract{}, err
	}
	defer c.Close()
	of, err := readContract(apiclient.WithFewAttempts(ctx), c.Client, principal)
	return of.Value, err
}

// completeToken completes the contracts of tokens.
func completeToken(c *catalog, args []string) []cobra.Completion {
	list := completeFT(c, args)
	for _, t := range c.NFT {
		list = append(list, suggestion(t.Principal, t.What))
	}
	return list
}

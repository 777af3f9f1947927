package command

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/command/cli"
	"chainscope/tui/command/walletcmd"
)

func newRoot(app *cli.App) *cobra.Command {
	explorer := &explorerFlags{}
	root := &cobra.Command{
		Use:   "chainscope [THING]",
		Short: "Explore the Stacks chain in a terminal",
		Long: `chainscope explores the Stacks chain in a terminal, mocks the API it reads, and
is a wallet for tests.

Without a command it opens the explorer. THING is where to start: a burn height
or hash, the height or hash of a Stacks block, latest, a contract principal,
principal::id, a namespace, name.namespace, a path or URL of the API. After --,
THING is never a command.`,
		Example: `  chainscope                      the explorer on a mock chain
  chainscope --api mainnet        the explorer on the live chain
  chainscope blocks -o json | jq .
  chainscope alice.btc            a name`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completer(app, completeTarget),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return prepare(app, cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			return explore(cmd, app, explorer, args)
		},
	}
	app.Settings.Register(root.PersistentFlags())
	explorer.register(root.Flags())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagError(cmd, err)
	})
	root.SetHelpCommand(newHelp())
	root.SetUsageFunc(usage)
	root.AddGroup(commandGroups...)
	root.AddCommand(append(newLists(app),
		newBlocks(app), newBlock(app), newBurnBlocks(app), newTx(app), newTxs(app), newAccount(app),
		newContract(app), newCall(app), newVar(app), newMap(app), newFT(app), newNFT(app), newNames(app), newLabel(app),
		newCheck(app), newDemo(app),
		newMockCommand(app), walletcmd.New(app), walletcmd.NewBridge(app), newCompletion(app), newVersion(app))...)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		cmd.GroupID = cmp.Or(cmd.GroupID, groupOf(cmd.Name()))
		if name := cmd.Name(); name == "version" || name == "completion" || name == "help" {
			cmd.Annotations = map[string]string{cli.WithoutConfig: "true"}
		}
	}
	completeFlags(root, flagValues())
	_ = root.RegisterFlagCompletionFunc("fields", completeFields)
	return root
}

// prepare reads the settings of a command, and refuses those that are wrong.
func prepare(a *cli.App, cmd *cobra.Command) error {
	if err := a.ReadSettings(cmd); err != nil {
		return err
	}
	for name := range a.FromCommandLine {
		if cli.IsMock(cmd) && strings.HasPrefix(name, cli.MockPrefix) {
			return unknownFlag(cmd, name)
		}
		if own, given := strings.CutPrefix(name, cli.MockPrefix); given && mockless(cmd, name) {
			return cli.Usagef("--%s: a command of the wallet starts no mock; start one with `chainscope mock --%s …`, and name it with --api URL", name, own)
		}
	}
	return a.CheckSettings(cmd)
}

// flagError returns what is wrong with a flag, in words of the command line.
func flagError(cmd *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		return cli.BadValue(bad.GetFlag(), bad.GetValue())
	case wrongFlag(cmd, err) != nil:
		return wrongFlag(cmd, err)
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1:
		if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
			if suggestion := cli.Nearest(words[0], cli.CommandNames(cmd)); suggestion != "" {
				return cli.MistypedCommand(words[0], suggestion)
			}
		}
		return unknownFlag(cmd, unknown.GetSpecifiedName())
	}
	return cli.Usagef("%v\nsee: %s --help", err, cmd.CommandPath())
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				e := cli.Usagef("help: there is no command %q\nsee: chainscope --help", strings.Join(args, " "))
				if suggestion := cli.Nearest(strings.Join(args, " "), cli.CommandNames(cmd.Root())); suggestion != "" {
					return e.Try("help", suggestion)
				}
				return e.Try("--help")
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

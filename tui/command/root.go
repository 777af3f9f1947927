package command

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newRoot(app *app) *cobra.Command {
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
		ValidArgsFunction: app.completer(completeThing),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return app.prepare(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			return explore(cmd, app, explorer, args)
		},
	}
	app.settings.register(root.PersistentFlags())
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
		newContract(app), newCall(app), newVar(app), newMap(app), newFT(app), newNFT(app), newNames(app),
		newCheck(app), newDemo(app),
		newMockCommand(app), newWallet(app), newBridge(app), newCompletion(app), newVersion(app))...)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		cmd.GroupID = cmp.Or(cmd.GroupID, groupOf(cmd.Name()))
		if name := cmd.Name(); name == "version" || name == "completion" || name == "help" {
			cmd.Annotations = map[string]string{withoutConfig: "true"}
		}
	}
	completeFlags(root, flagValues())
	_ = root.RegisterFlagCompletionFunc("fields", completeFields)
	return root
}

// prepare reads the settings of a command, and refuses those that are wrong.
func (a *app) prepare(cmd *cobra.Command) error {
	if err := a.readSettings(cmd); err != nil {
		return err
	}
	for name := range a.fromCommandLine {
		if isMock(cmd) && strings.HasPrefix(name, mockPrefix) {
			return unknownFlag(cmd, name)
		}
		if own, given := strings.CutPrefix(name, mockPrefix); given && mockless(cmd, name) {
			return usagef("--%s: a command of the wallet starts no mock; start one with `chainscope mock --%s …`, and name it with --api URL", name, own)
		}
	}
	return a.checkSettings(cmd)
}

// flagError returns what is wrong with a flag, in words of the command line.
func flagError(cmd *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		return badValue(bad.GetFlag(), bad.GetValue())
	case wrongFlag(cmd, err) != nil:
		return wrongFlag(cmd, err)
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1:
		if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
			if meant := nearest(words[0], commandNames(cmd)); meant != "" {
				return mistypedCommand(words[0], meant)
			}
		}
		return unknownFlag(cmd, unknown.GetSpecifiedName())
	}
	return usagef("%v\nsee: %s --help", err, cmd.CommandPath())
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				e := usagef("help: there is no command %q\nsee: chainscope --help", strings.Join(args, " "))
				if meant := nearest(strings.Join(args, " "), commandNames(cmd.Root())); meant != "" {
					return e.try("help", meant)
				}
				return e.try("--help")
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

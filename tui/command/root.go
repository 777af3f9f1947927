package command

import (
	"strings"

	"github.com/spf13/cobra"
)

func newRoot(app *app) *cobra.Command {
	explorer := &explorerFlags{}
	root := &cobra.Command{
		Use:   "chainscope [THING]",
		Short: "Explore the Stacks chain in a terminal",
		Long: `chainscope explores the Stacks chain in a terminal, mocks the API it asks, and
is a wallet made for testing.

Without a command it opens the explorer. THING is anything one can go to: a burn
height or hash, latest, a contract principal, principal::id, a namespace,
name.namespace, a path or URL of the API. After --, THING is never a command.`,
		Example: `  chainscope                      the explorer on a mock chain
  chainscope --api mainnet        the explorer on the live chain
  chainscope blocks -o json | jq .
  chainscope alice.btc`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Annotations[withoutConfig] == "" {
				if err := app.layer(cmd); err != nil {
					return err
				}
			}
			app.layered = true
			return app.settings.check()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return explore(cmd, app, explorer, args)
		},
	}
	app.settings.register(root.PersistentFlags())
	explorer.register(root.Flags())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v\nsee: %s --help", err, cmd.CommandPath())
	})
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		newBlocks(app), newBlock(app), newBurnBlocks(app), newFT(app), newNFT(app), newNames(app),
		newMockCommand(app), newCompletion(app), newVersion(app),
	)
	for _, cmd := range root.Commands() {
		if name := cmd.Name(); name == "version" || name == "completion" || name == "help" {
			cmd.Annotations = map[string]string{withoutConfig: "true"}
		}
	}
	return root
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("help: there is no command %q\nsee: chainscope --help", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

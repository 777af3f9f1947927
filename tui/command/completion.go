package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
)

var shells = []string{"bash", "zsh", "fish"}

func newCompletion(app *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "completion " + strings.Join(shells, "|"),
		Short: "Print the completion script of a shell",
		Long: `Print the completion script of a shell.

That of bash uses functions of bash-completion, a package of its own on most systems
(apt install bash-completion, brew install bash-completion@2), which the shell must
have loaded. Those of zsh and fish need nothing else.`,
		Example: `  source <(chainscope completion bash)
  chainscope completion zsh > "${fpath[1]}/_chainscope"
  chainscope completion fish > ~/.config/fish/completions/chainscope.fish`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				e := cli.Usagef("completion: give one shell: bash, zsh or fish")
				return e.Try("completion", cmp.Or(cli.Nearest(strings.Join(args, ""), shells), "bash"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), app.Streams.Out
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			default:
				return root.GenFishCompletion(out, true)
			}
		},
	}
}

package walletcmd

import (
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
)

// run runs a command of the wallet, with an empty environment and home.
func run(t *testing.T, ctx context.Context, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	dir := t.TempDir()
	app := &cli.App{Typed: args, Streams: cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs,
		Env: func(name string) (string, bool) { return dir, name == "CHAINSCOPE_STATE_DIR" || name == "HOME" },
	}}
	root := &cobra.Command{
		Use: "chainscope", SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return app.ReadSettings(cmd) },
	}
	app.Settings.Register(root.PersistentFlags())
	root.AddCommand(New(app))
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	code = app.End(ctx, root.ExecuteContext(ctx))
	return code, out.String(), errs.String()
}

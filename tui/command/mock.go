package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"chainscope/mockserver"
	"chainscope/tui/command/cli"
)

func newMockCommand(app *cli.App) *cobra.Command {
	var flags cli.MockFlags
	cmd := &cobra.Command{
		Use:   "mock",
		Short: "Serve the mock API",
		Long: `Serve the mock API on a loopback address until interrupted.

The chain depends only on the seed, the block intervals and the clock: two servers
with the same seed show the same chain. --upstream with --record keeps the answers
of a live API; --replay serves them again, offline.

POST /mock/v1/snapshot and revert undo what was done to a chain; beside them are
mine, clock, reorg, accounts and contracts. GET /mock/v1/openapi.json describes
them. With --worlds every test has a chain of its
own under /w/NAME; --state keeps what was done in a file.

With --fork the chain goes on from the state of mainnet, testnet or another live chain: its
contracts run, its accounts have what they have there, and nothing is sent to it. What was read
once is kept; --fork-offline reads nothing else.

With --clarity deployed contracts run, in a program beside this one, on a chain that is
100 minutes old: npm install chainscope-clarity. --project deploys those of a Clarinet
project first.`,
		Example: `  chainscope mock --seed 1 --freeze 2026-01-01T00:00:00Z
  chainscope mock --fault 'status=503,rate=0.1,path=/v1/*'
  chainscope mock --upstream https://api.hiro.so --record tape
  chainscope mock --worlds --automine --contracts contracts.yaml
  chainscope mock --project ../my-project --automine
  chainscope mock --fork mainnet --impersonate all`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, err := cli.Awaited(cmd.Context(), func() (*mockserver.Server, error) { return flags.NewMock(app, "", app.Streams.Out) })
			if errors.Is(err, context.Canceled) && flags.Project != "" {
				return &cli.Error{Kind: cli.KindCanceled, Message: "stopped while the project was starting; nothing of it runs any more", Err: err}
			}
			if err != nil {
				return err
			}
			defer func() { _ = server.Close() }()
			l, err := cli.Listen("--addr", flags.Addr)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(app.Streams.Out, "mock API listening on http://%s\n", l.Addr()); err != nil {
				l.Close()
				return err
			}
			ctx, cancel := app.Bounded(cmd.Context(), flags.UntilEOF)
			defer cancel()
			return app.Serve(ctx, server, l)
		},
	}
	flags.Register(cmd.Flags(), "")
	return cmd
}

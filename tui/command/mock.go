package command

import (
	"fmt"

	"chainscope/mockserver"

	"github.com/spf13/cobra"
)

func newMockCommand(app *app) *cobra.Command {
	var flags mockFlags
	cmd := &cobra.Command{
		Use:   "mock",
		Short: "Serve the mock API",
		Long: `Serve the mock API on a loopback address until interrupted.

The chain is a function of seed, pace and clock: two servers with one seed show
the same chain. With --upstream and --record the answers of a live API are kept;
--replay serves them again, offline.

What was done to a chain can be taken back: POST /mock/v1/snapshot and revert,
and mine, clock, reorg, accounts and contracts beside them; GET
/mock/v1/openapi.json describes them. With --worlds every test has a chain of its
own under /w/NAME; --state keeps what was done in a file.`,
		Example: `  chainscope mock --seed 1 --freeze 2026-01-01T00:00:00Z
  chainscope mock --fault 'status=503,rate=0.1,path=/v1/*'
  chainscope mock --upstream https://api.hiro.so --record tape
  chainscope mock --worlds --automine --contracts contracts.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, err := awaited(cmd.Context(), func() (*mockserver.Server, error) { return flags.newMock("", app.streams.Out) })
			if err != nil {
				return err
			}
			l, err := listen("--addr", flags.addr)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(app.streams.Out, "mock API listening on http://%s\n", l.Addr()); err != nil {
				l.Close()
				return err
			}
			return app.serve(cmd.Context(), server, l)
		},
	}
	flags.register(cmd.Flags(), "")
	return cmd
}

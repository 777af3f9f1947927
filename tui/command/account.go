package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/resource"
)

func newAccount(app *app) *cobra.Command {
	return &cobra.Command{
		Use:   "account ADDRESS",
		Short: "Show an account: balance, nonces and tokens",
		Long: `Show an account or a contract: what it has of STX and of tokens, its next nonce, and
which nonces wait or are missing. It takes four requests.`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[resource.Account], error) {
					return readAccount(ctx, app, c, args[0])
				},
				func(a resource.Account) error {
					return app.fieldsOf(resource.Accounts().Fields(a)).write(app.streams.Out)
				})
		},
	}
}

// readAccount reads all that there is of an account.
func readAccount(ctx context.Context, app *app, c *apiclient.Client, principal string) (apiclient.Answer[resource.Account], error) {
	if err := apiclient.ValidAccount(principal); err != nil {
		wrong := &Error{Kind: KindInvalidInput, Message: err.Error()}
		if what, line := shownBy(principal); what != "" {
			wrong.Message = fmt.Sprintf("account takes an address; %s is %s", principal, what)
			wrong = wrong.try(line...)
		}
		return apiclient.Answer[resource.Account]{}, wrong
	}
	if err := app.otherNetwork(principal); err != nil {
		return apiclient.Answer[resource.Account]{}, err
	}
	return tui.ReadAccount(ctx, app.guard.Go, c, principal)
}

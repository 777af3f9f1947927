package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/resource"
)

// accountBody is what -o json prints of an account: the API's own answers.
type accountBody struct {
	Address     string          `json:"address"`
	STX         json.RawMessage `json:"stx"`
	Nonces      json.RawMessage `json:"nonces,omitempty"`
	Fungible    json.RawMessage `json:"fungible_tokens"`
	NonFungible json.RawMessage `json:"non_fungible_tokens"`
}

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

// readAccount reads all that there is of an account. A contract has no nonces.
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
	a, body := resource.Account{Principal: principal}, accountBody{Address: principal}
	reads := []func() error{
		func() error {
			answer, err := c.AccountBalance(ctx, principal)
			a.STX, body.STX = &answer.Value, answer.Raw
			return err
		},
		func() error {
			if apiclient.ValidPrincipal(principal) == nil {
				return nil
			}
			answer, err := c.AccountNonces(ctx, principal)
			a.Nonces, body.Nonces = &answer.Value, answer.Raw
			return err
		},
		func() error {
			answer, err := c.FungibleHoldings(ctx, principal)
			a.Fungible, body.Fungible = answer.Value.Results, answer.Raw
			return err
		},
		func() error {
			answer, err := c.NonFungibleHoldings(ctx, principal)
			a.NonFungible, body.NonFungible = answer.Value.Results, answer.Raw
			return err
		},
	}
	done := make(chan error, len(reads))
	for _, read := range reads {
		app.guard.Go(func() { done <- read() })
	}
	var failed error
	for range reads {
		failed = cmp.Or(failed, <-done)
	}
	if failed != nil {
		return apiclient.Answer[resource.Account]{}, failed
	}
	raw, err := json.Marshal(body)
	return apiclient.Answer[resource.Account]{Value: a, Raw: raw}, err
}

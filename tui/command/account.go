package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/wallet/c32"
)

func newAccount(app *cli.App) *cobra.Command {
	var flags historyFlags
	cmd := &cobra.Command{
		Use:         "account ADDRESS|NAME [--transactions [--all] [--after TXID]" + timeUsage + listUsage + "]",
		Annotations: map[string]string{cli.WithRows: strings.Join(columnsOf(resource.Entries(), nil, nil).known, ",")},
		Short:       "Show an account: balance, nonces and tokens, or its transactions",
		Long: `Show an account or a contract: what it has of STX and of tokens, its next nonce, and
which nonces wait or are missing. It takes four requests, and a table up to ten more, for
the decimals of its tokens and the names that it owns; a server behind a URL is asked for its
network first. A name such as alice.btc is that of its owner, by BNS v2.

--transactions prints its history instead, a row for each asset that a transaction brought
or took, signed: -o csv is for a spreadsheet. It says first what that costs. The fee is on
the first row of what the account paid itself, and in no amount. Where a run ended,
--after goes on. --since and --until choose by time, such as 2d or 2026-03-01 (UTC): the list
is read from the newest, and no further than --since.`,
		Args: cli.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd, app); err != nil {
				return err
			}
			return showAccount(cmd.Context(), app, args[0], flags)
		},
	}
	flags.register(cmd)
	return cmd
}

// mostExplained limits how many requests a table of an account takes besides, for the decimals of
// its tokens and the names that it owns; two more read what it stakes.
const mostExplained = 8

// showAccount prints an account, or its history.
func showAccount(ctx context.Context, app *cli.App, target string, flags historyFlags) error {
	c, err := app.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	app.PrintMock(c)
	principal, err := owner(ctx, app, c.Client, target)
	switch {
	case err != nil:
		return err
	case flags.transactions:
		return printHistory(ctx, app, c.Client, principal, flags)
	}
	a, err := tui.ReadAccount(ctx, app.Guard.Go, c.Client, principal)
	switch {
	case err != nil:
		return err
	case app.Rows():
		return printRows(ctx, app, a)
	case app.JSON():
		return app.PrintRaw(ctx, a.Raw)
	}
	whole := tui.ExplainAccount(ctx, c.Client, tui.NewBackgrounds(c.Client), a.Value, mostExplained)
	if row, err := tui.ReadStaking(ctx, c.Client, whole); err == nil { // else it stays unknown
		whole = row.Of
	}
	return fieldsOf(app, resource.Accounts().Fields(whole)).Write(app.Streams.Out)
}

// checkSum returns an error if a character of an address is mistyped, of that of a contract too.
func checkSum(principal string) error {
	address, _, _ := strings.Cut(principal, ".")
	if _, err := c32.ParseAddress(address); err != nil {
		return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error() + "; copy the address once more"}
	}
	return nil
}

// owner returns the account that an argument names: an address, a contract, a label after an @, or a
// name, which one request requests.
func owner(ctx context.Context, app *cli.App, c *apiclient.Client, target string) (string, error) {
	target, err := labelledAs(app, target)
	if err != nil {
		return "", err
	}
	wrong := apiclient.CheckAccount(target)
	if wrong == nil {
		if err := checkSum(target); err != nil {
			return "", err
		}
		return target, otherNetwork(ctx, app, c, target)
	}
	if right := capitals(target); right != "" {
		e := &cli.Error{Kind: cli.KindInvalidInput, Message: "an address is written in capital letters"}
		return "", e.TryWord(target, right)
	}
	target, notName := registeredName(app, target)
	if e, is := errors.AsType[*cli.Error](notName); is && e.Suggest != nil {
		return "", e
	}
	if notName != nil {
		e := &cli.Error{Kind: cli.KindInvalidInput, Message: wrong.Error()}
		if what, line := cli.ShownBy(target); what != "" {
			e.Message = fmt.Sprintf("an address or a name is wanted here; %s is %s", target, what)
			e = e.Try(line...)
		}
		return "", e
	}
	name, err := tui.ReadName(ctx, c, target)
	if err != nil {
		return "", err
	}
	app.Notice(target + " belongs to " + name.Value.Owner)
	return name.Value.Owner, nil
}

// registeredName returns a full name as it is registered: one with pictures is in punycode
// there. The error says what keeps it from being a name.
func registeredName(app *cli.App, target string) (string, error) {
	name := nav.Registered(strings.ToLower(target))
	if err := nav.CheckFullName(name); err != nil {
		return target, &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error()}
	}
	if strings.ToLower(target) != target {
		e := &cli.Error{Kind: cli.KindInvalidInput, Message: "names are written in small letters"}
		return target, e.TryWord(target, strings.ToLower(target))
	}
	if name != target {
		app.Notice(target + " is registered as " + name)
	}
	return name, nil
}

package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
)

func newAccount(app *app) *cobra.Command {
	var flags historyFlags
	cmd := &cobra.Command{
		Use:         "account ADDRESS|NAME [--transactions [--limit N | --all] [--after TXID]]",
		Annotations: map[string]string{withRows: "true"},
		Short:       "Show an account: balance, nonces and tokens, or its transactions",
		Long: `Show an account or a contract: what it has of STX and of tokens, its next nonce, and
which nonces wait or are missing. It takes four requests, and a table up to eight more, for
the decimals of its tokens and the names that it owns. A name such as alice.btc is that of
its owner, by BNS v2.

--transactions prints its history instead, a row for each asset that a transaction brought
or took, signed: -o csv is for a spreadsheet. It says first what that costs. The fee is on
the first row of what the account paid itself, and in no amount. Where a run ended,
--after goes on.`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(app.fromCommandLine); err != nil {
				return err
			}
			return showAccount(cmd.Context(), app, args[0], flags)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// mostExplained is how many requests a table of an account takes besides, for the decimals of
// its tokens and the names that it owns.
const mostExplained = 8

// showAccount prints an account, or its history.
func showAccount(ctx context.Context, app *app, thing string, flags historyFlags) error {
	c, err := app.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	app.sayMock(c)
	principal, err := owner(ctx, app, c.client, thing)
	switch {
	case err != nil:
		return err
	case flags.transactions:
		return printHistory(ctx, app, c.client, principal, flags)
	}
	a, err := tui.ReadAccount(ctx, app.guard.Go, c.client, principal)
	switch {
	case err != nil:
		return err
	case app.rows():
		return printRows(ctx, app, a)
	case app.json():
		return app.printRaw(ctx, a.Raw)
	}
	whole := tui.ExplainAccount(ctx, c.client, tui.NewBackgrounds(c.client), a.Value, mostExplained)
	return app.fieldsOf(resource.Accounts().Fields(whole)).write(app.streams.Out)
}

// registries are the contracts of BNS v2, on mainnet and on testnet.
var registries = map[bool]string{
	true: "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2", false: "ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.BNS-V2",
}

// owner is the account that an argument names: an address, a contract, or a name, which one
// request asks for.
func owner(ctx context.Context, app *app, c *apiclient.Client, thing string) (string, error) {
	wrong := apiclient.ValidAccount(thing)
	if wrong == nil {
		address, _, _ := strings.Cut(thing, ".")
		if _, err := c32.ParseAddress(address); err != nil {
			return "", &Error{Kind: KindInvalidInput, Message: err.Error() + "; copy the address once more"}
		}
		return thing, app.otherNetwork(thing)
	}
	if right := capitals(thing); right != "" {
		e := &Error{Kind: KindInvalidInput, Message: "an address is written in capital letters"}
		return "", e.tryWord(thing, right)
	}
	if name := nav.Registered(strings.ToLower(thing)); name != thing && strings.Contains(name, ".") && nav.CheckFullName(name) == nil {
		if strings.ToLower(thing) != thing {
			e := &Error{Kind: KindInvalidInput, Message: "names are written in small letters"}
			return "", e.tryWord(thing, strings.ToLower(thing))
		}
		app.notice(thing + " is registered as " + name)
		thing = name
	}
	dot := strings.LastIndexByte(thing, '.')
	if dot < 1 || strings.ToLower(thing) != thing || apiclient.ValidNamespace(thing[dot+1:]) != nil {
		e := &Error{Kind: KindInvalidInput, Message: wrong.Error()}
		if what, line := shownBy(thing); what != "" {
			e.Message = fmt.Sprintf("an address or a name is wanted here; %s is %s", thing, what)
			e = e.try(line...)
		}
		return "", e
	}
	var args []string
	for _, part := range []string{thing[:dot], thing[dot+1:]} {
		hex, err := clarity.EncodeHex(clarity.Buffer(part))
		if err != nil {
			return "", &Error{Kind: KindInvalidInput, Message: err.Error()}
		}
		args = append(args, "0x"+hex)
	}
	answer, err := c.CallReadOnly(ctx, registries[app.settings.api != "testnet"], "get-owner-name", "", args)
	if err != nil {
		return "", notFound("name "+thing, err)
	}
	if !answer.Value.Okay {
		return "", refusedCall("get-owner-name", answer.Value.Cause)
	}
	value, err := clarity.DecodeHex(answer.Value.Result)
	if err != nil {
		return "", &Error{Kind: KindDecode, Message: "the owner of " + thing + " cannot be read: " + err.Error()}
	}
	if of, is := value.(clarity.OK); is {
		if some, is := of.Value.(clarity.Some); is {
			if p, is := some.Value.(clarity.Principal); is {
				app.notice(thing + " belongs to " + p.String())
				return p.String(), nil
			}
		}
	}
	return "", &Error{Kind: KindNotFound, Message: "no account owns the name " + thing}
}
